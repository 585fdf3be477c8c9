"""Compares the suites of a run at one scope and an equal budget, by the worth of so many inputs of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from harness.analysis.kill_matrix import BitMatrix, FirstKills, Flags, KillMatrix, Numbers
from harness.analysis.measures import NONE_PROVEN, Proven
from harness.analysis.titles import titles_apart
from harness.errors import StoreError
from harness.kernel.inputs.suites import BLOCK
from harness.model.experiment import EVERY_TRIAL, ExecutionMode, TrialFilter
from harness.model.outcome import Mutant, OracleName, ScorePolicy
from harness.model.pytest_suite import PYTEST
from harness.selections import random_selection
from harness.store import RunStore, StoredTrial
from harness.store.facts import CONDITIONS, SUITE, plain
from harness.store.tables import blocks_of

PROCESSOR_SECONDS = ("generate_cpu", "search_cpu", "compile_cpu", "write_cpu")
"""The timings whose sum is the processor time of a generation."""

FIRST_KILLS = "only its first kills are stored; run it in mode matrix, or compare first inputs (--take first)"
"""The reason why a generator is in no comparison of inputs that are drawn."""

_SAME_SUITE = ("subject", "generator", "scope", "suite_digest", *CONDITIONS)
"""Fields in which trials of one suite agree, whatever their seeds."""
_SEVERAL = {
    "operator_set": ("operator sets", "--operators"),
    "observed": ("policies of observation", "--observe"),
    "concrete": ("comparisons of states", "--concrete"),
}
"""What several values of each of `CONDITIONS` are called, and the option that sets them."""


@dataclass(frozen=True)
class ComparedSuite:
    """A suite and the kills of its inputs.

    Attributes:
        making: processor seconds of its generation; None where they were not measured.
        running: processor seconds of the original on it; None where they were not measured.
        blocks: processor seconds until each block of `BLOCK` inputs existed, and the original had run it; fewer, or
            none, where they were not measured.
        origin: where, how and when it was made, if not by the run.
        calls: the number of calls of each input; None where it is not known.
        inputs_digest: the same for suites with the same inputs in any order; empty where it is not known.
        branches: the branches that its inputs execute; None where they are not known.
    """

    trial: StoredTrial
    kills: KillMatrix | FirstKills
    making: Fraction | None = None
    running: Fraction | None = None
    blocks: tuple[Fraction, ...] = ()
    origin: str | None = None
    calls: Numbers | None = None
    inputs_digest: str = ""
    branches: BitMatrix | None = None


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

    def with_each(self, change: Callable[[ComparedSuite], ComparedSuite]) -> SubjectComparison:
        """Return the comparison with each suite changed."""
        return replace(self, suites={name: [change(one) for one in suites] for name, suites in self.suites.items()})

    @property
    def has_matrix(self) -> bool:
        """Whether a suite has a kill matrix."""
        return any(isinstance(suite.kills, KillMatrix) for suites in self.suites.values() for suite in suites)

    @property
    def order(self) -> tuple[str, ...]:
        """The mutants of the rows of all matrices."""
        return next(iter(self.suites.values()))[0].kills.mutants

    def counted(self) -> Flags:
        """Return, for each row of the matrices, whether the mutant counts."""
        return np.array([mutant not in self.proven for mutant in self.order], dtype=np.bool_)


def comparable_suites(
    folder: Path,
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE,
    proven: Proven = NONE_PROVEN,
    oracle: OracleName = OracleName.DIFFERENTIAL,
    chosen: TrialFilter = EVERY_TRIAL,
    needs_matrix: bool = True,
) -> list[SubjectComparison]:
    """Load the subjects of a run at each of its scopes, with their different suites that one oracle judged completely.

    The suites were run in matrix mode, or up to first kills, which tell of their first inputs only.

    Args:
        chosen: which trials are looked at.
        needs_matrix: leave out subjects and scopes at which only first kills are stored.

    Raises:
        StoreError: the suites of one subject were run on different mutants or sources, or under different conditions.
    """
    with RunStore.open_existing(folder) as store:
        titles = titles_apart({trial.subject: trial.title for trial in store.trials.all()})
        by_subject: dict[str, list[ComparedSuite]] = {}
        for trial in _comparable(store, oracle, chosen, needs_matrix):
            by_subject.setdefault(trial.subject, []).append(_suite(store, trial))
        mutants = {
            subject: {mutant.id: mutant for mutant in store.mutants.of(suites[0].trial.mutant_set)}
            for subject, suites in by_subject.items()
        }
    left_out = proven if policy is ScorePolicy.WITHOUT_PROVEN else {}
    return [
        at_scope
        for subject, suites in by_subject.items()
        for at_scope in _by_scope(suites, titles[subject], mutants[subject], left_out.get(subject, frozenset()))
    ]


def left_out(
    folder: Path, compared: Iterable[SubjectComparison], oracle: OracleName, chosen: TrialFilter = EVERY_TRIAL
) -> dict[str, str]:
    """Return the generators of a run that are in none of its comparisons, each with the reason."""
    present = {suite.trial.generator for one in compared for suites in one.suites.values() for suite in suites}
    with RunStore.open_existing(folder) as store:
        finished = store.finished.keys()
        reasons = {failed.generator: f"it could not be run: {failed.reason}" for failed in store.failures.all()}
        for trial in store.trials.under(oracle):
            has_kills = trial.mode is ExecutionMode.FIRST_KILL and trial.key in finished
            reasons[trial.generator] = FIRST_KILLS if has_kills else "none of its trials ran all mutants to the end"
    names = {name for name in reasons if not chosen.generators or name in chosen.generators}
    return {name: reasons[name] for name in sorted(names - present - {PYTEST})}


def _comparable(store: RunStore, oracle: OracleName, chosen: TrialFilter, needs_matrix: bool) -> list[StoredTrial]:
    """Return one finished trial of each suite digest under each of its conditions.

    It is in mode matrix if there is one, or else in first-kill.
    """
    finished = store.finished.keys()
    of_suites: dict[tuple[object, ...], StoredTrial] = {}
    for mode in (ExecutionMode.MATRIX, ExecutionMode.FIRST_KILL):
        latest = {
            trial.values((*SUITE, *CONDITIONS)): trial
            for trial in store.trials.under(oracle)
            if trial.key in finished
            and trial.mode is mode
            and chosen.takes(trial.subject, trial.title, trial.generator)
        }
        for trial in latest.values():
            of_suites.setdefault(trial.values(_SAME_SUITE), trial)
    of_matrices = {(trial.subject, trial.scope) for trial in of_suites.values() if trial.mode is ExecutionMode.MATRIX}
    return [trial for trial in of_suites.values() if not needs_matrix or (trial.subject, trial.scope) in of_matrices]


def _suite(store: RunStore, trial: StoredTrial) -> ComparedSuite:
    is_matrix = trial.mode is ExecutionMode.MATRIX
    kills = KillMatrix.load(store, trial.key) if is_matrix else FirstKills.load(store, trial.key)
    timings = store.timings.of(trial.key)
    seconds = {timing.what: Fraction(timing.seconds) for timing in timings}
    origin = next((timing.origin for timing in timings if timing.origin), None)
    making = [seconds[what] for what in PROCESSOR_SECONDS if what in seconds]
    generation_seconds = sum(making, Fraction()) if making else None
    pairs = zip(blocks_of(seconds, "made"), blocks_of(seconds, "baseline"), strict=False)
    blocks = tuple(made + ran for made, ran in pairs)
    return ComparedSuite(trial, kills, generation_seconds, seconds.get("baseline"), blocks, origin)


def _by_scope(
    suites: Sequence[ComparedSuite], title: str, mutants: Mapping[str, Mutant], proven: frozenset[str]
) -> list[SubjectComparison]:
    first = suites[0]
    _check_conditions(suites)
    for suite in suites:
        if suite.trial.source_hash != first.trial.source_hash or suite.kills.mutants != first.kills.mutants:
            raise StoreError(
                f"{suite.trial} and {first.trial} were run on different sources or mutants, so they cannot be "
                "compared; run the experiment into another folder"
            )
    suites_of: dict[int, dict[str, list[ComparedSuite]]] = {}
    has_names = len({suite.trial.suite for suite in suites} - {""}) > 1
    for suite in sorted(suites, key=lambda s: (s.trial.scope, s.trial.generator, s.trial.suite, s.trial.seed)):
        trial = suite.trial
        name = f"{trial.generator} {trial.suite}" if has_names and trial.suite else trial.generator
        suites_of.setdefault(trial.scope, {}).setdefault(name, []).append(suite)
    return [
        SubjectComparison(first.trial.subject, title, scope, by_generator, mutants, proven)
        for scope, by_generator in suites_of.items()
    ]


def _check_conditions(suites: Sequence[ComparedSuite]) -> None:
    """Refuse suites of a subject that were run under different conditions. State inputs have no policy of sequences."""
    subject = suites[0].trial.subject
    for name in CONDITIONS:
        values = {str(plain(value)) for one in suites if (value := getattr(one.trial, name)) is not None}
        if len(values) > 1:
            values_named, option = _SEVERAL[name]
            raise StoreError(
                f"{subject}: its suites were run under several {values_named} ({', '.join(sorted(values))}), so they "
                f"cannot be compared; run each ({option}) into a folder of its own"
            )


Floats = npt.NDArray[np.float64]

SIZES = (100, 1000, 10_000)
"""Numbers of inputs, and of calls, at which generators are compared where nothing else is said."""

SECONDS = (Fraction(1, 100), Fraction(1, 10), Fraction(1))
"""Processor seconds at which they are."""

DRAWS, DRAWS_OF_CURVES = 1000, 200
"""The sub-suites of a row, and of a point of a curve, that are drawn for an interval where there are more."""

TAIL = 0.05
"""The share of the sub-suites below an interval, and above it."""

TOO_LONG = "its first input, or its inputs on average, have more calls than the budget"
UNCOUNTED = "its inputs cannot be read any more, so their calls are not known"
UNTIMED = "its seconds, or those of its first inputs, were not measured"
TOO_SMALL = "its suites are smaller, or are not made in time"


class Basis(Enum):
    """The unit of a budget."""

    INPUTS = "inputs"
    CALLS = "calls"
    SECONDS = "seconds"


class Rule(Enum):
    """The rule by which n inputs of a suite are chosen, for all rows of a table."""

    DRAWN = "drawn"
    """At random without replacement: what n inputs of this suite are worth."""
    FIRST = "first"
    """The first ones in the order in which they were made: what one has after n inputs."""


@dataclass(frozen=True)
class Budget:
    """The most inputs, calls or processor seconds that a suite may have."""

    basis: Basis
    limit: Fraction

    def __str__(self) -> str:
        return f"{float(self.limit):.12g} {self.basis.value}"


def missed(hits: Numbers, inputs: int, size: int) -> Floats:
    """Return the chance that `size` of `inputs` inputs, drawn without replacement, miss a target.

    It is C(inputs - k, size) / C(inputs, size), the hypergeometric distribution at zero (Feller 1968, II.6), where k
    inputs reach the target.

    Args:
        hits: k, for each target.
    """
    each = np.arange(hits.max(initial=0))
    return np.asarray(np.cumprod([1.0, *np.maximum(inputs - size - each, 0) / (inputs - each)])[hits])


@dataclass(frozen=True)
class Part:
    """`size` of the `inputs` inputs of a suite."""

    inputs: int
    size: int
    rule: Rule = Rule.DRAWN

    @property
    def is_certain(self) -> bool:
        """Whether it is known which inputs these are."""
        return self.rule is Rule.FIRST or self.size == self.inputs

    def missed(self, targets: BitMatrix | FirstKills) -> Floats:
        """Return for each target the chance that these inputs miss it."""
        if self.is_certain or isinstance(targets, FirstKills):
            return (~targets.reached_by_mask(next(self.masks(1)))).astype(np.float64)
        return missed(targets.reaching_inputs(), self.inputs, self.size)

    def masks(self, draws: int, stream: int = 0) -> Iterator[Flags]:
        """Yield the sub-suites as one flag per input: all that there are, or so many draws where there are more.

        Args:
            stream: the number of the sequence of draws.
        """
        everything = np.arange(self.inputs)
        if self.is_certain:
            yield everything < self.size
        elif self.inputs <= draws and comb(self.inputs, self.size) <= draws:
            yield from (np.isin(everything, chosen) for chosen in combinations(range(self.inputs), self.size))
        else:
            for seed in range(draws):
                yield random_selection(self.inputs, self.size, stream * draws + seed)

    def calls(self, each: Numbers) -> float:
        """Return the number of their calls; of drawn inputs the expected one."""
        return float(each[: self.size].sum() if self.rule is Rule.FIRST else self.size * each.mean())


class Worth(NamedTuple):
    """The expected share of targets that a sub-suite reaches, and the interval that 90 % of the sub-suites lie in."""

    expected: Fraction
    low: Fraction
    high: Fraction


Targets = Callable[[ComparedSuite], BitMatrix | FirstKills]


def kills_of(suite: ComparedSuite) -> BitMatrix | FirstKills:
    """Return the mutants that the inputs of a suite kill, the targets of most comparisons."""
    return suite.kills


@dataclass(frozen=True)
class SubSuites:
    """Parts of the suites of one generator, each suite as likely as any other."""

    parts: tuple[tuple[ComparedSuite, Part], ...]

    @property
    def inputs(self) -> float:
        """Their expected number of inputs."""
        return sum(part.size for _, part in self.parts) / len(self.parts)

    @property
    def calls(self) -> float | None:
        """Their expected number of calls; None if it is not known."""
        calls = [part.calls(suite.calls) for suite, part in self.parts if suite.calls is not None]
        return sum(calls) / len(calls) if len(calls) == len(self.parts) else None

    @property
    def seconds(self) -> float | None:
        """The expected seconds to make them and to run the original on them; None if they were not measured."""
        seconds = [spent for suite, part in self.parts if (spent := _seconds(suite, part)) is not None]
        return sum(seconds) / len(seconds) if len(seconds) == len(self.parts) else None

    def chances(self, targets: Targets = kills_of) -> Floats:
        """Return for each target the chance that one of these sub-suites reaches it, or the share of them that do."""
        return np.asarray(1 - np.mean([part.missed(targets(suite)) for suite, part in self.parts], axis=0))

    def worth(self, targets: Targets, counted: Flags, draws: int = DRAWS) -> Worth:
        """Return the statistics of these sub-suites over suites and draws together.

        The expected value is exact. The interval is of all sub-suites, or of so many draws where there are more.

        Args:
            counted: for each target, whether it counts; at least one does.
        """
        total, suites = int(counted.sum()), len(self.parts)
        lost = sum(float(part.missed(targets(suite))[counted].sum()) for suite, part in self.parts)
        reached: list[Fraction] = []
        weights: list[float] = []
        for number, (suite, part) in enumerate(self.parts):
            matrix = targets(suite)
            found = [
                Fraction(int(np.count_nonzero(matrix.reached_by_mask(mask) & counted)), total)
                for mask in part.masks(max(draws // suites, 1), number)
            ]
            reached += found
            weights += [1 / (len(found) * suites)] * len(found)
        return Worth(1 - Fraction(lost) / (suites * total), *interval(reached, weights))


def interval(values: Sequence[Fraction], weights: Sequence[float]) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest value without a TAIL on either side; the weights of the values sum to 1."""
    order = sorted(range(len(values)), key=values.__getitem__)
    up_to = np.cumsum(np.array(weights)[order])
    low, high = (values[order[np.searchsorted(up_to, share)]] for share in (TAIL + 1e-9, 1 - TAIL - 1e-9))
    return low, high


def sub_suites(suites: Sequence[ComparedSuite], budget: Budget | None, rule: Rule) -> SubSuites | str:
    """Return as many inputs of each suite as the budget allows (None: all), or why there are none.

    Suites that do not use the budget up are left out. Of processor seconds, a suite that is made and run within the
    budget counts as a whole.
    """
    sizes = [suite.trial.inputs if budget is None else _size(suite, budget, rule) for suite in suites]
    chosen = [
        (suite, Part(suite.trial.inputs, size, rule))
        for suite, size in zip(suites, sizes, strict=True)
        if not isinstance(size, str)
    ]
    if not chosen or TOO_LONG in sizes:
        return TOO_LONG if TOO_LONG in sizes else next(size for size in sizes if isinstance(size, str))
    if any(isinstance(suite.kills, FirstKills) and not part.is_certain for suite, part in chosen):
        return FIRST_KILLS
    return SubSuites(tuple(chosen))


class Row(NamedTuple):
    """A generator on one subject at one scope and budget (None: whole suites); a text says why it has no sub-suites."""

    subject: SubjectComparison
    budget: Budget | None
    generator: str
    suites: SubSuites | str


def rows(compared: Sequence[SubjectComparison], budgets: Sequence[Budget], rule: Rule) -> Iterator[list[Row]]:
    """Yield the generators of each subject and budget (whole suites last), if one of them uses the budget up."""
    for subject in compared:
        for budget in (*budgets, None):
            group = [
                Row(subject, budget, name, sub_suites(suites, budget, rule)) for name, suites in subject.suites.items()
            ]
            if any(isinstance(row.suites, SubSuites) or row.suites in (TOO_LONG, UNTIMED) for row in group):
                yield group


@dataclass(frozen=True)
class CurvePoint:
    """The worth of `size` inputs of a generator, and by basis their expected cost, where it is known."""

    size: int
    budgets: Mapping[Basis, float]
    killed: Worth
    branches: Worth | None


@dataclass(frozen=True)
class Curve:
    """The points of one generator on one subject at one scope, up to the size of its smallest suite.

    `reason` says why there are none.
    """

    subject: str
    title: str
    scope: int
    generator: str
    points: tuple[CurvePoint, ...]
    reason: str = ""


def curves(compared: Sequence[SubjectComparison], rule: Rule) -> Iterator[Curve]:
    """Yield the curve of each generator by subject and scope, if any mutant counts.

    Sizes are 1, 2, 5, 10, 20, 50, ..., and the whole of the smallest suite.
    """
    for one in compared:
        counted = one.counted()
        for generator, suites in one.suites.items() if counted.any() else ():
            points, reason = [], ""
            for size in sizes_of(min(suite.trial.inputs for suite in suites)):
                cut = sub_suites(suites, Budget(Basis.INPUTS, Fraction(size)), rule)
                if isinstance(cut, str):
                    reason = cut
                else:
                    costs = {Basis.INPUTS: float(size), Basis.CALLS: cut.calls, Basis.SECONDS: cut.seconds}
                    budgets = {basis: cost for basis, cost in costs.items() if cost is not None}
                    killed = cut.worth(kills_of, counted, DRAWS_OF_CURVES)
                    points.append(CurvePoint(size, budgets, killed, branches_of(cut, DRAWS_OF_CURVES)))
            are_known = reason != FIRST_KILLS  # else there would be a point for the whole suite alone
            yield Curve(one.subject, one.title, one.scope, generator, tuple(points) if are_known else (), reason)


def branches_of(cut: SubSuites, draws: int = DRAWS) -> Worth | None:
    """Return the worth of sub-suites in branches; None if there are none, or they were not measured."""
    known = {suite.trial.key: suite.branches for suite, _ in cut.parts if suite.branches is not None}
    branches = max((matrix.targets for matrix in known.values()), default=0)
    if len(known) < len(cut.parts) or not branches:
        return None
    return cut.worth(lambda suite: known[suite.trial.key], np.ones(branches, dtype=np.bool_), draws)


def sizes_of(inputs: int) -> list[int]:
    """Return the numbers of inputs at which a suite of so many inputs is scored."""
    steps = (step * 10**power for power in range(len(str(inputs))) for step in (1, 2, 5))
    return [*(size for size in steps if size < inputs), inputs]


def _size(suite: ComparedSuite, budget: Budget, rule: Rule) -> int | str:
    """Return how many inputs are within the budget, of drawn ones on average; or why there are none."""
    inputs, limit = suite.trial.inputs, budget.limit
    if budget.basis is Basis.INPUTS:
        return int(limit) if limit <= inputs else TOO_SMALL
    if budget.basis is Basis.CALLS:
        if suite.calls is None:
            return UNCOUNTED
        spent = np.cumsum(suite.calls)
        if spent[-1] < limit:
            return TOO_SMALL
        is_first = rule is Rule.FIRST
        size = int(np.searchsorted(spent, int(limit), side="right") if is_first else limit * inputs / int(spent[-1]))
        return size or TOO_LONG
    if suite.making is None or suite.running is None:
        return UNTIMED
    if suite.making + suite.running <= limit:
        return inputs
    if rule is Rule.DRAWN:
        left = limit - suite.making
        return int(left * inputs / suite.running) or TOO_SMALL if left > 0 else TOO_SMALL
    blocks = sum(spent <= limit for spent in suite.blocks)
    is_known = len(suite.blocks) == inputs // BLOCK or blocks < len(suite.blocks)
    return (BLOCK * blocks or TOO_SMALL) if is_known else UNTIMED


def _seconds(suite: ComparedSuite, part: Part) -> float | None:
    """Return the seconds to make inputs and to run the original on them.

    The first inputs of a suite cost what was spent until the last block of them existed and had been run, so that it
    does not matter how many were asked for. Others can be drawn only after all are made.
    """
    if suite.making is None or suite.running is None:
        return None
    if part.size == part.inputs or part.rule is Rule.DRAWN:
        return float(suite.making + suite.running * part.size / part.inputs)
    block = -(-part.size // BLOCK)
    if block <= len(suite.blocks):
        return float(suite.blocks[block - 1])
    return float(suite.making + suite.running) if block == len(suite.blocks) + 1 == -(-part.inputs // BLOCK) else None
