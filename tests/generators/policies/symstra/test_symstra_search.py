"""Symstra's search finds each feasible path once and keeps the maximal states, by every way of going about it."""

import sys
from collections import Counter
from math import comb

import pytest
from support.sequence_suites import bounds_of, task_of_text
from support.subjects import loaded
from support.symbolic_alone import SolverSystem

from harness.errors import SpecError
from harness.generators.policies.symstra.production import FeasiblePath, PathSearch
from harness.generators.protocol import SequenceTask
from harness.generators.symbolic.caller import Caller, Ending, SymbolicCall
from harness.generators.symbolic.systems import Space, System
from harness.generators.symbolic.values import DECIDING, MOST_FORKS, ConcreteRun
from harness.kernel.program.loader import ModuleText
from harness.model.sequence import SequenceScope
from harness.runner.subjects import load_subject

HEAP = """
class Heap:
    def __init__(self):
        self.items = []

    def insert(self, value):
        items = self.items
        items.append(value)
        at = len(items) - 1
        while at and items[(at - 1) // 2] < items[at]:
            items[at], items[(at - 1) // 2] = items[(at - 1) // 2], items[at]
            at = (at - 1) // 2

    def take(self):
        return self.items.pop(0)
"""
BAG = """
class Bag:
    def __init__(self):
        self.items = []

    def add(self, value):
        if value not in self.items:
            self.items.append(value)

    def keep(self, value, most):
        self.items = [item for item in self.items if value <= item < value + most]
"""


def searched(one: SequenceTask, calls: int, system: System | None = None) -> list[FeasiblePath]:
    start = Space().free(0) if system is None else system
    return list(PathSearch(one, Caller(one), start, calls + 1).paths())


def path_facts(paths: list[FeasiblePath]) -> list[tuple[object, ...]]:
    return sorted(
        (repr([call.choice for call in path.calls]), path.trace, path.steps, path.outcome.ending.value)
        for path in paths
    )


PROGRAMS = {
    "heap": (HEAP, bounds_of("Heap", insert=(range(9),), take=()), 3),
    "bag": (BAG, bounds_of("Bag", add=(range(9),), keep=(range(9), range(1, 3))), 2),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_z3_alone_finds_the_same_paths(name):
    text, bounds, calls = PROGRAMS[name]
    one = task_of_text(text, bounds)
    assert path_facts(searched(one, calls)) == path_facts(searched(one, calls, SolverSystem()))


def test_the_paths_of_a_search_tree_are_counted_by_a_formula():
    subject = load_subject("search_tree")
    spec, module = loaded("search_tree")
    bounds = bounds_of("SearchTree", add=(range(9),), remove=(range(9),))
    one = SequenceTask(spec, module, bounds, 4, 0, text=ModuleText.of(subject))
    search = PathSearch(one, Caller(one), Space().free(0), 5)
    lengths = Counter(len(path.calls) for path in search.paths())
    assert [lengths[calls + 1] for calls in range(1, 5)] == [comb(2 * k, k) for k in range(1, 5)]
    assert len(search.stored_states) == 1 + 1 + 2 + 5


def test_what_a_dead_variable_ruled_out_of_a_live_one_still_holds():
    text = (
        "class Pair:\n"
        "    def __init__(self):\n"
        "        self.one = self.other = None\n"
        "    def put(self, one, other):\n"
        "        again = one + 0\n"
        "        if self.one is None and again != other:\n"
        "            self.one, self.other = one, other\n"
        "    def same(self):\n"
        "        return self.one == self.other\n"
    )
    one = task_of_text(text, bounds_of("Pair", put=(range(9), range(9)), same=()))
    results = {
        path.outcome.result
        for path in searched(one, 2)
        if path.calls[-1].choice.target == 2 and path.calls[-2].choice.target == 1
    }
    assert results == {False}


def test_an_endless_path_meets_the_step_budget_and_is_no_test():
    text = "class Loop:\n    def run(self, value):\n        while value > 3:\n            pass\n"
    paths = searched(task_of_text(text, bounds_of("Loop", run=(range(9),))), 1)
    assert [(path.outcome.ending, path.is_test) for path in paths] == [
        (Ending.RETURNED, True), (Ending.ENDLESS, False), (Ending.RETURNED, True),
    ]  # fmt: skip


def test_a_loop_that_a_symbolic_integer_bounds_ends_with_the_forks_of_a_path():
    text = "class Loop:\n    def run(self, value):\n        at = 0\n        while at < value:\n            at += 1\n"
    endings = Counter(
        path.outcome.ending for path in searched(task_of_text(text, bounds_of("Loop", run=(range(9),))), 1)
    )
    assert endings == {Ending.ENDLESS: 1, Ending.RETURNED: 1 + MOST_FORKS}


def test_a_call_whose_precondition_does_not_hold_is_no_test():
    bounds = SequenceScope("Loop")
    bounds.method("run", range(9), requires=lambda loop, value: value > 3)
    text = "class Loop:\n    def run(self, value):\n        return value > 5\n"
    endings = [path.outcome.ending for path in searched(task_of_text(text, bounds), 1)]
    assert endings == [Ending.RETURNED, Ending.RETURNED, Ending.RETURNED, Ending.UNMET]


def test_more_paths_than_the_attempts_of_the_spec_are_refused():
    bounds = bounds_of("Heap", insert=(range(9),), take=())
    bounds.attempts(5)
    with pytest.raises(SpecError, match="more than 5 paths"):
        searched(task_of_text(HEAP, bounds), 5)


def test_states_beyond_the_bounds_are_not_gone_on_from():
    bounds = bounds_of("Heap", insert=(range(9),), take=())
    bounds.elements(1)
    lengths = Counter(len(path.calls) for path in searched(task_of_text(HEAP, bounds), 4))
    assert lengths == {1: 1, 2: 2, 3: 3}


def test_constructors_have_symbolic_arguments_and_may_make_other_objects():
    text = (
        "class Other:\n    pass\n"
        "class Box:\n"
        "    def __init__(self, size):\n"
        "        if size < 0:\n"
        "            raise ValueError(size)\n"
        "        self.size = size\n"
        "    def fits(self, value):\n"
        "        return value <= self.size\n"
    )
    bounds = bounds_of("Box", fits=(range(9),))
    bounds.constructor(range(-2, 9))
    bounds.constructor(name="Other")
    one = task_of_text(text, bounds)
    lengths = Counter(len(path.calls) for path in searched(one, 2))
    assert lengths == {1: 3, 2: 2}
    solutions = [path.system.solution(((-2, 8), (0, 8))) for path in searched(one, 1) if len(path.calls) == 2]
    assert solutions == [(0, 0), (0, 1)]


def test_values_that_are_no_range_of_integers_are_tried_one_by_one():
    text = "class Bag:\n    def put(self, value):\n        return value\n"
    bounds = SequenceScope("Bag")
    bounds.method("put", (None, "a", 3, 4, 5))
    assert [path.outcome.result for path in searched(task_of_text(text, bounds), 1)[2:]] == [None, "a"]
    bounds = SequenceScope("Bag")
    bounds.method("put", (1, 3))
    assert [path.outcome.result for path in searched(task_of_text(text, bounds), 1)[1:]] == [1, 3]


LEVER = """
import sys

class Lever:
    def __init__(self):
        self.limits = []

    def pull(self, value):
        self.limits.append(sys.getrecursionlimit())
        sys.setrecursionlimit(5000)
        return self.limits
"""


def test_each_call_begins_with_the_same_limit_of_recursion():
    caller = Caller(task_of_text(LEVER, bounds_of("Lever", pull=(range(5),))))
    DECIDING.run = ConcreteRun((1, 2))
    (make,), (pull,) = caller.constructing, caller.calling
    returned, outcome, lever = caller.follow([SymbolicCall(make, ()), *(SymbolicCall(pull, (x,)) for x in (1, 2))])
    assert sys.getrecursionlimit() != 5000  # what the program has set
    assert (returned, outcome.result) == (3, lever.limits)
    assert len(set(lever.limits)) == 1
