"""Every fault of rope that is documented is shown by the installed rope, on the program that is documented."""

import sys
from pathlib import Path
from pkgutil import resolve_name

import pytest

pytest.importorskip("rope")

from benchmarks import refactoring, rope_faults
from harness.kernel.specs.spec import load_spec
from harness.papers.field_exhaustive2016 import run as rope_bugs

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _engine(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(rope_faults.SUBJECTS / "engine"), *sys.path])


def test_each_fault_is_shown_by_its_smallest_program(capsys):
    assert rope_faults.main([]) == 0
    assert "not shown" not in capsys.readouterr().out


def test_each_cause_of_a_spec_has_a_smallest_program():
    fault_names = {name for faults in rope_faults.SMALLEST.values() for name in faults}
    for path in rope_faults.SUBJECTS.glob("*/spec.py"):
        causes = {cause.name for cause in load_spec(path.read_text(), str(path)).module.CAUSES}
        assert causes <= fault_names, path
        assert rope_faults.SMALLEST[path.parent.name].keys() <= causes


def test_the_table_of_techniques_is_made_of_the_frozen_rows(monkeypatch):
    monkeypatch.chdir(ROOT)
    rows = refactoring.stored()
    assert refactoring.table(rows) in (ROOT / "docs/refactoring.md").read_text()


def test_each_fault_is_caused_by_one_bug_in_a_place_that_rope_has():
    caused = sorted(fault for bug in rope_bugs.BUGS for fault in bug.faults)
    assert caused == sorted((case, name) for case, names in rope_faults.SMALLEST.items() for name in names)
    for bug in rope_bugs.BUGS:
        definition = resolve_name(f"rope.{bug.place}")
        assert callable(definition), bug.place


def test_a_fault_that_another_case_of_a_refactoring_shows_has_the_same_bug():
    assert rope_bugs.bug_of("encapsulate_double", "deletion") is rope_bugs.bug_of("encapsulate_single", "deletion")
    assert (
        rope_bugs.bug_of("extract_method", "starred target").place
        != rope_bugs.bug_of("encapsulate_list", "starred target").place
    )
    with pytest.raises(KeyError, match="rename: deletion"):
        rope_bugs.bug_of("rename", "deletion")
