"""What the tables and figures of field_exhaustive2016 are made of: a run of its subjects, and what it prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from harness.analysis.captions import killed
from harness.analysis.compared import PROCESSOR_SECONDS
from harness.analysis.frames import RunFrames, records
from harness.analysis.measures import Proven, coverage_ratios
from harness.model.experiment import ExecutionMode
from harness.model.mutant import MutantStatus
from harness.model.outcome import Verdict
from harness.model.score import ScorePolicy
from harness.papers.field_exhaustive2016.refactorings import Refactored
from harness.papers.field_exhaustive2016.suites import POSTCONDITION, MeasuredSuite
from harness.store import CoverageKind
from harness.tables.cell import Missing
from harness.tables.published import PublishedTable, read_published

NAME = "field_exhaustive2016"
OPERATORS = "mujava"
EXHAUSTIVE, FIELD_EXHAUSTIVE, RANDOM = "korat", "field-exhaustive", "random"

SUBJECTS = {
    "SortedSinglyLinkedList": "field_sorted_list",
    "BinarySearchTree": "field_search_tree",
    "TreeSet": "field_tree_set",
    "BinomialHeap": "field_binomial_heap",
}
"""Our subjects that are the paper's, by title, in its order."""

NO_PROCESSOR_SECONDS = Missing("processor seconds of making it were not taken")


@dataclass(frozen=True)
class FieldExhaustiveInputs:
    """A run, of which only trials of the paper's own subjects and of the operator set `mujava` count."""

    frames: RunFrames
    published: Path
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE
    proven: Proven = field(default_factory=dict)
    refactored: Sequence[Refactored] = ()

    def printed(self, table: str, keys: int) -> PublishedTable:
        """The published values of a table, whose first `keys` columns name the row."""
        return read_published(self.published, NAME, table, keys)

    def suite(self, title: str, generator: str, scope: int) -> MeasuredSuite | None:
        """The suite of a generator that has no seed of its own; None where there is none."""
        found = (s for s in self.of(title) if s.generator == generator and s.scope == scope)
        return next(found, None)

    def scopes(self, title: str, *generators: str) -> list[int]:
        """Scopes at which one of the generators was run, ascending."""
        return sorted({suite.scope for suite in self.of(title) if suite.generator in generators})

    def of(self, title: str) -> Sequence[MeasuredSuite]:
        """The suites of a subject, by its title in the paper, in the order of the run."""
        return self._suites.get(SUBJECTS.get(title, ""), ())

    def random(self, title: str, tests: int, scope: int | None = None) -> Sequence[MeasuredSuite]:
        """By ascending seed the suite of `random:<tests>`; where there is none, the smallest larger one.

        A random suite is the beginning of each larger one of its seed (`harness.generators.policies.random`).

        Args:
            scope: of which values and bounds; None: those of the largest suite of the subject.
        """
        at = self.random_scope(title) if scope is None else scope
        by_seed: dict[int, MeasuredSuite] = {}
        for asked, suite in sorted(self._random(title), key=lambda pair: pair[0]):
            if min(asked, suite.inputs) >= tests and suite.scope == at:
                by_seed.setdefault(suite.seed, suite)
        return [suite for _, suite in sorted(by_seed.items())]

    def short_random(self, title: str, tests: int, scope: int) -> Sequence[MeasuredSuite]:
        """The random suites that were asked for so many tests or more at a scope and ended before, largest last."""
        asked = [suite for number, suite in self._random(title) if number >= tests and suite.scope == scope]
        return sorted((suite for suite in asked if suite.inputs < tests), key=lambda suite: suite.inputs)

    def largest_random(self, title: str) -> Sequence[MeasuredSuite]:
        """By ascending seed the largest random suite that mutants were run with, of the scope of the largest of all."""
        at = self.random_scope(title)
        ran = [pair for pair in self._random(title) if pair[1].scope == at and pair[1].first_kills]
        by_seed = {suite.seed: suite for _, suite in sorted(ran, key=lambda pair: pair[0])}
        return [suite for _, suite in sorted(by_seed.items())]

    def random_scope(self, title: str) -> int | None:
        """The scope of the random suite that was asked for most tests, of several the largest; None where none is."""
        return max(((asked, suite.scope) for asked, suite in self._random(title)), default=(0, None))[1]

    def random_scopes(self, title: str, tests: int) -> list[int]:
        """The scopes of random suites of so many tests or more, ascending."""
        return sorted({suite.scope for asked, suite in self._random(title) if asked >= tests})

    def random_sizes(self, title: str, scope: int | None = None) -> list[int]:
        """The numbers of tests that random suites were asked for, ascending; `scope` as for `random`."""
        at = self.random_scope(title) if scope is None else scope
        return sorted({asked for asked, suite in self._random(title) if suite.scope == at})

    def _random(self, title: str) -> list[tuple[int, MeasuredSuite]]:
        """The random suites that are bounded by their number of tests alone, with that number."""
        named = ((suite.generator.partition(":"), suite) for suite in self.of(title))
        return [(int(limit), suite) for (name, _, limit), suite in named if name == RANDOM and limit.isdecimal()]

    @property
    def counted(self) -> str:
        """Which mutants the scores are of, and what killed them, for captions."""
        return killed(self.policy, [POSTCONDITION], f"operator set {OPERATORS}")

    @cached_property
    def _suites(self) -> Mapping[str, Sequence[MeasuredSuite]]:
        """By subject; of trials that differ in their mode alone, the latest that was run to its end on mutants."""
        chosen: dict[tuple[str, str, int, int], dict[str, Mapping[str, Any]]] = {}
        for trial in records(self.frames.trials):
            key = (trial["subject"], trial["generator"], int(trial["scope"]), int(trial["seed"]))
            by_oracle = chosen.setdefault(key, {})
            oracle = trial["oracle"]
            if oracle not in by_oracle or _was_executed(trial) or not _was_executed(by_oracle[oracle]):
                by_oracle[oracle] = trial
        found: dict[str, list[MeasuredSuite]] = {}
        for by_oracle in chosen.values():
            suite = self._measured(by_oracle)
            found.setdefault(suite.subject, []).append(suite)
        return found

    def _measured(self, by_oracle: Mapping[str, Mapping[str, Any]]) -> MeasuredSuite:
        """One suite from its trials, those under the paper's oracle before others, those with mutants before all."""
        order = sorted(by_oracle, key=lambda oracle: (not _was_executed(by_oracle[oracle]), oracle != POSTCONDITION))
        trials = [by_oracle[oracle] for oracle in order]
        trial, keys = trials[0], [one["trial"] for one in trials]
        return MeasuredSuite(
            subject=trial["subject"],
            generator=trial["generator"],
            scope=int(trial["scope"]),
            seed=int(trial["seed"]),
            inputs=int(trial["inputs"]),
            states=int(trial["states"]),
            generating=self._first_seconds(keys, *PROCESSOR_SECONDS),
            testing=self._first_seconds(keys, "baseline"),
            elapsed=self._first_seconds(keys, "generate"),
            first_kills={one["oracle"]: self._first_kills(one) for one in trials if _was_executed(one)},
            branches=next((self._branches[key] for key in keys if key in self._branches), None),
            extension=None if pd.isna(trial["extension"]) else int(trial["extension"]),
            ended=None if pd.isna(trial["ended"]) else str(trial["ended"]),
        )

    def _first_seconds(self, trials: Sequence[str], *parts: str) -> float | None:
        """Of the first trial that tells any of the parts, their sum."""
        for trial in trials:
            known = [seconds for part in parts if (seconds := self._seconds.get((trial, part))) is not None]
            if known:
                return sum(known)
        return None

    def _first_kills(self, trial: Mapping[str, Any]) -> dict[str, int | None]:
        left_out = frozenset() if self.policy is ScorePolicy.ALL_VIABLE else self.proven.get(trial["subject"], ())
        rows = self._results.get(trial["trial"], ())
        return {row["mutant"]: _first(row["verdict"], row["input"]) for row in rows if row["mutant"] not in left_out}

    @cached_property
    def _results(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """By trial, the results of the mutants that can be run."""
        results = self.frames.results
        viable = (results["status"] == MutantStatus.VIABLE.value) & (results["verdict"] != Verdict.STILLBORN.value)
        found: dict[str, list[Mapping[str, Any]]] = {}
        for row in records(results[viable]):
            found.setdefault(row["trial"], []).append(row)
        return found

    @cached_property
    def _seconds(self) -> Mapping[tuple[str, str], float]:
        return self.frames.seconds

    @cached_property
    def _branches(self) -> Mapping[str, Any]:
        ratios = coverage_ratios(self.frames)
        return {
            row["trial"]: row["branch_coverage"] for row in records(ratios[ratios["kind"] == CoverageKind.CODE.value])
        }


def _was_executed(trial: Mapping[str, Any]) -> bool:
    return bool(trial["finished"]) and trial["mode"] != ExecutionMode.GENERATE.value


def _first(verdict: str, number: Any) -> int | None:
    """The first input that kills; 0 where the mutant died on loading, before any."""
    if verdict != Verdict.KILLED.value:
        return None
    return 0 if pd.isna(number) else int(number)
