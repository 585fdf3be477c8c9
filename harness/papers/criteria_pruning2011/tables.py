"""The tables of the case studies (section 4) and of live mutants (section 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from harness.analysis.mutant_sets import OF_2005
from harness.papers.criteria_pruning2011.run import (
    KORAT,
    KORAT_PLUS,
    MIXES,
    NOT_RUN,
    ONE_PER_CLASS,
    SEARCHING,
    SUBJECTS,
    CriteriaInputs,
)
from harness.papers.suites import Suite
from harness.tables.table import Column, Measured, Missing, RowSource, Table, Unit

NOT_MEASURED = Missing("processor seconds of the search are not known")


@dataclass(frozen=True)
class Study:
    """A case study at one scope of ours."""

    dataset: CriteriaInputs
    title: str
    scope: int

    def of(self, generator: str, look: Callable[[Suite], Measured | None]) -> Measured | None:
        """Return a number of a generator's suite."""
        suite = self.dataset.suite(self.title, generator, self.scope)
        return None if suite is None else look(suite)

    def within_a_tenth(self) -> Measured:
        """Return, for each search, whether it took a tenth of the printed seconds at most."""
        searches = [search for search in self.dataset.searches(self.title) if search.scope == self.scope]
        answers = "; ".join(f"{search.generator}: {'yes' if search.is_within_a_tenth else 'no'}" for search in searches)
        return answers or NOT_MEASURED


_MEASURES: tuple[tuple[str, Unit, Callable[[Suite], Measured | None], str], ...] = (
    ("explored", Unit.COUNT, lambda suite: suite.explored, "explored"),
    ("valid", Unit.COUNT, lambda suite: suite.states, "valid"),
    ("[s]", Unit.SECONDS, lambda suite: suite.elapsed, "seconds"),
    ("CPU [s]", Unit.SECONDS, lambda suite: suite.seconds(SEARCHING) or NOT_MEASURED, "seconds"),
)
"""The ends of the names of columns, and of published values, with what they show of a suite."""
_STUDY_COLUMNS: tuple[Column[Study], ...] = (
    *(
        Column(
            f"{name} {measure}", unit, partial(Study.of, generator=generator, look=look), f"{way}_{end}", NOT_RUN
        )
        for measure, unit, look, end in _MEASURES
        for generator, name, way in ((KORAT, "Korat", "korat"), (KORAT_PLUS, "Korat+", "koratplus"))
    ),
    Column(
        "classes covered", Unit.COUNT, lambda study: study.dataset.classes(study.title, study.scope), "classes_covered",
        NOT_RUN,
    ),
    Column("a tenth of printed", Unit.TEXT, Study.within_a_tenth),
)  # fmt: skip
_STUDY_LABELS = ("case study", "scope", "our subject", "our scope")


def case_studies(dataset: CriteriaInputs) -> Table:
    """Return every printed row."""
    cases = []
    for row in dataset.printed("case_studies", 2).rows:
        title, printed_scope = row.key
        scope = dataset.scopes[title, printed_scope]
        cases.append(RowSource((title, printed_scope, SUBJECTS[title], str(scope)), Study(dataset, title, scope), row))
    caption = (
        "Explored are executions of rep_ok, valid are the states found, classes those that eq_class tells apart; the "
        "scope is as printed. [s] are seconds of the wall clock on this machine "
        f"({dataset.frames.machine}), whatever else it does: of the whole generation, with the suite written, and, "
        "where the search is compiled, as a long one is, with the seconds that its compiler takes the first time. CPU "
        "[s] are those of processors: of the search alone, its processes taken together, without the compiler and "
        "without what writes the suite; the last column says whether they are at most a tenth of the printed ones. The "
        "paper's are of Java on a 3.06 GHz Core 2 Duo. TIMEOUT: more than five hours."
    )
    return Table.of("Case studies", caption, _STUDY_LABELS, _STUDY_COLUMNS, cases)


WAYS = {
    KORAT: ("Korat", "live_korat"),
    KORAT_PLUS: ("Korat+", "live_koratplus"),
    ONE_PER_CLASS: ("one per class", "live_one_per_class"),
}
"""The headings, and the columns of published values, by generator."""

_LIVE_LABELS = ("case study", "scope", "our scope")


def live_mutants(dataset: CriteriaInputs) -> Table:
    """Return every printed row: mutants and survivors of the paper's operators, and of all of muJava's today."""
    cases = []
    for row in dataset.printed("live_mutants", 3).rows:
        title, _, printed_scope = row.key
        scope = dataset.scopes[title, printed_scope]
        cases.append(RowSource((title, printed_scope, str(scope)), (title, scope), row))
    subjects = dict.fromkeys(SUBJECTS[row.key[0]] for row in dataset.printed("live_mutants", 3).rows)
    caption = (
        f"Live are mutants that no input of the suite kills. {dataset.counted} The paper's mutants are those that "
        "muJava made in 2011: of our set all but the deletions (SDL, VDL, CDL, ODL) and ROR's True and False, which "
        "muJava has since; (all) counts these as well. Our mutants are of Python's programs, and none of them equals "
        "another, so there are other numbers of them. Korat+ and one per class are scored by indexing the kill matrix "
        "of Korat's suite, of which theirs are a part; where it is too large, from runs of their own. Subjects: "
        f"{', '.join(subjects)}."
    )
    return Table.of("Live mutants", caption, _LIVE_LABELS, list(_live_columns(dataset)), cases)


def _live_columns(dataset: CriteriaInputs) -> Iterator[Column[tuple[str, int]]]:
    """Yield the columns, whose cells are of a case study and a scope."""
    for mix, mark in MIXES.items():
        is_printed = mix == OF_2005
        yield Column(f"mutants{mark}", Unit.COUNT, _of(dataset.mutants, mix), "mutants" * is_printed, NOT_RUN)
        for way, (name, column) in WAYS.items():
            yield Column(f"{name}{mark}", Unit.COUNT, _of(dataset.live, way, mix), column * is_printed, NOT_RUN)
    for way, (name, _) in WAYS.items():
        yield Column(f"{name} inputs", Unit.COUNT, _of(dataset.inputs, way), missing=NOT_RUN)


def _of(read: Callable[..., int | None], *more: str) -> Callable[[tuple[str, int]], int | None]:
    """Return what reads a number of a case study and a scope, of which more is said."""
    return lambda study: read(*study, *more)
