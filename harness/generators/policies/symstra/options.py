"""What may stand behind the colon of `symstra:`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from harness.generators.options import NamedOptions, Option, member_of, whole_number
from harness.generators.symbolic.concretisation import Values


class Keep(StrEnum):
    """Which states are gone on from."""

    MAXIMAL = "maximal"
    """Those that no other one subsumes, of a level or of those before it."""
    FIRST = "first"
    """Those that no earlier one subsumes, so that the result hangs on the order of trying."""
    UNEQUAL = "unequal"
    """Those that no earlier one is equal to."""
    ALL = "all"
    """All."""


@dataclass(frozen=True)
class Options(NamedOptions):
    """How a suite is made; the defaults stand for what the generator's name does not say.

    Attributes:
        calls: of a sequence at the most, the constructor's apart; None: as the spec and the scope tell.
    """

    keep: Keep = Keep.MAXIMAL
    values: Values = Values.ADJACENT
    calls: int | None = None

    table: ClassVar = {
        "keep": Option(f"keep={'|'.join(Keep)}", member_of(Keep)),
        "values": Option(f"values={'|'.join(Values)}", member_of(Values)),
        "calls": Option("calls=NUMBER (from 1)", whole_number(9999)),
    }
