"""Chooses the inputs that become tests: all, or as many as cover condition outcomes or killed mutants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from harness.analysis.kill_matrix import KillMatrix
from harness.errors import StoreError, UsageError
from harness.generators.sat.covering import greedy
from harness.kernel.inputs.suites import SuiteReader
from harness.measured.condition_outcome_cache import outcomes_of_suite
from harness.model.experiment import ExecutionMode
from harness.model.outcome import OracleName
from harness.model.subject import Subject
from harness.store import RunStore


class Select(StrEnum):
    """The criterion by which inputs are chosen."""

    OUTCOMES = "outcomes"
    """Condition outcomes of the class and of its helpers, of all calls."""
    KILLS = "kills"
    """Mutants that they kill in a run with a kill matrix."""
    ALL = "all"


_COVERED = {Select.OUTCOMES: "condition outcomes", Select.KILLS: "mutants"}


@dataclass(frozen=True)
class ChosenInputs:
    """Inputs that were chosen, in suite order, and what they cover.

    Attributes:
        inputs: how many there were to choose from.
        covered: how many elements they cover, as many as all inputs do; of how many `elements`.
    """

    select: Select
    numbers: tuple[int, ...]
    inputs: int
    covered: int = 0
    elements: int = 0

    def __str__(self) -> str:
        counted = f"{len(self.numbers):,} of {self.inputs:,} sequences"
        if self.select is Select.ALL:
            return counted
        verb = "kill" if self.select is Select.KILLS else "reach"
        return f"{counted}, which {verb} {self.covered:,} of {self.elements:,} {_COVERED[self.select]}, as all do"


def chosen(
    subject: Subject, suite: SuiteReader, select: Select, run: Path | None = None, *, fewest: bool = False
) -> ChosenInputs:
    """Return the inputs that cover an element that no earlier input covers; with `fewest`, those of a greedy set cover.

    Args:
        run: for KILLS, the folder of a run of the suite with kill matrix.

    Raises:
        UsageError: KILLS without a run, or a run without KILLS; or nothing is covered.
        StoreError: the run has no kill matrix of this suite.
        MutascopeError: the original cannot be run on the suite.
    """
    if (run is None) is (select is Select.KILLS):
        raise UsageError("killed mutants are those of a run: give --select kills and --from RUN together, or neither")
    if select is Select.ALL:
        if fewest:
            raise UsageError("--fewest chooses by covered elements; give --select outcomes or kills with it")
        return ChosenInputs(select, tuple(range(len(suite))), len(suite))
    holders = _killing(subject, suite, run) if run is not None else _reaching(subject, suite)
    covered = [inputs for inputs in holders if len(inputs)]
    if not covered:
        raise UsageError(f"{subject.name}: its suite covers no {_COVERED[select]}; give --select all")
    numbers = _fewest(covered) if fewest else sorted({int(inputs[0]) for inputs in covered})
    return ChosenInputs(select, tuple(numbers), len(suite), len(covered), len(holders))


def _reaching(subject: Subject, suite: SuiteReader) -> list[Sequence[int]]:
    """Return, for each condition outcome, the numbers of the inputs that reach it, in ascending order."""
    matrix = outcomes_of_suite(subject, suite)
    return [matrix.reaching(row).tolist() for row in range(len(matrix.outcomes))]


def _killing(subject: Subject, suite: SuiteReader, run: Path) -> list[Sequence[int]]:
    with RunStore.open_existing(run) as store:
        trials = [
            trial
            for trial in store.finished_under(OracleName.DIFFERENTIAL)
            if trial.mode is ExecutionMode.MATRIX
            and (trial.subject, trial.suite_digest) == (subject.name, suite.header.digest)
        ]
        if not trials:
            header = suite.header
            raise StoreError(
                f"{run}: no kill matrix of {subject.name} on this suite of {header.generator} at scope {header.scope}; "
                "run it there with --matrix"
            )
        matrix = KillMatrix.load(store, trials[-1].key)
    return [matrix.kills(mutant) for mutant in matrix.mutants]


def _fewest(holders: Iterable[Sequence[int]]) -> list[int]:
    """Choose inputs by greedy set cover: repeatedly the first one that covers most of the rest."""
    by_input: dict[int, set[int]] = {}
    for element, inputs in enumerate(holders):
        for number in inputs:
            by_input.setdefault(number, set()).add(element)
    first: dict[frozenset[int], int] = {}
    for number, elements in sorted(by_input.items()):
        first.setdefault(frozenset(elements), number)
    return sorted(greedy({number: elements for elements, number in first.items()}))
