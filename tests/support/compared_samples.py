"""A made-up run of three generators on one subject, with full kill matrices written by hand."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from support.store_samples import MUTANTS, trial

from harness.model.experiment import ExecutionMode
from harness.model.outcome import KillReason, MutantResult, Phase, Verdict
from harness.store import KillRow, RunStore

FIRST, SECOND, THIRD = (mutant.id for mutant in MUTANTS[:3])
Kills = Mapping[str, Sequence[int]]


def store_matrix(
    store: RunStore, inputs: int, kills: Kills, mode: ExecutionMode = ExecutionMode.MATRIX, **changes: object
) -> None:
    """A finished trial; `kills` are the numbers of the killing inputs by mutant."""
    mutants = store.mutants.add(MUTANTS[:3])
    key = store.trials.add(trial(mutants, inputs=inputs, mode=mode, **changes))
    for mutant in (FIRST, SECOND, THIRD):
        killing = sorted(kills.get(mutant, ()))
        result = MutantResult(mutant, Verdict.SURVIVED, inputs, inputs)
        if killing:
            result = MutantResult(mutant, Verdict.KILLED, inputs, 1, KillReason.OUTPUT, Phase.CALL, killing[0], "x")
        row = KillRow.of_kills(mutant, inputs, killing) if mode is ExecutionMode.MATRIX else None
        store.results.add(key, result, kill_row=row)
    store.finished.add(key)


def write_run(folder: Path, random: ExecutionMode = ExecutionMode.MATRIX) -> Path:
    """Korat at scopes 2 and 3, random with seeds 1 to 10, BEAPI at scope 2.

    Korat kills FIRST by input 0 of 20, at scope 3 by all of 40, and SECOND by none. Random kills SECOND by input
    `seed`, and FIRST by no input. THIRD is killed by BEAPI alone.
    """
    with RunStore.open(folder) as store:
        store_matrix(store, 20, {FIRST: [0]}, scope=2, suite_digest="k2")
        store_matrix(store, 40, {FIRST: range(40)}, scope=3, suite_digest="k3")
        for seed in range(1, 11):
            store_matrix(store, 30, {SECOND: [seed]}, random, generator="random", seed=seed, suite_digest=f"r{seed}")
        store_matrix(store, 20, {FIRST: [1], THIRD: [1]}, generator="beapi", suite_digest="b")
    return folder
