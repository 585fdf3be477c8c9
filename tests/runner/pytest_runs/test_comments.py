"""Edited comments change no hash of a project whose tests cannot read them; any other edit changes one."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from harness import api
from harness.model.pytest_suite import PytestSuite
from harness.runner.pytest_runs.comments import without_comments
from harness.runner.pytest_runs.project import find_project
from harness.runner.run import run_experiment
from harness.store import RunStore

TEST = '''\
# What a till adds.
from till.core import add


def test_add():
    """Add small numbers."""
    assert add(1, 2) == 3  # by hand
'''
CORE = "def add(one, two):\n    return one + two\n"


def hashed(folder: Path, text: str, core: str = CORE) -> dict[str, str]:
    folder.mkdir(exist_ok=True)
    (folder / "test_it.py").write_text(text, encoding="utf-8")
    (folder / "data.txt").write_text("# 3")
    contents = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("test_it.py", "data.txt")}
    return without_comments(folder, contents, core)


@pytest.mark.parametrize(
    ("before", "after"),
    [("# by hand", "# by head"), ("  # by hand", ""), ("# What a till adds.", ""), ("add(1, 2)", "add(1,  2)")],
    ids=["edited", "removed", "a whole line", "spaces"],
)
def test_comments_and_spaces_within_lines_change_no_hash(tmp_path: Path, before: str, after: str) -> None:
    assert before in TEST
    assert hashed(tmp_path, TEST) == hashed(tmp_path, TEST.replace(before, after))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("== 3", "== 4"),
        ("small", "large"),
        ("# What a till adds.\n", ""),
        ("\n    assert", "\n    # a line more\n    assert"),
        ("assert add", "print('#');assert add"),
    ],
    ids=["code", "docstring", "a line less", "a line more", "a text like a comment"],
)
def test_code_docstrings_and_lines_that_move_change_the_hash(tmp_path: Path, before: str, after: str) -> None:
    assert before in TEST
    assert hashed(tmp_path, TEST) != hashed(tmp_path, TEST.replace(before, after))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('f"{x=}"', 'f"{x = }"'),
        ('f"{x=}"', 'f"{x= }"'),
        ('f"é{x=}é"', 'f"é{ x=}é"'),
        ("f\"{f'{x=}'}\"", "f\"{f'{x =}'}\""),
        ('f"""\n{x=}\n"""', 'f"""\n{x= }\n"""'),
        ('f"{{{x=}}}" f"{x}"', 'f"{{{x =}}}" f"{x}"'),
        ('rf"{x=}"', 'rf"{x =}"'),
    ],
)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_spaces_in_an_f_string_change_the_hash(tmp_path: Path, before: str, after: str, mark: str) -> None:
    assert hashed(tmp_path, f"{mark}y = 1; {before}\n") != hashed(tmp_path, f"{mark}y = 1; {after}\n")


@pytest.mark.parametrize("text", ['f"{x=}"', 'f"é{f\'{x=}\'}" f"{x}"', 'f"""é\n{x=}"""'])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_comments_and_spaces_around_an_f_string_change_no_hash(tmp_path: Path, text: str, mark: str) -> None:
    assert hashed(tmp_path, f"{mark}y = {text}  # one\n") == hashed(tmp_path, f"{mark}y =  {text} # two\n")


@pytest.mark.parametrize(
    "reader",
    [
        "import inspect",
        "HERE = __file__",
        "HERE = f'{__file__}'",
        "TEXT = open('tests/test_it.py').read()",
        "from pathlib import Path; ALL = list(Path().rglob('*'))",
    ],
)
@pytest.mark.parametrize("is_target", [False, True])
def test_comments_count_where_code_can_find_the_text_of_files(tmp_path: Path, reader: str, is_target: bool) -> None:
    text, core = (TEST, f"{reader}\n{CORE}") if is_target else (f"{TEST}{reader}\n", CORE)
    assert hashed(tmp_path, text, core) != hashed(tmp_path, text.replace("by hand", "by head"), core)


def test_a_file_that_is_not_python_is_hashed_as_it_is(tmp_path: Path) -> None:
    assert hashed(tmp_path, "def (: # one") != hashed(tmp_path, "def (: # two")
    assert hashed(tmp_path, "'''") != hashed(tmp_path, '"""')


def project(folder: Path, text: str = TEST) -> PytestSuite:
    for name, content in (("till/__init__.py", ""), ("till/core.py", CORE), ("tests/test_core.py", text)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    (folder / "pyproject.toml").write_text("")
    (suite,) = api.pytest_experiment("till.core", ["tests"], folder=folder).suites
    return suite


def test_the_digest_of_a_project_is_that_of_the_same_project_with_another_comment(tmp_path: Path) -> None:
    digests = [
        find_project(project(tmp_path / "own", text)).copy(tmp_path / name)
        for name, text in (("a", TEST), ("b", TEST.replace("by hand", "")), ("c", TEST.replace("2) == 3", "3) == 4")))
    ]
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.end_to_end
def test_no_mutant_runs_again_after_an_edit_of_a_comment_and_verify_holds(tmp_path: Path) -> None:
    own, out = tmp_path / "own", tmp_path / "out"
    project(own)
    experiment = api.pytest_experiment("till.core", ["tests"], folder=own, original_runs=1)
    run_experiment(experiment, out, 1)
    (own / "tests" / "test_core.py").write_text(TEST.replace("by hand", "counted by hand"))
    run_experiment(experiment, out, 1)
    with RunStore.open_existing(out) as store:
        (trial,) = store.trials.all()
        results = store.results.of(trial.key)
    assert results
    verification = api.verify(out, jobs=1)
    assert (verification.checked, verification.disagreements) == (len(results), ())
