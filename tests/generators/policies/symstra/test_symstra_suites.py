"""Symstra's suites: the numbers of jtestcraft2010, inputs that take the paths they were solved for, and notices.

Options change the states that are kept, the values that paths are solved to, and the number of calls.
"""

from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from itertools import combinations
from pathlib import Path as FilePath

import pytest
from support.sequence_suites import bounds_of, shipped_task, suite_of, suite_of_text, task_of_text
from symbolic.symbolic_programs import paths_of_small_values

from harness.errors import SpecError
from harness.generators.policies.symstra import production as production_module
from harness.generators.policies.symstra.generator import Symstra
from harness.generators.policies.symstra.options import Options
from harness.generators.policies.symstra.production import PathSearch, Production
from harness.generators.registry import find_generator
from harness.generators.symbolic.caller import Caller
from harness.generators.symbolic.formulas import INFINITE, Slot
from harness.generators.symbolic.systems import RowConstraints, Space, System
from harness.kernel.inputs.suites import Call, SuiteReader
from harness.measured.condition_outcome_cache import outcomes_of_suite
from harness.model.sequence import SequenceScope
from harness.runner.subjects import load_subject

SET = """
class Set:
    def __init__(self):
        self.items = []

    def add(self, value):
        for at, item in enumerate(self.items):
            if value == item:
                return False
            if value < item:
                self.items.insert(at, value)
                return True
        self.items.append(value)
        return True
"""


CELL = """
class Cell:
    def __init__(self):
        self.value = None

    def put_small(self, value):
        if value < 5:
            self.value = value

    def put(self, value):
        self.value = value
"""


def suite(
    folder: FilePath, options: str, text: str, bounds: SequenceScope, scope: int = 3, seed: int = 0
) -> SuiteReader:
    generator = find_generator(f"symstra:{options}" if options else "symstra")
    return suite_of_text(folder, generator, text, bounds, scope, seed)[0]


def of_sets(folder: FilePath, options: str, scope: int = 3, most: int = 9, seed: int = 0) -> SuiteReader:
    """The suite of a set that keeps its values in order; after n calls there is a state for each number of values."""
    bounds = SequenceScope("Set")
    bounds.method("add", range(1, most + 1))
    return suite(folder, options, SET, bounds, scope, seed)


def arguments(suite: SuiteReader) -> list[tuple[int, ...]]:
    """Return the values of the calls after the constructor's, of each input."""
    return [tuple(call.arguments[1] + 1 for call in suite.sequence(n)[1:]) for n in range(len(suite))]


def order_of(values: tuple[int, ...]) -> tuple[int, ...]:
    ranks = sorted(set(values))
    return tuple(ranks.index(value) for value in values)


@pytest.mark.parametrize(
    ("options", "inputs"),
    [
        # A set of k values has 2k + 1 paths of add; of 3 paths behind one value, two lead to two values.
        ("", 1 + 1 + 3 + 5),
        ("keep=unequal", 1 + 1 + 3 + 5),
        ("keep=all", 1 + 1 + 3 + 3 + 2 * 5),
        ("calls=2", 1 + 1 + 3),
        ("calls=9", 1 + 1 + 3 + 5),
    ],
)
def test_sets_are_matched_and_called_as_the_options_say(options, inputs, tmp_path):
    assert of_sets(tmp_path, options).header.inputs == inputs


@pytest.mark.parametrize(
    ("options", "order", "inputs"),
    [
        # put leads to any value, which subsumes the values below 5; put_small has two paths on each state.
        ("", ("put_small", "put"), 1 + 3 + 3),
        ("keep=first", ("put", "put_small"), 1 + 3 + 3),
        ("keep=first", ("put_small", "put"), 1 + 3 + 2 * 3),
        ("keep=unequal", ("put_small", "put"), 1 + 3 + 2 * 3),
    ],
)
def test_what_is_subsumed_is_dropped_as_the_options_say(options, order, inputs, tmp_path):
    bounds = SequenceScope("Cell")
    for name in order:
        bounds.method(name, range(1, 10))
    assert suite(tmp_path, options, CELL, bounds, scope=2).header.inputs == inputs


def test_values_differ_and_take_the_same_paths(tmp_path):
    arguments_of = {
        how: arguments(of_sets(tmp_path / how, f"values={how}")) for how in ("spread", "boundary", "random")
    }
    arguments_of["adjacent"] = arguments(of_sets(tmp_path / "plain", ""))
    orders = {how: [order_of(values) for values in of_all] for how, of_all in arguments_of.items()}
    assert orders["spread"] == orders["boundary"] == orders["random"] == orders["adjacent"]
    assert len({tuple(of_all) for of_all in arguments_of.values()}) == 4
    three = {how: {v for v in of_all if len(set(v)) == 3} for how, of_all in arguments_of.items()}
    assert {tuple(sorted(values)) for values in three["adjacent"]} == {(1, 2, 3)}
    assert {tuple(sorted(values)) for values in three["spread"]} == {(1, 5, 9)}
    assert all({1, 9} & set(values) for values in three["boundary"])


def test_drawn_values_hang_on_the_seed_alone(tmp_path):
    drawn = [
        arguments(of_sets(tmp_path / str(number), "values=random", scope=2, most=1000, seed=seed))
        for number, seed in enumerate((1, 1, 2))
    ]
    assert drawn[0] == drawn[1] != drawn[2]


TESTS = {
    "jtc_int_stack": (18, 24, 32, 40),
    "jtc_linked_list": (25, 33, 42, 52),
    "jtc_binomial_heap": (40, 66, 86, 157),
    "jtc_bin_search_tree": (350, 1274, 4706, 17576),
    "jtc_ub_stack": (43, 67, 91, 124),
    "jtc_tree_map": (114, 260, 572, 1486),
    "jtc_heap_array": (19, 26, 36, 83),
}
"""By 5 to 8 calls behind the constructor; docs/symbolic.md says which are those that the paper prints."""


def written(folder: FilePath, text: str, bounds: SequenceScope, scope: int = 2) -> tuple[SuiteReader, list[str]]:
    return suite_of_text(folder, Symstra(), text, bounds, scope)


@pytest.mark.parametrize("name", TESTS)
def test_the_tests_are_as_many_as_in_the_paper_or_as_explained(name):
    task = shipped_task(name, 8)
    search = PathSearch(task, Caller(task), Space().free(0), 9)
    lengths = Counter(len(path.calls) - 1 for path in search.paths() if path.is_test)
    assert tuple(sum(lengths[k] for k in range(1, calls + 1)) for calls in range(5, 9)) == TESTS[name]


@pytest.mark.parametrize("name", ["jtc_bin_search_tree", "jtc_linked_list", "jtc_binomial_heap", "jtc_ub_stack"])
def test_all_sequences_of_small_values_take_the_paths_that_were_found_and_no_others(name):
    task = shipped_task(name, 3)
    paths = {
        (path.call.choice, path.answers, path.outcome.steps, path.outcome.raised)
        for path in PathSearch(task, Caller(task), Space().free(0), 4).paths()
        if path.state.calls
    }
    assert {(choices[-1], *end) for choices, _, *end in paths_of_small_values(task, range(4))} == paths


def test_a_suite_has_the_constructor_and_each_path_with_values_of_the_domains(tmp_path):
    suite = suite_of(tmp_path / "suite", "symstra", "jtc_ub_stack", 5)
    assert len(suite) == suite.header.explored == 1 + 43
    assert suite.header.inputs_by_target["UBStack"] == 1
    sequences = [tuple(suite.sequence(number)) for number in range(len(suite))]
    assert len(set(sequences)) == 44
    assert max(map(len, sequences)) == 6
    assert suite.header.distinct is not None


def test_what_was_pinned_left_out_or_given_up_is_told_in_one_line_each(tmp_path):
    text = (
        "class Many:\n"
        "    def name(self, value):\n"
        "        return str(value)\n"
        "    def large(self, value):\n"
        "        return value > 9\n"
        "    def loop(self, value):\n"
        "        while value > 3:\n"
        "            pass\n"
        "    def join(self, other):\n"
        "        return other\n"
    )
    bounds = bounds_of("Many", name=(range(5),), large=(range(5),), loop=(range(5),))
    bounds.method("join", bounds.earlier("Many"))
    suite, notices = written(tmp_path, text, bounds, scope=1)
    assert notices == [
        "program.py: name pinned a symbolic integer to one value, for a text (paths: 1)",
        "program.py: paths that used up their 20000 steps, 500 forks or 3000 frames, which are no tests: 1",
        "program.py: paths without values in the domains of sequences(scope), which are left out: 1 of 5; give the "
        "parameters more integers",
        "program.py: join takes objects, with which symstra makes no calls",
    ]
    assert len(suite) == 4


DOUBLED = """
class Held:
    def __init__(self):
        self.value = 0
    def put(self, one):
        self.value = 2 * one
    def ask(self):
        return self.value == 3
"""
DIFFERENCES = """
class Held:
    def __init__(self):
        self.low = self.high = 0
    def put(self, one, other):
        self.low, self.high = one - other, other - one
    def ask(self):
        return self.low + self.high == 0
"""
KEYS = """
class Held:
    def __init__(self):
        self.keys = {}
    def put(self, one):
        self.keys[one] = 1
    def ask(self):
        return any(key == 3 for key in self.keys)
"""


@pytest.mark.parametrize(("text", "integers"), [(DOUBLED, 1), (DIFFERENCES, 2), (KEYS, 1)], ids=["2*x", "x-y", "keys"])
def test_states_whose_copies_would_decide_otherwise_are_reached_by_their_calls(text, integers, tmp_path):
    bounds = bounds_of("Held", put=(range(8),) * integers, ask=())
    suite, _ = written(tmp_path, text, bounds, scope=2)
    assert suite.header.inputs_by_target == {"Held": 1, "put": 2, "ask": 2}  # of each call one path, from both states


def test_states_may_hold_members_of_enumerations_classes_and_functions(tmp_path):
    text = """
from enum import Enum, IntEnum
class Colour(Enum):
    RED = 0
class Number(IntEnum):
    ONE = 1
class Held:
    def __init__(self):
        self.value = 0
    def one(self):
        self.value = 1
    def number(self):
        self.value = Number.ONE
    def colour(self):
        self.value = Colour.RED
    def kind(self):
        self.value = Colour
    def name(self):
        return self.value.name
"""
    bounds = bounds_of("Held", one=(), number=(), colour=(), kind=(), name=())
    suite, _ = written(tmp_path, text, bounds, scope=2)
    states = 5  # behind the constructor, and one by each of four routines, the integer and the number told apart
    assert suite.header.inputs_by_target == {"Held": 1} | dict.fromkeys(
        ["one", "number", "colour", "kind", "name"], states
    )


def test_a_field_that_is_left_out_may_hold_what_no_copy_can_be_made_of(tmp_path):
    text = (
        "import threading\nclass Held:\n    def __init__(self):\n        self.most, self.lock = 0, threading.Lock()\n"
        "    def put(self, value):\n        with self.lock:\n            self.most = max(self.most, value)\n"
    )
    bounds = bounds_of("Held", put=(range(4),))
    bounds.omit("lock")
    suite, notices = written(tmp_path, text, bounds, scope=2)
    assert not notices
    values = {tuple(call.arguments[1] for call in list(suite.sequence(number))[1:]) for number in range(len(suite))}
    assert values == {(), (0,), (1,), (1, 0), (1, 2)}


@pytest.mark.parametrize(
    ("name", "calls", "reached", "of", "printed"),
    [
        ("jtc_int_stack", 6, 9, 9, 100),
        ("jtc_ub_stack", 6, 13, 13, 100),
        ("jtc_linked_list", 5, 12, 12, 100),
        ("jtc_heap_array", 7, 29, 29, 100),
        ("jtc_binomial_heap", 8, 64, 70, 91),
        pytest.param("jtc_bin_search_tree", 6, 34, 34, 100, marks=pytest.mark.slow),
        pytest.param("jtc_tree_map", 7, 143, 170, 84, marks=pytest.mark.slow),
    ],
)
def test_the_outcomes_reached_are_those_that_the_paper_prints(name, calls, reached, of, printed, tmp_path):
    matrix = outcomes_of_suite(load_subject(name), suite_of(tmp_path / "suite", "symstra", name, calls))
    own = matrix.of_class
    assert (int((matrix.reached_by() & own).sum()), int(own.sum())) == (reached, of)
    assert round(100 * reached / of) == printed


class Unprojected(RowConstraints):
    """The facts about all variables of a sequence: those in the state by their places, dead ones by their names."""

    is_exact = True

    def __init__(self, system: System, slots: tuple[Slot, ...]) -> None:
        self.system, self.slots = system, slots

    def entails(self, other: RowConstraints) -> bool:
        of = {0: 0} | {x: y for (x, _), (y, _) in zip(other.slots, self.slots, strict=True)}
        constraints = other.system
        for dead in set(range(1, constraints.size + 1)) - of.keys():
            if dead > self.system.size:
                return False
            of[dead] = dead
        pairs = [pair for x, y in combinations(of, 2) for pair in ((x, y), (y, x))]
        return all(self._bounds(of[x], of[y], constraints.bounds[x][y]) for x, y in pairs) and all(
            self._differ(of[x], of[y], d) for x, y, d in constraints.holes
        )

    def _bounds(self, x: int, y: int, most: float) -> bool:
        return most >= 0 if x == y else most == INFINITE or self.system.at_most(x, y, int(most))[1] is None

    def _differ(self, x: int, y: int, d: int) -> bool:
        return d != 0 if x == y else self.system.equal(x, y, d)[0] is None


class UnprojectedSearch(PathSearch):
    def _facts(self, system: System, slots: tuple[Slot, ...]) -> RowConstraints:
        return Unprojected(system, slots)


@pytest.mark.parametrize(
    ("name", "tests"),
    [
        ("jtc_tree_map", (114, 386, 698, 2074)),
        ("jtc_int_stack", (18, 24, 32, 40)),
        ("jtc_linked_list", (25, 33, 42, 52)),
        ("jtc_binomial_heap", (40, 66, 86, 157)),
        ("jtc_bin_search_tree", (350, 1274)),
    ],
)
def test_the_printed_numbers_come_of_states_with_dead_variables(name, tests, monkeypatch):
    monkeypatch.setattr(production_module, "with_new_names", lambda state: state)
    longest = 4 + len(tests)
    task = shipped_task(name, longest)
    search = UnprojectedSearch(task, Caller(task), Space().free(0), longest + 1)
    lengths = Counter(len(path.calls) - 1 for path in search.paths() if path.is_test)
    assert tuple(sum(lengths[k] for k in range(1, calls + 1)) for calls in range(5, longest + 1)) == tests


SEEN = """
SEEN = []
class Counter:
    def __init__(self):
        self.count = 0
    def put(self, value):
        if value in SEEN:
            return False
        SEEN.append(value)
        self.count += 1
        return True
"""
NUMBERED = """
NUMBERS = iter(range(1_000_000))
class Counter:
    def __init__(self):
        self.count = 0
    def put(self, value):
        if value > next(NUMBERS):
            self.count += 1
"""


def test_a_list_that_calls_read_again_is_as_earlier_calls_of_the_same_input_left_it(tmp_path):
    bounds = bounds_of("Counter", put=(range(9),))
    suite, _ = written(tmp_path, SEEN, bounds, scope=3)
    values = [tuple(call.arguments[1] for call in suite.sequence(number)[1:]) for number in range(len(suite))]
    assert values == [(), (0,), (0, 0), (0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2)]


def test_what_is_not_put_back_ends_the_generation_in_one_line(tmp_path):
    with pytest.raises(SpecError, match=r"^program\.py: .*: the state depends on .*earlier calls") as failure:
        written(tmp_path, NUMBERED, bounds_of("Counter", put=(range(9),)), scope=3)
    assert "\n" not in str(failure.value)


DOOR = """
class Door:
    def __init__(self):
        self.pulls = 0

    def pull(self, value):
        self.pulls += 1
        if value > 2:
            raise ValueError(value)
"""


@pytest.mark.parametrize("difference", ["nothing", "an earlier call", "more steps", "fewer steps"])
def test_an_input_that_is_not_as_foretold_ends_the_run(difference):
    task = task_of_text(DOOR, bounds_of("Door", pull=(range(5),)))
    production = Production(task, 3, Options())
    paths = [path for path in PathSearch(task, Caller(task), Space().free(0), 3).paths() if len(path.calls) == 3]
    is_early = difference == "an earlier call"
    (path,) = [path for path in paths if bool(path.outcome.raised) == is_early]
    solution = (0, 0)
    if is_early:  # raises what the last one should, and all else is as foretold
        solution = (4, 4)
        path = replace(path, state=replace(path.state, trace=b"", steps=path.state.steps - path.outcome.steps))
    elif difference != "nothing":
        more = 1 if difference == "more steps" else -1
        path = replace(path, outcome=path.outcome._replace(steps=path.outcome.steps + more))
    calls = [Call(0, ()), *(Call(1, (0, value)) for value in solution)]
    foretold = nullcontext() if difference == "nothing" else pytest.raises(SpecError, match="takes another path than")
    with foretold:
        production.check_path(path, solution, calls)
