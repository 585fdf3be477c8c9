"""The switches and limits of candidate sequence search, as they stand behind the colon of its name."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from harness.errors import UsageError
from harness.generators.influence.protocol import PartialOrder, Switches
from harness.generators.symbolic.concretisation import Values
from harness.generators.symbolic.formulas import MOST_STEPS

_ANSWERS = {"yes": True, "no": False}


class Heap(StrEnum):
    """How it is found out which objects calls are given (jtestcraft2010, section 3.2)."""

    SIMULATION = "simulation"
    """Each choice of objects is a candidate of its own, and each index of a list a path of its own."""
    REASONING = "reasoning"
    """The solver chooses objects, and None, where the program first asks which one it has."""


@dataclass(frozen=True, slots=True)
class Options:
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

    @classmethod
    def read(cls, text: str) -> Options:
        """Options as they stand behind the colon: `partial_order=no,paths=50`.

        Raises:
            UsageError: there is no such option, or value of it; or one is given twice.
        """
        given: dict[str, Any] = {}
        for part in text.split(","):
            name, _, told = part.partition("=")
            value = _value(name, told)
            if value is None or name in given:
                raise UsageError(
                    f"generator 'css:{text}': {part!r} is no option, or is there twice; options are data_flow=no, "
                    "partial_order=no (or printed), grouped=no, influence=no, heap=reasoning, paths=NUMBER, "
                    "solver=NUMBER, length=NUMBER (from 1) and values=spread (or boundary, random), with commas between"
                )
            given[name] = value
        return replace(cls(), **given)

    def __str__(self) -> str:
        """What differs from what holds where nothing is said, as `read` reads it."""
        told = [(one.name, getattr(self, one.name)) for one in fields(self) if getattr(self, one.name) != one.default]
        return ",".join(f"{name}={'no' if value is False else value}" for name, value in told)

    def switches(self) -> Switches:
        """Those of the enumeration of candidates."""
        return Switches(self.data_flow, self.partial_order, self.grouped)


def _value(name: str, told: str) -> object:
    """The value of an option; None where it is none."""
    if name in ("data_flow", "grouped", "influence"):
        return _ANSWERS.get(told)
    if name in ("paths", "solver", "length"):
        return int(told) if told.isascii() and told.isdigit() and len(told) < 10 and int(told) else None
    kinds: dict[str, type[StrEnum]] = {"partial_order": PartialOrder, "heap": Heap, "values": Values}
    return next((value for value in kinds.get(name, ()) if value == told), None)
