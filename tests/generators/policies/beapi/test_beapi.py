"""BEAPI writes every structure with every call, whatever the configuration; the numbers are the paper's."""

from pathlib import Path

import pytest
from support import naive_sequences
from support.sequence_suites import loaded, suite_of

from harness.kernel.inputs.suites import NO_STATE, SuiteReader


def _inputs(suite: SuiteReader) -> set[tuple[object, ...]]:
    return {tuple(suite.sequence(number)) for number in range(len(suite))}


def test_inputs_are_every_structure_with_every_call(tmp_path: Path) -> None:
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
def test_all_configurations_reach_the_same_structures(tmp_path: Path, configuration: str) -> None:
    suite = suite_of(tmp_path / "one", "beapi", "search_tree", 2)
    other = suite_of(tmp_path / "other", configuration, "search_tree", 2)
    assert _inputs(suite) <= _inputs(other)


def test_objects_as_arguments_come_with_the_sequences_that_make_them(tmp_path: Path) -> None:
    suite = suite_of(tmp_path / "suite", "beapi", "binomial_heap", 2)
    targets = suite.header.targets
    unions = [calls for calls in _inputs(suite) if targets[calls[-1].target] == "union"]
    heaps = {calls[:-1] for calls in _inputs(suite) if targets[calls[-1].target] == "insert"}
    assert len(unions) == len(heaps) ** 2
    assert all(calls[-1].arguments[0] < calls[-1].arguments[1] < len(calls) for calls in unions)


def test_structures_are_told_apart_from_the_states_on_the_way_to_arguments(tmp_path: Path) -> None:
    heaps = suite_of(tmp_path / "heaps", "beapi", "binomial_heap", 3).header
    assert (heaps.distinct, heaps.valid) == (28, 28)
    assert heaps.states > 28
    unmatched = suite_of(tmp_path / "trees", "beapi-bld", "search_tree", 2).header
    assert unmatched.distinct == 5 < unmatched.states
