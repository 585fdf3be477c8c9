"""Symbolic integers take a program along its paths as integers would; states with them are identified by shape."""

from collections.abc import Callable
from copy import deepcopy
from itertools import product
from typing import Any

import pytest
from hypothesis import given as given_by
from hypothesis import settings
from hypothesis import strategies as st
from symbolic.symbolic_programs import Explored, concrete_run, explored, outcome, valued

from harness.errors import SpecError
from harness.generators.symbolic.heap import Painter
from harness.generators.symbolic.rewriting import ARRAY, array, compiled
from harness.generators.symbolic.systems import Space
from harness.generators.symbolic.values import DECIDING, Integer, SymbolicRun
from harness.kernel.program.loader import TICK, ModuleText, execute


class Node:
    def __init__(self, key: Any, following: Any = None) -> None:
        self.key = key
        self.following = following


@pytest.mark.parametrize(("one", "other"), [(1, True), (0, False), (1, 1.0), (0.0, -0.0), ("1", 1), (None, 0)])
def test_values_of_other_types_are_other_shapes(one, other):
    assert Painter().picture(Node(one)).shape != Painter().picture(Node(other)).shape


def test_keys_that_were_pinned_are_what_they_were_pinned_to():
    DECIDING.run = SymbolicRun(Space(0).free(1), b"")
    root = Node({Integer(1): 2}, {Integer(1)})
    assert Painter().picture(root) == Painter().picture(Node({0: 2}, {0}))


class Derived(list):
    pass


class Wrong(Exception):
    pass


@pytest.mark.parametrize("held", [iter([]), Derived(), {Node(1)}, KeyError(), Wrong()])
def test_what_a_shape_cannot_say_is_refused_with_its_class(held):
    with pytest.raises(SpecError, match="symstra cannot keep"):
        Painter().picture(Node(held))


SMALL = range(-3, 4)


def check(function: Callable[..., Any], count: int, paths: list[Explored]) -> None:
    """Each small input takes one of the paths, and gives what plain integers give; so does each path's solution."""
    traces = [path.trace for path in paths]
    assert len(set(traces)) == len(traces)
    solutions = [path.system.solution() for path in paths]
    inputs = [solution[:count] for solution in solutions if isinstance(solution, tuple)]
    assert len(inputs) == len(paths)
    for values in [*product(SMALL, repeat=count), *inputs]:
        trace, result = concrete_run(function, values)
        assert trace in traces
        assert result == outcome(function, values)
    for path, solution in zip(paths, solutions, strict=True):
        trace, result = concrete_run(function, solution[:count])
        assert trace == path.trace
        assert result == valued(path.result, (0, *solution))


def sorted_three(a: int, b: int, c: int) -> tuple[bool, bool]:
    if a > b:
        a, b = b, a
    return (a <= c) == (not c < a), b == c


def with_constants(a: int, b: int) -> str:
    if a + 1 >= b and b - 2 != a:
        return "near" if a else "zero"
    return "far" if b < 3 else "none"


def summed(a: int, b: int) -> int:
    return 1 if 2 * a + b > 4 else 2 if -a == b else 3 if abs(a - b) <= 1 else 4


def multiplied(a: int, b: int) -> int:
    if a * b > 6:
        return 1
    return 2 if a * a == b else 3


def divided(a: int, b: int) -> int:
    if a // b == 1:
        return 1
    return 2 if 7 % b == a else 3


def rested(a: int) -> int:
    return 1 if a % 3 == 1 and a // 2 > -2 else divmod(a, 2)[1] == 0


@pytest.mark.parametrize(
    ("function", "count"),
    [(sorted_three, 3), (with_constants, 2), (summed, 2), (multiplied, 2), (divided, 2), (rested, 1)],
)
def test_the_paths_are_those_of_integers(function, count):
    check(function, count, explored(function, count, Space().free(0)))


comparisons = st.lists(
    st.tuples(
        st.sampled_from(["<", "<=", ">", ">=", "==", "!="]),
        st.lists(st.integers(-2, 2), min_size=3, max_size=3),
        st.integers(-3, 3),
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given_by(comparisons)
def test_the_paths_of_random_comparisons_of_sums_are_those_of_integers(asking):
    def function(a: int, b: int) -> list[bool]:
        operators: dict[str, Callable[[Any, Any], bool]] = {
            "<": lambda x, y: x < y, "<=": lambda x, y: x <= y, ">": lambda x, y: x > y,
            ">=": lambda x, y: x >= y, "==": lambda x, y: x == y, "!=": lambda x, y: x != y,
        }  # fmt: skip
        return [operators[relation](w * a + k, o * b + s) for relation, (w, o, s), k in asking]

    check(function, 2, explored(function, 2, Space().free(0)))


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda a: [5, 6, 7][a : a + 1], "an index or a function in C"),
        (lambda a: {0: "zero"}.get(a), "a hash"),
        (lambda a: f"{a:03d}", "a text"),
        (lambda a: float(a), "a float"),
        (lambda a: a / 2, "a float"),
        (lambda a: (a < 2.5, a > 2.5, a == 0.0, a != 0.5), "a float"),
        (lambda a: (a + 0.5, 0.5 - a, a * 1.5, 7.5 // (a + 1), a % 2.5, 2.0 / (a + 2), (a + 1) ** 0.5), "a float"),
        (lambda a: (a << 1, 5 >> a, divmod(a, 1.5)), "an operation on bits"),
        (lambda a: a & 1, "an operation on bits"),
        (lambda a: 2**a, "a power"),
        (lambda a: list(range(a)), "an index or a function in C"),
        (lambda a: a.bit_length(), "int.bit_length"),
    ],
)
def test_what_leaves_the_subset_pins_the_value_and_says_why(function, reason):
    (path,) = explored(function, 1, Space().free(0))
    assert path.notices[0] == reason
    solution = path.system.solution()
    assert path.result == function(solution[0])


def test_a_symbolic_integer_says_that_it_is_one_and_is_never_none():
    paths = explored(lambda a: (isinstance(a, int), a is None, a == "text", deepcopy(a) is a), 1, Space(0).free(0))
    assert [path.result for path in paths] == [(True, False, False, True)]


def test_what_is_infinite_or_no_number_needs_no_value():
    infinite = float("inf")
    (path,) = explored(lambda a: (a < infinite, -infinite >= a, a == infinite, a != float("nan")), 1, Space(0).free(0))
    assert path.result == (True, False, False, True)
    assert not path.notices


TEXT = '''
def read(index):
    """Reads."""
    items = [5, 6, 7]
    return items[index]

def write(index, other):
    items: list[int] = [0, 0]
    items[index] += 1
    del items[other]
    return items

def plain(index):
    names: dict[str, int] = {"a": 1}
    return (names["a"], (4, 5)[1], "abc"[1:], [1, 2, 3][0])
'''


def program() -> Any:
    text = ModuleText("program", TEXT, "program.py")
    return execute(text, compiled(text), {TICK: lambda: True, ARRAY: array})


def test_each_index_within_the_bounds_and_each_side_beyond_them_is_a_path():
    paths = explored(program().read, 1, Space(0).free(0))
    results = [path.result for path in paths]
    assert sorted(result for result in results if isinstance(result, int)) == [5, 5, 6, 6, 7, 7]
    assert results.count(IndexError) == 2
    assert not any(path.notices for path in paths)


def test_items_are_written_and_deleted_by_symbolic_indices():
    assert concrete_run(program().write, [-1, 0])[1] == [1]
    assert concrete_run(program().write, [0, 1])[1] == [1]
    assert concrete_run(program().write, [2, 0])[1] is IndexError


def test_other_accesses_and_annotations_stay_as_they_are():
    assert program().plain(0) == (1, 5, "bc", 1)
