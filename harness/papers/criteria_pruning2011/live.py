"""The tables of live mutants (section 4.1): what survives Korat's suite, that of Korat+, and one input per class."""

from __future__ import annotations

from harness.analysis.mutant_mixes import OF_2005
from harness.model.published import PublishedValue
from harness.papers.criteria_pruning2011.given import (
    KORAT,
    KORAT_PLUS,
    MIXES,
    NAME,
    NOT_RUN,
    ONE_PER_CLASS,
    SUBJECTS,
    CriteriaInputs,
)
from harness.tables.cell import Comparison, Measured, Unit
from harness.tables.table import Heading, Row, Table

WAYS = {
    KORAT: ("Korat", "live_korat"),
    KORAT_PLUS: ("Korat+", "live_koratplus"),
    ONE_PER_CLASS: ("one per class", "live_one_per_class"),
}
"""By generator, its heading, and its column among the published values."""

LABELS = ("case study", "scope", "our scope")


def live_mutants(given: CriteriaInputs) -> Table:
    """Every printed row: mutants, and those alive; beside the paper's mix of operators all that muJava has today."""
    published = given.printed("live_mutants", 3)
    described = _columns()
    rows = []
    for key in published.rows:
        title, mutants, printed_scope = key.split(" ")
        scope = given.scopes[title, printed_scope]
        printed = {name: published.get((key, name)) for _, name in described}
        printed["mutants"] = PublishedValue(NAME, "live_mutants", key, "mutants", mutants)
        values = zip(_measured(given, title, scope), described, strict=True)
        cells = tuple(Comparison(value, printed[name]) for value, (_, name) in values)
        rows.append(Row((title, printed_scope, str(scope)), cells))
    return Table("Live mutants", _caption(given), LABELS, tuple(c for c, _ in described), tuple(rows))


def _columns() -> list[tuple[Heading, str]]:
    found = []
    for mix, mark in MIXES.items():
        printed = mix == OF_2005
        for name, column in (("mutants", "mutants"), *WAYS.values()):
            found.append((Heading(f"{name}{mark}", Unit.COUNT, printed), column if printed else ""))
    return found + [(Heading(f"{name} inputs", Unit.COUNT), "") for name, _ in WAYS.values()]


def _measured(given: CriteriaInputs, title: str, scope: int) -> list[Measured]:
    found: list[int | None] = []
    for mix in MIXES:
        found += [given.mutants(title, scope, mix), *(given.live(title, scope, way, mix) for way in WAYS)]
    found += [given.inputs(title, scope, way) for way in WAYS]
    return [NOT_RUN if value is None else value for value in found]


def _caption(given: CriteriaInputs) -> str:
    rows = given.printed("live_mutants", 3).rows
    subjects = dict.fromkeys(SUBJECTS[row.partition(" ")[0]] for row in rows)
    return (
        f"Live are mutants that no input of the suite kills. {given.counted} The paper's mutants are those that "
        "muJava made in 2011: of our set all but the deletions (SDL, VDL, CDL, ODL) and ROR's True and False, which "
        "muJava has since; (all) counts these as well. Our mutants are of Python's programs, and none of them equals "
        "another, so there are other numbers of them. Korat+ and one per class are scored by indexing the kill matrix "
        "of Korat's suite, of which theirs are a part; where it is too large, from runs of their own. Subjects: "
        f"{', '.join(subjects)}."
    )
