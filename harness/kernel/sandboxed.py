"""Inside a forked child, before it runs anything: limits set, handles closed, nothing shared that could be harmed."""

from __future__ import annotations

import ctypes
import os
import resource
import signal

from harness.kernel.job import Limits

_C = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def confine(limits: Limits, keep: set[int]) -> None:
    """Own process group, rlimits, no open handle but `keep`; dies with its parent where the system can do that."""
    os.setsid()
    end_with_parent(signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    first = 3
    for descriptor in (*sorted(keep), os.sysconf("SC_OPEN_MAX")):
        os.closerange(first, descriptor)
        first = descriptor + 1
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, limits.file_size)
    _lower(resource.RLIMIT_NOFILE, limits.open_files)
    _lower(resource.RLIMIT_AS, _address_space() + limits.memory)


def end_with_parent(number: signal.Signals) -> None:
    """Has the system send this process signal `number` once the thread that started it ends."""
    try:
        _C.prctl(_PR_SET_PDEATHSIG, number)
    except (OSError, AttributeError):
        pass  # not Linux: that its pipes are closed will tell, only later


def limit_cpu(seconds: float) -> None:
    """A last backstop on processor time, far above what the whole suite can need."""
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
