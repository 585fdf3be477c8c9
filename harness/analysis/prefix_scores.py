"""Scores prefixes of random suites from the first kills of the whole suite.

The suite of `random:1000` is the prefix of that of `random:1000000` with the same seed. One run of the longest suite
therefore scores all sizes: the first N inputs kill a mutant if its first killing input is one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pandas as pd

from harness.analysis.first_kills import first_killing, refuse_unknown_inputs
from harness.analysis.frames import RunFrames, records
from harness.analysis.measures import NONE_PROVEN, Proven, counted
from harness.analysis.spread import Spread
from harness.model.experiment import ExecutionMode
from harness.model.score import MutationScore, ScorePolicy

GENERATOR = "random"
"""The generator whose suites are prefixes of longer ones, with any options after its colon."""

SEEDS_AS_PRINTED = 3
"""Table 3 of field_exhaustive2016 prints the maximum over so many seeds."""


@dataclass(frozen=True)
class PrefixScore:
    """The score of the first `size` inputs of one seed's suite under one oracle."""

    subject: str
    title: str
    scope: int
    seed: int
    oracle: str
    size: int
    score: MutationScore


@dataclass(frozen=True)
class OverSeeds:
    """One subject, scope, oracle and size: scores by seed, in the order of the run."""

    subject: str
    title: str
    scope: int
    oracle: str
    size: int
    seeds: tuple[int, ...]
    ratios: tuple[Fraction, ...]

    @property
    def maximum(self) -> Fraction:
        """Of the first seeds, as many as the paper has, or of all where there are fewer."""
        return max(self.ratios[:SEEDS_AS_PRINTED])

    @property
    def mean(self) -> Fraction:
        """Over all seeds."""
        return sum(self.ratios, Fraction()) / len(self.ratios)

    @property
    def spread(self) -> Spread:
        """The median over all seeds, with an interval that assumes nothing of their distribution."""
        return Spread.of(self.ratios)


def beginnings(
    frames: RunFrames,
    sizes: Sequence[int],
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE,
    proven: Proven = NONE_PROVEN,
) -> list[PrefixScore]:
    """Return the scores of prefixes of finished random suites, under every oracle in `frames`, by trial and size.

    If a seed was run with several numbers of inputs, its largest suite is used; sizes beyond it are left out.

    Raises:
        StoreError: the seeds of a subject were run on different mutants or sources, or a mutant died at an unknown
            input.
        ValueError: a size below 1.
    """
    if any(size < 1 for size in sizes):
        raise ValueError(f"sizes are whole numbers from 1, not {list(sizes)}")
    results = counted(frames, policy, proven)
    scored = []
    for trial in _largest(frames):
        mine = results[results["trial"] == trial["trial"]]
        first = _first_kills(mine)
        if any(size < trial["inputs"] for size in sizes):
            refuse_unknown_inputs(first, trial["trial"])
        scored += [
            PrefixScore(
                **{name: trial[name] for name in ("subject", "title", "scope", "seed", "oracle")},
                size=size,
                score=MutationScore(sum(number < size for number in first.values()), len(mine), policy),
            )
            for size in sizes
            if size <= trial["inputs"]
        ]
    return scored


def over_seeds(prefixes: Iterable[PrefixScore]) -> list[OverSeeds]:
    """Group the prefixes of equal size, without those whose mutants do not count."""
    grouped: dict[tuple[str, str, int, str, int], list[PrefixScore]] = {}
    for one in prefixes:
        if one.score.ratio is not None:
            grouped.setdefault((one.subject, one.title, one.scope, one.oracle, one.size), []).append(one)
    return [
        OverSeeds(
            *key,
            tuple(one.seed for one in group),
            tuple(Fraction(one.score.killed, one.score.counted) for one in group),
        )
        for key, group in grouped.items()
    ]


def _largest(frames: RunFrames) -> list[dict[str, Any]]:
    """Return the finished random trials with mutants; if only their numbers of inputs differ, the largest."""
    chosen: dict[tuple[object, ...], dict[str, Any]] = {}
    for trial in records(frames.trials):
        name = str(trial["generator"])
        if (
            name.partition(":")[0] != GENERATOR
            or not trial["finished"]
            or trial["mode"] == ExecutionMode.GENERATE.value
        ):
            continue
        identity = tuple(trial[key] for key in ("subject", "scope", "seed", "oracle", "operator_set", "sequences"))
        before = chosen.get(identity)
        if before is None or int(trial["inputs"]) > int(before["inputs"]):
            chosen[identity] = trial
    return list(chosen.values())


def _first_kills(results: pd.DataFrame) -> dict[str, int]:
    """Return the first killing input of each killed mutant, as `first_killing` tells it."""
    return {
        row["mutant"]: first_killing(None if pd.isna(row["input"]) else int(row["input"]), row["phase"])
        for row in records(results[results["killed"]])
    }
