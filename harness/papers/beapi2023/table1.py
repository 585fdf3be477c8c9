"""Table 1 (RQ1): Korat and BEAPI by benchmark, class and scope: seconds, structures generated, candidates explored."""

from __future__ import annotations

from collections.abc import Mapping

from harness.model.published import PublishedValue
from harness.papers.beapi2023.given import (
    BEAPI,
    KORAT,
    NOT_RUN,
    SUBJECTS,
    WITH_SUITES,
    BeapiInputs,
    Generation,
    subject_of,
)
from harness.papers.beapi2023.remarks import remark
from harness.tables.cell import Comparison, Measured, Missing, Unit
from harness.tables.table import Heading, Row, Table

COLUMNS = (
    (Heading("Korat [s]", Unit.SECONDS, published=True), "korat_seconds"),
    (Heading("BEAPI [s]", Unit.SECONDS, published=True), "beapi_seconds"),
    (Heading("Korat generated", Unit.COUNT, published=True), "korat_generated"),
    (Heading("BEAPI generated", Unit.COUNT, published=True), "beapi_generated"),
    (Heading("Korat explored", Unit.COUNT, published=True), "korat_explored"),
    (Heading("BEAPI explored", Unit.COUNT, published=True), "beapi_explored"),
    (Heading("remark", Unit.TEXT), ""),
)
LABELS = ("benchmark", "class", "scope", "printed repOK", "our subject")
OURS = "(ours)"
"""The benchmark of rows at scopes that the paper does not print."""


def table1(given: BeapiInputs) -> Table:
    """Every printed row, then every other scope that was run of a subject that stands for a class of the paper."""
    published = given.printed("table1")
    rows = []
    shown = set()
    for row in published.rows:
        benchmark, name, scope = row.split()
        subject = subject_of(benchmark, name)
        flawed = (row, "flawed_repok") in published
        labels = (benchmark, name, scope, "flawed" if flawed else "", subject or "")
        rows.append(_row(given, labels, published, flawed))
        shown.add((subject, int(scope)))
    for subject in dict.fromkeys(SUBJECTS.values()):
        for at in given.scopes(subject, KORAT, BEAPI):
            if (subject, at) not in shown:
                rows.append(_row(given, (OURS, subject, str(at), "", subject), {}, flawed=False))
    return Table("Table 1: Korat and BEAPI", _caption(given), LABELS, tuple(c for c, _ in COLUMNS), tuple(rows))


def _row(
    given: BeapiInputs,
    labels: tuple[str, str, str, str, str],
    published: Mapping[tuple[str, str], PublishedValue],
    flawed: bool,
) -> Row:
    subject, scope = labels[4], int(labels[2])
    korat, beapi = (given.generations.get((subject, way, scope)) for way in (KORAT, BEAPI))
    printed = {name: published.get((" ".join(labels[:3]), name)) for _, name in COLUMNS}
    told: Measured = NOT_RUN
    if korat or beapi:
        told = remark(subject, korat, beapi, printed, flawed)
    measured: tuple[Measured, ...] = (
        *(_known(found, what) for what in ("seconds", "generated", "explored") for found in (korat, beapi)),
        told,
    )
    cells = (Comparison(value, printed[name]) for value, (_, name) in zip(measured, COLUMNS, strict=True))
    return Row(labels, tuple(cells))


def _known(found: Generation | None, what: str) -> int | float | Missing:
    value = None if found is None else getattr(found, what)
    return NOT_RUN if value is None else value


def _caption(given: BeapiInputs) -> str:
    return (
        "Generated are structures, the same in another numbering once; explored are executions of rep_ok (Korat) or of "
        "sequences of calls (BEAPI). A flawed printed repOK is one that the paper greys: its Korat's numbers are those "
        "of a flawed invariant, while our Korat's are always of our subject's own, sound invariant. Printed rows "
        "without measured values were not run. TO: more than 60 minutes. One of our subjects stands for every class "
        f"with the same structures; rows of {OURS} are at scopes that the paper does not print. Seconds are of this "
        f"machine ({given.frames.machine}), those of Korat and of BEAPI {WITH_SUITES}, Korat's search compiled where "
        "it is long; the paper's are of Java on a 3.2 GHz Core i7-8700. Korat's 2739128 structures for Roops NCL "
        "7 look like a misprint."
    )
