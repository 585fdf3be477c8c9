"""Table 3 (RQ3): the flaws of invariants, seeded in our own, and what a comparison with the API tells of each."""

from __future__ import annotations

from collections.abc import Iterator

from harness.difference.flaws import Flaw
from harness.difference.result import Difference
from harness.model.published import PublishedValue
from harness.papers.beapi2023.given import BeapiInputs
from harness.tables.cell import Comparison, Measured, Unit
from harness.tables.claims import Finding, Outcome
from harness.tables.table import Heading, Row, Table

COLUMNS = (
    Heading("type", Unit.TEXT, published=True),
    Heading("our subject", Unit.TEXT),
    Heading("scope", Unit.COUNT),
    Heading("API", Unit.COUNT),
    Heading("repOK", Unit.COUNT),
    Heading("API alone", Unit.COUNT),
    Heading("repOK alone", Unit.COUNT),
    Heading("for the scope", Unit.COUNT),
    Heading("smallest witness", Unit.TEXT),
)


def table3(given: BeapiInputs) -> Table:
    """Every printed flaw: how the flawed invariant lies to the API, measured beside printed."""
    published = given.printed("table3")
    rows = []
    for flaw, found in given.flaws:
        measured: tuple[Measured, ...] = (
            found.relation.value, flaw.subject, flaw.scope, found.api, found.rep_ok, found.api_only,
            found.rep_ok_only, found.rep_ok_only - found.unexplained, _witness(found),
        )  # fmt: skip
        printed = (published.get((row_of(flaw), "type")), *[None] * (len(COLUMNS) - 1))
        cells = (Comparison(value, cell) for value, cell in zip(measured, printed, strict=True))
        rows.append(Row((flaw.benchmark, flaw.class_name, flaw.flaw), tuple(cells)))
    caption = (
        "Each flaw is seeded in the sound invariant of our subject, and the structures that satisfy it are compared "
        "with those that the API makes, by canonical form. under: all structures of the API and more satisfy the "
        "flawed repOK; over: fewer do; error: each has what the other lacks. Structures of repOK alone that the API "
        "makes at a larger scope (for the scope) tell nothing of a flaw (section 4.3). A witness is a sequence of "
        "calls whose structure repOK refuses, or a structure that no calls make; `mutascope difference` draws them. "
        "Nothing here is of a stored run: it is measured when the table is made."
    )
    return Table("Table 3: flaws of invariants", caption, ("benchmark", "class", "flaw"), COLUMNS, tuple(rows))


def row_of(flaw: Flaw) -> str:
    """The name of the flaw's row among the published values."""
    return f"{flaw.benchmark} {flaw.class_name} {flaw.flaw}"


def flaw_findings(given: BeapiInputs) -> Iterator[tuple[Flaw, Finding, PublishedValue]]:
    """Whether each flaw is found and classified as printed; with the printed type."""
    published = given.printed("table3")
    for flaw, found in given.flaws:
        printed = published[row_of(flaw), "type"]
        as_printed = found.relation.value == printed.printed
        told = f"{found.relation.value}: API {found.api}, repOK {found.rep_ok} structures at scope {flaw.scope}"
        yield flaw, Finding(Outcome.HOLDS if as_printed else Outcome.FAILS, told), printed


def _witness(found: Difference) -> str:
    if found.of_api:
        return found.of_api[0].sequence
    if found.of_rep_ok:
        count = found.of_rep_ok[0].objects
        return f"of {count} object{'s' * (count != 1)} that no calls make"
    return ""
