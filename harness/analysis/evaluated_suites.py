"""Evaluates the suites of one subject: their coverage and kills, and comparisons of generators at one scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import median
from typing import Any

import numpy as np

from harness.analysis.comparable_suites import SubjectComparison, SuiteKills
from harness.analysis.compared import Basis, Calls, SelectionMode, SuitePart, parts, whole_suites
from harness.analysis.first_kills import FirstKills
from harness.analysis.hypergeometric import expected_reached
from harness.analysis.kill_matrix import Flags, KillMatrix, Numbers
from harness.analysis.outcome_matrix import OutcomeMatrix
from harness.store import StoredTrial

WHOLE, SELECTED, AS_MANY = "whole", "selected", "as many"
"""The bases of single trials: the suite, the inputs that reach a condition outcome which no earlier input reaches, and
as many inputs drawn at random.
"""

ALL = "all"
"""The whole suites of generators at one scope; `Basis` has the budgets at which they are compared otherwise."""

COMPARED_BASES = frozenset({ALL, *(basis.value for basis in Basis)})

BY_OUTCOMES = "selected by outcomes"
"""The value of `taken` for inputs that are neither a part nor the whole of a `SelectionMode`."""

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
    kills: SuiteKills | None


@dataclass(frozen=True)
class Worth:
    """The size and the results of some inputs of a suite; of inputs drawn at random, exact means over all draws.

    Attributes:
        reached: condition outcomes of the class.
        killed: mutants; None where no mutant was run.
    """

    inputs: int
    calls: Fraction
    reached: Fraction
    killed: Fraction | None


def one_of_each_kind(generators: Iterable[str]) -> list[str]:
    """Return the generators to be compared: of those that differ in options only, the plain one or else the first."""
    chosen: dict[str, str] = {}
    for name in generators:
        base = name.partition(":")[0]
        if base not in chosen or name == base:
            chosen[base] = name
    return list(chosen.values())


def evaluated(suites: Sequence[EvaluatedSuite], compared: Iterable[SubjectComparison]) -> Iterator[dict[str, Any]]:
    """Yield the rows of `columns.EVALUATED` of one subject.

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
            name: [suite for suite in at_scope.suites.get(name, ()) if _identity(suite.trial) in by_identity]
            for name in names
        }
        for basis, limits in LIMITS.items():
            for limit in limits:
                chosen = {name: parts(of_name, basis, limit, _calls(by_identity)) for name, of_name in measured.items()}
                yield from _comparison_rows(basis.value, limit, chosen, by_identity)
        yield from _comparison_rows(
            ALL, Fraction(), {name: whole_suites(of) for name, of in measured.items()}, by_identity
        )


SuitesByIdentity = Mapping[tuple[object, ...], EvaluatedSuite]
"""Suites with their outcomes, by generator, digest and policy of sequences."""


def _identity(trial: StoredTrial) -> tuple[object, ...]:
    return trial.generator, trial.suite_digest, trial.sequences


def _calls(by_identity: SuitesByIdentity) -> Calls:
    return lambda suite: by_identity[_identity(suite.trial)].calls


def _of_suite(suite: EvaluatedSuite) -> Iterator[dict[str, Any]]:
    """Yield the rows of one suite: all of it, the inputs selected by coverage, and as many inputs at random."""
    inputs = suite.outcomes.inputs
    yield _row(suite, WHOLE, SelectionMode.WHOLE.value, [_of_inputs(suite, np.ones(inputs, dtype=np.bool_))])
    chosen = suite.outcomes.selected()
    if not chosen or isinstance(suite.kills, FirstKills):
        return
    mask = np.zeros(inputs, dtype=np.bool_)
    mask[chosen] = True
    yield _row(suite, SELECTED, BY_OUTCOMES, [_of_inputs(suite, mask)])
    if suite.kills is not None:
        yield _row(suite, AS_MANY, SelectionMode.DRAWN.value, [_of_draw(suite, len(chosen))])


def _comparison_rows(
    basis: str, limit: Fraction, chosen: Mapping[str, Sequence[SuitePart]], by_identity: SuitesByIdentity
) -> Iterator[dict[str, Any]]:
    """Yield a row for each generator at one scope and limit, with the mutants that it alone kills by half or more."""
    by_name = {name: suite_parts for name, suite_parts in chosen.items() if suite_parts}
    killed = {name: _by_half(suite_parts) for name, suite_parts in by_name.items()}
    for name, suite_parts in by_name.items():
        other_flags = [flags for other, flags in killed.items() if other != name]
        only_here = killed[name] & ~np.any(other_flags, axis=0) if other_flags else killed[name]
        first = replace(
            by_identity[_identity(suite_parts[0].suite.trial)],
            trial=suite_parts[0].suite.trial,
            kills=suite_parts[0].suite.kills,
        )
        selections = ", ".join(sorted({part.selection.value for part in suite_parts}))
        yield _row(
            first, basis, selections, [_of_part(part, by_identity) for part in suite_parts], limit, int(only_here.sum())
        )


def _by_half(chosen: Sequence[SuitePart]) -> Flags:
    """Return for each mutant whether a part of one of the suites kills it with a chance of at least one half."""
    chances = [part.chances() for part in chosen]
    return np.array([2 * sum(of_mutant) >= len(chosen) for of_mutant in zip(*chances, strict=True)], dtype=np.bool_)


def _row(
    first: EvaluatedSuite,
    basis: str,
    selection: str,
    worths: Sequence[Worth],
    limit: Fraction = Fraction(),
    sole_kills: int | None = None,
) -> dict[str, Any]:
    killed = [worth.killed for worth in worths if worth.killed is not None]
    return {
        "trial": first.trial.key,
        "basis": basis,
        "limit": float(limit),
        "taken": selection,
        "suites": len(worths),
        "size": float(median(worth.inputs for worth in worths)),
        "calls": float(median(worth.calls for worth in worths)),
        "outcomes": int(first.outcomes.of_class.sum()),
        "reached_median": float(median(worth.reached for worth in worths)),
        "mutants": None if first.kills is None else len(first.kills.mutants),
        "killed_median": float(median(killed)) if killed else None,
        "alone": sole_kills,
    }


def _of_part(part: SuitePart, by_identity: SuitesByIdentity) -> Worth:
    suite = replace(by_identity[_identity(part.suite.trial)], kills=part.suite.kills)
    return _of_draw(suite, part.size) if part.selection is SelectionMode.DRAWN else _of_inputs(suite, part.first)


def _of_inputs(suite: EvaluatedSuite, mask: Flags) -> Worth:
    outcomes, kills = suite.outcomes, suite.kills
    return Worth(
        int(mask.sum()),
        Fraction(int(suite.calls[mask].sum())),
        Fraction(int((outcomes.reached_by_mask(mask) & outcomes.of_class).sum())),
        None if kills is None else Fraction(int(kills.killed_by_mask(mask).sum())),
    )


def _of_draw(suite: EvaluatedSuite, size: int) -> Worth:
    outcomes, kills = suite.outcomes, suite.kills
    reaching = outcomes.reaching_inputs()[outcomes.of_class].tolist()
    return Worth(
        size,
        Fraction(size * int(suite.calls.sum()), outcomes.inputs),
        expected_reached(reaching, outcomes.inputs, size),
        expected_reached(kills.killing_inputs(), outcomes.inputs, size) if isinstance(kills, KillMatrix) else None,
    )
