"""The page about real suites: its survivors are no equivalent mutants, and its table is that of the frozen run."""

import importlib
import inspect
import re
import sys
from dataclasses import dataclass
from types import ModuleType

import pytest
from support.documents import ROOT

from benchmarks import real_suites
from benchmarks.measuring import markdown_table
from benchmarks.real_sources import ARCHIVES
from harness.analysis.frozen import read_frozen

PAGE = (ROOT / "docs" / "real_suites.md").read_text(encoding="utf-8")
_SECTION = re.compile(
    r"^### .*?`(?P<module>[\w.]+)`.*?\n.*?`(?P<mutant>[A-Z]{3}:\d+:\d+:[^`]+)`.*?"
    r"^```diff\n(?P<diff>.*?)^```$.*?^```python\n(?P<test>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Survivor:
    """A survivor as the page shows it: its diff, and the test that is missing."""

    module: str
    mutant: str
    diff: str
    test: str


SURVIVORS = [Survivor(**found.groupdict()) for found in _SECTION.finditer(PAGE)]


def before_and_after(survivor: Survivor) -> tuple[str, str]:
    """The module's text as it is, and with the diff's one place changed."""
    lines = survivor.diff.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] in " -")
    after = "".join(line[1:] for line in lines if line[0] in " +")
    source = inspect.getsource(importlib.import_module(survivor.module))
    assert source.count(before) == 1, "the diff does not say which place it is of"
    return source, source.replace(before, after)


def run_test(survivor: Survivor, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs the test of a survivor with a text in the module's place, without what C would put there."""
    module = ModuleType(survivor.module)
    names: dict[str, object] = {}
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "_heapq", None)
        exec(compile(source, survivor.module, "exec"), vars(module))
        patched.setitem(sys.modules, survivor.module, module)
        exec(compile(survivor.test, "docs/real_suites.md", "exec"), names)
    tests = [value for name, value in names.items() if name.startswith("test_") and callable(value)]
    assert len(tests) == 1
    tests[0]()


def test_five_survivors_are_shown():
    assert len(SURVIVORS) == 5


@pytest.mark.parametrize("survivor", SURVIVORS, ids=lambda survivor: survivor.mutant)
def test_the_missing_test_passes_on_the_original_and_fails_on_the_mutant(survivor, monkeypatch):
    original, mutant = before_and_after(survivor)
    run_test(survivor, original, monkeypatch)
    with pytest.raises(AssertionError):
        run_test(survivor, mutant, monkeypatch)


@pytest.mark.parametrize("survivor", SURVIVORS, ids=lambda survivor: survivor.mutant)
def test_a_survivor_is_one_of_the_frozen_run_and_is_reached(survivor):
    frames = read_frozen(real_suites.FROZEN)
    trial = frames.trials.loc[frames.trials["subject"] == survivor.module, "trial"].item()
    rows = frames.results[(frames.results["trial"] == trial) & (frames.results["mutant"] == survivor.mutant)]
    assert rows["verdict"].item() == "survived"
    assert rows["reached"].item() > 0


def test_the_table_is_that_of_the_frozen_run():
    assert "\n".join(markdown_table(real_suites.HEADING, real_suites.table(real_suites.FROZEN))) in PAGE


def test_the_page_names_each_archive_with_its_checksum():
    for archive in ARCHIVES:
        assert f"`{archive.name}`" in PAGE
        assert archive.sha256 in PAGE
