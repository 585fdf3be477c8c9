"""The options that may follow the colon of `field-exhaustive:` and `sat-exhaustive:`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from harness.generators.named_options import GeneratorOption, NamedOptions, member_of, whole_number
from harness.generators.sat.solver import DEFAULT, SOLVERS

REFERENCES = "references"
"""A replacement for names of fields: all fields that can refer to an object, so only the shape counts."""


class Reduce(StrEnum):
    """The reduction of a suite that covers its pairs already."""

    NOTHING = "nothing"
    IRREDUNDANT = "irredundant"
    """No instance can be left out."""
    MINIMAL = "minimal"
    """As few of the found instances as cover the same pairs."""


class Prefer(StrEnum):
    """The first guess of the solver for a pair."""

    NEW = "new"
    """The pair is present if no earlier instance has it, else absent: fewer instances cover all pairs."""
    NOTHING = "nothing"
    """The guess of the solver's own rules."""


def _fields(text: str) -> tuple[str, ...] | None:
    names = text.split("+")
    return tuple(sorted(set(names))) if all(name.strip() == name != "" for name in names) else None


@dataclass(frozen=True)
class Options(NamedOptions):
    """The options of a solver's suite; an option that the generator's name leaves out has its default.

    Attributes:
        fields: the fields to be covered, by name (`left`, `Node.left`, `references`), sorted; none: all.
        part: the smallest percentage of the pairs to be covered, from 1 to 100.
        instances: the largest number of instances to find, whatever they cover; None: no limit.
    """

    fields: tuple[str, ...] = ()
    part: int = 100
    reduce: Reduce = Reduce.NOTHING
    prefer: Prefer = Prefer.NEW
    solver: str = DEFAULT
    instances: int | None = None

    table: ClassVar = {
        "fields": GeneratorOption(f"fields=NAME+NAME (or fields={REFERENCES})", _fields, "+".join),
        "part": GeneratorOption("part=PERCENT (from 1 to 100)", whole_number(100)),
        "reduce": GeneratorOption(f"reduce={'|'.join(Reduce)}", member_of(Reduce)),
        "prefer": GeneratorOption(f"prefer={'|'.join(Prefer)}", member_of(Prefer)),
        "solver": GeneratorOption(f"solver={'|'.join(SOLVERS)}", lambda text: text if text in SOLVERS else None),
        "instances": GeneratorOption("instances=NUMBER (the first so many, and no part)", whole_number(999_999_999)),
    }

    @classmethod
    def conflict(cls, names: Collection[str]) -> str | None:
        """Return the reason why options exclude each other; None if they do not."""
        is_conflict = "instances" in names and "part" in names
        return "part is of the whole extension, which instances leaves unknown" if is_conflict else None
