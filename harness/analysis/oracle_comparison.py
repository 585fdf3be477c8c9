"""Compares the differential oracle with another one by the scores of the same mutants and inputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from harness.analysis.frames import RunFrames, records
from harness.analysis.measures import NONE_PROVEN, Proven, counted
from harness.model.outcome import MutationScore, OracleName, ScorePolicy
from harness.store.facts import EXECUTED, SETTINGS, SOURCES, SUITE

_SAME = [name for name in (*SUITE, *SETTINGS, *EXECUTED, *SOURCES, "inputs") if name != "oracle"]
"""The facts in which two trials agree that differ only in their oracle."""


@dataclass(frozen=True)
class OracleCost:
    """One trial under the differential oracle and under another one.

    `missed` counts the mutants that only the differential oracle kills, by its reason. `only_other` are those that only
    the other oracle kills. The postcondition oracle does so by a call before the last one of a sequence, since the
    differential oracle does not compare the states there.
    """

    trial: Mapping[str, Any]
    oracle: OracleName
    differential: MutationScore
    other: MutationScore
    missed: Mapping[str, int]
    only_other: int

    @property
    def reasons(self) -> str:
        """The reasons of the kills by the differential oracle alone."""
        return ", ".join(f"{reason} {count}" for reason, count in sorted(self.missed.items()))


def oracle_costs(
    frames: RunFrames, policy: ScorePolicy = ScorePolicy.ALL_VIABLE, proven: Proven = NONE_PROVEN
) -> list[OracleCost]:
    """Return the finished trials of a run that the differential oracle and another one judged, in the order of the run.

    Args:
        frames: the run's frames under every oracle (`Run.all_frames`).

    Raises:
        StoreError: an argument calls a killed mutant equivalent.
    """
    results = counted(frames, policy, proven)
    by_oracle: dict[tuple[str, ...], dict[str, dict[str, Any]]] = {}
    for trial in records(frames.trials[frames.trials["finished"]]):
        by_oracle.setdefault(tuple(str(trial[name]) for name in _SAME), {})[trial["oracle"]] = trial
    return [
        _cost(trials[OracleName.DIFFERENTIAL.value], trials[oracle.value], oracle, results, policy)
        for trials in by_oracle.values()
        for oracle in OracleName
        if oracle is not OracleName.DIFFERENTIAL and {OracleName.DIFFERENTIAL.value, oracle.value} <= trials.keys()
    ]


def _cost(
    trial: Mapping[str, Any],
    other_trial: Mapping[str, Any],
    oracle: OracleName,
    results: pd.DataFrame,
    policy: ScorePolicy,
) -> OracleCost:
    compared, other = (results[results["trial"] == one["trial"]].set_index("mutant") for one in (trial, other_trial))
    killed, other_kills = compared["killed"], other["killed"].reindex(compared.index, fill_value=False).astype(bool)
    return OracleCost(
        trial,
        oracle,
        MutationScore(int(killed.sum()), len(compared), policy),
        MutationScore(int(other_kills.sum()), len(other), policy),
        Counter(map(str, compared[killed & ~other_kills]["reason"])),
        int((other_kills & ~killed).sum()),
    )
