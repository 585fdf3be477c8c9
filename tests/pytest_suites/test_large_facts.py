"""Facts of children that run tests: suites of thousands of tests tell more than a mutant of a subject may."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.kernel.process.child_process import MOST_FACTS
from harness.pytest_suites.children import Children
from harness.pytest_suites.job import MeasuredTests, MutantOrder
from harness.pytest_suites.work_tree import WorkTree

LONG = "x" * (2 * MOST_FACTS)


@pytest.fixture
def children(tmp_path: Path) -> Children:
    (tmp_path / "pristine").mkdir()
    return Children(WorkTree(tmp_path / "pristine", tmp_path / "tree"), tmp_path, lambda: None)


def test_facts_of_the_original_beyond_a_mebibyte_arrive_whole(children: Children) -> None:
    assert children.original(lambda _: {"tests": LONG}) == {"tests": LONG}


def test_facts_of_a_mutant_beyond_a_mebibyte_arrive_whole(children: Children) -> None:
    measured = MeasuredTests({"one": 1}, {"one": 0.1}, {}, 0, 0)
    facts = {"kills": [LONG], "executed": 1, "steps": 1, "entered": 1, "loaded": 1}
    found = children.mutant(MutantOrder("m", 1, ("one",), 0, True), measured, lambda rest, progress: dict(facts))
    assert (found["kills"], found.get("fault")) == ([LONG], None)
