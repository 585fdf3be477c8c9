"""The tables of the case studies (section 4): what Korat and Korat+ explore and find, their seconds, the classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.papers.criteria_pruning2011.given import KORAT, KORAT_PLUS, NOT_RUN, SUBJECTS, CriteriaInputs
from harness.tables.cell import Measured, Missing, Unit
from harness.tables.table import Case, Column, Table

NOT_MEASURED = Missing("measured before processor seconds were told apart")


@dataclass(frozen=True)
class Study:
    """A case study at one scope of ours."""

    given: CriteriaInputs
    title: str
    scope: int

    def count(self, generator: str, name: str) -> Measured | None:
        """Return a number of a generator's trial."""
        trial = self.given.trial(self.title, generator, self.scope)
        return None if trial is None else int(trial[name])

    def seconds(self, generator: str) -> Measured | None:
        """Return the seconds of the clock of a generation."""
        trial = self.given.trial(self.title, generator, self.scope)
        return None if trial is None else self.given.seconds(trial)

    def cpu_seconds(self, generator: str) -> Measured:
        """Return the processor seconds of a search, or why they are not known."""
        trial = self.given.trial(self.title, generator, self.scope)
        seconds = None if trial is None else self.given.cpu_seconds(trial)
        return NOT_RUN if trial is None else NOT_MEASURED if seconds is None else seconds

    def within_a_tenth(self) -> Measured:
        """Return which searches took a tenth of the printed seconds at most."""
        known = [search for search in self.given.searches(self.title) if search.scope == self.scope]
        told = "; ".join(f"{search.generator}: {'yes' if search.is_within_a_tenth else 'no'}" for search in known)
        without = NOT_MEASURED if NOT_MEASURED in map(self.cpu_seconds, (KORAT, KORAT_PLUS)) else NOT_RUN
        return told or without


def _column(name: str, unit: Unit, measured: Callable[[Study], Measured | None], published: str = "") -> Column[Study]:
    return Column(name, unit, measured, published, NOT_RUN)


COLUMNS = (
    _column("Korat explored", Unit.COUNT, lambda study: study.count(KORAT, "explored"), "korat_explored"),
    _column("Korat valid", Unit.COUNT, lambda study: study.count(KORAT, "states"), "korat_valid"),
    _column("Korat+ explored", Unit.COUNT, lambda study: study.count(KORAT_PLUS, "explored"), "koratplus_explored"),
    _column("Korat+ valid", Unit.COUNT, lambda study: study.count(KORAT_PLUS, "states"), "koratplus_valid"),
    _column(
        "classes covered",
        Unit.COUNT,
        lambda study: study.given.classes(study.title, study.scope),
        "classes_covered",
    ),
    _column("Korat [s]", Unit.SECONDS, lambda study: study.seconds(KORAT), "korat_seconds"),
    _column("Korat+ [s]", Unit.SECONDS, lambda study: study.seconds(KORAT_PLUS), "koratplus_seconds"),
    _column("Korat CPU [s]", Unit.SECONDS, lambda study: study.cpu_seconds(KORAT), "korat_seconds"),
    _column("Korat+ CPU [s]", Unit.SECONDS, lambda study: study.cpu_seconds(KORAT_PLUS), "koratplus_seconds"),
    _column("a tenth of printed", Unit.TEXT, Study.within_a_tenth),
)
LABELS = ("case study", "scope", "our subject", "our scope")


def case_studies(given: CriteriaInputs) -> Table:
    """Every printed row."""
    cases = []
    for row in given.printed("case_studies", 2).lines:
        title, printed_scope = row.key
        scope = given.scopes[title, printed_scope]
        cases.append(Case((title, printed_scope, SUBJECTS[title], str(scope)), Study(given, title, scope), row))
    return Table.of("Case studies", _caption(given), LABELS, COLUMNS, cases)


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
