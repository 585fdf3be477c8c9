"""Measures branch coverage of sub-suites of a stored run once, and stores it with the run."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import numpy as np

from harness.analysis.comparable_suites import ComparedSuite
from harness.analysis.compared import SelectionMode, SuitePart
from harness.analysis.kill_matrix import Flags
from harness.analysis.spread import Spread
from harness.errors import MutascopeError, StoreError
from harness.measuring.sub_suites import sub_suite_coverage
from harness.model.sequence import SequencePolicy
from harness.model.subject import Subject
from harness.runner.logs import LOGGER
from harness.runner.mutant_set import mutated_functions
from harness.runner.progress import progress_count
from harness.runner.subjects import load_subject
from harness.runner.suites import stored_suite
from harness.selections import random_selection
from harness.store import CoverageKind, RunStore

FILE_NAME = "branches.json"

Counts = dict[str, tuple[int, int]]
"""Executed branches and branches, by trial and sub-suite."""


FEWEST, MOST = 6, 48
"""Draws of a part: the fewest of which there is an interval, and the most that are measured."""

SMALL = 100
"""The size of parts of which all draws are measured at once: few draws do not determine their median."""

NARROW = Fraction(1, 100)
"""The width of the interval at which no more draws are measured."""


@dataclass(frozen=True)
class SubSuite:
    """Some of a suite's inputs, as one flag per input."""

    suite: ComparedSuite
    mask: Flags


class MeasuredBranches:
    """The branch coverages of parts of suites of the run in `folder`; those of whole suites are facts of the run.

    For inputs drawn at random, the coverage is the median of MOST draws. Fewer draws suffice if they determine the
    median of all draws to within NARROW (at 95 %, by rank). Earlier measurements are read from FILE_NAME; a damaged
    file is created again.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / FILE_NAME
        self._stored_coverage = _read(self._path)

    def __call__(self, chosen: Sequence[SuitePart]) -> list[Fraction]:
        """Return one ratio per part; none if there is no branch, or the sources have changed since the run."""
        try:
            self._counts([sub for part in chosen for sub in _first_sub_suites(part)])  # of each suite in one process
            counts = [self._part(part) for part in chosen]
        except MutascopeError as error:
            LOGGER.warning("%s: no branch coverage of sub-suites: %s", chosen[0].suite.trial, error)
            return []
        return [ratio for ratio in counts if ratio is not None] if None not in counts else []

    def _part(self, part: SuitePart) -> Fraction | None:
        suite, inputs = part.suite, part.suite.trial.inputs
        if part.selection is SelectionMode.WHOLE:
            return _ratio(self._whole(suite))
        if part.selection is SelectionMode.PREFIX:
            (count,) = self._counts([SubSuite(suite, np.arange(inputs) < part.size)])
            return _ratio(count)
        ratios: list[Fraction] = []
        while len(ratios) < MOST:
            seeds = range(len(ratios), min(MOST, max(FEWEST, 2 * len(ratios))))
            counts = self._counts([SubSuite(suite, random_selection(inputs, part.size, seed)) for seed in seeds])
            drawn = [_ratio(count) for count in counts]
            if None in drawn:
                return None
            ratios += [ratio for ratio in drawn if ratio is not None]
            spread = Spread.of(ratios)
            if spread.low is not None and spread.high is not None and spread.high - spread.low <= NARROW:
                break
        return Spread.of(ratios).median

    def _counts(self, subs: Sequence[SubSuite]) -> list[tuple[int, int]]:
        """Return the executed branches and all branches of each sub-suite."""
        self._measure([sub for sub in subs if _key(sub) not in self._stored_coverage])
        return [self._stored_coverage[_key(sub)] for sub in subs]

    def _whole(self, suite: ComparedSuite) -> tuple[int, int]:
        with RunStore.open_existing(self._folder) as store:
            counts_of_functions = [
                one.counts for one in store.coverage.of(suite.trial.key) if one.kind is CoverageKind.CODE
            ]
        return sum(counts.branches_executed for counts in counts_of_functions), sum(
            counts.branches for counts in counts_of_functions
        )

    def _measure(self, missing: Sequence[SubSuite]) -> None:
        by_trial: dict[str, list[SubSuite]] = {}
        for sub in missing:
            by_trial.setdefault(sub.suite.trial.key, []).append(sub)
        for subs in by_trial.values():
            trial = subs[0].suite.trial
            subject = load_subject(trial.subject)
            suite = stored_suite(subject, trial)
            if suite.header.digest != trial.suite_digest or subject.source_hash != trial.source_hash:
                raise StoreError("its inputs are not those generated now; the subject was changed, run it again")
            chosen = [np.flatnonzero(sub.mask).tolist() for sub in subs]
            functions = self._functions(subject, subs[0].suite)
            policy = trial.sequences or SequencePolicy.ON_MUTANT
            with progress_count(f"branches of {trial}") as report_progress:
                report_progress(f"{len(chosen)} sub-suites")
                counts = sub_suite_coverage(subject, suite.folder, trial.scope, functions, chosen, policy)
            for sub, count in zip(subs, counts, strict=True):
                self._stored_coverage[_key(sub)] = count.branches_executed, count.branches
            _write(self._path, self._stored_coverage)

    def _functions(self, subject: Subject, suite: ComparedSuite) -> dict[str, tuple[int, int]]:
        """Return the functions on which the whole suite was measured."""
        trial = suite.trial
        with RunStore.open_existing(self._folder) as store:
            names = {one.function for one in store.coverage.of(trial.key)}
        extents = mutated_functions(subject).items()
        return {name: (extent.first_line, extent.last_line) for name, extent in extents if name in names}


def _first_sub_suites(part: SuitePart) -> list[SubSuite]:
    """Return the sub-suites of a part that are measured in any case."""
    if part.selection is SelectionMode.WHOLE:
        return []
    if part.selection is SelectionMode.PREFIX:
        return [SubSuite(part.suite, part.first)]
    draws = range(MOST if part.size <= SMALL else FEWEST)
    inputs = part.suite.trial.inputs
    return [SubSuite(part.suite, random_selection(inputs, part.size, seed)) for seed in draws]


def _ratio(counts: tuple[int, int]) -> Fraction | None:
    executed, branches = counts
    return Fraction(executed, branches) if branches else None


def _key(sub: SubSuite) -> str:
    return f"{sub.suite.trial.key} {sha256(np.packbits(sub.mask).tobytes()).hexdigest()}"


def _read(path: Path) -> Counts:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {str(key): (int(executed), int(branches)) for key, (executed, branches) in data.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _write(path: Path, counts: Counts) -> None:
    part = path.with_name(f"{path.name}.part-{os.getpid()}")
    try:
        part.write_text(json.dumps(counts, indent=0, sort_keys=True), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({error.strerror}); make the run's folder writable") from None
