"""Candidate sequences reach exactly the paths that all sequences of small values reach."""

from __future__ import annotations

from itertools import product

import pytest
from all_candidates import AllCandidates
from support.sequence_suites import shipped_task

from harness.generators.policies.css.generator import CandidateSequenceSearch
from harness.generators.policies.css.options import Options
from harness.generators.policies.css.production import Production
from harness.generators.sequences.calls import CallChoice
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.symbolic.caller import Caller
from harness.generators.symbolic.runs import ConcreteRun
from harness.generators.symbolic.values import DECIDING, Integer

SUBJECTS = ["jtc_ub_stack", "jtc_int_stack", "jtc_bin_search_tree", "jtc_heap_array", "jtc_linked_list", "search_tree"]


@pytest.mark.parametrize("name", SUBJECTS)
def test_the_paths_of_the_last_call_are_those_that_all_sequences_of_small_values_take(name: str) -> None:
    task = shipped_task(name, 3)
    path_ends = {
        (path.calls[-1].symbolic.choice, path.trace[path.begun :], path.outcome.steps, path.outcome.raised)
        for path in CandidateSequenceSearch().explore(task).paths()
        if path.calls[-1].call.receiver is not None
    }
    assert path_ends == {
        (choices[-1], trace, steps, raised) for choices, _, trace, steps, raised in all_sequences(task)
    }


@pytest.mark.parametrize("name", SUBJECTS)
def test_without_pruning_the_paths_are_those_that_all_sequences_of_small_values_take(name: str) -> None:
    task = shipped_task(name, 3)
    options = Options.read("css", "influence=no,partial_order=no,grouped=no")
    production = Production(task, options, lambda target: AllCandidates(task.bounds, target, 4))
    path_ends = [
        (tuple(made.symbolic.choice for made in path.calls), path.trace, path.outcome.steps, path.outcome.raised)
        for path in production.paths()
        if [made.call.receiver for made in path.calls] == [None] + [0] * (len(path.calls) - 1) and len(path.calls) > 1
    ]
    assert len(set(path_ends)) == len(path_ends)
    assert set(path_ends) == {
        (choices, before + trace, steps, raised) for choices, before, trace, steps, raised in all_sequences(task)
    }


def all_sequences(task: SequenceTask) -> set[tuple[tuple[CallChoice, ...], bytes, bytes, int, str]]:
    """Return the behaviour of all sequences of a constructor and one to three calls, on concrete values.

    Returns: ! The calls, the answers before the last call and in it, its steps, and its exception.
    """
    caller = Caller(task)
    path_ends = set()
    for length in range(1, 4):
        for choices in product(caller.constructing, *[caller.calling] * length):
            count = sum(choice.indices.count(None) for choice in choices)
            for values in product(range(1, 4), repeat=count):
                path_ends |= one_sequence(caller, choices, values)
    return path_ends


def one_sequence(
    caller: Caller, choices: tuple[CallChoice, ...], values: tuple[int, ...]
) -> set[tuple[tuple[CallChoice, ...], bytes, bytes, int, str]]:
    """Return the behaviour of one sequence; nothing where a call before the last raises."""
    run = DECIDING.run = ConcreteRun()
    left = iter(values)
    receiver, before = None, b""
    for number, choice in enumerate(choices):
        before += bytes(run.trace)
        run.trace = bytearray()
        arguments = [Integer(run.add(next(left))) for _ in range(choice.indices.count(None))]
        outcome = caller.call(choice, receiver, arguments)
        receiver = receiver or outcome.result
        if outcome.raised and number < len(choices) - 1:
            return set()
    return {(choices, before, bytes(run.trace), outcome.steps, outcome.raised)}
