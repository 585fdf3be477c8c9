"""Chooses the inputs that become tests: all, or as many as cover condition outcomes, branches or killed mutants."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from harness.analysis.kill_matrix import KillMatrix
from harness.errors import StoreError, UsageError
from harness.generators.sat.covering import greedy
from harness.kernel.inputs.suites import SuiteReader
from harness.measured.condition_outcome_cache import outcomes_of_suite
from harness.measuring.input_classes import BRANCHES, measured_classes
from harness.model.experiment import ExecutionMode
from harness.model.outcome import OracleName
from harness.model.subject import Subject
from harness.store import RunStore
from harness.store.facts import latest_trials


class Select(StrEnum):
    """The criterion by which inputs are chosen."""

    OUTCOMES = "outcomes"
    """Condition outcomes of the class and of its helpers, of all calls."""
    BRANCHES = "branches"
    """Outcomes of branches in the last call."""
    KILLS = "kills"
    """Mutants that they kill in a run with a kill matrix."""
    ALL = "all"


_COVERED = {
    Select.OUTCOMES: "condition outcomes",
    Select.BRANCHES: "outcomes of branches",
    Select.KILLS: "mutants",
}


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
            raise UsageError("--fewest chooses by covered elements; give --select outcomes, branches or kills with it")
        return ChosenInputs(select, tuple(range(len(suite))), len(suite))
    holders = _holders(subject, suite, select, run)
    covered = [inputs for inputs in holders if len(inputs)]
    if not covered:
        raise UsageError(f"{subject.name}: its suite covers no {_COVERED[select]}; give --select all")
    numbers = _fewest(covered) if fewest else sorted({int(inputs[0]) for inputs in covered})
    return ChosenInputs(select, tuple(numbers), len(suite), len(covered), len(holders))


def _holders(subject: Subject, suite: SuiteReader, select: Select, run: Path | None) -> list[Sequence[int]]:
    """Return, for each element, the numbers of the inputs that cover it, in ascending order."""
    if run is not None:
        return _killing(subject, suite, run)
    if select is Select.BRANCHES:
        return _taking_branches(subject, suite)
    matrix = outcomes_of_suite(subject, suite)
    return [matrix.reaching(row).tolist() for row in range(len(matrix.outcomes))]


def _taking_branches(subject: Subject, suite: SuiteReader) -> list[Sequence[int]]:
    classes = measured_classes(subject, suite)
    outcomes_of_class = [_outcomes(name) for name in classes.names[BRANCHES]]
    inputs_of_outcome: dict[str, list[int]] = {
        f"{place}{way}": [] for place in range(1, len(classes.places[BRANCHES]) + 1) for way in "+-"
    }
    for number, class_number in enumerate(classes.numbers[BRANCHES]):
        for outcome in outcomes_of_class[class_number]:
            inputs_of_outcome[outcome].append(number)
    return list(inputs_of_outcome.values())


def _outcomes(name: str) -> list[str]:
    """Return `1+`, `3+` and `3-` for the class named `1+ 3+-`."""
    return [f"{place}{way}" for place, ways in re.findall(r"(\d+)([+-]+)", name) for way in ways]


def _killing(subject: Subject, suite: SuiteReader, run: Path) -> list[Sequence[int]]:
    with RunStore.open_existing(run) as store:
        finished = store.finished.keys()
        trials = [
            trial
            for trial in latest_trials(store.trials.under(OracleName.DIFFERENTIAL))
            if trial.key in finished
            and trial.mode is ExecutionMode.MATRIX
            and trial.oracle is OracleName.DIFFERENTIAL
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
