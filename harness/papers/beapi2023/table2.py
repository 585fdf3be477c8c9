"""Table 2 (RQ2): BEAPI with state matching, builders, both and neither."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from harness.analysis.percent import rounded
from harness.model.published import PublishedValue
from harness.papers.beapi2023.given import (
    CONFIGURATIONS,
    NAME,
    NO_SUBJECT,
    NOT_RUN,
    SUBJECTS,
    BeapiInputs,
    Generation,
    subject_of,
)
from harness.tables.cell import Comparison, Measured, Missing, Unit
from harness.tables.published import PublishedTable
from harness.tables.table import Heading, Row, Table

LABELS = ("benchmark", "class", "scope", "our subject")
OURS = "(ours)"
OTHERS = tuple(name for name in CONFIGURATIONS if name != "SM/BLD")
NO_TIME = Missing("no time to be compared with")

_SECONDS = tuple(
    (Heading(f"{name} [s]", Unit.SECONDS, published=True), column) for name, (_, column) in CONFIGURATIONS.items()
)
_FACTORS = tuple((Heading(f"{name} : SM/BLD", Unit.FACTOR, published=True), f"{name} factor") for name in OTHERS)
_EXPLORED = tuple((Heading(f"{name} explored", Unit.COUNT), "") for name in CONFIGURATIONS)


def table2(given: BeapiInputs) -> Table:
    """Every printed row, then every other scope at which another configuration than SM/BLD was run.

    Beside seconds stand their ratios, for the seconds are of different machines, and the sequences that each
    configuration executed, which hang on no machine.
    """
    published = given.printed("table2")
    rows = []
    shown = set()
    for row in published.rows:
        benchmark, name, scope = _parts(row)
        subject = subject_of(benchmark, name)
        rows.append(_row(given, (benchmark, name, scope, subject or ""), _with_factors(published, row)))
        shown.add((subject, int(scope)))
    for subject in dict.fromkeys(SUBJECTS.values()):
        for at in given.scopes(subject, *(CONFIGURATIONS[name][0] for name in OTHERS)):
            if (subject, at) not in shown:
                rows.append(_row(given, (OURS, subject, str(at), subject), {}))
    columns = tuple(column for column, _ in (*_SECONDS, *_FACTORS, *_EXPLORED))
    return Table("Table 2: BEAPI's optimizations", _caption(given), LABELS, columns, tuple(rows))


def configurations(given: BeapiInputs, subject: str, scope: int) -> dict[str, Generation]:
    """What was measured of each configuration that was run."""
    return {
        name: found
        for name, (generator, _) in CONFIGURATIONS.items()
        if (found := given.configurations.get((subject, generator, scope))) is not None
    }


def _parts(row: str) -> tuple[str, str, str]:
    """Benchmark, class and scope of a row; a benchmark's name may be of two words."""
    benchmark, name, scope = row.rsplit(" ", 2)
    return benchmark, name, scope


def _row(given: BeapiInputs, labels: tuple[str, str, str, str], printed: Mapping[str, PublishedValue]) -> Row:
    subject, scope = labels[3], int(labels[2])
    missing = NOT_RUN if subject else NO_SUBJECT
    found = configurations(given, subject, scope)
    seconds = {name: one.seconds for name, one in found.items() if one.seconds is not None}
    fastest = seconds.get("SM/BLD")
    measured: list[Measured] = [seconds.get(name, missing) for name in CONFIGURATIONS]
    for name in OTHERS:
        factor = seconds[name] / fastest if name in seconds and fastest else None
        measured.append(factor if factor is not None else NO_TIME if found else missing)
    for name in CONFIGURATIONS:
        explored = found[name].explored if name in found else None
        measured.append(missing if explored is None else explored)
    described = (*_SECONDS, *_FACTORS, *_EXPLORED)
    cells = (Comparison(value, printed.get(column)) for value, (_, column) in zip(measured, described, strict=True))
    return Row(labels, tuple(cells))


def _with_factors(table: PublishedTable, row: str) -> dict[str, PublishedValue]:
    """The printed seconds of a row, and how many times those of SM/BLD the others are."""
    printed = {column: table[row, column] for _, column in _SECONDS if (row, column) in table}
    fastest = printed[CONFIGURATIONS["SM/BLD"][1]].exact
    for name in OTHERS:
        cell = printed.get(CONFIGURATIONS[name][1])
        if fastest and cell is not None and cell.exact is not None:
            factor = f"{rounded(Fraction(cell.exact) / Fraction(fastest)):f}"
            printed[f"{name} factor"] = PublishedValue(NAME, "table2", row, f"{name} factor", factor)
    return printed


def _caption(given: BeapiInputs) -> str:
    generators = ", ".join(f"{name} is {generator}" for name, (generator, _) in CONFIGURATIONS.items())
    return (
        f"SM: with state matching; BLD: with builders alone, pinned in the specs ({generators}). Explored are the "
        "sequences that were executed; without state matching they end by their length, scope + 1 calls where the spec "
        "says nothing. The factors are of seconds, those of the paper computed from its printed "
        f"seconds. Seconds are of this machine ({given.frames.machine}), {given.clocked}, and without the search for "
        "builders, as the paper's are. A blank printed cell timed out after 60 minutes. A measured cell "
        "without a number was not run: without state matching the sequences multiply, so that most scopes do not end."
    )
