"""What the tables and figures of criteria_pruning2011 are made of: a run of its case studies, and what it prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from harness.analysis.captions import killed
from harness.analysis.frames import RunFrames, records
from harness.analysis.measures import Proven
from harness.analysis.mutant_mixes import ALL, OF_2005, mixes_of
from harness.measuring.input_classes import EQ_CLASS
from harness.model.experiment import ExecutionMode
from harness.model.mutant import MutantStatus
from harness.model.outcome import Verdict
from harness.model.score import ScorePolicy
from harness.papers.criteria_pruning2011.claims import Search
from harness.tables.cell import Missing
from harness.tables.published import PublishedTable, read_published

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

NOT_RUN = Missing("not run at this scope")

_SELECTIONS = {KORAT_PLUS: KORAT_PLUS, ONE_PER_CLASS: EQ_CLASS}
"""By generator, the criterion whose selection from Korat's suite is the generator's suite."""


@dataclass(frozen=True)
class CriteriaInputs:
    """A run, of which only trials of the paper's own subjects and of the operator set `mujava` count."""

    frames: RunFrames
    published: Path
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE
    proven: Proven = field(default_factory=dict)

    def printed(self, table: str, keys: int) -> PublishedTable:
        """The published values of a table, whose first `keys` columns name the row."""
        return read_published(self.published, NAME, table, keys)

    @cached_property
    def scopes(self) -> Mapping[tuple[str, str], int]:
        """By case study and scope as printed, our scope."""
        found: dict[tuple[str, str], int] = {}
        for row in self.printed("case_studies", 2).lines:
            title, scope = row.key
            before = sum(known == title for known, _ in found)
            found[title, scope] = FIRST_SCOPE.get(title, 1) + before
        return found

    def scopes_of(self, title: str) -> list[int]:
        """Our scopes of a case study, ascending."""
        return [scope for (known, _), scope in self.scopes.items() if known == title]

    def trial(self, title: str, generator: str, scope: int, *, run: bool = False) -> Mapping[str, Any] | None:
        """The latest trial; with `run` one that was run to its end on mutants, a kill matrix before all others."""
        return self._trials[run].get((SUBJECTS.get(title, ""), generator, scope))

    def seconds(self, trial: Mapping[str, Any]) -> float | None:
        """How long its generation took, by the wall clock."""
        return self._seconds.get((trial["trial"], "generate"))

    def cpu_seconds(self, trial: Mapping[str, Any]) -> float | None:
        """What its search took of processors, in all processes, without compiling and without writing the suite."""
        return self._seconds.get((trial["trial"], "search_cpu"))

    def classes(self, title: str, scope: int) -> int | None:
        """How many classes Korat+ covers, as its own trial tells or that of Korat."""
        for generator in (KORAT_PLUS, KORAT):
            trial = self.trial(title, generator, scope, run=generator == KORAT)
            row = None if trial is None else self._selections.get((trial["trial"], "", KORAT_PLUS))
            if row is not None:
                return int(row["classes"])
        return None

    def mutants(self, title: str, scope: int, mix: str) -> int | None:
        """How many mutants of the mix count under the policy; None where none was run."""
        trial = next((t for way in _WAYS if (t := self.trial(title, way, scope, run=True)) is not None), None)
        return None if trial is None else len(self._counted(trial, mix))

    def live(self, title: str, scope: int, generator: str, mix: str) -> int | None:
        """How many mutants of the mix survive a generator's suite; None where that is not known.

        Of Korat+ and one per class by indexing Korat's kill matrix where there is one, else from a run of their own.
        """
        korat = self.trial(title, KORAT, scope, run=True)
        row = None
        if korat is not None and generator != KORAT:
            row = self._selections.get((korat["trial"], mix, _SELECTIONS[generator]))
        if korat is not None and row is not None:
            return len(self._counted(korat, mix)) - int(row["kills"])
        trial = self.trial(title, generator, scope, run=True)
        return None if trial is None else sum(not killed for killed in self._counted(trial, mix).values())

    def inputs(self, title: str, scope: int, generator: str) -> int | None:
        """How many inputs a generator's suite has."""
        trial = self.trial(title, generator, scope)
        if trial is not None:
            return int(trial["inputs"])
        korat = self.trial(title, KORAT, scope, run=True)
        key = "" if korat is None else korat["trial"]
        row = None if generator == KORAT else self._selections.get((key, ALL, _SELECTIONS[generator]))
        return None if row is None else int(row["size"])

    def searches(self, title: str) -> list[Search]:
        """The searches of a case study whose processor seconds are known and whose seconds are printed, by scope."""
        found = []
        table = self.printed("case_studies", 2)
        for (known, printed_scope), scope in self.scopes.items():
            for generator, column in ((KORAT, "korat_seconds"), (KORAT_PLUS, "koratplus_seconds")):
                trial = self.trial(title, generator, scope) if known == title else None
                cpu = None if trial is None else self.cpu_seconds(trial)
                seconds = table.row(title, printed_scope).exact(column)
                if cpu is not None and seconds is not None:
                    found.append(Search(generator, scope, cpu, seconds))
        return found

    @property
    def counted(self) -> str:
        """Which mutants the scores are of, and what killed them, for captions."""
        return killed(self.policy, self.frames.oracles, f"operator set {OPERATORS}")

    def _counted(self, trial: Mapping[str, Any], mix: str) -> dict[str, bool]:
        """The mutants that count, and whether the trial's suite kills them."""
        counts = mixes_of(OPERATORS)[mix]
        left_out = self.proven.get(trial["subject"], frozenset())
        return {
            mutant: killed
            for mutant, killed in self._verdicts.get(trial["trial"], {}).items()
            if counts(mutant) and (self.policy is ScorePolicy.ALL_VIABLE or mutant not in left_out)
        }

    @cached_property
    def _verdicts(self) -> Mapping[str, Mapping[str, bool]]:
        found: dict[str, dict[str, bool]] = {}
        results = self.frames.results
        viable = (results["status"] == MutantStatus.VIABLE.value) & (results["verdict"] != Verdict.STILLBORN.value)
        for row in records(results[viable]):
            found.setdefault(row["trial"], {})[row["mutant"]] = row["verdict"] == Verdict.KILLED.value
        return found

    @cached_property
    def _selections(self) -> Mapping[tuple[str, str, str], Mapping[str, Any]]:
        """Whole selections by trial, mix and criterion; without a mix, any of them, for its classes."""
        criteria = self.frames.criteria
        found: dict[tuple[str, str, str], Mapping[str, Any]] = {}
        for row in records(criteria[criteria["whole"]]):
            found[row["trial"], row["mix"], row["criterion"]] = row
            found[row["trial"], "", row["criterion"]] = row
        return found

    @cached_property
    def _seconds(self) -> Mapping[tuple[str, str], float]:
        """By trial, and what they were spent on."""
        return self.frames.seconds

    @cached_property
    def _trials(self) -> Mapping[bool, Mapping[tuple[str, str, int], Mapping[str, Any]]]:
        known: dict[tuple[str, str, int], Mapping[str, Any]] = {}
        run: dict[tuple[str, str, int], Mapping[str, Any]] = {}
        for trial in records(self.frames.trials):
            key = (trial["subject"], trial["generator"], int(trial["scope"]))
            known[key] = trial
            if trial["finished"] and trial["mode"] != ExecutionMode.GENERATE.value:
                before = run.get(key)
                if before is None or before["mode"] != ExecutionMode.MATRIX.value:
                    run[key] = trial
        return {False: known, True: run}


_WAYS = (KORAT, KORAT_PLUS, ONE_PER_CLASS)
