"""Counts the inputs of a user's generator, and describes the result in lines for the user."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from harness.amounts import counted
from harness.errors import UsageError
from harness.kernel.inputs.describe import show
from harness.model.finitization import Target
from harness.model.routines import Routine

NOT_THE_SAME = (
    "other inputs when it runs again with the same seed; draw from random.Random(seed), and depend on no set order or "
    "time"
)
_INVALID = "rep_ok, or what the target requires, is false"
_LONGEST = 60


@dataclass
class InputCounts:
    """The numbers of inputs: all, those beyond the bounds, those that are invalid, and those in the suite."""

    file: str
    total: int = 0
    beyond: int = 0
    invalid: int = 0
    stored: int = 0
    first_invalid: str = ""

    def add_invalid(self, place: str, text: str) -> None:
        """Count an invalid input."""
        self.invalid += 1
        self.first_invalid = self.first_invalid or f"{place}: {text}"

    def check(self, scope: int | None) -> None:
        """Refuse a run without inputs.

        Raises:
            UsageError: there is none.
        """
        if not self.total:
            raise UsageError(f"{self.file}: there is no input at scope {scope}; make one at least")

    def check_valid(self) -> None:
        """Refuse a run without valid inputs.

        Raises:
            UsageError: there is none.
        """
        if not self.stored:
            raise UsageError(
                f"{self.first_invalid} is invalid, like all {counted(self.total, 'input')}: {_INVALID}; make one valid "
                "input at least"
            )

    def lines(self) -> list[str]:
        """Return the lines for the user."""
        repeated = self.total - self.invalid - self.stored
        of_all = f"of {counted(self.total, 'input')}"
        lines = []
        if repeated:
            lines.append(f"{repeated:,} {of_all} came twice; each counts once")
        if self.beyond:
            rule = "goes {}, and is judged as it is" if self.beyond == 1 else "go {}, and are judged as they are"
            inputs = "the only input" if self.total == 1 else f"{self.beyond:,} {of_all}"
            lines.append(f"{inputs} {rule.format('beyond the bounds of the spec')}")
        if self.invalid:
            verb = "is" if self.invalid == 1 else "are"
            lines.append(
                f"{self.invalid:,} {of_all} {verb} invalid, and left out: {_INVALID}; the first is {self.first_invalid}"
            )
        return lines

    def details(self) -> dict[str, int]:
        """Return the numbers for the table of trials."""
        return {
            "own.yielded": self.total,
            "own.repeated": self.total - self.invalid - self.stored,
            "own.beyond": self.beyond,
            "own.invalid": self.invalid,
        }


def wrong_number(name: str, count: int, declared: Iterable[Routine | Target]) -> str:
    """Return what is wrong with the number of arguments of a call.

    Args:
        declared: what the spec declares under the name; one, or several constructors.
    """
    numbers = " or ".join(str(len(one.parameters)) for one in declared)
    return f"{name} gets {counted(count, 'argument')}; the spec declares {numbers}"


def short_text(value: Any) -> str:
    """Return a value as a short line."""
    text = " ".join(show(value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
