"""The tables of the case studies (section 4): what Korat and Korat+ explore and find, their seconds, the classes."""

from __future__ import annotations

from harness.papers.criteria_pruning2011.given import KORAT, KORAT_PLUS, NOT_RUN, SUBJECTS, CriteriaInputs
from harness.tables.cell import Comparison, Measured, Missing, Unit
from harness.tables.table import Heading, Row, Table

COLUMNS = (
    (Heading("Korat explored", Unit.COUNT, published=True), "korat_explored"),
    (Heading("Korat valid", Unit.COUNT, published=True), "korat_valid"),
    (Heading("Korat+ explored", Unit.COUNT, published=True), "koratplus_explored"),
    (Heading("Korat+ valid", Unit.COUNT, published=True), "koratplus_valid"),
    (Heading("classes covered", Unit.COUNT, published=True), "classes_covered"),
    (Heading("Korat [s]", Unit.SECONDS, published=True), "korat_seconds"),
    (Heading("Korat+ [s]", Unit.SECONDS, published=True), "koratplus_seconds"),
)
CPU = (Heading("Korat CPU [s]", Unit.SECONDS, published=True), Heading("Korat+ CPU [s]", Unit.SECONDS, published=True))
"""Beside the same printed seconds."""
WITHIN = Heading("a tenth of printed", Unit.TEXT)
LABELS = ("case study", "scope", "our subject", "our scope")

NOT_MEASURED = Missing("measured before processor seconds were told apart")


def case_studies(given: CriteriaInputs) -> Table:
    """Every printed row."""
    published = given.printed("case_studies", 2)
    rows = []
    for key in published.rows:
        title, _, printed_scope = key.partition(" ")
        scope = given.scopes[title, printed_scope]
        cells = [
            Comparison(value, published.get((key, name)))
            for value, (_, name) in zip(_measured(given, title, scope), COLUMNS, strict=True)
        ]
        cpu = _cpu(given, title, scope, cells[-2:])
        rows.append(Row((title, printed_scope, SUBJECTS[title], str(scope)), (*cells, *cpu)))
    columns = (*(column for column, _ in COLUMNS), *CPU, WITHIN)
    return Table("Case studies", _caption(given), LABELS, columns, tuple(rows))


def _measured(given: CriteriaInputs, title: str, scope: int) -> tuple[Measured, ...]:
    counts: list[Measured] = []
    seconds: list[Measured] = []
    for generator in (KORAT, KORAT_PLUS):
        trial = given.trial(title, generator, scope)
        counts += [NOT_RUN, NOT_RUN] if trial is None else [int(trial["explored"]), int(trial["states"])]
        seconds.append(_known(None if trial is None else given.seconds(trial)))
    return (*counts, _known(given.classes(title, scope)), *seconds)


def _cpu(given: CriteriaInputs, title: str, scope: int, wall: list[Comparison]) -> list[Comparison]:
    """Processor seconds of both searches beside the printed seconds, and which of them are within a tenth of these."""
    cells = []
    for generator, beside in zip((KORAT, KORAT_PLUS), wall, strict=True):
        trial = given.trial(title, generator, scope)
        seconds = None if trial is None else given.cpu_seconds(trial)
        measured = NOT_RUN if trial is None else NOT_MEASURED if seconds is None else seconds
        cells.append(Comparison(measured, beside.published))
    known = [search for search in given.searches(title) if search.scope == scope]
    within = "; ".join(f"{search.generator}: {'yes' if search.is_within_a_tenth else 'no'}" for search in known)
    told = within or (NOT_MEASURED if any(cell.measured == NOT_MEASURED for cell in cells) else NOT_RUN)
    return [*cells, Comparison(told)]


def _known(value: float | None) -> int | float | Missing:
    return NOT_RUN if value is None else value


def _caption(given: CriteriaInputs) -> str:
    return (
        "Explored are executions of rep_ok, valid are the states found, classes those that eq_class tells apart; the "
        "scope is as printed. [s] are seconds of the wall clock on this machine "
        f"({given.frames.machine}), whatever else it does: of the whole generation, with the suite written, and, where "
        "the search is compiled, as a long one is, with the seconds that its compiler takes the first time. CPU [s] "
        "are those of processors: of the search alone, its processes taken together, without the compiler and without "
        "what writes the suite; the last column says whether they are at most a tenth of the printed ones. The "
        "paper's are of Java on a 3.06 GHz Core 2 Duo. TIMEOUT: more than five hours."
    )
