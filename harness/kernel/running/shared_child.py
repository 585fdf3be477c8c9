"""Runs several mutants in one child, one after the other: a process for each costs ten times as much as its run.

This is done for programs that leave nothing behind (`IsolatedProgram`), with a spec and inputs that they cannot change;
all others run alone. If it goes wrong (the child dies, or a mutant takes much memory), the results of the mutants
before are accepted, or none, and the others are run again, alone.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import CodeType, ModuleType
from typing import NamedTuple

from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.isolation import IsolatedProgram
from harness.kernel.judging.judge import Judge
from harness.kernel.objects.module_state import ModuleState
from harness.kernel.process.child_process import Supervision, run_child
from harness.kernel.process.confinement import ProcessLimits
from harness.kernel.process.progress import NOT_STARTED, Position, Progress, Turns
from harness.kernel.running.fact_validation import validated_facts
from harness.kernel.running.job import MutantOrder, MutantRun
from harness.kernel.running.one_mutant import run_mutant
from harness.model.outcome import KillReason

BATCH_SECONDS = 1.0
"""The seconds after which the remaining mutants are ordered again, so that results are stored meanwhile."""

MOST_GROWTH = 32 << 10
"""KiB by which one mutant may let the process grow; a mutant that takes more runs alone, with all memory allowed."""

_START = Position(NOT_STARTED, 0, 0)


@dataclass(frozen=True)
class TimedRun:
    """A run of a mutant, and the seconds that it took."""

    run: MutantRun
    seconds: float


@dataclass(frozen=True)
class RunsTogether:
    """The runs of the first mutants of a batch, as reported by the child that made all of them."""

    runs: tuple[TimedRun, ...]


class _Part(NamedTuple):
    order: MutantOrder
    code: CodeType | None
    progress: Progress
    seconds: float


class MutantBatch:
    """Runs mutants of one program.

    Args:
        program: the program as it was compiled; None if spec or inputs could be changed.
        compiled: returns a mutant's code, and `load` its module.
        judge: returns the judge of a module.
        alive: called about every second.
    """

    def __init__(
        self,
        program: IsolatedProgram | None,
        compiled: Callable[[MutantOrder], CodeType | None],
        load: Callable[[MutantOrder, CodeType | None], ModuleType],
        judge: Callable[[ModuleType, ModuleState | None], Judge],
        limits: ProcessLimits,
        alive: Callable[[], None],
    ) -> None:
        self._program = program
        self._compiled = compiled
        self._load = load
        self._judge = judge
        self._limits = limits
        self._alive = alive

    def run(
        self,
        orders: Sequence[MutantOrder],
        baseline: Baseline,
        most_cpu_seconds: Callable[[MutantOrder], float],
        allowed_seconds: Callable[[int], float],
    ) -> list[TimedRun]:
        """Return the runs of the first mutants; none if the first one has to run alone.

        Args:
            most_cpu_seconds: returns the most processor time that a mutant may take.
            allowed_seconds: returns the same for an input.
        """
        if self._program is None or not self._program.holds:
            return []
        first, last = orders[0].first, orders[0].last
        if any(order.matrix or order.backwards or (order.first, order.last) != (first, last) for order in orders):
            return []
        parts = list(map(self._part, orders, Progress.of_several(len(orders), first, last)))
        turns = Turns([part.progress for part in parts], first, last)
        outcome = run_child(
            RunsTogether,
            lambda: RunsTogether(tuple(self._run(parts, baseline, turns))),
            self._limits,
            sum(map(most_cpu_seconds, orders)),
            Supervision(turns, lambda current: allowed_seconds(turns.input(current)), alive=self._alive),
        )
        return _believed(outcome.runs, parts) if isinstance(outcome, RunsTogether) else []

    def _part(self, order: MutantOrder, progress: Progress) -> _Part:
        began = time.perf_counter()
        code = self._compiled(order)
        return _Part(order, code, progress, time.perf_counter() - began)

    def _run(self, parts: Sequence[_Part], baseline: Baseline, turns: Turns) -> list[TimedRun]:
        """Run the mutants, in the child."""
        runs: list[TimedRun] = []
        most = _grown() + MOST_GROWTH
        began = time.perf_counter()
        for turn, part in enumerate(parts):
            turns.begin(turn)
            started = time.perf_counter()
            module = self._loaded(part)
            if module is None:
                break
            run = run_mutant(part.order, partial(_same, module), self._judge, baseline, part.progress, _START)
            end_time = time.perf_counter()
            if _grown() > most or run.reason is KillReason.MEMORY_LIMIT or "MemoryError" in run.detail:
                break
            runs.append(TimedRun(run, end_time - started))
            if end_time - began > BATCH_SECONDS:
                break
        return runs

    def _loaded(self, part: _Part) -> ModuleType | None:
        """Return the mutant's module; None if it has to run alone."""
        assert self._program is not None
        if part.code is None or (part.order.number or 0) < 0:
            return None
        changed = [] if part.order.source is None else self._program.changed(part.code)
        if changed is None:
            return None
        module = self._load(part.order, part.code)
        return module if self._program.holds_with(changed, module) else None


def _same(module: ModuleType) -> ModuleType:
    return module


def _grown() -> int:
    """Return the most memory that this process has had, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _believed(runs: Sequence[TimedRun], parts: Sequence[_Part]) -> list[TimedRun]:
    accepted: list[TimedRun] = []
    for timed, part in zip(runs, parts, strict=False):
        if not isinstance(validated_facts(timed.run, part.order, part.progress), MutantRun):
            break
        accepted.append(replace(timed, seconds=timed.seconds + part.seconds))
    return accepted
