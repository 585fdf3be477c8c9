"""The table of live mutants (section 4.1): survivors of Korat's suite, that of Korat+, and one input per class."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from harness.analysis.mutant_mixes import OF_2005
from harness.papers.criteria_pruning2011.dataset import (
    KORAT,
    KORAT_PLUS,
    MIXES,
    NOT_RUN,
    ONE_PER_CLASS,
    SUBJECTS,
    CriteriaInputs,
)
from harness.tables.cell import Unit
from harness.tables.table import Column, RowSource, Table

WAYS = {
    KORAT: ("Korat", "live_korat"),
    KORAT_PLUS: ("Korat+", "live_koratplus"),
    ONE_PER_CLASS: ("one per class", "live_one_per_class"),
}
"""The headings, and the columns of published values, by generator."""

LABELS = ("case study", "scope", "our scope")


def live_mutants(dataset: CriteriaInputs) -> Table:
    """Return every printed row: mutants and survivors of the paper's operators, and of all of muJava's today."""
    cases = []
    for row in dataset.printed("live_mutants", 3).rows:
        title, _, printed_scope = row.key
        scope = dataset.scopes[title, printed_scope]
        cases.append(RowSource((title, printed_scope, str(scope)), (title, scope), row))
    return Table.of("Live mutants", _caption(dataset), LABELS, list(_columns(dataset)), cases)


def _columns(dataset: CriteriaInputs) -> Iterator[Column[tuple[str, int]]]:
    """Yield the columns, whose cells are of a case study and a scope."""
    for mix, mark in MIXES.items():
        is_printed = mix == OF_2005
        yield Column(f"mutants{mark}", Unit.COUNT, partial(_mutants, dataset, mix), "mutants" * is_printed, NOT_RUN)
        for way, (name, column) in WAYS.items():
            yield Column(f"{name}{mark}", Unit.COUNT, partial(_live, dataset, way, mix), column * is_printed, NOT_RUN)
    for way, (name, _) in WAYS.items():
        yield Column(f"{name} inputs", Unit.COUNT, partial(_inputs, dataset, way), missing=NOT_RUN)


def _mutants(dataset: CriteriaInputs, mix: str, study: tuple[str, int]) -> int | None:
    return dataset.mutants(*study, mix)


def _live(dataset: CriteriaInputs, way: str, mix: str, study: tuple[str, int]) -> int | None:
    return dataset.live(*study, way, mix)


def _inputs(dataset: CriteriaInputs, way: str, study: tuple[str, int]) -> int | None:
    return dataset.inputs(*study, way)


def _caption(dataset: CriteriaInputs) -> str:
    subjects = dict.fromkeys(SUBJECTS[row.key[0]] for row in dataset.printed("live_mutants", 3).rows)
    return (
        f"Live are mutants that no input of the suite kills. {dataset.counted} The paper's mutants are those that "
        "muJava made in 2011: of our set all but the deletions (SDL, VDL, CDL, ODL) and ROR's True and False, which "
        "muJava has since; (all) counts these as well. Our mutants are of Python's programs, and none of them equals "
        "another, so there are other numbers of them. Korat+ and one per class are scored by indexing the kill matrix "
        "of Korat's suite, of which theirs are a part; where it is too large, from runs of their own. Subjects: "
        f"{', '.join(subjects)}."
    )
