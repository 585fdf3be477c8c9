"""Compares generators at one scope and an equal budget, with scores from kill matrices and first kills."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Protocol

import numpy as np

from harness.analysis.first_kills import FirstKills
from harness.analysis.hypergeometric import chances_of_reaching, expected_reached, nearly_expected_reached
from harness.analysis.kill_matrix import Flags, KillMatrix, Numbers
from harness.analysis.measures import NONE_PROVEN, Proven
from harness.errors import StoreError
from harness.generators.registry import has_random_prefixes
from harness.model.experiment import ExecutionMode
from harness.model.mutant import Mutant
from harness.model.outcome import OracleName
from harness.model.score import ScorePolicy
from harness.store import RunStore, StoredTrial
from harness.store.facts import SUITE

SIZES = (100, 1000, 10_000)
"""Numbers of inputs, or of calls, at which generators are compared where nothing else is said."""

SECONDS = (Fraction(1, 100), Fraction(1, 10), Fraction(1))
"""Processor seconds at which they are."""

PROCESSOR_SECONDS = ("generate_cpu", "search_cpu", "compile_cpu", "write_cpu")
"""The timings whose sum is the processor time of a generation."""


class Basis(Enum):
    """The budget at which suites are compared."""

    INPUTS = "inputs"
    CALLS = "calls"
    SECONDS = "seconds"


class SuiteKills(Protocol):
    """The kills of a suite: by any of its inputs from a kill matrix, or by its prefixes from first kills."""

    @property
    def mutants(self) -> tuple[str, ...]:
        """The mutants that the flags are of."""

    def killed_by(self) -> Flags:
        """Return, for each mutant, whether the whole suite kills it."""

    def killed_by_mask(self, mask: Flags) -> Flags:
        """Return, for each mutant, whether the inputs at which `mask` is set kill it."""


@dataclass(frozen=True)
class ComparedSuite:
    """A suite and the kills of its inputs.

    Attributes:
        has_random_prefixes: its generator declares a random order, and that each prefix is a suite.
        making: processor seconds of its generation; None where they were not measured.
        running: processor seconds of the original on it; None where they were not measured.
        origin: where, how and when it was made, if not by the run.
    """

    trial: StoredTrial
    kills: SuiteKills
    has_random_prefixes: bool
    making: Fraction | None = None
    running: Fraction | None = None
    origin: str | None = None


Calls = Callable[[ComparedSuite], Numbers]
"""The number of calls of each input of a suite."""


class SelectionMode(Enum):
    """The way in which a part of a suite was chosen."""

    WHOLE = "whole"
    PREFIX = "first inputs"
    DRAWN = "drawn at random"


@dataclass(frozen=True)
class SuitePart:
    """`size` inputs of a suite: all, its first ones, or, of a generator without random prefixes, any at random."""

    suite: ComparedSuite
    size: int

    @property
    def selection(self) -> SelectionMode:
        """Return how these inputs are chosen."""
        if self.size == self.suite.trial.inputs:
            return SelectionMode.WHOLE
        return SelectionMode.PREFIX if self.suite.has_random_prefixes else SelectionMode.DRAWN

    @property
    def first(self) -> Flags:
        """Return one flag per input of the suite, set for the first `size` ones."""
        return np.arange(self.suite.trial.inputs) < self.size

    def score(self, counted: Flags) -> Fraction:
        """Return killed mutants divided by those that count; for random inputs, the exact mean over all draws."""
        hits = self._hits_by_draws(counted)
        if hits is not None:
            return expected_reached(hits, self.suite.trial.inputs, self.size) / len(hits)
        return Fraction(int((self.suite.kills.killed_by_mask(self.first) & counted).sum()), int(counted.sum()))

    def score_to_draw(self, counted: Flags) -> float:
        """Return the score as a float, whose mean over draws is right to six digits and cheap at any size."""
        hits = self._hits_by_draws(counted)
        if hits is not None:
            return nearly_expected_reached(hits, self.suite.trial.inputs, self.size) / len(hits)
        return float(self.score(counted))

    def _hits_by_draws(self, counted: Flags) -> list[int] | None:
        """Return how many inputs kill each mutant that counts; None if these inputs are not drawn at random."""
        kills = self.suite.kills
        if self.selection is not SelectionMode.DRAWN or not isinstance(kills, KillMatrix):
            return None
        hits: list[int] = np.array(kills.killing_inputs(), dtype=np.int64)[counted].tolist()
        return hits

    def chances(self) -> list[Fraction]:
        """Return for each mutant the chance that these inputs kill it: 0 or 1, unless they are drawn at random."""
        kills = self.suite.kills
        if self.selection is SelectionMode.DRAWN and isinstance(kills, KillMatrix):
            return chances_of_reaching(kills.killing_inputs(), self.suite.trial.inputs, self.size)
        return [Fraction(int(flag)) for flag in kills.killed_by_mask(self.first)]


@dataclass(frozen=True)
class Point:
    """The scores of one generator at one scope and budget (None: whole suites), one for the part of each suite.

    `branches` are the branch coverages of the same parts, where they are known.
    """

    subject: str
    title: str
    generator: str
    limit: Fraction | None
    scope: int
    selections: tuple[SelectionMode, ...]
    inputs: tuple[int, ...]
    killed: tuple[Fraction, ...]
    branches: tuple[Fraction, ...] = ()


@dataclass(frozen=True)
class SubjectComparison:
    """All different suites of one subject at one scope, by generator, and the mutants that they share.

    If there are several pytest suites, each is named after pytest and its own name.
    """

    subject: str
    title: str
    scope: int
    suites: Mapping[str, Sequence[ComparedSuite]]
    mutants: Mapping[str, Mutant]
    proven: frozenset[str] = frozenset()
    """Mutants that do not count."""

    @property
    def mutant_set(self) -> str:
        """The hash of the mutant set of all suites."""
        return next(iter(self.suites.values()))[0].trial.mutant_set

    def counted(self) -> Flags:
        """Return, for each row of the matrices, whether the mutant counts."""
        first = next(iter(self.suites.values()))[0].kills.mutants
        return np.array([mutant not in self.proven for mutant in first], dtype=np.bool_)


def load_compared(
    folder: Path,
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE,
    proven: Proven = NONE_PROVEN,
    oracle: OracleName = OracleName.DIFFERENTIAL,
) -> list[SubjectComparison]:
    """Load the subjects of a run at each of its scopes, with their different suites that one oracle judged completely.

    The suites were run in matrix mode; those of a generator that declares random prefixes may stop at first kills.

    Raises:
        StoreError: there is no such suite, or the suites of one subject were run on different mutants or sources, or
            its sequences under different policies.
    """
    subjects = comparable_suites(folder, policy, proven, oracle)
    if not subjects:
        raise StoreError(
            f"{folder}: no trial under the oracle {oracle.value} was run to the end in mode matrix, from which "
            f'generators are compared; say mode = "matrix" and oracles = [{oracle.value!r}] in the experiment'
        )
    return subjects


def comparable_suites(
    folder: Path,
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE,
    proven: Proven = NONE_PROVEN,
    oracle: OracleName = OracleName.DIFFERENTIAL,
) -> list[SubjectComparison]:
    """Load subjects like `load_compared`, but return an empty list if there is no such suite.

    Raises:
        StoreError: as `load_compared`.
    """
    with RunStore.open_existing(folder) as store:
        store.finished.check_unchanged()
        by_subject: dict[str, list[ComparedSuite]] = {}
        for trial in _comparable(store, oracle):
            by_subject.setdefault(trial.subject, []).append(_suite(store, trial))
        mutants = {
            subject: {mutant.id: mutant for mutant in store.mutants.of(suites[0].trial.mutant_set)}
            for subject, suites in by_subject.items()
        }
    left_out = proven if policy is ScorePolicy.WITHOUT_PROVEN else {}
    return [
        at_scope
        for subject, suites in by_subject.items()
        for at_scope in _by_scope(suites, mutants[subject], left_out.get(subject, frozenset()))
    ]


def parts(suites: Sequence[ComparedSuite], basis: Basis, limit: Fraction, calls: Calls) -> list[SuitePart]:
    """Choose as many inputs of each suite as the budget allows, and none of a suite that does not use it up.

    Of processor seconds, a suite that is made and run within the budget counts as a whole.
    """
    sizes = ((suite, _size(suite, basis, limit, calls)) for suite in suites)
    return [SuitePart(suite, size) for suite, size in sizes if size]


def whole_suites(suites: Sequence[ComparedSuite]) -> list[SuitePart]:
    """Return each suite with all of its inputs."""
    return [SuitePart(suite, suite.trial.inputs) for suite in suites]


Branches = Callable[[Sequence[SuitePart]], Sequence[Fraction]]
"""The branch coverage of parts of suites of one subject and generator; none where it is not known."""


def one_call(suite: ComparedSuite) -> Numbers:
    """Return one call for each input, as inputs that are states have."""
    return np.ones(suite.trial.inputs, dtype=np.int64)


def points(
    compared: Iterable[SubjectComparison],
    limits: Sequence[Fraction | int],
    branches: Branches = lambda chosen: (),
    basis: Basis = Basis.INPUTS,
    calls: Calls = one_call,
) -> list[Point]:
    """Score each generator by subject, scope and budget (whole suites last), if its suites use the budget up."""
    scored = []
    for subject in compared:
        counted = subject.counted()
        for limit in (*map(Fraction, limits), None):
            for generator, suites in subject.suites.items():
                chosen = whole_suites(suites) if limit is None else parts(suites, basis, limit, calls)
                if chosen and counted.any():
                    scored.append(_point(subject, generator, limit, chosen, counted, branches))
    return scored


@dataclass(frozen=True)
class Kills:
    """One mutant and, by generator, how many of its whole suites kill it, and of how many."""

    mutant: Mutant
    killed: Mapping[str, tuple[int, int]]

    def is_killed_by(self, generator: str) -> bool:
        """Return True if at least half of the generator's suites kill it."""
        killing, suites = self.killed[generator]
        return 2 * killing >= suites

    def is_killed_by_any(self, generator: str) -> bool:
        """Return True if at least one of the generator's suites kills it."""
        return self.killed[generator][0] > 0


def kills_by_generator(subject: SubjectComparison) -> list[Kills]:
    """Return, for each mutant that counts, the whole suites that kill it, in the order of places in the source."""
    rows = {generator: [suite.kills.killed_by() for suite in suites] for generator, suites in subject.suites.items()}
    order = next(iter(subject.suites.values()))[0].kills.mutants
    kills_of_mutants = [
        Kills(
            subject.mutants[mutant],
            {name: (sum(int(row[number]) for row in of_name), len(of_name)) for name, of_name in rows.items()},
        )
        for number, mutant in enumerate(order)
        if mutant not in subject.proven
    ]
    return sorted(
        kills_of_mutants, key=lambda kills: (kills.mutant.location.line, kills.mutant.location.column, kills.mutant.id)
    )


def _comparable(store: RunStore, oracle: OracleName) -> list[StoredTrial]:
    """Return one finished trial of each suite digest, in mode matrix if there is one, or else in first-kill."""
    finished = store.finished.keys()
    chosen: dict[tuple[str, str, int, str], StoredTrial] = {}
    for mode in (ExecutionMode.MATRIX, ExecutionMode.FIRST_KILL):
        latest = {
            trial.values(SUITE): trial
            for trial in store.trials.under(oracle)
            if trial.key in finished and trial.mode is mode
        }
        for trial in latest.values():
            if mode is ExecutionMode.MATRIX or has_random_prefixes(trial.generator):
                chosen.setdefault((trial.subject, trial.generator, trial.scope, trial.suite_digest), trial)
    return list(chosen.values())


def _suite(store: RunStore, trial: StoredTrial) -> ComparedSuite:
    is_matrix = trial.mode is ExecutionMode.MATRIX
    kills: SuiteKills = KillMatrix.load(store, trial.key) if is_matrix else FirstKills.load(store, trial.key)
    timings = store.timings.of(trial.key)
    seconds = {timing.what: Fraction(timing.seconds) for timing in timings}
    origin = next((timing.origin for timing in timings if timing.origin), None)
    making = [seconds[what] for what in PROCESSOR_SECONDS if what in seconds]
    generation_seconds = sum(making, Fraction()) if making else None
    return ComparedSuite(
        trial, kills, has_random_prefixes(trial.generator), generation_seconds, seconds.get("baseline"), origin
    )


def _by_scope(
    suites: Sequence[ComparedSuite], mutants: Mapping[str, Mutant], proven: frozenset[str]
) -> list[SubjectComparison]:
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
    suites_of: dict[int, dict[str, list[ComparedSuite]]] = {}
    has_names = len({suite.trial.suite for suite in suites} - {""}) > 1
    for suite in sorted(suites, key=lambda s: (s.trial.scope, s.trial.generator, s.trial.suite, s.trial.seed)):
        trial = suite.trial
        name = f"{trial.generator} {trial.suite}" if has_names and trial.suite else trial.generator
        suites_of.setdefault(trial.scope, {}).setdefault(name, []).append(suite)
    return [
        SubjectComparison(first.trial.subject, first.trial.title, scope, by_generator, mutants, proven)
        for scope, by_generator in suites_of.items()
    ]


def _size(suite: ComparedSuite, basis: Basis, limit: Fraction, calls: Calls) -> int | None:
    """Return the size of a prefix within the budget; for drawn inputs, the size that is within it on average."""
    inputs = suite.trial.inputs
    if basis is Basis.INPUTS:
        return int(limit) if limit <= inputs else None
    if basis is Basis.CALLS:
        spent = np.cumsum(calls(suite))
        if spent[-1] < limit:
            return None
        return (
            int(np.searchsorted(spent, int(limit), side="right"))
            if suite.has_random_prefixes
            else int(limit * inputs / int(spent[-1]))
        )
    if suite.making is None or suite.running is None:
        return None
    at_once = Fraction() if suite.has_random_prefixes else suite.making
    each = (suite.making + suite.running - at_once) / inputs
    left = limit - at_once
    if left < 0 or not each:
        return None if left < 0 else inputs
    return min(inputs, int(left / each))


def _point(
    subject: SubjectComparison,
    generator: str,
    limit: Fraction | None,
    chosen: Sequence[SuitePart],
    counted: Flags,
    branches: Branches,
) -> Point:
    return Point(
        subject=subject.subject,
        title=subject.title,
        generator=generator,
        limit=limit,
        scope=subject.scope,
        selections=tuple(part.selection for part in chosen),
        inputs=tuple(part.size for part in chosen),
        killed=tuple(part.score(counted) for part in chosen),
        branches=tuple(branches(chosen)),
    )
