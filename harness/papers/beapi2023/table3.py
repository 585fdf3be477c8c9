"""Table 3 (RQ3): flaws of invariants, seeded in our own, and the result of comparing each with the API."""

from __future__ import annotations

from collections.abc import Iterator

from harness.difference.flaws import Flaw
from harness.difference.result import Difference
from harness.model.published import PublishedValue
from harness.papers.beapi2023.dataset import BeapiInputs
from harness.tables.cell import Unit
from harness.tables.claims import ClaimVerdict, Finding
from harness.tables.table import Column, RowSource, Table

_Flaw = tuple[Flaw, Difference]
"""A flaw, and the result of its comparison with the API."""

COLUMNS: tuple[Column[_Flaw], ...] = (
    Column("type", Unit.TEXT, lambda row: row[1].relation.value, "type"),
    Column("our subject", Unit.TEXT, lambda row: row[0].subject),
    Column("scope", Unit.COUNT, lambda row: row[0].scope),
    Column("API", Unit.COUNT, lambda row: row[1].api),
    Column("repOK", Unit.COUNT, lambda row: row[1].rep_ok),
    Column("API alone", Unit.COUNT, lambda row: row[1].api_only),
    Column("repOK alone", Unit.COUNT, lambda row: row[1].rep_ok_only),
    Column("for the scope", Unit.COUNT, lambda row: row[1].rep_ok_only - row[1].unexplained),
    Column("smallest witness", Unit.TEXT, lambda row: _witness(row[1])),
)


def table3(dataset: BeapiInputs) -> Table:
    """Return every printed flaw: how the flawed invariant relates to the API, as measured and as printed."""
    published = dataset.printed("table3", keys=3)
    caption = (
        "Each flaw is seeded in the sound invariant of our subject, and the structures that satisfy it are compared "
        "with those that the API makes, by canonical form. under: all structures of the API and more satisfy the "
        "flawed repOK; over: fewer do; error: each has what the other lacks. Structures of repOK alone that the API "
        "makes at a larger scope (for the scope) tell nothing of a flaw (section 4.3). A witness is a sequence of "
        "calls whose structure repOK refuses, or a structure that no calls make; `mutascope difference` draws them. "
        "Nothing here is of a stored run: it is measured when the table is made."
    )
    return Table.of(
        "Table 3: flaws of invariants",
        caption,
        ("benchmark", "class", "flaw"),
        COLUMNS,
        (RowSource(_labels(row[0]), row, published.row(*_labels(row[0]))) for row in dataset.flaws),
    )


def _labels(flaw: Flaw) -> tuple[str, str, str]:
    return flaw.benchmark, flaw.class_name, flaw.flaw


def flaw_findings(dataset: BeapiInputs) -> Iterator[tuple[Flaw, Finding, PublishedValue]]:
    """Yield each flaw with the finding whether it is classified as printed, and with the printed type."""
    published = dataset.printed("table3", keys=3)
    for flaw, difference in dataset.flaws:
        printed = published.row(*_labels(flaw))["type"]
        as_printed = difference.relation.value == printed.printed
        text = (
            f"{difference.relation.value}: API {difference.api}, "
            f"repOK {difference.rep_ok} structures at scope {flaw.scope}"
        )
        yield flaw, Finding(ClaimVerdict.HOLDS if as_printed else ClaimVerdict.FAILS, text), printed


def _witness(difference: Difference) -> str:
    if difference.of_api:
        return difference.of_api[0].sequence
    if difference.of_rep_ok:
        count = difference.of_rep_ok[0].objects
        return f"of {count} object{'s' * (count != 1)} that no calls make"
    return ""
