"""Loads the suites of a run that can be compared: of one subject, at one scope, on the same mutants."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from harness.analysis.first_kills import FirstKills
from harness.analysis.kill_matrix import BitMatrix, Flags, KillMatrix, Numbers
from harness.analysis.measures import NONE_PROVEN, Proven
from harness.analysis.titles import titles_apart
from harness.errors import StoreError
from harness.model.experiment import EVERY_TRIAL, ExecutionMode, TrialFilter
from harness.model.outcome import Mutant, OracleName, ScorePolicy
from harness.model.pytest_suite import PYTEST
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
