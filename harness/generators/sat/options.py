"""What may stand behind the colon of `field-exhaustive:` and `sat-exhaustive:`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from harness.generators.options import NamedOptions, Option, member_of, whole_number
from harness.generators.sat.solver import DEFAULT, SOLVERS

REFERENCES = "references"
"""Instead of names of fields: all that can refer to an object, so the shape alone."""


class Reduce(StrEnum):
    """What becomes of a suite that covers its pairs already."""

    NOTHING = "nothing"
    IRREDUNDANT = "irredundant"
    """No instance can be left out."""
    MINIMAL = "minimal"
    """As few of the instances found as cover the same pairs."""


class Prefer(StrEnum):
    """What the solver guesses first of a pair."""

    NEW = "new"
    """That it is there, if no earlier instance has it, and else that it is not: fewer instances cover all pairs."""
    NOTHING = "nothing"
    """What the solver's own rules say."""


def _fields(text: str) -> tuple[str, ...] | None:
    names = text.split("+")
    return tuple(sorted(set(names))) if all(name.strip() == name != "" for name in names) else None


@dataclass(frozen=True)
class Options(NamedOptions):
    """How a suite is made by the solver; the defaults stand for what its generator's name does not say.

    Attributes:
        fields: whose pairs are to be covered, by name (`left`, `Node.left`, `references`), sorted; none: all.
        part: how many per cent of the pairs, at least, from 1 to 100.
        instances: how many are found at the most, whatever they cover; None: as many as there are to find.
    """

    fields: tuple[str, ...] = ()
    part: int = 100
    reduce: Reduce = Reduce.NOTHING
    prefer: Prefer = Prefer.NEW
    solver: str = DEFAULT
    instances: int | None = None

    table: ClassVar = {
        "fields": Option(f"fields=NAME+NAME (or fields={REFERENCES})", _fields, "+".join),
        "part": Option("part=PERCENT (from 1 to 100)", whole_number(100)),
        "reduce": Option(f"reduce={'|'.join(Reduce)}", member_of(Reduce)),
        "prefer": Option(f"prefer={'|'.join(Prefer)}", member_of(Prefer)),
        "solver": Option(f"solver={'|'.join(SOLVERS)}", lambda text: text if text in SOLVERS else None),
        "instances": Option("instances=NUMBER (the first so many, and no part)", whole_number(999_999_999)),
    }

    @classmethod
    def conflict(cls, names: Collection[str]) -> str | None:
        """Return why options cannot be given together; None if they can."""
        together = "instances" in names and "part" in names
        return "part is of the whole extension, which instances leaves unknown" if together else None
