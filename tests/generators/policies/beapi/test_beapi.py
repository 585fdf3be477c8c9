"""BEAPI writes every structure with every call, whatever the configuration; Rostra tests each state that it extends."""

import pytest
from support import naive_sequences
from support.sequence_suites import bounds_of, suite_of, suite_of_text
from support.subjects import loaded

from harness.generators.policies.beapi import Rostra
from harness.kernel.inputs.suites import NO_STATE, SuiteReader


def _inputs(suite: SuiteReader) -> set[tuple[object, ...]]:
    return {tuple(suite.sequence(number)) for number in range(len(suite))}


def test_inputs_are_every_structure_with_every_call(tmp_path):
    suite = suite_of(tmp_path / "beapi", "beapi", "search_tree", 3)
    suite.check()
    spec, module = loaded("search_tree")
    naive_sequences.write_suite(tmp_path / "naive", module, spec.sequences(3, ""), 3)
    naive = SuiteReader(tmp_path / "naive")
    assert suite.header.states == 15
    assert suite.header.inputs_by_target == {"SearchTree": 1, "add": 45, "remove": 45}
    assert suite.input(0)[0] == NO_STATE
    assert {inputs for inputs in _inputs(suite) if len(inputs) > 1} == _inputs(naive)


@pytest.mark.parametrize("configuration", ["beapi-sm", "beapi-noopt", "beapi-bld"])
def test_all_configurations_reach_the_same_structures(tmp_path, configuration):
    suite = suite_of(tmp_path / "one", "beapi", "search_tree", 2)
    other = suite_of(tmp_path / "other", configuration, "search_tree", 2)
    assert _inputs(suite) <= _inputs(other)


def test_structures_are_told_apart_from_the_states_on_the_way_to_arguments(tmp_path):
    heaps = suite_of(tmp_path / "heaps", "beapi", "binomial_heap", 3).header
    assert (heaps.distinct, heaps.valid) == (28, 28)
    assert heaps.states > 28
    unmatched = suite_of(tmp_path / "trees", "beapi-bld", "search_tree", 2).header
    assert unmatched.distinct == 5 < unmatched.states


def test_each_state_below_the_length_is_tested_with_each_call(tmp_path):
    suite = suite_of(tmp_path / "suite", "rostra", "search_tree", 2)
    assert suite.header.states == 5
    tested = [suite.sequence(number) for number in range(len(suite))]
    assert max(map(len, tested)) == 3
    assert len(tested) == 1 + 3 * 4
    assert suite.header.explored == 3 + 3 * 4


def test_calls_that_raise_are_tests(tmp_path):
    text = "class Box:\n    def open(self, value):\n        raise TypeError(value)\n"
    bounds = bounds_of("Box", open=(range(2),))
    suite, _ = suite_of_text(tmp_path, Rostra(), text, bounds)
    assert suite.header.inputs_by_target == {"Box": 1, "open": 2}


def test_objects_as_arguments_come_with_the_sequences_that_make_them(tmp_path):
    suite = suite_of(tmp_path / "suite", "beapi", "binomial_heap", 2)
    targets = suite.header.targets
    unions = [calls for calls in _inputs(suite) if targets[calls[-1].target] == "union"]
    heaps = {calls[:-1] for calls in _inputs(suite) if targets[calls[-1].target] == "insert"}
    assert len(unions) == len(heaps) ** 2
    assert all(calls[-1].arguments[0] < calls[-1].arguments[1] < len(calls) for calls in unions)
