"""Mutants that one child runs one after the other: a process for each would cost ten times what running it does.

That is so of programs of which nothing is left behind (`ClosedProgram`), with a spec and inputs that they cannot
change; all others run alone. Where it does not go well (the child dies, or a mutant takes much memory), what was
found of the mutants before is believed, or nothing, and the others are run again, alone.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Sequence
from functools import partial
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.closed import ClosedProgram
from harness.kernel.process.child_process import Death, run_child
from harness.kernel.process.confinement import Limits
from harness.kernel.process.progress import NOT_STARTED, Position, Progress, Turns
from harness.kernel.running.execution import Facts, run_mutant
from harness.kernel.running.job import MutantOrder
from harness.kernel.running.kinds import Judging
from harness.kernel.running.testimony import believed
from harness.model.outcome import KillReason

BATCH_SECONDS = 1.0
"""After so long, mutants that are left are ordered again: what was found is stored meanwhile."""

MOST_GROWTH = 32 << 10
"""KiB by which one mutant may have the process grow: who takes more runs alone, with all the memory that is allowed."""

_START = Position(NOT_STARTED, 0, 0)


class _Part(NamedTuple):
    order: MutantOrder
    code: CodeType | None
    progress: Progress
    seconds: float


class Together:
    """Runs mutants of one program.

    Args:
        program: the program as it was compiled; None where spec or inputs could be changed.
        compiled: gives a mutant's code, and `load` its module.
        judge: what judges a module.
        alive: called about every second.
    """

    def __init__(
        self,
        program: ClosedProgram | None,
        compiled: Callable[[MutantOrder], CodeType | None],
        load: Callable[[MutantOrder, CodeType | None], ModuleType],
        judge: Callable[[ModuleType], Judging],
        limits: Limits,
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
    ) -> list[Facts]:
        """Facts of the first ones, with `id` and `seconds`; none where the first one has to run alone.

        Args:
            most_cpu_seconds: processor time that a mutant may take at most.
            allowed_seconds: the same of an input.
        """
        if self._program is None or not self._program.holds:
            return []
        first, last = orders[0].first, orders[0].last
        if any(order.matrix or order.backwards or (order.first, order.last) != (first, last) for order in orders):
            return []
        parts = list(map(self._part, orders, Progress.of_several(len(orders), first, last)))
        turns = Turns([part.progress for part in parts], first, last)
        ended = run_child(
            lambda: {"runs": self._run(parts, baseline, turns)},
            turns,
            self._limits,
            sum(map(most_cpu_seconds, orders)),
            lambda current: allowed_seconds(turns.input(current)),
            alive=self._alive,
        )
        if isinstance(ended, Death) or not isinstance(ended.get("runs"), list):
            return []
        return _believed(ended["runs"], parts)

    def _part(self, order: MutantOrder, progress: Progress) -> _Part:
        began = time.perf_counter()
        code = self._compiled(order)
        return _Part(order, code, progress, time.perf_counter() - began)

    def _run(self, parts: Sequence[_Part], baseline: Baseline, turns: Turns) -> list[Any]:
        """In the child."""
        found: list[Any] = []
        most = _grown() + MOST_GROWTH
        began = time.perf_counter()
        for turn, part in enumerate(parts):
            turns.begin(turn)
            started = time.perf_counter()
            module = self._loaded(part)
            if module is None:
                break
            facts = run_mutant(part.order, partial(_same, module), self._judge, baseline, part.progress, _START)
            ended = time.perf_counter()
            if _grown() > most or facts["reason"] == KillReason.MEMORY_LIMIT.value or "MemoryError" in facts["detail"]:
                break
            found.append([facts, ended - started])
            if ended - began > BATCH_SECONDS:
                break
        return found

    def _loaded(self, part: _Part) -> ModuleType | None:
        """The mutant's module; None where it has to run alone."""
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
    """The most memory that this process has had, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _believed(runs: Sequence[Any], parts: Sequence[_Part]) -> list[Facts]:
    found: list[Facts] = []
    for (facts, seconds), part in zip(runs, parts, strict=False):
        told = believed(facts, part.order, part.progress)
        if isinstance(told, Death) or "fault" in told:
            break
        found.append({"id": part.order.id, **told, "seconds": seconds + part.seconds})
    return found
