"""Suites of one run beside each other: at equal inputs, calls and processor time, and selected by what they reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from harness.analysis.compared import SELECTIONS, SuiteKills
from harness.analysis.first_kills import FirstKills
from harness.analysis.kill_matrix import Flags, Numbers
from harness.analysis.outcome_matrix import OutcomeMatrix
from harness.runner.selections import random_keys, random_selection
from harness.store import StoredTrial

WHOLE, SELECTED, AS_MANY = "whole", "selected", "as many"
"""Of each trial by itself: its suite, the inputs that reach a condition outcome which none before them does, and as
many inputs drawn at random."""

LARGEST, INPUTS, CALLS, SECONDS = "largest", "inputs", "calls", "seconds"
"""Of generators beside each other: whole suites at the largest scope, and sub-suites within a number of inputs, of
calls, or of processor seconds of their generation."""
BESIDE = frozenset({LARGEST, INPUTS, CALLS, SECONDS})

INPUT_LIMITS = (10, 30, 100, 300, 1000)
CALL_LIMITS = (100, 300, 1000, 3000)
SECOND_LIMITS = (0.01, 0.03, 0.1, 0.3, 1.0)


@dataclass(frozen=True)
class EvaluatedSuite:
    """The suite of one trial.

    Attributes:
        calls: of each input, constructors included; 1 of a state with a call on it.
        kills: None where no mutant was run.
        seconds: processor seconds of its generation; None where they are not known.
    """

    trial: StoredTrial
    outcomes: OutcomeMatrix
    calls: Numbers
    kills: SuiteKills | None
    seconds: float | None

    @property
    def has_beginnings_only(self) -> bool:
        """Whether of its parts only beginnings can be scored."""
        return isinstance(self.kills, FirstKills)


@dataclass(frozen=True)
class Part:
    """Some inputs of a suite, one flag per input."""

    suite: EvaluatedSuite
    mask: Flags

    def killed(self) -> Flags | None:
        """For each mutant, whether they kill it; None where no mutant was run."""
        return None if self.suite.kills is None else self.suite.kills.killed_by_mask(self.mask)

    def reached(self) -> int:
        """How many condition outcomes of the class they reach."""
        outcomes = self.suite.outcomes
        return int((outcomes.reached_by_mask(self.mask) & outcomes.of_class).sum())


def one_of_each_kind(generators: Iterable[str]) -> list[str]:
    """Generators that are set beside each other: of those that differ in options, the plain or else the first one."""
    found: dict[str, str] = {}
    for name in generators:
        base = name.partition(":")[0]
        if base not in found or name == base:
            found[base] = name
    return list(found.values())


def evaluated(suites: Sequence[EvaluatedSuite]) -> Iterator[dict[str, Any]]:
    """Rows of `frames.EVALUATED` of the suites of one subject."""
    for suite in suites:
        yield from _of_suite(suite)
    names = one_of_each_kind(suite.trial.generator for suite in suites)
    by_generator = {name: _comparable([suite for suite in suites if suite.trial.generator == name]) for name in names}
    for basis, limits in ((INPUTS, INPUT_LIMITS), (CALLS, CALL_LIMITS), (SECONDS, SECOND_LIMITS)):
        for limit in limits:
            parts = {name: list(_bounded(of_name, basis, limit)) for name, of_name in by_generator.items()}
            yield from _beside(basis, limit, {name: found for name, found in parts.items() if found})
    largest = {name: list(map(_all, _largest(of_name))) for name, of_name in by_generator.items() if of_name}
    yield from _beside(LARGEST, 0, largest)


def _comparable(suites: Sequence[EvaluatedSuite]) -> list[EvaluatedSuite]:
    """Those of a generator with kill matrices, and those that are random by themselves, as several seeds tell."""
    is_random = len({suite.trial.seed for suite in suites}) > 1
    ran = [suite for suite in suites if suite.kills is not None]
    return [suite for suite in ran if is_random or not suite.has_beginnings_only]


def _of_suite(suite: EvaluatedSuite) -> Iterator[dict[str, Any]]:
    """A suite as it is, what is selected by coverage, and as many inputs at random; beside no other generator."""
    yield _row(WHOLE, 0, [_all(suite)], None)
    chosen = suite.outcomes.selected()
    if not chosen or suite.has_beginnings_only:
        return
    mask = np.zeros(suite.outcomes.inputs, dtype=np.bool_)
    mask[chosen] = True
    yield _row(SELECTED, 0, [Part(suite, mask)], None)
    if suite.kills is not None:
        drawn = [random_selection(suite.outcomes.inputs, len(chosen), seed) for seed in SELECTIONS]
        yield _row(AS_MANY, 0, [Part(suite, mask) for mask in drawn], None)


def _beside(basis: str, limit: float, parts: Mapping[str, Sequence[Part]]) -> Iterator[dict[str, Any]]:
    """The generators at one limit, with the mutants that each one alone kills, by at least half of its sub-suites."""
    killed = {name: _by_half(of_name) for name, of_name in parts.items()}
    for name, of_name in parts.items():
        others = [flags for other, flags in killed.items() if other != name]
        alone = killed[name] & ~np.any(others, axis=0) if others else killed[name]
        yield _row(basis, limit, of_name, int(alone.sum()))


def _by_half(parts: Sequence[Part]) -> Flags:
    flags = [found for part in parts if (found := part.killed()) is not None]
    return np.asarray(2 * np.sum(flags, axis=0) >= len(flags))


def _row(basis: str, limit: float, parts: Sequence[Part], alone: int | None) -> dict[str, Any]:
    first = parts[0].suite
    killed = [int(flags.sum()) for part in parts if (flags := part.killed()) is not None]
    return {
        "trial": first.trial.key,
        "basis": basis,
        "limit": float(limit),
        "suites": len(parts),
        "size": float(median(int(part.mask.sum()) for part in parts)),
        "calls": float(median(int(part.suite.calls[part.mask].sum()) for part in parts)),
        "outcomes": int(first.outcomes.of_class.sum()),
        "reached_median": float(median(part.reached() for part in parts)),
        "mutants": None if first.kills is None else len(first.kills.mutants),
        "killed_median": float(median(killed)) if killed else None,
        "alone": alone,
    }


def _bounded(suites: Sequence[EvaluatedSuite], basis: str, limit: float) -> Iterator[Part]:
    """Sub-suites of one generator that keep a limit and use it up; none where no suite is as large.

    Of several scopes the smallest suite that is large enough counts, of processor time the largest that was made in
    time. Of a suite that is random by itself the beginning is taken, at an even rate of inputs, else random inputs.
    """
    for of_seed in _by_seed(suites).values():
        if basis == SECONDS:
            yield from _in_time(of_seed, limit)
            continue
        large = [suite for suite in of_seed if (len(suite.calls) if basis == INPUTS else suite.calls.sum()) >= limit]
        if not large:
            continue
        suite = min(large, key=lambda s: s.trial.scope)
        if suite.has_beginnings_only:
            yield Part(suite, _taken(suite, np.arange(len(suite.calls)), basis, limit))
        else:
            orders = (np.argsort(random_keys(len(suite.calls), seed), kind="stable") for seed in SELECTIONS)
            yield from (Part(suite, _taken(suite, order, basis, limit)) for order in orders)


def _taken(suite: EvaluatedSuite, order: Numbers, basis: str, limit: float) -> Flags:
    """The first inputs of an order that keep within a limit, as one flag per input."""
    spent = np.arange(1, len(order) + 1) if basis == INPUTS else np.cumsum(suite.calls[order])
    mask = np.zeros(len(order), dtype=np.bool_)
    mask[order[spent <= limit]] = True
    return mask


def _in_time(suites: Sequence[EvaluatedSuite], limit: float) -> Iterator[Part]:
    known = [suite for suite in suites if suite.seconds is not None]
    in_time = [suite for suite in known if suite.seconds is not None and suite.seconds <= limit]
    if in_time:
        yield _all(max(in_time, key=lambda suite: suite.trial.scope))
        return
    for suite in known[:1]:
        if suite.has_beginnings_only and suite.seconds:
            size = int(len(suite.calls) * limit / suite.seconds)
            if size:
                yield Part(suite, np.arange(len(suite.calls)) < size)


def _largest(suites: Sequence[EvaluatedSuite]) -> list[EvaluatedSuite]:
    return [max(of_seed, key=lambda suite: suite.trial.scope) for of_seed in _by_seed(suites).values()]


def _by_seed(suites: Sequence[EvaluatedSuite]) -> dict[int, list[EvaluatedSuite]]:
    found: dict[int, list[EvaluatedSuite]] = {}
    for suite in suites:
        found.setdefault(suite.trial.seed, []).append(suite)
    return found


def _all(suite: EvaluatedSuite) -> Part:
    return Part(suite, np.ones(len(suite.calls), dtype=np.bool_))
