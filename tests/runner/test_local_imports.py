"""Programs of several files: found, executed together with their mutants, and part of the hashes of results."""

import subprocess
import sys
from pathlib import Path

import pytest

from harness import api
from harness.runner.local_imports import imported_files, module_of_name, package_hash
from harness.runner.subjects import load_subject

IMPL = """
from helper import bigger


def step(value):
    return value + 1


class Counter:
    def up(self, by):
        self.value = bigger(self.value, by)
        return self.value
"""
HELPER = """
def bigger(value, by):
    import impl
    while by > 0:
        value, by = impl.step(value), by - 1
    return value
"""
SPEC = """
from harness.spec import Finitization

implementation = {implementation!r}
helpers = ["step"]


def rep_ok(counter):
    return counter.value >= 0


def finitization(scope):
    f = Finitization("Counter")
    f.set("Counter.value", range(scope + 1))
    f.method("up", range(scope + 1))
    return f
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def neighbour_imports(folder: Path) -> str:
    write(folder / "impl.py", IMPL)
    write(folder / "helper.py", HELPER)
    write(folder / "spec.py", SPEC.format(implementation="impl.py"))
    return str(folder)


def relative(folder: Path) -> str:
    neighbour_imports(folder)
    write(folder / "impl.py", IMPL.replace("from helper", "from .helper"))
    write(folder / "helper.py", HELPER.replace("import impl", "from . import impl"))
    return str(folder)


def package(folder: Path, root: Path) -> str:
    """Write a package `shop` below `root` that re-exports the subject's class from its module."""
    write(root / "shop" / "__init__.py", "from .counting import Counter\n")
    write(root / "shop" / "counting.py", IMPL.replace("from helper", "from shop.helper"))
    write(root / "shop" / "helper.py", HELPER.replace("import impl", "from . import counting as impl"))
    write(folder / "spec.py", SPEC.format(implementation="shop.counting"))
    return str(folder)


def subject_path(kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    if kind in ("beside", "relative"):
        return {"beside": neighbour_imports, "relative": relative}[kind](folder / "counter")
    root = folder / "elsewhere"
    name = package(folder / "counter", root)
    if kind == "in the folder one stands in":
        monkeypatch.chdir(root)
    else:
        monkeypatch.setenv("PYTHONPATH", str(root))
    return name


KINDS = ("beside", "relative", "in the folder one stands in", "on PYTHONPATH")


@pytest.mark.parametrize("kind", KINDS)
def test_a_program_of_several_files_is_found_by_its_imports(kind, tmp_path, monkeypatch):
    subject = load_subject(subject_path(kind, tmp_path, monkeypatch))
    module, companions = {
        "beside": ("impl", ["helper"]),
        "relative": ("counter.impl", ["counter", "counter.helper"]),
    }.get(kind, ("shop.counting", ["shop", "shop.helper"]))
    assert (subject.module, [file.module for file in subject.companions]) == (module, companions)
    assert not subject.installed


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["beside", "in the folder one stands in"])
def test_a_mutant_is_what_the_programs_other_files_find(kind, tmp_path, monkeypatch):
    name = subject_path(kind, tmp_path, monkeypatch)
    folder = api.run(api.subject_experiment(name, "korat", [2]), tmp_path / "run", jobs=1)
    results = api.load(folder).frames.results
    assert set(results.loc[results["function"] == "step", "verdict"]) == {"killed"}
    checked = api.verify(folder, jobs=1)
    assert (checked.checked, checked.disagreements) == (len(results), ())


@pytest.mark.slow
def test_a_suite_of_a_program_of_several_files_runs_as_pytest(tmp_path):
    name = relative(tmp_path / "counter")
    file = api.export_pytest(name, scope=1, path=tmp_path / "tests" / "test_counter.py")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)],
        capture_output=True, encoding="utf-8", cwd=tmp_path, check=False,
    )  # fmt: skip
    assert "4 passed" in done.stdout


def test_results_hang_on_every_file_of_the_program(tmp_path):
    before = load_subject(neighbour_imports(tmp_path / "counter"))
    write(tmp_path / "counter" / "helper.py", HELPER.replace("by - 1", "by - 2"))
    after = load_subject(str(tmp_path / "counter"))
    assert before.source_hash == after.source_hash
    assert before.content_hash != after.content_hash


def test_results_of_an_installed_module_hang_on_its_package(tmp_path):
    tree = write(tmp_path / "bin" / "sub" / "tree.py", "")
    write(tmp_path / "bin" / "other.py", "x = 1")
    before = package_hash("bin.sub.tree", tree)
    write(tmp_path / "bin" / "other.py", "x = 2")
    assert package_hash("bin.sub.tree", tree) not in ("", before)
    assert package_hash("tree", tree) == ""


def test_names_of_the_standard_library_stay_its_own(tmp_path, monkeypatch):
    write(tmp_path / "heapq.py", "")
    write(tmp_path / "own.py", "import heapq, unknown\nfrom .. import above\n")
    monkeypatch.chdir(tmp_path)
    assert module_of_name("heapq") is None
    assert module_of_name("../own") is None
    own = module_of_name("own")
    assert imported_files(own, own.path.read_text()) == ()
