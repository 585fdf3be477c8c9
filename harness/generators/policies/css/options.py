"""The switches and limits of candidate sequence search, as they stand behind the colon of its name."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from harness.generators.influence.protocol import PartialOrder, Switches
from harness.generators.options import NamedOptions, Option, member_of, switch, whole_number
from harness.generators.symbolic.concretisation import Values
from harness.generators.symbolic.formulas import MOST_STEPS


class Heap(StrEnum):
    """How it is found out which objects calls are given (jtestcraft2010, section 3.2)."""

    SIMULATION = "simulation"
    """Each choice of objects is a candidate of its own, and each index of a list a path of its own."""
    REASONING = "reasoning"
    """The solver chooses objects, and None, where the program first asks which one it has."""


@dataclass(frozen=True)
class Options(NamedOptions):
    """What is left out of the search, and its limits.

    Attributes:
        data_flow: leave out candidates whose calls are not linked by objects (section 4.3.3).
        partial_order: of calls that are independent of each other keep one order (section 4.3.4).
        grouped: explore calls that candidates begin with once for all of them (section 4.4.3).
        influence: leave out paths on which a call influences nothing behind it (section 4.4.1).
        heap: how objects are chosen.
        paths: of a call, behind one path of the calls before it, at the most (section 4.4.2).
        solver: steps of z3 on one question at the most (the thesis has seconds: section 6.3.2).
        length: calls of a sequence, the constructor's included, at the most; None: one more than the scope.
        values: which of the values that take a path its test has.
    """

    data_flow: bool = True
    partial_order: PartialOrder = PartialOrder.YES
    grouped: bool = True
    influence: bool = True
    heap: Heap = Heap.SIMULATION
    paths: int = 1000
    solver: int = MOST_STEPS
    length: int | None = None
    values: Values = Values.ADJACENT

    table: ClassVar = {
        "data_flow": switch("data_flow=no"),
        "partial_order": Option("partial_order=no (or printed)", member_of(PartialOrder)),
        "grouped": switch("grouped=no"),
        "influence": switch("influence=no"),
        "heap": Option("heap=reasoning", member_of(Heap)),
        "paths": Option("paths=NUMBER", whole_number(999_999_999)),
        "solver": Option("solver=NUMBER", whole_number(999_999_999)),
        "length": Option("length=NUMBER (from 1)", whole_number(999_999_999)),
        "values": Option("values=spread (or boundary, random)", member_of(Values)),
    }

    def switches(self) -> Switches:
        """Those of the enumeration of candidates."""
        return Switches(self.data_flow, self.partial_order, self.grouped)
