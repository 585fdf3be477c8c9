"""Generators compared at the same numbers of inputs: sub-suites, scored from kill matrices and first kills."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Protocol

import numpy as np

from harness.analysis.first_kills import FirstKills
from harness.analysis.kill_matrix import Flags, KillMatrix
from harness.analysis.measures import NONE_PROVEN, Proven
from harness.errors import StoreError
from harness.model.experiment import ExecutionMode
from harness.model.mutant import Mutant
from harness.model.score import ScorePolicy
from harness.runner.selections import random_selection
from harness.store import RunStore, StoredTrial

SIZES = (100, 1000, 10_000)
"""Numbers of inputs at which generators are compared where nothing else is said."""

SELECTIONS = range(10)
"""Seeds of the random selections from a suite that has no seed of its own."""


class SuiteKills(Protocol):
    """What inputs of a suite kill: all of them from a kill matrix, the beginnings of the suite from first kills."""

    @property
    def mutants(self) -> tuple[str, ...]:
        """The mutants that the flags are of."""

    def killed_by(self) -> Flags:
        """For each mutant, whether the whole suite kills it."""

    def killed_by_mask(self, mask: Flags) -> Flags:
        """For each mutant, whether the inputs at which `mask` is set kill it."""


@dataclass(frozen=True)
class ComparedSuite:
    """One suite with what its inputs kill."""

    trial: StoredTrial
    kills: SuiteKills


@dataclass(frozen=True)
class SubSuite:
    """Some of a suite's inputs, as one flag per input."""

    suite: ComparedSuite
    mask: Flags


@dataclass(frozen=True)
class Point:
    """One generator at one number of inputs (None: whole suites), with what its sub-suites killed.

    `branches` are the exact branch coverages of the same sub-suites, where they are known.
    """

    subject: str
    title: str
    generator: str
    size: int | None
    scope: int
    seeded: bool
    inputs: tuple[int, ...]
    killed: tuple[Fraction, ...]
    branches: tuple[Fraction, ...] = ()


@dataclass(frozen=True)
class Compared:
    """All suites of one subject, by generator, and the mutants that they share."""

    subject: str
    title: str
    suites: Mapping[str, Sequence[ComparedSuite]]
    mutants: Mapping[str, Mutant]
    proven: frozenset[str] = frozenset()
    """Mutants that do not count."""

    def counted(self) -> Flags:
        """For each row of the matrices, whether the mutant counts."""
        first = next(iter(self.suites.values()))[0].kills.mutants
        return np.array([mutant not in self.proven for mutant in first], dtype=np.bool_)


def load_compared(
    folder: Path, policy: ScorePolicy = ScorePolicy.ALL_VIABLE, proven: Proven = NONE_PROVEN
) -> list[Compared]:
    """The subjects of a run with their suites that were run to the end, by name.

    They were run in matrix mode; those of a generator that was run with several seeds may stop at first kills.

    Raises:
        StoreError: there is none, or the suites of one subject were run on different mutants or sources, or its
            sequences under different policies.
    """
    with RunStore.open_existing(folder) as store:
        by_subject: dict[str, list[ComparedSuite]] = {}
        for trial in _comparable(store):
            is_matrix = trial.mode is ExecutionMode.MATRIX
            kills: SuiteKills = KillMatrix.load(store, trial.key) if is_matrix else FirstKills.load(store, trial.key)
            by_subject.setdefault(trial.subject, []).append(ComparedSuite(trial, kills))
        if not by_subject:
            raise StoreError(
                f"{store.path}: no trial was run to the end in mode matrix, from which generators are compared; "
                'say mode = "matrix" in the experiment'
            )
        mutants = {
            subject: {mutant.id: mutant for mutant in store.mutants(suites[0].trial.mutant_set)}
            for subject, suites in by_subject.items()
        }
    left_out = proven if policy is ScorePolicy.WITHOUT_PROVEN else {}
    return [
        _compared(suites, mutants[subject], left_out.get(subject, frozenset()))
        for subject, suites in by_subject.items()
    ]


def _comparable(store: RunStore) -> list[StoredTrial]:
    """The latest finished trial of each suite, in matrix mode; with several seeds, in mode first-kill as well."""
    finished = store.finished_trials()
    latest: dict[tuple[str, str, int, int], StoredTrial] = {}
    seeds: dict[tuple[str, str], set[int]] = {}
    for trial in store.trials():
        if trial.key in finished and trial.mode in (ExecutionMode.MATRIX, ExecutionMode.FIRST_KILL):
            seeds.setdefault((trial.subject, trial.generator), set()).add(trial.seed)
            known = latest.get((trial.subject, trial.generator, trial.scope, trial.seed))
            if known is None or known.mode is not ExecutionMode.MATRIX or trial.mode is ExecutionMode.MATRIX:
                latest[trial.subject, trial.generator, trial.scope, trial.seed] = trial
    return [
        trial
        for trial in latest.values()
        if trial.mode is ExecutionMode.MATRIX or len(seeds[trial.subject, trial.generator]) > 1
    ]


def sub_suites(suites: Sequence[ComparedSuite], size: int) -> list[SubSuite]:
    """Sub-suites of `size` inputs of one generator; none where no suite has so many.

    Of a generator that was run with several seeds, the first inputs of each seed's suite; of another one, random
    selections (one per seed of SELECTIONS). Of several scopes, the smallest one whose suite has so many inputs.
    """
    chosen = [_smallest(of_seed, size) for of_seed in _by_seed(suites).values()]
    known = [suite for suite in chosen if suite is not None]
    if is_seeded(suites):
        return [SubSuite(suite, np.arange(suite.trial.inputs) < size) for suite in known]
    return [SubSuite(suite, random_selection(suite.trial.inputs, size, seed)) for suite in known for seed in SELECTIONS]


def whole_suites(suites: Sequence[ComparedSuite]) -> list[SubSuite]:
    """The whole suite of each seed, at the largest scope that was run."""
    largest = [max(of_seed, key=lambda suite: suite.trial.scope) for of_seed in _by_seed(suites).values()]
    return [SubSuite(suite, np.ones(suite.trial.inputs, dtype=np.bool_)) for suite in largest]


def is_seeded(suites: Sequence[ComparedSuite]) -> bool:
    """Whether the generator was run with several seeds, so that its suites are random by themselves."""
    return len(_by_seed(suites)) > 1


Branches = Callable[[Sequence[SubSuite]], Sequence[Fraction]]
"""The branch coverage of sub-suites of one subject and generator; none where it is not known."""


def points(compared: Iterable[Compared], sizes: Sequence[int], branches: Branches = lambda chosen: ()) -> list[Point]:
    """By subject, number of inputs (whole suites last) and generator; only where there are so many inputs."""
    found = []
    for subject in compared:
        counted = subject.counted()
        for size in (*sizes, None):
            for generator, suites in subject.suites.items():
                chosen = whole_suites(suites) if size is None else sub_suites(suites, size)
                if chosen and counted.any():
                    found.append(_point(subject, generator, size, chosen, counted, branches))
    return found


@dataclass(frozen=True)
class Kills:
    """One mutant and, by generator, in how many of its whole suites it is killed, and of how many."""

    mutant: Mutant
    killed: Mapping[str, tuple[int, int]]

    def is_killed_by(self, generator: str) -> bool:
        """Whether at least one of the generator's suites kills it."""
        return self.killed[generator][0] > 0


def kills_by_generator(subject: Compared) -> list[Kills]:
    """For each mutant that counts, in the order of its place in the source, the whole suites that kill it."""
    rows = {
        generator: [sub.suite.kills.killed_by() for sub in whole_suites(suites)]
        for generator, suites in subject.suites.items()
    }
    order = next(iter(subject.suites.values()))[0].kills.mutants
    found = [
        Kills(
            subject.mutants[mutant],
            {name: (sum(int(row[number]) for row in of_name), len(of_name)) for name, of_name in rows.items()},
        )
        for number, mutant in enumerate(order)
        if mutant not in subject.proven
    ]
    return sorted(found, key=lambda kills: (kills.mutant.location.line, kills.mutant.location.column, kills.mutant.id))


def _compared(suites: Sequence[ComparedSuite], mutants: Mapping[str, Mutant], proven: frozenset[str]) -> Compared:
    first = suites[0]
    for suite in suites:
        if suite.trial.source_hash != first.trial.source_hash or suite.kills.mutants != first.kills.mutants:
            raise StoreError(
                f"{suite.trial} and {first.trial} were run on different sources or mutants, so they cannot be "
                "compared; run the experiment into another folder"
            )
    policies = {(one.trial.sequences, one.trial.observed) for one in suites if one.trial.sequences is not None}
    if len(policies) > 1:
        raise StoreError(
            f"{first.trial.subject}: sequences were run under several policies, so they cannot be compared; run each "
            "policy (--sequences, --observe) into a folder of its own"
        )
    by_generator: dict[str, list[ComparedSuite]] = {}
    for suite in suites:
        by_generator.setdefault(suite.trial.generator, []).append(suite)
    return Compared(first.trial.subject, first.trial.title, by_generator, mutants, proven)


def _point(
    subject: Compared,
    generator: str,
    size: int | None,
    chosen: Sequence[SubSuite],
    counted: Flags,
    branches: Branches,
) -> Point:
    return Point(
        subject=subject.subject,
        title=subject.title,
        generator=generator,
        size=size,
        scope=max(sub.suite.trial.scope for sub in chosen),
        seeded=is_seeded(subject.suites[generator]),
        inputs=tuple(int(sub.mask.sum()) for sub in chosen),
        killed=tuple(_score(sub, counted) for sub in chosen),
        branches=tuple(branches(chosen)),
    )


def _by_seed(suites: Sequence[ComparedSuite]) -> dict[int, list[ComparedSuite]]:
    found: dict[int, list[ComparedSuite]] = {}
    for suite in suites:
        found.setdefault(suite.trial.seed, []).append(suite)
    return found


def _smallest(suites: Sequence[ComparedSuite], size: int) -> ComparedSuite | None:
    large = [suite for suite in suites if suite.trial.inputs >= size]
    return min(large, key=lambda suite: suite.trial.scope, default=None)


def _score(sub: SubSuite, counted: Flags) -> Fraction:
    killed = sub.suite.kills.killed_by_mask(sub.mask)
    return Fraction(int((killed & counted).sum()), int(counted.sum()))
