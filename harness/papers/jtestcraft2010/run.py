"""The data of the tables and figures of jtestcraft2010: a run of its classes, facts of them, and its printed values."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import pandas as pd

from harness import resources
from harness.analysis.compared import Basis
from harness.analysis.frames import records
from harness.model.outcome import ScorePolicy
from harness.papers.suites import RunSuites, Suite, TrialFacts, shipped_subject, shipped_trials
from harness.tables.published import TableInputs
from harness.tables.stored import Run

SUBJECTS = {
    "IntStack": "jtc_int_stack",
    "UBStack": "jtc_ub_stack",
    "BinSearchTree": "jtc_bin_search_tree",
    "BinomialHeap": "jtc_binomial_heap",
    "LinkedList": "jtc_linked_list",
    "TreeMap": "jtc_tree_map",
    "HeapArray": "jtc_heap_array",
}
"""Our subjects that are the paper's classes, by title, in the order of Table 6.1."""

FURTHER = ("hash_set",)
"""Subjects in addition to the paper's classes, by name; on the paper's, no two calls commute."""

MOST_TESTS = 50_000
"""Our limit of a suite, in tests. The paper's Rostra had made 20,215 to 54,176 of them when it met its own limits. A
number of tests is the same on every machine, in contrast to seconds and memory.
"""


@dataclass(frozen=True)
class ClassFacts:
    """One row of Table 6.1: names of methods, and the lines of the file, comments and blank ones included."""

    tested: tuple[str, ...]
    private: tuple[str, ...]
    lines: int


def class_facts(title: str) -> ClassFacts:
    """Return the facts of one of SUBJECTS; its spec is read and not executed."""
    texts = shipped_subject(SUBJECTS[title])
    assert texts is not None, title
    return ClassFacts(
        tested=tuple(_routines(ast.parse(texts.spec_source))),
        private=tuple(_private(ast.parse(texts.source), title)),
        lines=len(texts.source.splitlines()),
    )


def _routines(spec: ast.Module) -> Iterator[str]:
    """Yield the methods that `sequences` names."""
    for function in spec.body:
        if isinstance(function, ast.FunctionDef) and function.name == "sequences":
            for node in ast.walk(function):
                match node:
                    case ast.Call(ast.Attribute(attr="method"), [ast.Constant(str(name)), *_]):
                        yield name


def _private(module: ast.Module, title: str) -> Iterator[str]:
    """Yield the methods of the class itself whose names begin with one underscore."""
    for node in module.body:
        if isinstance(node, ast.ClassDef) and node.name == title:
            names = (method.name for method in node.body if isinstance(method, ast.FunctionDef))
            yield from (name for name in names if name.startswith("_") and not name.startswith("__"))


INPUTS, CALLS, SECONDS = (basis.value for basis in Basis)

NAME = "jtestcraft2010"
OPERATORS = "mujava"

CSS, ROSTRA, SYMSTRA = "css", "rostra", "symstra"


@dataclass(frozen=True)
class EvaluatedPart:
    """A suite or parts of it, as `frames.EVALUATED` tells them.

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


def paper_inputs(run: Run, _: ScorePolicy) -> JtestcraftInputs:
    """Return the run's trials of subjects as they ship and of operator set `mujava`; all viable mutants count.

    Raises:
        StoreError: the condition outcomes of none can be measured.
    """
    return JtestcraftInputs(shipped_trials(run.with_evaluated, OPERATORS), resources.published_folder())
