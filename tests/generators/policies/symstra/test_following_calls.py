"""An input is carried out in one go, and must be what its path foretells: answers, calls, steps and how it ends."""

import sys
from dataclasses import replace

import pytest
from support.sequence_suites import bounds_of, task_of_text

from harness.errors import SpecError
from harness.generators.policies.symstra.production import PathReplay
from harness.generators.policies.symstra.search import FeasiblePath, PathSearch
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.symbolic.caller import MOST_STEPS, Caller, Ending
from harness.generators.symbolic.concretisation import ValueRule, concretised
from harness.generators.symbolic.hybrid_system import mixed_space
from harness.generators.symbolic.runs import ConcreteRun
from harness.generators.symbolic.values import DECIDING, Integer
from harness.kernel.inputs.suites import Call

LEVER = """
import sys

class Lever:
    def __init__(self):
        self.limits = []

    def pull(self, value):
        self.limits.append(sys.getrecursionlimit())
        sys.setrecursionlimit(5000)
        if value > 2:
            raise ValueError(value)
        return self.limits
"""
DOOR = """
class Door:
    def __init__(self):
        self.pulls = 0

    def pull(self, value):
        self.pulls += 1
        if value > 2:
            raise ValueError(value)
"""


def task_of(text: str, root: str) -> SequenceTask:
    return task_of_text(text, bounds_of(root, pull=(range(5),)))


def caller_of_levers() -> Caller:
    return Caller(task_of(LEVER, "Lever"))


def test_calls_in_a_row_end_with_the_first_that_does_not_return():
    caller = caller_of_levers()
    DECIDING.run = ConcreteRun((1, 4, 1))
    (make,), (pull,) = caller.constructing, caller.calling
    row = [(make, []), *((pull, [Integer(x)]) for x in (1, 2, 3))]
    returned, outcome = caller.follow(row, MOST_STEPS)
    assert (returned, outcome.ending, outcome.raised, outcome.result) == (2, Ending.RAISED, "ValueError", None)


def test_calls_in_a_row_do_what_they_do_one_by_one():
    caller = caller_of_levers()
    DECIDING.run = ConcreteRun((1, 2))
    (make,), (pull,) = caller.constructing, caller.calling
    returned, outcome = caller.follow([(make, []), (pull, [Integer(1)]), (pull, [Integer(2)])], MOST_STEPS)
    assert sys.getrecursionlimit() != 5000  # what the program has set
    constructed = caller.call(make, None, [])
    single = [caller.call(pull, constructed.result, [Integer(x)]) for x in (1, 2)]
    assert (returned, outcome.result) == (3, single[-1].result)
    assert len(set(outcome.result)) == 1  # each call begins with the same limit of recursion
    assert outcome.steps == constructed.steps + sum(one.steps for one in single)


def last_paths() -> tuple[PathReplay, list[tuple[FeasiblePath, tuple[int, ...], list[Call]]]]:
    task = task_of(DOOR, "Door")
    caller = Caller(task)
    solved_paths = []
    for path in PathSearch(task, caller, mixed_space().free(0), 3).paths():
        if len(path.calls) == 3:
            solution = concretised(path.system, path.ranges, ValueRule.ADJACENT, lambda below: 0)
            values = iter(solution)
            calls = [Call(c.choice.target, (0, next(values)) if c.variables else ()) for c in path.calls]
            solved_paths.append((path, solution, calls))
    return PathReplay(task, caller), solved_paths


def test_each_solved_input_takes_the_path_that_it_was_solved_for():
    witness, solved_paths = last_paths()
    assert len(solved_paths) == 2
    for path, solution, calls in solved_paths:
        witness.look(path, solution, calls)


@pytest.mark.parametrize("difference", ["values", "an earlier call", "more steps", "fewer steps"])
def test_an_input_that_is_not_as_foretold_ends_the_run(difference, monkeypatch):
    witness, solved_paths = last_paths()
    monkeypatch.setattr(witness, "_look_plainly", lambda *given: None)
    path, solution, calls = next(
        one for one in solved_paths if bool(one[0].outcome.raised) == (difference == "an earlier call")
    )
    if difference == "values":
        solution = (solution[0], 4)
    elif difference == "an earlier call":  # raises what the last one should, and all else is as foretold
        solution = (4, 4)
        path = replace(path, state=replace(path.state, trace=b"", steps=path.state.steps - path.outcome.steps))
    else:
        more = 1 if difference == "more steps" else -1
        path = replace(path, outcome=path.outcome._replace(steps=path.outcome.steps + more))
    with pytest.raises(SpecError, match="takes another path than the one that it was solved for"):
        witness.look(path, solution, calls)
