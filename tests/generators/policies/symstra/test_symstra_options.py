"""Options of symstra change the states that are kept, the values that paths are solved to, and the number of calls."""

from pathlib import Path as FilePath

import pytest
from support.sequence_suites import suite_of_text

from harness.generators.registry import find_generator
from harness.kernel.inputs.suites import SuiteReader
from harness.model.sequence import SequenceScope

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
