"""The data of the tables and figures of jtestcraft2010: a run of its classes, and its printed values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from harness.analysis.compared import Basis
from harness.analysis.evaluated_suites import ALL, AS_MANY, SELECTED, WHOLE
from harness.analysis.frames import RunFrames, records
from harness.papers.jtestcraft2010.classes import SUBJECTS, ClassFacts, class_facts
from harness.papers.suites import RunSuites, Suite, TrialFacts
from harness.tables.published import TableInputs

__all__ = ["ALL", "AS_MANY", "CALLS", "INPUTS", "SECONDS", "SELECTED", "SUBJECTS", "WHOLE", "JtestcraftInputs"]

INPUTS, CALLS, SECONDS = (basis.value for basis in Basis)

NAME = "jtestcraft2010"
OPERATORS = "mujava"

CSS, ROSTRA, SYMSTRA = "css", "rostra", "symstra"


@dataclass(frozen=True)
class EvaluatedPart:
    """A suite or parts of it, as `columns.EVALUATED` tells them.

    Attributes:
        reached: the part of the class's condition outcomes that are reached.
        score: the part of the mutants that are killed; None where none was run.
        killed: how many mutants are; None likewise.
        unique_kills: how many of them by no other generator; None where it stands beside no other.
        suites: how many suites the medians are of.
        choice: how the inputs were chosen; None of a row that was frozen under decision 066.
    """

    suite: Suite
    basis: str
    limit: float
    inputs: float
    calls: float
    outcomes: int
    reached: Fraction
    killed: Fraction | None
    score: Fraction | None
    unique_kills: int | None
    suites: int
    choice: str | None


@dataclass(frozen=True)
class JtestcraftInputs(TableInputs):
    """A run, of which only trials of the paper's classes and of the operator set `mujava` count."""

    paper = NAME
    frames: RunFrames
    published: Path

    @cached_property
    def classes(self) -> Mapping[str, ClassFacts]:
        """The facts of each class, by title, from the sources that ship."""
        return {title: class_facts(title) for title in SUBJECTS}

    @cached_property
    def suites(self) -> RunSuites:
        """All suites, one of each trial."""
        return RunSuites(TrialFacts(self.frames), key=("trial",))

    @cached_property
    def parts(self) -> Sequence[EvaluatedPart]:
        """The evaluated parts of suites, in the order of the run."""
        by_trial = {suite.trial: suite for suite in self.suites}
        rows = records(self.frames.evaluated)
        return [_part(by_trial[row["trial"]], row) for row in rows if row["trial"] in by_trial]

    def suite(self, title: str, generator: str, scope: int) -> Suite | None:
        """Return the suite of a generator that has no seed of its own; None if there is none."""
        return self.suites.get(SUBJECTS.get(title), generator, scope)

    def part(self, suite: Suite | None, basis: str) -> EvaluatedPart | None:
        """Return the evaluated part of a suite on a basis that has no limit; None if there is none."""
        return None if suite is None else self._without_limit.get((suite.trial, basis))

    def of(self, title: str, basis: str) -> Sequence[EvaluatedPart]:
        """Return the evaluated parts of a class on a basis, by ascending scope and limit."""
        parts = [p for p in self.parts if (p.suite.subject, p.basis) == (SUBJECTS.get(title), basis)]
        return sorted(parts, key=lambda part: (part.suite.scope, part.limit))

    @cached_property
    def _without_limit(self) -> Mapping[tuple[str, str], EvaluatedPart]:
        return {(part.suite.trial, part.basis): part for part in self.parts if not part.limit}


def _part(suite: Suite, row: Mapping[str, Any]) -> EvaluatedPart:
    killed = None if pd.isna(row["killed_median"]) else Fraction(float(row["killed_median"]))
    mutants = None if pd.isna(row["mutants"]) else int(row["mutants"])
    outcomes = int(row["outcomes"])
    return EvaluatedPart(
        suite,
        str(row["basis"]),
        float(row["limit"]),
        float(row["size"]),
        float(row["calls"]),
        outcomes,
        Fraction(float(row["reached_median"])) / outcomes,
        killed,
        killed / mutants if killed is not None and mutants else None,
        None if pd.isna(row["alone"]) else int(row["alone"]),
        int(row["suites"]),
        None if pd.isna(row["taken"]) else str(row["taken"]),
    )
