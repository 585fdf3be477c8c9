"""The switches and limits of candidate sequence search, which follow the colon of its name."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from harness.generators.influence.candidate import PartialOrder, Switches
from harness.generators.named_options import GeneratorOption, NamedOptions, member_of, switch, whole_number
from harness.generators.symbolic.concretisation import ValueRule
from harness.generators.symbolic.formulas import MOST_STEPS


class HeapMode(StrEnum):
    """The way in which the objects that calls take are chosen (jtestcraft2010, section 3.2)."""

    SIMULATION = "simulation"
    """Each choice of objects is a separate candidate, and each index of a list is a separate path."""
    REASONING = "reasoning"
    """The solver chooses an object, or None, when the program first needs to know which one it has."""


@dataclass(frozen=True)
class Options(NamedOptions):
    """The switches that leave out parts of the search, and its limits.

    Attributes:
        data_flow: leave out candidates whose calls are not linked by objects (section 4.3.3).
        partial_order: explore only one order of calls that are independent of each other (section 4.3.4).
        grouped: explore the prefix that several candidates share only once (section 4.4.3).
        influence: leave out paths on which a call influences no later call (section 4.4.1).
        heap: how objects are chosen.
        paths: the largest number of paths of a call after one path of the calls before it (section 4.4.2).
        solver: the largest number of steps of z3 on one question (the thesis has seconds: section 6.3.2).
        length: the largest number of calls of a sequence, with the constructor's; None: one more than the scope.
        values: which of the values that take a path are those of its test.
    """

    data_flow: bool = True
    partial_order: PartialOrder = PartialOrder.YES
    grouped: bool = True
    influence: bool = True
    heap: HeapMode = HeapMode.SIMULATION
    paths: int = 1000
    solver: int = MOST_STEPS
    length: int | None = None
    values: ValueRule = ValueRule.ADJACENT

    table: ClassVar = {
        "data_flow": switch("data_flow=no"),
        "partial_order": GeneratorOption("partial_order=no (or printed)", member_of(PartialOrder)),
        "grouped": switch("grouped=no"),
        "influence": switch("influence=no"),
        "heap": GeneratorOption("heap=reasoning", member_of(HeapMode)),
        "paths": GeneratorOption("paths=NUMBER", whole_number(999_999_999)),
        "solver": GeneratorOption("solver=NUMBER", whole_number(999_999_999)),
        "length": GeneratorOption("length=NUMBER (from 1)", whole_number(999_999_999)),
        "values": GeneratorOption("values=spread (or boundary, random)", member_of(ValueRule)),
    }

    def switches(self) -> Switches:
        """Return the switches of the enumeration of candidates."""
        return Switches(self.data_flow, self.partial_order, self.grouped)
