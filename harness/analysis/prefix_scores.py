"""Scores prefixes of random suites from the first kills of the whole suite.

The suite of `random:1000` is the prefix of that of `random:1000000` with the same seed. One run of the longest suite
therefore scores all sizes: the first N inputs kill a mutant if its first killing input is one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pandas as pd

from harness.analysis.first_kills import first_killing, refuse_unknown_inputs
from harness.analysis.frames import RunFrames, records
from harness.analysis.measures import NONE_PROVEN, Proven, counted
from harness.analysis.spread import Spread
from harness.analysis.titles import text_of
from harness.model.experiment import ExecutionMode
from harness.model.score import MutationScore, ScorePolicy
from harness.store.facts import CONDITIONS

GENERATOR = "random"
"""The generator whose suites are prefixes of longer ones, with any options after its colon."""

SEEDS_AS_PRINTED = 3
"""Table 3 of field_exhaustive2016 prints the maximum over so many seeds."""

SHARED_FIELDS = ("generator", *CONDITIONS, "mutant_set", "source_hash")
"""What seeds have in common that are compared, beside subject, scope, oracle and size; the generator has no number."""


@dataclass(frozen=True)
class PrefixScore:
    """The score of the first `size` inputs of one seed's suite under one oracle, with the texts of `SHARED_FIELDS`."""

    subject: str
    title: str
    scope: int
    seed: int
    oracle: str
    size: int
    score: MutationScore
    shared_values: tuple[str, ...]


@dataclass(frozen=True)
class OverSeeds:
    """One subject, scope, oracle and size: scores by seed, in the order of the run.

    The seeds were run with the same options, under the same conditions and on the same mutants: these are
    `shared_values`, the texts of `SHARED_FIELDS`.
    """

    subject: str
    title: str
    scope: int
    oracle: str
    size: int
    shared_values: tuple[str, ...]
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
        StoreError: a mutant died at an unknown input.
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
                shared_values=_shared_values(trial),
            )
            for size in sizes
            if size <= trial["inputs"]
        ]
    return scored


def over_seeds(prefixes: Iterable[PrefixScore]) -> list[OverSeeds]:
    """Group the prefixes of equal size and equal shared values, without those whose mutants do not count."""
    grouped: dict[tuple[str, str, int, str, int, tuple[str, ...]], list[PrefixScore]] = {}
    for one in prefixes:
        if one.score.ratio is not None:
            key = one.subject, one.title, one.scope, one.oracle, one.size, one.shared_values
            grouped.setdefault(key, []).append(one)
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
        identity = *(trial[key] for key in ("subject", "scope", "seed", "oracle")), *_shared_values(trial)
        before = chosen.get(identity)
        if before is None or int(trial["inputs"]) > int(before["inputs"]):
            chosen[identity] = trial
    return list(chosen.values())


def _shared_values(trial: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the texts of `SHARED_FIELDS` of a trial."""
    options = [one for one in str(trial["generator"]).partition(":")[2].split(",") if "=" in one]
    generator = ":".join([GENERATOR, *[",".join(sorted(options))] * bool(options)])
    return (generator, *(text_of(trial[name]) for name in SHARED_FIELDS[1:]))


def _first_kills(results: pd.DataFrame) -> dict[str, int]:
    """Return the first killing input of each killed mutant, as `first_killing` tells it."""
    return {
        row["mutant"]: first_killing(None if pd.isna(row["input"]) else int(row["input"]), row["phase"])
        for row in records(results[results["killed"]])
    }
