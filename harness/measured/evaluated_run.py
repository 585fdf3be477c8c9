"""Evaluates the suites of a run: the coverage and kills of each, and comparisons of generators at one scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from harness.analysis.compared import (
    Basis,
    Budget,
    Floats,
    Part,
    Row,
    Rule,
    SubjectComparison,
    SubSuites,
    comparable_suites,
    rows,
)
from harness.analysis.frames import checked_frame
from harness.analysis.kill_matrix import FirstKills, Flags, KillMatrix, Numbers, OutcomeMatrix
from harness.measured.condition_outcome_cache import trials_with_outcomes
from harness.measured.fixed_domains import fixed_domains
from harness.measured.scored_criteria import suite_of
from harness.measured.suite_inputs import calls_of
from harness.model.experiment import ExecutionMode
from harness.runner.logs import LOGGER
from harness.runner.subjects import load_subject
from harness.store import RunStore, StoredTrial

WHOLE, SELECTED, AS_MANY = "whole", "selected", "as many"
"""The bases of single trials: the suite, the inputs that reach a condition outcome which no earlier input reaches, and
as many inputs drawn at random.
"""

ALL = "all"
"""The whole suites of generators at one scope; `Basis` has the budgets at which they are compared otherwise."""

DRAWN, BY_OUTCOMES = "drawn at random", "selected by outcomes"
"""The values of `taken`, in addition to WHOLE."""

LIMITS: Mapping[Basis, tuple[Fraction, ...]] = {
    Basis.INPUTS: tuple(map(Fraction, (10, 30, 100, 300, 1000))),
    Basis.CALLS: tuple(map(Fraction, (100, 300, 1000, 3000))),
    Basis.SECONDS: tuple(map(Fraction, ("0.01", "0.03", "0.1", "0.3", "1"))),
}


@dataclass(frozen=True)
class EvaluatedSuite:
    """The suite of one trial.

    Attributes:
        calls: of each input, constructors included; 1 of a state with a call on it.
        kills: None where no mutant was run.
    """

    trial: StoredTrial
    outcomes: OutcomeMatrix
    calls: Numbers
    kills: KillMatrix | FirstKills | None


def one_of_each_kind(generators: Iterable[str]) -> list[str]:
    """Return the generators to be compared: of those that differ in options only, the plain one or else the first."""
    chosen: dict[str, str] = {}
    for name in generators:
        base = name.partition(":")[0]
        if base not in chosen or name == base:
            chosen[base] = name
    return list(chosen.values())


def evaluated(suites: Sequence[EvaluatedSuite], compared: Iterable[SubjectComparison]) -> Iterator[dict[str, Any]]:
    """Yield the rows of `frames.EVALUATED` of one subject.

    Args:
        suites: all suites of the subject.
        compared: the comparable suites, by scope.
    """
    for suite in suites:
        yield from _of_suite(suite)
    names = one_of_each_kind(suite.trial.generator for suite in suites)
    by_identity = {_identity(suite.trial): suite for suite in suites}
    for at_scope in compared:
        measured = {
            name: [
                replace(suite, calls=by_identity[_identity(suite.trial)].calls)
                for suite in at_scope.suites.get(name, ())
                if _identity(suite.trial) in by_identity
            ]
            for name in names
        }
        of_scope = replace(at_scope, suites={name: of_name for name, of_name in measured.items() if of_name})
        budgets = [Budget(basis, limit) for basis, limits in LIMITS.items() for limit in limits]
        for group in rows([of_scope], budgets, Rule.DRAWN):
            yield from _comparison_rows(group, by_identity)


SuitesByIdentity = Mapping[tuple[object, ...], EvaluatedSuite]
"""Suites with their outcomes, by generator, digest and policy of sequences."""


def _identity(trial: StoredTrial) -> tuple[object, ...]:
    return trial.generator, trial.suite_digest, trial.sequences


def _of_suite(suite: EvaluatedSuite) -> Iterator[dict[str, Any]]:
    """Yield the rows of one suite: all of it, the inputs selected by coverage, and as many inputs at random."""
    inputs = suite.outcomes.inputs
    yield _of_inputs(suite, np.ones(inputs, dtype=np.bool_)) | {"basis": WHOLE, "taken": WHOLE}
    chosen = suite.outcomes.selected()
    if not chosen or isinstance(suite.kills, FirstKills):
        return
    mask = np.zeros(inputs, dtype=np.bool_)
    mask[chosen] = True
    yield _of_inputs(suite, mask) | {"basis": SELECTED, "taken": BY_OUTCOMES}
    if suite.kills is not None:
        part = Part(inputs, len(chosen))
        reached, killed = 1 - part.missed(suite.outcomes), 1 - part.missed(suite.kills)
        yield _row(suite, reached, killed) | {
            "basis": AS_MANY, "taken": DRAWN, "size": float(part.size), "calls": part.calls(suite.calls)
        }  # fmt: skip


def _of_inputs(suite: EvaluatedSuite, mask: Flags) -> dict[str, Any]:
    killed = None if suite.kills is None else suite.kills.reached_by_mask(mask).astype(np.float64)
    sizes = {"size": float(mask.sum()), "calls": float(suite.calls[mask].sum())}
    return _row(suite, suite.outcomes.reached_by_mask(mask).astype(np.float64), killed) | sizes


def _comparison_rows(group: Sequence[Row], by_identity: SuitesByIdentity) -> Iterator[dict[str, Any]]:
    """Yield a row for each generator at one scope and budget, with the mutants that it alone kills by half or more."""
    chances = {row.generator: row.suites.chances() for row in group if isinstance(row.suites, SubSuites)}
    for row in group:
        if isinstance(row.suites, str):
            continue
        others = [2 * chance >= 1 for name, chance in chances.items() if name != row.generator]
        alone = (2 * chances[row.generator] >= 1) & ~np.any([*others, np.zeros(len(chances[row.generator]))], axis=0)
        compared, _ = row.suites.parts[0]
        first = replace(by_identity[_identity(compared.trial)], trial=compared.trial, kills=compared.kills)
        reached = row.suites.chances(lambda suite: by_identity[_identity(suite.trial)].outcomes)
        is_whole = all(part.size == part.inputs for _, part in row.suites.parts)
        yield _row(first, reached, chances[row.generator]) | {
            "basis": ALL if row.budget is None else row.budget.basis.value,
            "limit": 0.0 if row.budget is None else float(row.budget.limit),
            "taken": WHOLE if is_whole else DRAWN,
            "suites": len(row.suites.parts),
            "size": row.suites.inputs,
            "calls": row.suites.calls,
            "alone": int(alone.sum()),
        }


def _row(suite: EvaluatedSuite, reached: Floats, killed: Floats | None) -> dict[str, Any]:
    """Return what the rows of one suite have in common; `reached` and `killed` are chances of each target."""
    return {
        "trial": suite.trial.key,
        "limit": 0.0,
        "suites": 1,
        "outcomes": int(suite.outcomes.of_class.sum()),
        "reached_median": float(reached[suite.outcomes.of_class].sum()),
        "mutants": None if suite.kills is None else len(suite.kills.mutants),
        "killed_median": None if killed is None else float(killed.sum()),
        "alone": None,
    }


def evaluate_run(folder: Path) -> pd.DataFrame:
    """Return a frame of EVALUATED for a run's finished trials; condition outcomes are measured if they are not stored.

    A warning names each domain that one generator varies and another fixes.

    Raises:
        StoreError: as `trials_with_outcomes`, and as `comparable_suites`.
    """
    by_subject: dict[str, list[EvaluatedSuite]] = {}
    trials = trials_with_outcomes(folder)
    compared = comparable_suites(folder)
    for line in (line for at_scope in compared for line in fixed_domains(at_scope)):
        LOGGER.warning("%s", line)
    loaded = {suite.trial.key: suite.kills for one in compared for of in one.suites.values() for suite in of}
    with RunStore.open_existing(folder) as store:
        for trial, outcomes in trials:
            suite = suite_of(load_subject(trial.subject), trial)
            kills = loaded[trial.key] if trial.key in loaded else _kills(store, trial)
            by_subject.setdefault(trial.subject, []).append(EvaluatedSuite(trial, outcomes, calls_of(suite), kills))
    of_suites: list[dict[str, Any]] = [
        row
        for subject, suites in by_subject.items()
        for row in evaluated(suites, [one for one in compared if one.subject == subject])
    ]
    return checked_frame("evaluated", of_suites)


def _kills(store: RunStore, trial: StoredTrial) -> KillMatrix | FirstKills | None:
    if trial.mode is ExecutionMode.MATRIX:
        return KillMatrix.load(store, trial.key)
    return FirstKills.load(store, trial.key) if trial.mode is ExecutionMode.FIRST_KILL else None
