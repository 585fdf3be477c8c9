"""What numbers say of a claim of a paper."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from harness.model.published import PublishedValue
from harness.tables.cell import Comparison, Missing, Unit
from harness.tables.table import Heading


class Outcome(Enum):
    """What the numbers say of a claim."""

    HOLDS = "HOLDS"
    FAILS = "DOES NOT HOLD"
    OPEN = "NOT DECIDABLE"


@dataclass(frozen=True)
class Finding:
    """An outcome with the numbers behind it, in words."""

    outcome: Outcome
    evidence: str


FINDING_COLUMNS = (Heading("outcome", Unit.TEXT, published=True), Heading("numbers", Unit.TEXT, published=True))
"""The columns of `finding_cells`."""


def finding_cells(
    paper: str, claim: str, title: str, measured: Finding | Missing, printed: Finding | None
) -> tuple[Comparison, ...]:
    """What the measured numbers say of a claim, beside what the same rule says of the printed ones.

    Args:
        title: of the case study, a part of the row's name.
        measured: or why nothing was found.
        printed: None where the paper prints no such numbers.
    """
    cells = []
    for column in FINDING_COLUMNS:
        ours = measured if isinstance(measured, Missing) else _part(measured, column)
        theirs = None
        if printed is not None:
            theirs = PublishedValue(paper, claim, title, column.name, _part(printed, column))
        cells.append(Comparison(ours, theirs))
    return tuple(cells)


def _part(finding: Finding, column: Heading) -> str:
    return finding.outcome.value if column.name == "outcome" else finding.evidence
