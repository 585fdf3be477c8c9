"""Confines a forked child before it runs anything: sets limits, closes handles, and shares nothing harmful."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import time
from dataclasses import dataclass

from harness.kernel.process.containment.contain import in_own_namespaces
from harness.kernel.process.containment.system import PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG, prctl


@dataclass(frozen=True)
class ProcessLimits:
    """Backstops in addition to the step budget: bytes of address space beyond the zygote's, bytes per file, open
    files.
    """

    memory: int = 1 << 30
    file_size: int = 1 << 20
    open_files: int = 64


def confine(limits: ProcessLimits, keep: set[int]) -> None:
    """Give this child its own process group and limits, and close all handles but `keep`.

    It dies with its parent, if the system supports that. Its output is discarded, so it meets no limit on output and
    shares no stream.
    """
    os.setpgid(0, 0)  # not a session: the scheduler would make a group of tasks for each
    end_with_parent(signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # as any program has it
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nowhere, standard)
    first = 3
    for descriptor in (*sorted(keep), os.sysconf("SC_OPEN_MAX")):
        os.closerange(first, descriptor)
        first = descriptor + 1
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, limits.file_size)
    _lower(resource.RLIMIT_NOFILE, limits.open_files)
    _lower(resource.RLIMIT_AS, _address_space() + limits.memory)


_PAUSE = 0.001
_ROUNDS = 2000


def end_with_parent(number: signal.Signals) -> None:
    """Have the system send this process signal `number` once the thread that started it ends."""
    try:
        prctl(PR_SET_PDEATHSIG, number)
    except OSError:
        pass  # not Linux: that its pipes are closed will tell, only later


def adopt_orphans() -> None:
    """Make this process the parent of all processes below it whose own parent has ended, if the system can do that."""
    try:
        prctl(PR_SET_CHILD_SUBREAPER, 1)
    except OSError:
        pass  # not Linux: a process that has detached itself is out of reach


def share_one_heap() -> None:
    """Have all threads of this process and its children take memory from one heap, if the C library can do that.

    Otherwise each thread reserves some 64 MiB of addresses that nobody uses, and limits on memory count addresses.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MOST_HEAPS, 1)


def give_memory_back() -> None:
    """Give the system the heap's free memory, if the C library can do that: a fork has fewer pages to copy."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


_MOST_HEAPS = -8
"""`M_ARENA_MAX` of glibc's malloc.h."""


def end_everybody_below() -> None:
    """End all processes that a child has left behind, so that none of them runs next to the next program."""
    is_alone = in_own_namespaces()
    for _ in range(_ROUNDS):  # an end for systems that do not tell whom a process has adopted
        if is_alone:
            _kill(-1)  # everybody else in these namespaces but their first process
        else:
            for child in children_of(os.getpid()):
                _kill(child)
        try:
            while os.waitpid(-1, 0 if is_alone else os.WNOHANG) != (0, 0):
                pass
        except ChildProcessError:
            return
        time.sleep(_PAUSE)


def children_of(process: int) -> list[int]:
    """Return the numbers of a process's children, if the system reports them."""
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="utf-8") as file:
            return [int(number) for number in file.read().split()]
    except OSError:
        return []


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def limit_cpu(seconds: float) -> None:
    """Set a last backstop on processor time, far above the needs of the whole suite."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _lower(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + seconds) + 1)


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
        statm = os.open("/proc/self/statm", os.O_RDONLY)
    except OSError:
        return 1 << 32
    try:
        return int(os.read(statm, 100).split()[0]) * resource.getpagesize()
    finally:
        os.close(statm)
