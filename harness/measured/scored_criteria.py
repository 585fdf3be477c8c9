"""Scores criteria by indexing the kill matrices of a run: which share of the score do their selections keep?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from harness.analysis.frames import checked_frame
from harness.analysis.kill_matrix import Flags, KillMatrix, Numbers
from harness.analysis.mutant_sets import mixes_of
from harness.checksums import read_whole, write_whole
from harness.errors import MutascopeError, StoreError
from harness.kernel.inputs.suites import Call, SuiteReader
from harness.measured.sampling import Versus
from harness.measuring.job import BRANCHES, CONDITIONS, EQ_CLASS
from harness.measuring.measurement import CLASS_VERSION, InputClasses, measured_classes
from harness.model.experiment import ExecutionMode, Trial
from harness.model.finitization import Finitization
from harness.model.outcome import OracleName
from harness.model.subject import Subject
from harness.runner.logs import LOGGER
from harness.runner.subjects import finitization_of, load_subject
from harness.runner.suites import ensure_suite, stored_suite
from harness.selections import SEEDS, random_keys, random_selection
from harness.store import RunStore, StoredTrial

PRODUCT = " & "
"""Stands between the names of the criteria of a product."""


@dataclass(frozen=True)
class MeasuredCriterion:
    """One criterion on one suite: the class of each input, and the unit with which it is selected.

    For a criterion of states, a unit is a state with all of its calls, as `one-per-class` takes them. A target with its
    own precondition, and criteria that look at the call, have units of one input, and separate classes for each target.
    Both are numbered from 0; the units of a class are in the order of the suite.
    """

    name: str
    classes: Numbers
    units: Numbers

    @property
    def count(self) -> int:
        """The number of classes that the suite covers."""
        return int(self.classes.max()) + 1

    def first_of_each(self) -> Flags:
        """Return the inputs of the first unit of each class."""
        return np.asarray(self._ranks(None) == 0)

    def drawn(self, seed: int) -> Flags:
        """Return the inputs of one unit of each class, drawn at random with equal chances."""
        return np.asarray(self._ranks(seed) == 0)

    def in_turn(self, sizes: Sequence[int], seed: int | None = None) -> list[Flags]:
        """Return selections of so many inputs, from as many classes as possible: one unit of each, then a second one.

        Units of a class, and classes in a turn, come in the order of the suite, or with a seed at random.
        """
        inputs = np.arange(len(self.units))
        turns = self._ranks(seed)
        if seed is not None:
            shuffled = np.argsort(np.argsort(random_keys(self.count, seed)))
            turns = turns * self.count + shuffled[self.classes]
        keys = turns * len(inputs) + inputs
        most = max(sizes, default=0)
        order = np.argpartition(keys, most - 1)[:most] if most else inputs[:0]
        order = order[np.argsort(keys[order])]
        return [_flags(order[:size], len(inputs)) for size in sizes]

    @cached_property
    def _members(self) -> tuple[Numbers, Numbers]:
        """The units with the class of each, by class, and for each input the place of its unit among them."""
        pairs, places = np.unique(np.stack([self.classes, self.units]), axis=1, return_inverse=True)
        return pairs, places.reshape(-1)

    def _ranks(self, seed: int | None) -> Numbers:
        """Return, for each input, the position of its unit among the units of its class, from 0."""
        (classes, units), places = self._members
        order = np.arange(len(units))
        if seed is not None:
            order = np.lexsort((random_keys(len(units), seed), classes))
        ranks = np.empty(len(units), dtype=np.int64)
        ranks[order] = np.arange(len(units)) - np.searchsorted(classes, classes)
        return ranks[places]


def _flags(chosen: Numbers, inputs: int) -> Flags:
    mask = np.zeros(inputs, dtype=np.bool_)
    mask[chosen] = True
    return mask


def criteria_of(classes: InputClasses, suite: SuiteReader, bounds: Finitization | None) -> list[MeasuredCriterion]:
    """Return each measured criterion, then the products of two of them, then that of all.

    Args:
        bounds: the bounds of the suite's states; None for a suite of sequences.
    """
    pairs = np.array([suite.input(number) for number in range(len(suite))], dtype=np.int64).reshape(-1, 2)
    targets = np.array([call.target for call in suite.calls], dtype=np.int64)[pairs[:, 1]]
    by_input = np.ones(len(pairs), dtype=np.bool_)
    if bounds is not None:
        by_input = np.array([target.requires is not None for target in bounds.targets], dtype=np.bool_)[targets]
    names = [name for name in (EQ_CLASS, CONDITIONS, BRANCHES) if name in classes.numbers]
    return [_criterion(chosen, classes.numbers, pairs[:, 0], targets, by_input) for chosen in _products(names)]


def _products(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for size in range(1, len(names) + 1):
        yield from combinations(names, size)


def _criterion(
    names: tuple[str, ...], numbers: Mapping[str, Sequence[int]], states: Numbers, targets: Numbers, by_input: Flags
) -> MeasuredCriterion:
    inputs = np.arange(len(states), dtype=np.int64)
    single = np.ones_like(by_input) if BRANCHES in names else by_input
    parts = [np.where(single, targets, -1), *(np.asarray(numbers[name], dtype=np.int64) for name in names)]
    _, classes = np.unique(np.stack(parts), axis=1, return_inverse=True)
    units = np.where(single, states.max() + 1 + inputs, states)
    return MeasuredCriterion(PRODUCT.join(names), classes.astype(np.int64).reshape(-1), units)


FOLDER = "criteria"
"""Within the run's."""

WHOLE = "all inputs"
NO_MIX = "none"
"""The mix of rows that count classes, and no mutants."""
KORAT, KORAT_PLUS = "korat", "korat-plus"

Row = dict[str, Any]
"""One of `frames.CRITERIA`, but for the trial."""

SIZES = (5, 10, 20, 50, 100, 200, 500, 1000)
"""The numbers of inputs at which criteria are compared, in addition to one unit per written class."""


@dataclass(frozen=True)
class Selected:
    """A selection of a suite's inputs, and where it comes from."""

    criterion: str
    classes: int | None
    mask: Flags
    whole: bool
    """Whether this is the whole selection of the criterion, instead of a prefix of the inputs in turn."""
    drawn: Sequence[Flags] = ()
    """The kills by selections with other units of each class, one per seed."""


def scored_trial(folder: Path, trial: StoredTrial, seeds: Sequence[int] = SEEDS) -> list[Row]:
    """Score the criteria of a trial in matrix mode, each with one unit per class, and at SIZES with its inputs in turn.

    Each is compared with random selections of as many inputs, one per seed. Only the original is run, once on each
    input, to learn the classes.

    Raises:
        StoreError: see `KillMatrix.load`, or the sources have changed since the run.
        MutascopeError: as `measured_classes`.
    """
    with RunStore.open_existing(folder) as store:
        matrix = KillMatrix.load(store, trial.key)
    subject = load_subject(trial.subject)
    suite = suite_of(subject, trial)
    selections = list(_selections(subject, trial, suite, matrix, seeds))
    counted = {
        name: np.array([counts(mutant) for mutant in matrix.mutants], dtype=np.bool_)
        for name, counts in mixes_of(trial.operator_set).items()
    }

    @cache
    def random(size: int) -> list[Flags]:
        return [matrix.reached_by_mask(random_selection(matrix.inputs, size, seed)) for seed in seeds]

    rows = []
    for chosen in selections:
        size = int(chosen.mask.sum())
        killed = matrix.reached_by_mask(chosen.mask)
        for mix, counts in counted.items():
            rows.append(
                {"mix": mix, "criterion": chosen.criterion, "classes": chosen.classes, "size": size}
                | {"whole": chosen.whole, "kills": int((killed & counts).sum()), "seeds": len(seeds)}
                | _random_comparison(
                    [int((flags & counts).sum()) for flags in random(size)], int((killed & counts).sum())
                )
                | {"drawn": sum(int((flags & counts).sum()) for flags in chosen.drawn) if chosen.drawn else None}
            )
    return rows


def covered_classes(trial: StoredTrial) -> list[Row]:
    """Return the number of classes that a suite of Korat+ covers, as a row without kills; none if it has no classes.

    Raises:
        MutascopeError: as `suite_of`.
    """
    header = suite_of(load_subject(trial.subject), trial).header
    if not header.classes:
        return []
    unknown = dict.fromkeys(("kills", "random", "worse", "equal", "better", "drawn"))
    counts = {
        "mix": NO_MIX,
        "criterion": KORAT_PLUS,
        "classes": len(header.classes),
        "size": header.inputs,
        "whole": True,
    }
    return [counts | {"seeds": 0} | unknown]


def suite_of(subject: Subject, trial: StoredTrial) -> SuiteReader:
    """Return the suite on which a trial was run.

    Raises:
        StoreError: spec or source were changed since, or it is not what is generated now.
    """
    if subject.content_hash != trial.subject_hash:
        raise StoreError(f"{trial}: its spec or source was changed since it was run, run it again")
    suite = stored_suite(subject, trial)
    if suite.header.digest != trial.suite_digest:
        raise StoreError(f"{trial}: its inputs are not those generated now, run it again")
    return suite


def _random_comparison(random: Sequence[int], killed: int) -> Row:
    versus = Versus.of(random, killed)
    return {"random": sum(random), "worse": versus.below, "equal": versus.equal, "better": versus.above}


def _selections(
    subject: Subject, trial: StoredTrial, suite: SuiteReader, matrix: KillMatrix, seeds: Sequence[int]
) -> Iterator[Selected]:
    yield Selected(WHOLE, None, np.ones(len(suite), dtype=np.bool_), whole=True)
    bounds = None
    if not suite.holds_sequences:
        bounds = finitization_of(subject, trial.scope).extended(suite.header.outside)
    criteria = criteria_of(measured_classes(subject, suite), suite, bounds)
    written = [int(criterion.first_of_each().sum()) for criterion in criteria if criterion.name == EQ_CLASS]
    if written and trial.generator == KORAT:
        yield _korat_plus(subject, trial, suite)
    sizes = sorted({size for size in (*SIZES, *written) if size < len(suite)})
    for criterion in criteria:
        drawn = [matrix.reached_by_mask(criterion.drawn(seed)) for seed in seeds]
        yield Selected(criterion.name, criterion.count, criterion.first_of_each(), whole=True, drawn=drawn)
        by_seed = [[matrix.reached_by_mask(mask) for mask in criterion.in_turn(sizes, seed)] for seed in seeds]
        for mask, of_size in zip(criterion.in_turn(sizes), zip(*by_seed, strict=True), strict=True):
            yield Selected(criterion.name, criterion.count, mask, whole=False, drawn=of_size)


def _korat_plus(subject: Subject, trial: StoredTrial, suite: SuiteReader) -> Selected:
    pruned = ensure_suite(subject, Trial(trial.subject, KORAT_PLUS, trial.scope, trial.seed))
    chosen = set(_inputs(pruned))
    mask = np.array([one in chosen for one in _inputs(suite)], dtype=np.bool_)
    if mask.sum() != len(pruned):
        raise StoreError(f"{trial}: an input of {KORAT_PLUS} is none of its suite")
    return Selected(KORAT_PLUS, len(pruned.header.classes), mask, whole=True)


def _inputs(suite: SuiteReader) -> Iterator[tuple[tuple[int, ...], Call]]:
    """Yield the vector and the call of each input."""
    for number in range(len(suite)):
        state, call = suite.input(number)
        yield tuple(suite.vector(state)), suite.calls[call]


def score_run(folder: Path) -> pd.DataFrame:
    """Return the criteria of all trials of a run with a kill matrix, and the classes that those of Korat+ cover.

    Rows that were scored before, with the same subject, are not scored again. Trials that cannot be scored are left
    out, with a warning.

    Returns:
        A frame of CRITERIA.

    Raises:
        StoreError: see `RunStore.open_existing`, or the run's folder cannot be written.
    """
    with RunStore.open_existing(folder) as store:
        trials = store.finished_under(OracleName.DIFFERENTIAL)
    rows: list[Row] = []
    for trial in trials:
        if trial.mode is not ExecutionMode.MATRIX and trial.generator != KORAT_PLUS:
            continue
        try:
            scored = _cached_rows(folder, trial)
        except MutascopeError as error:
            LOGGER.warning("%s: no criteria are scored: %s", trial, error)
            continue
        rows += [{"trial": trial.key} | row for row in scored]
    return checked_frame("criteria", rows)


def _cached_rows(folder: Path, trial: StoredTrial) -> list[Row]:
    """Return the rows of a trial, from the run's folder; score them if they are missing, damaged or out of date."""
    path = folder / FOLDER / f"scores-{trial.key[:16]}.json"
    identity = [CLASS_VERSION, load_subject(trial.subject).content_hash, trial.key]
    data = read_whole(path)
    if data is not None and data["made_from"] == identity:
        rows: list[Row] = data["rows"]
        return rows
    rows = scored_trial(folder, trial) if trial.mode is ExecutionMode.MATRIX else covered_classes(trial)
    write_whole(path, {"made_from": identity, "rows": rows})
    return rows
