"""The paper's conclusions by class: what the measured and the printed numbers say, by the same rules."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from harness.papers.beapi2023.claims import (
    CLAIMED,
    MEASURES,
    RULES,
    Optimized,
    Pair,
    builders,
    methods,
    saved_by_builders,
    seconds,
    state_matching,
    structures,
)
from harness.papers.beapi2023.given import (
    BEAPI,
    CONFIGURATIONS,
    KORAT,
    NAME,
    WITH_SUITES,
    BeapiInputs,
    Generation,
    printed_generation,
    subject_of,
)
from harness.papers.beapi2023.table2 import configurations
from harness.papers.beapi2023.table3 import flaw_findings
from harness.tables.cell import Missing
from harness.tables.claims import FINDING_COLUMNS, Finding, Outcome, finding_cells
from harness.tables.published import PublishedTable
from harness.tables.table import Row, Table

NOTHING_RUN = Missing("nothing was run of a subject that stands for it")


def claims(given: BeapiInputs) -> Table:
    """Per claim and class: HOLDS, DOES NOT HOLD or NOT DECIDABLE, with the numbers behind it."""
    rows = []
    for claim, of_class in _printed_claims(given).items():
        for (benchmark, name), printed in of_class.items():
            subject = subject_of(benchmark, name)
            measured = _measured(given, claim, subject) if subject and given.scopes(subject, KORAT, BEAPI) else None
            rows.append(_row(claim, benchmark, name, subject or "", measured, printed))
    rows.append(_methods_row(given))
    rows += _flaw_rows(given)
    caption = f"Published: the same rules on the printed numbers. {MEASURES}. Rules: " + "; ".join(
        f"{claim}: {rule}" for claim, rule in RULES.items() if claim in {row.labels[0] for row in rows}
    )
    return Table(
        "What the paper concludes (section 4)",
        f"{caption}. {CLAIMED} Seconds are of a compiled search (Korat) and of calls in Python (BEAPI) here, of Java "
        f"in the paper; in RQ1 {WITH_SUITES}, in RQ2 {given.clocked}.",
        ("claim", "benchmark", "class", "our subject"),
        FINDING_COLUMNS,
        tuple(rows),
    )


def _row(claim: str, benchmark: str, name: str, subject: str, measured: Finding | None, printed: Finding) -> Row:
    cells = finding_cells(NAME, claim, f"{benchmark} {name}", measured or NOTHING_RUN, printed)
    return Row((claim, benchmark, name, subject), cells)


def _methods_row(given: BeapiInputs) -> Row:
    """One row of all classes whose methods are many, or a few."""
    printed = {title: saved_by_builders(found) for title, found in _printed_seconds(given.printed("table2")).items()}
    measured = {
        title: saved_by_builders(_by_scope(given, subject)) for title in printed if (subject := subject_of(*title))
    }
    found = methods(measured) if any(measured.values()) else None
    return _row("RQ2 methods", "ROOPS, Real World", "all", "", found, methods(printed))


def _flaw_rows(given: BeapiInputs) -> list[Row]:
    """A row per flaw; the paper says of each that it was found, and of which type it is."""
    rows = []
    for flaw, finding, printed in flaw_findings(given):
        found = Finding(Outcome.HOLDS, f"{printed.printed}: {flaw.flaw}")
        rows.append(_row("RQ3 flaws", flaw.benchmark, flaw.class_name, flaw.subject, finding, found))
    return rows


def _measured(given: BeapiInputs, claim: str, subject: str) -> Finding:
    if claim.startswith("RQ1"):
        pairs = {scope: _pair(given, subject, scope) for scope in given.scopes(subject, KORAT, BEAPI)}
        return structures(pairs) if claim == "RQ1 structures" else seconds(pairs)
    by_scope = _by_scope(given, subject)
    return state_matching(by_scope, gave_up=False) if claim == "RQ2 state matching" else builders(by_scope)


def _by_scope(given: BeapiInputs, subject: str) -> dict[int, Optimized]:
    ways = (generator for generator, _ in CONFIGURATIONS.values())
    return {scope: _optimized(configurations(given, subject, scope)) for scope in given.scopes(subject, *ways)}


def _pair(given: BeapiInputs, subject: str, scope: int) -> Pair:
    return given.generations.get((subject, KORAT, scope)), given.generations.get((subject, BEAPI, scope))


def _optimized(found: Mapping[str, Generation]) -> Optimized:
    return Optimized(found.get("SM/BLD"), found.get("SM"), found.get("BLD"))


def _printed_claims(given: BeapiInputs) -> dict[str, dict[tuple[str, str], Finding]]:
    """By claim, then by benchmark and class in the order of the tables."""
    pairs, optimized = _printed_pairs(given.printed("table1")), _printed_seconds(given.printed("table2"))
    return {
        "RQ1 structures": {title: structures(found) for title, found in pairs.items()},
        "RQ1 seconds": {title: seconds(found) for title, found in pairs.items()},
        "RQ2 state matching": {title: state_matching(found, gave_up=True) for title, found in optimized.items()},
        "RQ2 builders": {title: builders(found) for title, found in optimized.items()},
    }


def _printed_pairs(table: PublishedTable) -> dict[tuple[str, str], dict[int, Pair]]:
    found: dict[tuple[str, str], dict[int, Pair]] = {}
    for row in table.rows:
        benchmark, name, scope = row.rsplit(" ", 2)
        pair = (printed_generation(table, row, "korat"), printed_generation(table, row, "beapi"))
        found.setdefault((benchmark, name), {})[int(scope)] = pair
    return found


def _printed_seconds(table: PublishedTable) -> dict[tuple[str, str], dict[int, Optimized]]:
    found: dict[tuple[str, str], dict[int, Optimized]] = {}
    for row in table.rows:
        benchmark, name, scope = row.rsplit(" ", 2)
        cells = (table.get((row, f"{column}_seconds")) for column in ("sm_bld", "sm", "bld"))
        both, matching, alone = (
            None if cell is None or cell.exact is None else Generation(None, None, Fraction(cell.exact))
            for cell in cells
        )
        found.setdefault((benchmark, name), {})[int(scope)] = Optimized(both, matching, alone)
    return found
