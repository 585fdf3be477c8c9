"""Inside the forked child that runs one mutant: limits set, handles closed, then the inputs one by one."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from mmap import mmap
from types import ModuleType
from typing import Any

from harness.kernel.baseline import Baseline
from harness.kernel.job import Limits
from harness.kernel.oracle import Kill, Oracle
from harness.kernel.program import Program, limit_recursion
from harness.kernel.steps import budget_for
from harness.model.outcome import KillReason, Phase

NOT_STARTED = (1 << 64) - 1
_PROGRESS = struct.Struct("=QQQ")
_PR_SET_PDEATHSIG = 1


class Progress:
    """Shared with the zygote: the input being run, inputs finished, their steps; then, in matrix mode, kill bits.

    Plain memory, so it outlives a child that dies.
    """

    def __init__(self, memory: mmap) -> None:
        self._memory = memory

    @staticmethod
    def size(inputs: int) -> int:
        """Bytes needed for a suite of so many inputs."""
        return _PROGRESS.size + (inputs + 7) // 8

    def set(self, current: int, finished: int, steps: int) -> None:
        """Records where the child is."""
        _PROGRESS.pack_into(self._memory, 0, current, finished, steps)

    def get(self) -> tuple[int, int, int]:
        """Current input (NOT_STARTED before the first), inputs finished, their steps."""
        current, finished, steps = _PROGRESS.unpack_from(self._memory, 0)
        return current, finished, steps

    def mark(self, number: int) -> None:
        """Sets input `number`'s kill bit."""
        self._memory[_PROGRESS.size + (number >> 3)] |= 1 << (number & 7)

    def bits(self) -> bytes:
        """All kill bits, input 0 in the lowest bit of the first byte."""
        return self._memory[_PROGRESS.size :]


def confine(limits: Limits, keep: set[int]) -> None:
    """Own process group, rlimits, no open handle but `keep`; dies with its parent where the system can do that."""
    os.setsid()
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    except (OSError, AttributeError):
        pass  # not Linux: the zygote's own watch has to do
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for descriptor in _open_descriptors():
        if descriptor > 2 and descriptor not in keep:
            try:
                os.close(descriptor)
            except OSError:
                pass  # closed already: the listing's own
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, limits.file_size)
    _lower(resource.RLIMIT_NOFILE, limits.open_files)
    _lower(resource.RLIMIT_AS, _address_space() + limits.memory)


def limit_cpu(seconds: float) -> None:
    """A last backstop on processor time, far above what the whole suite can need."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _lower(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + seconds) + 1)


def _open_descriptors() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/dev/fd")]
    except OSError:
        return list(range(resource.getrlimit(resource.RLIMIT_NOFILE)[0]))


def _lower(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    try:
        resource.setrlimit(kind, (value, value))
    except (ValueError, OSError):
        pass  # a system without this limit (macOS has no RLIMIT_AS): the others stand


def _address_space() -> int:
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 1 << 32


@dataclass(frozen=True)
class Task:
    """Inputs to run, in order, and how."""

    numbers: Iterator[int]
    matrix: bool
    finished: int
    """Inputs finished by earlier children of the same mutant (matrix mode, after a crash)."""
    steps: int


def run_mutant(
    load: Callable[[], ModuleType],
    program_of: Callable[[ModuleType], Program],
    oracle: Oracle,
    baseline: Baseline,
    progress: Progress,
    task: Task,
) -> dict[str, Any]:
    """Runs a mutant on the task's inputs; returns the facts as JSON-able fields of MutantResult."""
    limit_recursion()
    try:
        module = load()
    except BaseException as error:
        kill = Kill(KillReason.EXCEPTION, Phase.LOAD, f"loading the module raised {type(error).__qualname__}")
        return _facts(kill, None, 0, 0)
    program = program_of(module)
    finished, steps = task.finished, task.steps
    first: tuple[Kill, int] | None = None
    for number in task.numbers:
        progress.set(number, finished, steps)
        expected = baseline[number]
        kill_or_none = oracle.judge(
            program.prepare(number), expected, budget_for(expected.steps), budget_for(expected.judge_steps)
        )
        finished += 1
        steps += oracle.call_steps
        if kill_or_none is not None:
            first = first or (kill_or_none, number)
            if not task.matrix:
                break
            progress.mark(number)
    if first is None:
        return _facts(None, None, finished, steps)
    return _facts(first[0], first[1], finished, steps)


def _facts(kill: Kill | None, number: int | None, finished: int, steps: int) -> dict[str, Any]:
    return {
        "reason": kill and kill.reason.value,
        "phase": kill and kill.phase.value,
        "detail": kill.detail if kill else "",
        "input": number,
        "inputs_run": finished,
        "steps": steps,
    }


def send(descriptor: int, facts: dict[str, Any]) -> None:
    """Writes the facts as one JSON line."""
    data = json.dumps(facts).encode() + b"\n"
    while data:
        data = data[os.write(descriptor, data) :]
