"""Inputs that take several structures: composed of the sequences of each, the same on both paths."""

from pathlib import Path

import pytest
from support.sequence_suites import bounds_of, suite_of, task_of, task_of_text

from harness.generators.policies.beapi import Beapi
from harness.generators.protocol import SequenceTask
from harness.generators.sequences.exploration import Policy, SequenceExploration
from harness.generators.sequences.production import Production
from harness.kernel.inputs.suites import InputKind, SuiteHeader, SuiteReader, SuiteWriter

BAG = """
class Bag:
    def __init__(self):
        self.held = []
    def put(self, value):
        self.held.append(value)
    def merge(self, other):
        self.held += other.held
"""


def _written(folder: Path, task: SequenceTask, policy: Policy) -> SuiteReader:
    targets = [routine.name for routine in task.bounds.routines]
    header = SuiteHeader("x", "", "x", "1", task.scope, 0, 2, 4, targets, kind=InputKind.SEQUENCES.value)
    with SuiteWriter(folder, header) as writer:
        Production(task, policy).write(writer)
        writer.close()
    return SuiteReader(folder)


@pytest.mark.parametrize(("name", "scope"), [("binomial_heap", 2), ("fibonacci_heap", 2), ("sorted_list", 3)])
def test_both_paths_write_the_same_suite_of_structures_that_go_together(tmp_path, name, scope):
    task = task_of(name, scope)
    policy = Policy(builders=task.bounds.pinned_builders)
    fast = _written(tmp_path / "fast", task, policy)
    general = _written(tmp_path / "general", task, policy.general_policy())
    assert fast.header.digest == general.header.digest
    assert any(len(fast.sequence(number)[-1].arguments) == 2 for number in range(len(fast)))


def test_each_pair_of_structures_is_an_input_with_the_calls_of_both(tmp_path):
    bounds = bounds_of("Bag", put=(range(2),))
    bounds.method("merge", bounds.earlier("Bag"))
    bounds.elements(1)
    suite = _written(tmp_path / "suite", task_of_text(BAG, bounds), Policy(builders=["put"]))
    merges = [tuple(suite.sequence(at)) for at in range(len(suite)) if suite.sequence(at)[-1].target == 2]
    assert len(set(merges)) == len(merges) == 3 * 3
    assert sorted(map(len, merges)) == [3, *[4] * 4, *[5] * 4]
    shared = {suite.input(at)[0] for at in range(len(suite)) if suite.sequence(at)[-1].target == 2}
    assert len(shared) == 9
    assert suite.header.states == 3 + 9


def test_no_sequence_has_more_calls_than_the_spec_allows(tmp_path):
    bounds = bounds_of("Bag", put=(range(2),))
    bounds.method("merge", bounds.earlier("Bag"))
    bounds.length(4)
    task = task_of_text(BAG, bounds)
    suite = _written(tmp_path / "suite", task, Beapi().policy(task))
    lengths = {len(suite.sequence(at)) for at in range(len(suite))}
    assert lengths == {1, 2, 3, 4}
    assert {structure.length for structure in SequenceExploration(task, Beapi().policy(task))} == {1, 2, 3, 4}


def test_a_precondition_that_changes_a_structure_is_asked_about_it_unchanged_each_time(tmp_path):
    def takes_all(bag: object, other: object) -> bool:
        other.held.append(1)
        bag.held.append(1)
        return len(bag.held) + len(other.held) < 4

    bounds = bounds_of("Bag", put=(range(2),))
    bounds.method("merge", bounds.earlier("Bag"), requires=takes_all)
    bounds.elements(1)
    task = task_of_text(BAG, bounds)
    fast = _written(tmp_path / "fast", task, Policy(builders=["put"]))
    general = _written(tmp_path / "general", task, Policy(builders=["put"], restores=False))
    assert fast.header.digest == general.header.digest
    assert fast.header.inputs_by_target["merge"] == 1 + 2 + 2


def test_seconds_of_finding_structures_are_told_apart_from_those_of_the_suite(tmp_path):
    header = suite_of(tmp_path / "suite", "beapi", "search_tree", 3).header
    assert 0 < header.exploring_seconds < header.seconds
