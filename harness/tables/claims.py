"""Applies claims of papers as rules to the numbers of a run and to the printed ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeVar

from harness.tables.published import PublishedValue
from harness.tables.table import NOT_RUN, Column, Missing, RowSource, Unit

Numbers = TypeVar("Numbers")


class ClaimVerdict(Enum):
    """The verdict of the numbers on a claim."""

    HOLDS = "HOLDS"
    FAILS = "DOES NOT HOLD"
    OPEN = "NOT DECIDABLE"


@dataclass(frozen=True)
class Finding:
    """An outcome with the numbers behind it, in words."""

    outcome: ClaimVerdict
    evidence: str

    @classmethod
    def of(cls, holds: bool, evidence: str) -> Finding:
        """Return the finding that a claim holds, or that it does not."""
        return cls(ClaimVerdict.HOLDS if holds else ClaimVerdict.FAILS, evidence)


COLUMNS = (
    Column[Finding]("outcome", Unit.TEXT, lambda finding: finding.outcome.value, "outcome"),
    Column[Finding]("numbers", Unit.TEXT, lambda finding: finding.evidence, "numbers"),
)
"""The columns of a table of claims."""


@dataclass(frozen=True)
class Claim(Generic[Numbers]):
    """A conclusion of a paper, decided by the same rule on the measured and on the printed numbers.

    Attributes:
        words: the rule in the words of a caption.
        rule: decides on the numbers of one case.
        is_printed: whether the paper prints the numbers that the rule needs.
    """

    name: str
    words: str
    rule: Callable[[Numbers], Finding]
    is_printed: bool = True

    def case(
        self,
        labels: tuple[str, ...],
        measured: Numbers | None,
        printed: Numbers | None = None,
        missing: Missing = NOT_RUN,
    ) -> RowSource[Finding]:
        """Apply the rule to the measured and to the printed numbers of a case; None stands for missing numbers.

        Args:
            labels: of the row, without the claim's own.
            missing: why nothing was measured.
        """
        cells: dict[str, PublishedValue] = {}
        if self.is_printed and printed is not None:
            finding = self.rule(printed)
            cells = {column.published: PublishedValue(str(column.measured(finding))) for column in COLUMNS}
        return RowSource((self.name, *labels), None if measured is None else self.rule(measured), cells, missing)


def rules_of(claims: Iterable[Claim[Any]]) -> str:
    """Return the rules in words, as captions have them."""
    return "; ".join(f"{claim.name}: {claim.words}" for claim in claims)


def agreement(rows: Iterable[RowSource[Finding]]) -> str:
    """Return, for captions, how many rows of each claim measured and printed numbers decide, and in the same way."""
    still_open = ClaimVerdict.OPEN.value
    counts: dict[str, list[int]] = {}
    for row in rows:
        if row.printed:
            here, in_print = row.source.outcome.value if row.source else still_open, row.printed["outcome"].printed
            undecided = [here, in_print].count(still_open)
            kind = undecided + 1 if undecided else int(here != in_print)
            counts.setdefault(row.labels[0], [0] * 4)[kind] += 1
    numbers = "; ".join(f"{claim} {', '.join(map(str, of))}" for claim, of in counts.items())
    return f"Outcomes that agree, are opposite, are decided by one side alone, and by none: {numbers}."
