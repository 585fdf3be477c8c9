"""Represents criteria over the inputs of a suite: classes, one input of each, and products of criteria."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from harness.analysis.kill_matrix import Flags, Numbers
from harness.kernel.inputs.suites import SuiteReader
from harness.measuring.input_classes import BRANCHES, CONDITIONS, EQ_CLASS, InputClasses
from harness.model.finitization import Finitization
from harness.selections import random_keys

PRODUCT = " & "
"""Stands between the names of the criteria of a product."""


@dataclass(frozen=True)
class MeasuredCriterion:
    """One criterion on one suite: the class of each input, and the unit with which it is selected.

    For a criterion of states, a unit is a state with all of its calls, as `one-per-class` takes them. A target with its
    own precondition, and criteria that look at the call, have units of one input, and separate classes for each target.
    Both are numbered from 0; the units of a class are in the order of the suite.
    """

    name: str
    classes: Numbers
    units: Numbers

    @property
    def count(self) -> int:
        """The number of classes that the suite covers."""
        return int(self.classes.max()) + 1

    def first_of_each(self) -> Flags:
        """Return the inputs of the first unit of each class."""
        return np.asarray(self._ranks(None) == 0)

    def drawn(self, seed: int) -> Flags:
        """Return the inputs of one unit of each class, drawn at random with equal chances."""
        return np.asarray(self._ranks(seed) == 0)

    def in_turn(self, sizes: Sequence[int], seed: int | None = None) -> list[Flags]:
        """Return selections of so many inputs, from as many classes as possible: one unit of each, then a second one.

        Units of a class, and classes in a turn, come in the order of the suite, or with a seed at random.
        """
        inputs = np.arange(len(self.units))
        turns = self._ranks(seed)
        if seed is not None:
            shuffled = np.argsort(np.argsort(random_keys(self.count, seed)))
            turns = turns * self.count + shuffled[self.classes]
        keys = turns * len(inputs) + inputs
        most = max(sizes, default=0)
        order = np.argpartition(keys, most - 1)[:most] if most else inputs[:0]
        order = order[np.argsort(keys[order])]
        return [_flags(order[:size], len(inputs)) for size in sizes]

    @cached_property
    def _members(self) -> tuple[Numbers, Numbers]:
        """The units with the class of each, by class, and for each input the place of its unit among them."""
        pairs, places = np.unique(np.stack([self.classes, self.units]), axis=1, return_inverse=True)
        return pairs, places.reshape(-1)

    def _ranks(self, seed: int | None) -> Numbers:
        """Return, for each input, the position of its unit among the units of its class, from 0."""
        (classes, units), places = self._members
        order = np.arange(len(units))
        if seed is not None:
            order = np.lexsort((random_keys(len(units), seed), classes))
        ranks = np.empty(len(units), dtype=np.int64)
        ranks[order] = np.arange(len(units)) - np.searchsorted(classes, classes)
        return ranks[places]


def _flags(chosen: Numbers, inputs: int) -> Flags:
    mask = np.zeros(inputs, dtype=np.bool_)
    mask[chosen] = True
    return mask


def criteria_of(classes: InputClasses, suite: SuiteReader, bounds: Finitization | None) -> list[MeasuredCriterion]:
    """Return each measured criterion, then the products of two of them, then that of all.

    Args:
        bounds: the bounds of the suite's states; None for a suite of sequences.
    """
    pairs = np.array([suite.input(number) for number in range(len(suite))], dtype=np.int64).reshape(-1, 2)
    targets = np.array([call.target for call in suite.calls], dtype=np.int64)[pairs[:, 1]]
    by_input = np.ones(len(pairs), dtype=np.bool_)
    if bounds is not None:
        by_input = np.array([target.requires is not None for target in bounds.targets], dtype=np.bool_)[targets]
    names = [name for name in (EQ_CLASS, CONDITIONS, BRANCHES) if name in classes.numbers]
    return [_criterion(chosen, classes.numbers, pairs[:, 0], targets, by_input) for chosen in _products(names)]


def _products(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for size in range(1, len(names) + 1):
        yield from combinations(names, size)


def _criterion(
    names: tuple[str, ...], numbers: Mapping[str, Sequence[int]], states: Numbers, targets: Numbers, by_input: Flags
) -> MeasuredCriterion:
    inputs = np.arange(len(states), dtype=np.int64)
    single = np.ones_like(by_input) if BRANCHES in names else by_input
    parts = [np.where(single, targets, -1), *(np.asarray(numbers[name], dtype=np.int64) for name in names)]
    _, classes = np.unique(np.stack(parts), axis=1, return_inverse=True)
    units = np.where(single, states.max() + 1 + inputs, states)
    return MeasuredCriterion(PRODUCT.join(names), classes.astype(np.int64).reshape(-1), units)
