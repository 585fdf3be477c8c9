"""Describes which tests kill and reach each mutant, and which mutants each test alone kills, as far as a run knows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from harness.model.experiment import ExecutionMode
from harness.model.outcome import MutantResult
from harness.store import RunStore, StoredTrial

MOST_TESTS = 5_000
"""The greatest size of a suite whose killers are named. Those of larger ones are counted, since a page could not hold
them.
"""


@dataclass(frozen=True)
class KillsOfTest:
    """The numbers of mutants that a test kills, kills as the only one of the suite, and reaches.

    In a run up to first kills, `kills` are the mutants that it was the first to kill. None if the run does not know.
    """

    kills: int
    sole_kills: int | None
    reached: int | None


@dataclass(frozen=True)
class Killers:
    """The tests (or inputs) of a suite, by number, that kill and reach the mutants of a trial.

    `complete` says that all tests ran on each mutant; otherwise only one killer of a mutant is known. Sets of tests are
    whole numbers whose bit `i` stands for test `i`. `kills` and `reached` lack mutants whose tests are unknown, or not
    kept (`MOST_TESTS`). Complete runs have `counts` and `sole_killers`, however many tests there are.
    """

    tests: int
    complete: bool
    kills: Mapping[str, int]
    reached: Mapping[str, int]
    counts: Mapping[str, int]
    """The number of tests that kill each mutant."""
    sole_killers: Mapping[str, int]
    """The killing test of each mutant that exactly one test kills."""

    def by_test(self) -> list[KillsOfTest]:
        """Return the numbers of each test of the suite; empty if it has more than `MOST_TESTS`."""
        if self.tests > MOST_TESTS:
            return []
        kills, reached = (_per_test(rows, self.tests) for rows in (self.kills.values(), self.reached.values()))
        alone_kills = [0] * self.tests
        for test in self.sole_killers.values():
            alone_kills[test] += 1
        return [
            KillsOfTest(
                kills[test], alone_kills[test] if self.complete else None, reached[test] if self.reached else None
            )
            for test in range(self.tests)
        ]


def killers_of(store: RunStore, trial: StoredTrial, results: Mapping[str, MutantResult]) -> Killers:
    """Return the stored killers of a trial; of a run up to first kills, the killer that each result names."""
    named = trial.inputs <= MOST_TESTS
    complete = trial.mode is ExecutionMode.MATRIX
    kills: dict[str, int] = {}
    counts: dict[str, int] = {}
    only_killers: dict[str, int] = {}
    if complete:
        for row in store.results.kill_rows(trial.key):
            bits = int.from_bytes(row.bits, "little")
            counts[row.mutant] = bits.bit_count()
            if counts[row.mutant] == 1:
                only_killers[row.mutant] = bits.bit_length() - 1
            if named:
                kills[row.mutant] = bits
    else:
        kills = {name: 1 << result.input for name, result in results.items() if result.input is not None and named}
    rows = store.results.probe_rows(trial.key) if named else []
    reached = {row.mutant: int.from_bytes(row.reached, "little") for row in rows}
    return Killers(trial.inputs, complete, kills, reached, counts, only_killers)


def numbers(tests: int) -> Iterator[int]:
    """Yield the tests in a set, in ascending order."""
    while tests:
        yield (tests & -tests).bit_length() - 1
        tests &= tests - 1


def _per_test(sets: Collection[int], tests: int) -> list[int]:
    counts = [0] * tests
    for members in sets:
        for test in numbers(members):
            counts[test] += 1
    return counts
