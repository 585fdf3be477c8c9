"""Inside a forked child, before it runs anything: limits set, handles closed, nothing shared that could be harmed."""

from __future__ import annotations

import ctypes
import os
import resource
import signal

from harness.kernel.job import Limits

_PR_SET_PDEATHSIG = 1


def confine(limits: Limits, keep: set[int]) -> None:
    """Own process group, rlimits, no open handle but `keep`; dies with its parent where the system can do that."""
    os.setsid()
    end_with_parent(signal.SIGKILL)
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


def end_with_parent(number: signal.Signals) -> None:
    """Has the system send this process signal `number` once the thread that started it ends."""
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, number)
    except (OSError, AttributeError):
        pass  # not Linux: that its pipes are closed will tell, only later


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
