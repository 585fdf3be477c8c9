"""The options that may follow the colon of `symstra:`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from harness.generators.named_options import GeneratorOption, NamedOptions, member_of, whole_number
from harness.generators.symbolic.concretisation import ValueRule


class Keep(StrEnum):
    """The rule for which states are extended."""

    MAXIMAL = "maximal"
    """States that no other state of their level or an earlier one subsumes."""
    FIRST = "first"
    """States that no earlier one subsumes, so that the result depends on the order of exploration."""
    UNEQUAL = "unequal"
    """States that no earlier one is equal to."""
    ALL = "all"
    """All states."""


@dataclass(frozen=True)
class Options(NamedOptions):
    """The options of a suite; an option that the generator's name leaves out has its default.

    Attributes:
        calls: the largest number of calls of a sequence after the constructor's; None: the spec and the scope decide.
    """

    keep: Keep = Keep.MAXIMAL
    values: ValueRule = ValueRule.ADJACENT
    calls: int | None = None

    table: ClassVar = {
        "keep": GeneratorOption(f"keep={'|'.join(Keep)}", member_of(Keep)),
        "values": GeneratorOption(f"values={'|'.join(ValueRule)}", member_of(ValueRule)),
        "calls": GeneratorOption("calls=NUMBER (from 1)", whole_number(9999)),
    }
