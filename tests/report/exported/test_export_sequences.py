"""Exported suites of sequences are tests as one writes them by hand: green on the original, red on a mutant."""

import runpy
import shutil
from pathlib import Path

import pytest
from shelf import SHELF, SHELF_SPEC
from support.exported_suites import outcome
from support.own_subject import write_subject
from support.subjects import load_subject

from harness import resources
from harness.errors import BaselineError, UsageError
from harness.kernel.inputs.suites import SuiteReader
from harness.model.experiment import Trial
from harness.report.exported.pytest_suite import export_pytest
from harness.runner.suites import ensure_suite

pytestmark = pytest.mark.usefixtures("cache_of_these_tests")


def export(subject: str, scope: int, path: Path, generator: str = "random:60") -> SuiteReader:
    loaded, _ = load_subject(subject)
    suite = ensure_suite(loaded, Trial(subject, generator, scope))
    assert export_pytest(loaded, suite, path) == path
    return suite


def run_here(file: Path) -> tuple[int, int]:
    """Return the same counts as `outcome`, but run the tests in this process, which is faster."""
    tests = [test for name, test in runpy.run_path(str(file)).items() if name.startswith("test_")]
    failed = 0
    for test in tests:
        try:
            test()
        except (Exception, pytest.fail.Exception):
            failed += 1
    return len(tests) - failed, failed


def shelf(folder: Path, source: str = SHELF, spec: str = SHELF_SPEC) -> str:
    return write_subject(folder, source, spec)


@pytest.mark.parametrize(("subject", "generator"), [("heapq", "random:60"), ("fibonacci_heap", "beapi")])
def test_every_sequence_is_a_test_that_passes_on_the_original(tmp_path, subject, generator):
    file = tmp_path / f"test_{subject}.py"
    suite = export(subject, 2, file, generator)
    assert run_here(file) == (len(suite), 0)


@pytest.mark.slow
def test_a_test_is_what_one_would_write_by_hand_and_fails_on_a_mutant(tmp_path):
    folder = tmp_path / "search_tree"
    shutil.copytree(resources.subject_folder("search_tree"), folder)
    file = tmp_path / "test_tree.py"
    suite = export(str(folder), 2, file)
    assert """
    search_tree = impl.SearchTree()
    assert search_tree.add(1) is True
    assert search_tree.add(2) is True
    assert search_tree.remove(2) is True
    assert spec.rep_ok(search_tree)
    assert same(spec.abstraction(search_tree), (1,))
""" in file.read_text()
    assert run_here(file) == (len(suite), 0)
    source = (folder / "impl.py").read_text()
    assert "parent.left = node" in source
    (folder / "impl.py").write_text(source.replace("parent.left = node", "parent.right = node"))
    passed, failed = outcome(file)
    assert failed > 0
    assert passed + failed == len(suite)


@pytest.mark.slow
def test_results_exceptions_and_states_without_invariant_are_asserted(tmp_path):
    subject, file = shelf(tmp_path / "shelf"), tmp_path / "test_shelf.py"
    suite = export(subject, 2, file, "random:250")
    text = file.read_text()
    for written in (
        "\n    book1 = Token(\"Book\", 1)\n",
        "\n    assert shelf.put(book1, at=1) is shelf\n",
        "\n    with raises(impl.Shelf.Full):\n        shelf.put(",
        "\n    with raises(IndexError):\n        shelf.first()\n",
        "\n    assert same(shelf.weight(), 1.5)\n",
        "\n    assert same(shelf.twice(), Shelf(books=[1, 'x', 1, 'x']))\n",
        "\n    result = shelf.twice()\n",
        "impl.both(shelf, shelf2)",
        "\n    assert same_structure(shelf, Shelf(books=[Token(\"Book\", 0)]))\n",
    ):  # fmt: skip
        assert written in text, written
    assert "lock" not in text.partition("def test_")[2]
    assert run_here(file) == (len(suite), 0)
    for original, replacement in [
        ("raise Shelf.Full", "raise KeyError"),
        ("return self\n", "return Shelf(self.books)\n"),
        ("1.5 *", "2.5 *"),
        ("other.books = []", "other.books = self.books"),
        ("insert(at,", "insert(0,"),
    ]:
        assert original in SHELF
        (tmp_path / "shelf" / "impl.py").write_text(SHELF.replace(original, replacement))
        assert run_here(file)[1] > 0, replacement
    (tmp_path / "shelf" / "impl.py").write_text(SHELF.replace("self._changes += 1", "self._changes += 2"))
    assert run_here(file) == (len(suite), 0), "an omitted field tells nothing"


def test_a_value_without_literal_form_is_refused_with_its_sequence(tmp_path):
    subject = shelf(tmp_path / "shelf", SHELF.replace("Lock()", "1j"), SHELF_SPEC.replace('"lock", ', ""))
    with pytest.raises(UsageError, match=r"input 0, shelf = Shelf.*: a complex cannot be written into a test file"):
        export(subject, 1, tmp_path / "test_shelf.py")


@pytest.mark.parametrize(
    ("rep_ok", "message"),
    [
        ("return len(shelf.books) < 9 and not made_again()", "its post-state does not satisfy rep_ok"),
        ("return 1 / (not made_again())", "checking what it did raised ZeroDivisionError"),
    ],
)
def test_an_original_that_fails_its_own_sequences_is_reported(tmp_path, rep_ok, message):
    # The invariant holds while the suite is made, and not when it is run again.
    again = 'def made_again():\n    return "harness.observing.process" in sys.modules\n'
    spec = f"import sys\n{SHELF_SPEC}\n\n{again}\n\ndef rep_ok(shelf):\n    {rep_ok}\n"
    subject = shelf(tmp_path / "shelf", spec=spec)
    with pytest.raises(BaselineError, match=rf"the original fails on input 0, shelf = Shelf.*: {message}"):
        export(subject, 1, tmp_path / "test_shelf.py")
