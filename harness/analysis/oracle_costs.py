"""What an oracle costs in score: the same mutants and inputs, judged by comparison and by what the spec promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.analysis.frames import RunFrames, records
from harness.analysis.measures import NONE_PROVEN, Proven, counted
from harness.model.outcome import OracleName
from harness.model.score import MutationScore, ScorePolicy

_SAME = (
    "subject", "generator", "generator_version", "scope", "seed", "inputs", "operator_set", "mode", "approach",
    "concrete", "sequences", "observed", "source_hash", "subject_hash", "version",
)  # fmt: skip
"""What two trials agree in that differ in their oracle alone."""


@dataclass(frozen=True)
class OracleCost:
    """One trial under both oracles.

    `missed` counts the mutants that only the differential oracle kills, by its reason; `only_promised` are those
    that only the postcondition oracle kills: by a call before the last one of a sequence, whose state nobody compares.
    """

    trial: Mapping[str, Any]
    differential: MutationScore
    postcondition: MutationScore
    missed: Mapping[str, int]
    only_promised: int


def oracle_costs(
    frames: RunFrames, policy: ScorePolicy = ScorePolicy.ALL_VIABLE, proven: Proven = NONE_PROVEN
) -> list[OracleCost]:
    """The finished trials of a run that were judged by both oracles, in the order of the run.

    Args:
        frames: under every oracle (`Run.all_frames`).

    Raises:
        StoreError: a killed mutant is said to be proven equivalent.
    """
    results = counted(frames, policy, proven)
    by_oracle: dict[tuple[str, ...], dict[str, dict[str, Any]]] = {}
    for trial in records(frames.trials[frames.trials["finished"]]):
        by_oracle.setdefault(tuple(str(trial[name]) for name in _SAME), {})[trial["oracle"]] = trial
    found = []
    for trials in by_oracle.values():
        if len(trials) < len(OracleName):
            continue
        compared, promised = (
            results[results["trial"] == trials[oracle.value]["trial"]].set_index("mutant") for oracle in OracleName
        )
        killed, promised_kills = (
            compared["killed"],
            promised["killed"].reindex(compared.index, fill_value=False).astype(bool),
        )
        missed = compared[killed & ~promised_kills]
        found.append(
            OracleCost(
                trials[OracleName.DIFFERENTIAL.value],
                MutationScore(int(killed.sum()), len(compared), policy),
                MutationScore(int(promised_kills.sum()), len(promised), policy),
                Counter(map(str, missed["reason"])),
                int((promised_kills & ~killed).sum()),
            )
        )
    return found
