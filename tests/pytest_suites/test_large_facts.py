"""Facts of children that run tests: suites of thousands of tests tell more than a mutant of a subject may."""

from dataclasses import replace

import pytest

from harness.kernel.process.child_process import MOST_FACTS
from harness.kernel.running.job import ObservedTypes
from harness.model.outcome import KillReason
from harness.pytest_suites.children import Children
from harness.pytest_suites.job import MeasuredTests, MutantOrder
from harness.pytest_suites.reports import FirstKill, MutantFacts, TypesReport
from harness.pytest_suites.work_tree import WorkTree


@pytest.fixture
def children(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a forked child works in a folder below the present one
    (tmp_path / "pristine").mkdir()
    return Children(WorkTree(tmp_path / "pristine", tmp_path / "tree"), tmp_path, 2, lambda: None)


def test_facts_of_the_original_beyond_a_mebibyte_arrive_whole(children):
    report = TypesReport(ObservedTypes({}, {"x" * (2 * MOST_FACTS): {}}))
    assert children.original(TypesReport, lambda _: report) == report


def test_facts_of_a_mutant_beyond_a_mebibyte_arrive_whole(children):
    measured = MeasuredTests({"one": 1}, {"one": 0.1}, {}, 0, 0)
    kills = tuple(f"{number}{'x' * (1 << 15)}" for number in range(2 * MOST_FACTS >> 15))
    facts = MutantFacts(len(kills), 1, 1, 1, kills, FirstKill(kills[0], KillReason.ASSERTION, "failed"))
    received = children.mutant(MutantOrder("m", 1, ("one",), 0, True), measured, lambda rest, progress: facts)
    assert isinstance(received, MutantFacts)
    assert replace(received, seconds=0.0) == facts
