"""Forked children, watched: their facts, or how they died."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from harness.errors import MutascopeError
from harness.kernel.job import Limits
from harness.kernel.progress import NOT_STARTED, Progress
from harness.kernel.sandboxed import confine, limit_cpu
from harness.model.outcome import KillReason

POLL_SECONDS = 0.1
WALL_FACTOR = 10
WALL_CONSTANT = 1.0
# A child that waits (sleeps, is stopped, starved on a busy machine) is given this much longer than
# one that has really used its time.
IDLE_FACTOR = 10
MOST_DEATHS = 10_000
"""Deaths of one mutant behind which it is run on: at some milliseconds each, less than a minute."""
DEAR_DEATH = 100
"""As so many counts one that has been waited for, or comes from outside and is believed at the second time."""

Facts = dict[str, Any]


class Death(NamedTuple):
    """A child ended without a word; `outside`: by a SIGKILL that we did not send."""

    reason: KillReason
    detail: str
    outside: bool = False


def weight(reason: KillReason, detail: str) -> int:
    """As how many of MOST_DEATHS a death counts."""
    return 1 if reason is KillReason.CRASH and detail != signal.SIGKILL.name else DEAR_DEATH


def run_child(
    work: Callable[[], Facts],
    progress: Progress,
    limits: Limits,
    cpu_seconds: float,
    allowed_seconds: Callable[[int], float],
) -> Facts | Death:
    """Forks a child that does `work`, confined, in an empty directory of its own.

    Args:
        cpu_seconds: processor time for all of it.
        allowed_seconds: for the input with that number (NOT_STARTED while loading).
    """
    folder = tempfile.mkdtemp(dir=".")
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        _in_child(work, limits, cpu_seconds, write_end)
    os.close(write_end)
    try:
        data, overdue = _watch(child, read_end, progress, allowed_seconds)
    finally:
        os.close(read_end)
        _kill_group(child)
        _, status = os.waitpid(child, 0)
        shutil.rmtree(folder, ignore_errors=True)
    if overdue:
        return Death(KillReason.WALL_LIMIT, f"wall clock: more than 10 x the original's time + {WALL_CONSTANT:g} s")
    if data.endswith(b"\n"):
        facts: Facts = json.loads(data)
        return facts
    if not os.WIFSIGNALED(status):
        return Death(KillReason.CRASH, f"left with exit status {os.WEXITSTATUS(status)}")
    number = os.WTERMSIG(status)
    if number == signal.SIGXCPU:
        return Death(KillReason.WALL_LIMIT, "processor-time limit")
    return Death(KillReason.CRASH, signal.Signals(number).name, outside=number == signal.SIGKILL)


def _in_child(work: Callable[[], Facts], limits: Limits, cpu_seconds: float, write_end: int) -> NoReturn:
    own = os.getpid()
    try:
        confine(limits, {write_end})
        limit_cpu(cpu_seconds)
        facts = work()
    except MutascopeError as error:
        facts = {"error": {"kind": type(error).__name__, "message": str(error)}}
    except BaseException as error:
        facts = {"fault": f"{type(error).__name__}: {error}"}
    if os.getpid() == own:  # else the mutant forked, and this is the other one
        _send(write_end, facts)
    # The mutant's exit handlers, buffers and threads must not run on: leave at once.
    os._exit(0)


def _send(descriptor: int, facts: Facts) -> None:
    data = json.dumps(facts).encode() + b"\n"
    while data:
        data = data[os.write(descriptor, data) :]


def _watch(
    child: int, read_end: int, progress: Progress, allowed_seconds: Callable[[int], float]
) -> tuple[bytes, bool]:
    """What the child sends until it closes the pipe, and whether it was overdue (then it is dead)."""
    data = b""
    seen, since, used = NOT_STARTED, time.monotonic(), _cpu_seconds(child)
    parent = os.getppid()
    while True:
        ready, _, _ = select.select([read_end], [], [], POLL_SECONDS)
        if ready:
            chunk = os.read(read_end, 1 << 16)
            if not chunk:
                return data, False
            data += chunk
            if data.endswith(b"\n"):  # a process that the mutant left behind may hold the pipe open
                return data, False
            continue
        if os.getppid() != parent:
            _kill_group(child)
            os._exit(1)
        current = progress.get().current
        now = time.monotonic()
        if current != seen:
            seen, since, used = current, now, _cpu_seconds(child)
            continue
        limit = allowed_seconds(current)
        busy = _cpu_seconds(child) - used
        if now - since > limit and (busy > limit or now - since > IDLE_FACTOR * limit):
            _kill_group(child)
            return b"", True


def _cpu_seconds(process: int) -> float:
    """Processor time of a process so far; where the system does not tell, the wall clock stands in."""
    try:
        with open(f"/proc/{process}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _kill_group(child: int) -> None:
    for kill in (os.killpg, os.kill):
        try:
            kill(child, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass  # gone already, or not yet a group leader
