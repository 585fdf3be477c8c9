"""The data of the tables and figures of criteria_pruning2011: a run of its case studies, and the printed values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from harness import resources
from harness.analysis.frames import records
from harness.analysis.measures import Proven
from harness.analysis.mutant_sets import ALL, OF_2005, mixes_of
from harness.analysis.score_caption import killed
from harness.measuring.job import EQ_CLASS
from harness.model.outcome import ScorePolicy
from harness.papers.suites import (
    WITHOUT_SEED,
    FirstKills,
    RunSuites,
    Suite,
    TrialFacts,
    first_matrix,
    shipped_trials,
    was_executed,
)
from harness.tables.published import TableInputs
from harness.tables.stored import Run, proven_under
from harness.tables.table import Missing

NAME = "criteria_pruning2011"
OPERATORS = "mujava"
KORAT, KORAT_PLUS, ONE_PER_CLASS = "korat", "korat-plus", "one-per-class"
MIXES = {OF_2005: "", ALL: " (all)"}
"""The mutants that are counted: those that the paper's tool made, and with the operators that it got later."""

SUBJECTS = {
    "ListAsSet": "list_as_set",
    "BinomialHeapMerge": "binomial_heap_merge",
    "SearchTreeDelete": "search_tree_delete",
    "DirectedGraph": "directed_graph",
    "WeightedDirectedGraph": "weighted_directed_graph",
}
"""Our subjects that are the paper's case studies, by title."""

FIRST_SCOPE = {"BinomialHeapMerge": 2, "DirectedGraph": 2}
"""Our scope that is the first row of a case study, where that is not 1; the others follow in the printed order."""

SEARCHING = "search_cpu"
"""The processor seconds of a search, in all its processes, without compiling and without writing the suite."""

NOT_RUN = Missing("not run at this scope")

_SELECTIONS = {KORAT_PLUS: KORAT_PLUS, ONE_PER_CLASS: EQ_CLASS}
"""The criteria whose selections from Korat's suite are the generators' suites, by generator."""


@dataclass(frozen=True)
class SearchSeconds:
    """A search at our scope: the processor seconds that it took, and the printed seconds."""

    generator: str
    scope: int
    cpu_seconds: float
    printed_seconds: Decimal

    @property
    def is_within_a_tenth(self) -> bool:
        """Whether it took at most a tenth of the printed seconds."""
        return self.cpu_seconds <= float(self.printed_seconds / 10)

    def __str__(self) -> str:
        return f"{self.generator} {self.scope}: {self.cpu_seconds:.3f} s of {self.printed_seconds:g} s"


@dataclass(frozen=True)
class CriteriaInputs(TableInputs):
    """A run, of which only trials of the paper's own subjects and of the operator set `mujava` count."""

    paper = NAME
    proven: Proven = field(default_factory=dict)

    @cached_property
    def scopes(self) -> Mapping[tuple[str, str], int]:
        """Our scopes by case study and printed scope."""
        our_scope: dict[tuple[str, str], int] = {}
        for row in self.printed("case_studies", 2).rows:
            title, scope = row.key
            before = sum(known == title for known, _ in our_scope)
            our_scope[title, scope] = FIRST_SCOPE.get(title, 1) + before
        return our_scope

    def scopes_of(self, title: str) -> list[int]:
        """Return our scopes of a case study, in ascending order."""
        return [scope for (known, _), scope in self.scopes.items() if known == title]

    def suite(self, title: str, generator: str, scope: int, *, run: bool = False) -> Suite | None:
        """Return the latest suite; with `run`, one that was run on all mutants, preferably with a kill matrix."""
        return (self._executed_suites if run else self._suites).get(SUBJECTS.get(title), generator, scope)

    def classes(self, title: str, scope: int) -> int | None:
        """Return the number of classes that Korat+ covers, from its own trial or from that of Korat."""
        for generator in (KORAT_PLUS, KORAT):
            suite = self.suite(title, generator, scope, run=generator == KORAT)
            row = None if suite is None else self._selections.get((suite.trial, "", KORAT_PLUS))
            if row is not None:
                return int(row["classes"])
        return None

    def mutants(self, title: str, scope: int, mix: str) -> int | None:
        """Return the number of mutants of the mix that count under the policy; None if none was run."""
        suite = next((suite for way in _WAYS if (suite := self.suite(title, way, scope, run=True)) is not None), None)
        return None if suite is None else len(_counted(suite, mix))

    def live(self, title: str, scope: int, generator: str, mix: str) -> int | None:
        """Return the number of mutants of the mix that survive a generator's suite; None if it is not known.

        For Korat+ and one per class, the numbers come from Korat's kill matrix if there is one, else from their own
        run.
        """
        korat = self.suite(title, KORAT, scope, run=True)
        row = None
        if korat is not None and generator != KORAT:
            row = self._selections.get((korat.trial, mix, _SELECTIONS[generator]))
        if korat is not None and row is not None:
            return len(_counted(korat, mix)) - int(row["kills"])
        suite = self.suite(title, generator, scope, run=True)
        return None if suite is None else sum(first is None for first in _counted(suite, mix).values())

    def inputs(self, title: str, scope: int, generator: str) -> int | None:
        """Return the number of inputs of a generator's suite."""
        suite = self.suite(title, generator, scope)
        if suite is not None:
            return suite.inputs
        korat = self.suite(title, KORAT, scope, run=True)
        key = "" if korat is None else korat.trial
        row = None if generator == KORAT else self._selections.get((key, ALL, _SELECTIONS[generator]))
        return None if row is None else int(row["size"])

    def searches(self, title: str) -> list[SearchSeconds]:
        """Return the searches of a case study whose processor seconds are known and whose seconds are printed, by
        scope.
        """
        searches = []
        table = self.printed("case_studies", 2)
        for (row_title, printed_scope), scope in self.scopes.items():
            for generator, column in ((KORAT, "korat_seconds"), (KORAT_PLUS, "koratplus_seconds")):
                suite = self.suite(title, generator, scope) if row_title == title else None
                cpu = None if suite is None else suite.seconds(SEARCHING)
                seconds = table.row(title, printed_scope).exact(column)
                if cpu is not None and seconds is not None:
                    searches.append(SearchSeconds(generator, scope, cpu, seconds))
        return searches

    @property
    def counted(self) -> str:
        """The mutants that scores count, and the oracles that killed them, for captions."""
        return killed(self.policy, self.frames.oracles, f"operator set {OPERATORS}")

    @cached_property
    def _selections(self) -> Mapping[tuple[str, str, str], Mapping[str, Any]]:
        """Whole selections by trial, mix and criterion; without a mix, any of them, for its classes."""
        criteria = self.frames.criteria
        selections: dict[tuple[str, str, str], Mapping[str, Any]] = {}
        for row in records(criteria[criteria["whole"]]):
            selections[row["trial"], row["mix"], row["criterion"]] = row
            selections[row["trial"], "", row["criterion"]] = row
        return selections

    @cached_property
    def _facts(self) -> TrialFacts:
        return TrialFacts(self.frames, self.policy, self.proven)

    @cached_property
    def _suites(self) -> RunSuites:
        return RunSuites(self._facts, WITHOUT_SEED)

    @cached_property
    def _executed_suites(self) -> RunSuites:
        return RunSuites(self._facts, WITHOUT_SEED, first_matrix, was_executed)


def _counted(suite: Suite, mix: str) -> FirstKills:
    """Return the first kills of the mutants of a mix."""
    counts = mixes_of(OPERATORS)[mix]
    (kills,) = suite.first_kills.values()
    return {mutant: first for mutant, first in kills.items() if counts(mutant)}


_WAYS = (KORAT, KORAT_PLUS, ONE_PER_CLASS)


def paper_inputs(run: Run, policy: ScorePolicy) -> CriteriaInputs:
    """Return the run's trials of subjects as they ship and of the paper's operators, with scored criteria.

    Raises:
        MutascopeError: as scoring the criteria.
    """
    frames = shipped_trials(run.with_criteria, OPERATORS)
    return CriteriaInputs(frames, resources.published_folder(), proven_under(run, policy), policy=policy)
