"""Represents the suites of a run for the tables of papers, and tells the papers' own subjects from others."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import pandas as pd

from harness import resources
from harness.analysis.compared import PROCESSOR_SECONDS
from harness.analysis.frames import RunFrames, records
from harness.analysis.kill_matrix import first_killing, refuse_unknown_inputs
from harness.analysis.measures import NONE_PROVEN, Proven, coverage_ratios
from harness.errors import SourceError
from harness.model.experiment import ExecutionMode
from harness.model.outcome import MutantStatus, OracleName, ScorePolicy, Verdict
from harness.model.subject import Subject
from harness.store import CoverageKind


def with_titles_apart(frames: RunFrames, papers: Mapping[str, str]) -> RunFrames:
    """Return the same run, in which only the paper's own subjects have the titles of its benchmarks.

    Another subject with such a title, or with a title of several subjects, gets its name appended.

    Args:
        papers: the subjects' names by title. A trial is of the paper's own subject if that ran the texts that ship.
    """
    trials = frames.trials
    names = {title: group["subject"].nunique() for title, group in trials.groupby("title")}
    titles = []
    for subject, shipped, title in zip(trials["subject"], are_as_shipped(trials), trials["title"], strict=True):
        own = papers.get(title) == subject and shipped
        is_unique = title not in papers and names[title] == 1
        titles.append(title if own or is_unique else f"{title} ({subject})")
    return replace(frames, trials=trials.assign(title=titles))


def are_as_shipped(trials: pd.DataFrame) -> pd.Series[bool]:
    """Return, by trial, whether the subject of that name that ships was run: its implementation and its spec.

    Of a frozen run without `subject_hash`, only the implementations are compared.
    """
    shipped = {name: shipped_subject(name) for name in set(trials["subject"])}
    texts = zip(trials["subject"], trials["subject_hash"], trials["source_hash"], strict=True)
    flags = [
        (ships := shipped[name]) is not None
        and (ships.source_hash == source if pd.isna(whole) else ships.content_hash == whole)
        for name, whole, source in texts
    ]
    return pd.Series(flags, index=trials.index, dtype=bool)


def shipped_trials(frames: RunFrames, operators: str | None = None) -> RunFrames:
    """Return the trials of subjects as they ship and of an operator set (None: of any)."""
    trials = frames.trials[are_as_shipped(frames.trials)]
    return replace(frames, trials=trials if operators is None else trials[trials["operator_set"] == operators])


def shipped_subject(name: str) -> Subject | None:
    """Return the texts of a shipped subject that blocks no import and is no installed module; else None.

    Its spec is only read here, not executed.
    """
    spec_path = resources.shipped("subjects") / name / "spec.py"
    try:
        spec = resources.read_source(spec_path, "")
        path = spec_path.parent / _implementation(spec)
        return Subject(name, name, "impl", path, resources.read_source(path, ""), spec_path, spec)
    except SourceError:
        return None


def _implementation(spec: str) -> str:
    """Return the file that a spec names as its implementation, else `impl.py`."""
    for node in ast.parse(spec).body:
        match node:
            case ast.Assign(targets=[ast.Name("implementation")], value=ast.Constant(str(file))):
                return file
    return "impl.py"


Trial = Mapping[str, Any]
"""A row of `frames.trials`."""

Choice = Callable[[Trial, Trial], bool]
"""A rule whether a later trial counts instead of an earlier one of the same suite."""

FirstKills = Mapping[str, int | None]
"""The number of the first input that kills each counted mutant, from 0, or `UNKNOWN`; None for survivors."""

WITHOUT_SEED = ("subject", "generator", "scope")
WITH_SEED = (*WITHOUT_SEED, "seed")


def latest(before: Trial, after: Trial) -> bool:
    """Prefer each later trial."""
    return True


def executed(before: Trial, after: Trial) -> bool:
    """Prefer the latest trial with mutants that was run to its end, else the latest one."""
    return was_executed(after) or not was_executed(before)


def first_matrix(before: Trial, after: Trial) -> bool:
    """Prefer the first kill matrix, else the latest trial."""
    return bool(before["mode"] != ExecutionMode.MATRIX.value)


def was_executed(trial: Trial) -> bool:
    """Return whether the mutants of a trial were run to the end."""
    return bool(trial["finished"]) and trial["mode"] != ExecutionMode.GENERATE.value


@dataclass(frozen=True)
class TrialFacts:
    """The facts of a run by trial; mutants that the policy leaves out are left out of first kills."""

    frames: RunFrames
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE
    proven: Proven = field(default_factory=lambda: NONE_PROVEN)

    @cached_property
    def seconds(self) -> Mapping[tuple[str, str], float]:
        """Return seconds by trial and activity."""
        return self.frames.seconds

    @cached_property
    def coverage(self) -> Mapping[tuple[str, str], Mapping[str, Any]]:
        """Return the coverage ratios by trial and kind, if they were measured."""
        return {(row["trial"], row["kind"]): row for row in records(coverage_ratios(self.frames))}

    @cached_property
    def results(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Return by trial the results of mutants that are not stillborn."""
        results = self.frames.results
        viable = (results["status"] == MutantStatus.VIABLE.value) & (results["verdict"] != Verdict.STILLBORN.value)
        by_trial: dict[str, list[Mapping[str, Any]]] = {}
        for row in records(results[viable]):
            by_trial.setdefault(row["trial"], []).append(row)
        return by_trial

    def first_kills(self, trial: Trial) -> FirstKills:
        """Return the first kills of a trial."""
        left_out = frozenset() if self.policy is ScorePolicy.ALL_VIABLE else self.proven.get(trial["subject"], ())
        rows = self.results.get(trial["trial"], ())
        return {row["mutant"]: _first(row) for row in rows if row["mutant"] not in left_out}


@dataclass(frozen=True)
class Suite:
    """A suite with its trials, one for each oracle; sizes are read from the first trial.

    Attributes:
        trial: the key of the first trial.
        title: the name of its subject in tables.
        generator: the generator with its options.
        scope: the bound on the size of its inputs.
        states: how many valid states its generator found.
        explored: how many candidates, paths or sequences its generator executed.
        extension: the sum of the pairs of its field extensions, known of field-exhaustive suites.
        stop_reason: the stop reason of its generator, if there is one.
    """

    trials: tuple[Trial, ...]
    facts: TrialFacts = field(repr=False)
    trial: str
    subject: str
    title: str
    generator: str
    scope: int
    seed: int
    inputs: int
    states: int
    explored: int
    extension: int | None
    stop_reason: str | None

    @classmethod
    def of(cls, trials: tuple[Trial, ...], facts: TrialFacts) -> Suite:
        """Return the suite of one or more trials."""
        cells = {name: None if pd.isna(value) else value for name, value in trials[0].items() if name in _CELLS}
        return cls(trials, facts, stop_reason=cells.pop("ended"), **cells)

    def __str__(self) -> str:
        return f"{self.subject} {self.generator} scope {self.scope}"

    @property
    def kind(self) -> str:
        """The generator without its options."""
        return self.generator.partition(":")[0]

    @property
    def options(self) -> Mapping[str, str]:
        """The options by name; a number alone has none."""
        text = self.generator.partition(":")[2]
        return dict(one.split("=", 1) for one in text.split(",") if "=" in one)

    def seconds(self, *activities: str) -> float | None:
        """Return the sum of the seconds of some activities in the first trial that has any of them."""
        for trial in self.trials:
            keys = [(trial["trial"], activity) for activity in activities]
            if known_seconds := [self.facts.seconds[key] for key in keys if key in self.facts.seconds]:
                return sum(known_seconds)
        return None

    @property
    def generating(self) -> float | None:
        """The processor seconds of making it."""
        return self.seconds(*PROCESSOR_SECONDS)

    @property
    def elapsed(self) -> float | None:
        """The seconds of the clock of making it, on a machine that may be busy."""
        return self.seconds("generate")

    @property
    def testing(self) -> float | None:
        """The processor seconds of running the original with its oracles on all inputs."""
        return self.seconds("baseline")

    def coverage(self, kind: CoverageKind) -> Mapping[str, Fraction | None] | None:
        """Return `statement_coverage` and `branch_coverage`; None if they were not measured."""
        measured, keys = self.facts.coverage, [(trial["trial"], kind.value) for trial in self.trials]
        return next((measured[key] for key in keys if key in measured), None)

    @property
    def branches(self) -> Fraction | None:
        """The branch coverage of the code."""
        ratios = self.coverage(CoverageKind.CODE)
        return None if ratios is None else ratios["branch_coverage"]

    @cached_property
    def first_kills(self) -> Mapping[str, FirstKills]:
        """Return the first kills by oracle, if the mutants were run to the end under it."""
        return {trial["oracle"]: self.facts.first_kills(trial) for trial in self.trials if was_executed(trial)}

    def killed(self, oracle: str, beginning: int | None = None) -> int | None:
        """Return how many mutants its first inputs kill, by default all; None if they were not run.

        Raises:
            StoreError: a beginning is asked for, and a mutant died at an unknown input.
        """
        kills = self.first_kills.get(oracle)
        if kills is None:
            return None
        size = self.inputs if beginning is None else beginning
        if size < self.inputs:
            refuse_unknown_inputs(kills, self)
        return sum(first is not None and first < size for first in kills.values())

    def score(self, oracle: str, beginning: int | None = None) -> Fraction | None:
        """Return the mutation score of its first inputs; None if mutants were not run, or none counts."""
        killed, kills = self.killed(oracle, beginning), self.first_kills.get(oracle)
        return Fraction(killed, len(kills)) if killed is not None and kills else None

    def beginning_that_kills(self, oracle: str, mutants: int) -> int | None:
        """Return how many inputs from the first one on kill so many mutants; None if the whole suite does not.

        Raises:
            StoreError: a mutant died at an unknown input.
        """
        refuse_unknown_inputs(self.first_kills.get(oracle, {}), self)
        firsts = sorted(first for first in self.first_kills.get(oracle, {}).values() if first is not None)
        if mutants == 0:
            return 0
        return firsts[mutants - 1] + 1 if len(firsts) >= mutants else None


_CELLS = {*(one.name for one in fields(Suite)), "ended"} - {"trials"}
"""The columns of trials that a suite has, too."""


class RunSuites:
    """The suites of a run, looked up by subject, generator, scope and seed, in the order of their first trials.

    It answers look-ups; rules are those of the tables.

    Args:
        facts: those of the run.
        key: the columns of trials that name a suite.
        choice: which of several trials of a suite under one oracle counts.
        counts: which trials count at all; default: all of them.
        oracle: the oracle whose trial comes first in a suite of several.
    """

    def __init__(
        self,
        facts: TrialFacts,
        key: Sequence[str] = WITH_SEED,
        choice: Choice = latest,
        counts: Callable[[Trial], bool] | None = None,
        oracle: OracleName = OracleName.DIFFERENTIAL,
    ) -> None:
        trials = [trial for trial in records(facts.frames.trials) if counts is None or counts(trial)]
        self._suites = [Suite.of(chosen, facts) for chosen in _chosen(trials, key, choice, oracle.value)]
        self._of: dict[str, list[Suite]] = {}
        for suite in self._suites:
            self._of.setdefault(suite.subject, []).append(suite)

    def __iter__(self) -> Iterator[Suite]:
        return iter(self._suites)

    def of(self, subject: str | None) -> Sequence[Suite]:
        """Return the suites of a subject."""
        return self._of.get(subject or "", ())

    def get(self, subject: str | None, generator: str, scope: int) -> Suite | None:
        """Return a suite, of several seeds the first one; None if there is none."""
        asked = generator, scope
        return next((suite for suite in self.of(subject) if (suite.generator, suite.scope) == asked), None)

    def scopes(self, subject: str | None, *generators: str) -> list[int]:
        """Return the scopes at which one of the generators was run, ascending."""
        return sorted({suite.scope for suite in self.of(subject) if suite.generator in generators})


def _chosen(trials: Iterable[Trial], key: Sequence[str], choice: Choice, oracle: str) -> Iterator[tuple[Trial, ...]]:
    """Yield the trials of each suite: executed ones first, and of these the one under the oracle."""
    suites: dict[tuple[Any, ...], dict[str, Trial]] = {}
    for trial in trials:
        by_oracle = suites.setdefault(tuple(trial[column] for column in key), {})
        before = by_oracle.get(trial["oracle"])
        if before is None or choice(before, trial):
            by_oracle[trial["oracle"]] = trial
    for by_oracle in suites.values():
        yield tuple(sorted(by_oracle.values(), key=lambda one: (not was_executed(one), one["oracle"] != oracle)))


def _first(result: Mapping[str, Any]) -> int | None:
    """Return the first input that kills, as `first_killing` tells it; None if none does."""
    if result["verdict"] != Verdict.KILLED.value:
        return None
    return first_killing(None if pd.isna(result["input"]) else int(result["input"]), result["phase"])
