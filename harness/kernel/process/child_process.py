"""Runs forked children, watches them, and returns their facts, or how they died."""

from __future__ import annotations

import errno
import json
import os
import select
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeVar

from harness.codec.codec import Codec, DecodeError, codec_of, compile_classes
from harness.errors import MutascopeError
from harness.kernel.process.confinement import ProcessLimits, confine, end_everybody_below, limit_cpu
from harness.kernel.process.containment.contain import Containment
from harness.kernel.process.limits import IDLE_FACTOR, WALL_CONSTANT, WALL_FACTOR, seconds_starved
from harness.kernel.process.progress import NOT_STARTED, PositionSource
from harness.kernel.process.talk import ReportedError
from harness.kernel.process.trees import remove_tree
from harness.model.outcome import KillReason

POLL_SECONDS = 0.1
MOST_FACTS = 1 << 20
"""The greatest number of bytes in a child's message: facts, not rows, which are in shared memory and files."""
ALIVE_SECONDS = 1.0

NO_FACTS = "what it said can be no fact"
"""The detail of a child that reports something other than facts."""

T = TypeVar("T")

_OF_MACHINE = (errno.ENFILE, errno.EIO)
"""Errors of the machine, not of one process."""
_FOLDER = "run"
_SHORTEST_PAUSE = 0.0005
_UNABLE = 70
_CPU_CLOCK = 2
"""The clock of a process, with its number's complement above it, as in the C library's clock_getcpuclockid."""


@dataclass(frozen=True)
class Broken:
    """The harness's own code in a child raised an exception that is no error of the user's making.

    Attributes:
        fault: the exception in words, as they were.
        of_machine: whether the machine is at fault.
    """

    fault: str
    of_machine: bool

    @classmethod
    def by(cls, error: BaseException) -> Broken:
        """Report an exception."""
        return cls(f"{type(error).__name__}: {error}", isinstance(error, OSError) and error.errno in _OF_MACHINE)


class ChildDeath(NamedTuple):
    """A child ended without a message; `outside`: by a SIGKILL that we did not send; `slept`: while it did not work."""

    reason: KillReason
    detail: str
    outside: bool = False
    slept: bool = False


class _Answering(NamedTuple):
    """The key that stands before the child's message, and the end of the pipe that it writes to."""

    key: bytes
    write_end: int


class _Overdue(NamedTuple):
    """The input at which a child met its limit; `slept`: without having used as much processor time."""

    at: int
    slept: bool


@dataclass(frozen=True)
class Supervision:
    """The rules by which a child is watched while it works.

    Attributes:
        progress: the input that the child is at.
        allowed_seconds: returns the limit for the input with that number (NOT_STARTED while loading).
        constant: returns the part of that limit that is added to WALL_FACTOR times the original's time, for messages.
        idle: returns the seconds that the child may sleep or wait at the input with that number, and in all; without
            it, IDLE_FACTOR times its limits.
        alive: called about every second, to report to the process that waits for this one that it lives.
        most_facts: the greatest number of bytes in the child's message.
    """

    progress: PositionSource
    allowed_seconds: Callable[[int], float]
    constant: Callable[[int], float] = lambda _: WALL_CONSTANT
    alive: Callable[[], None] = lambda: None
    most_facts: int = MOST_FACTS
    idle: Callable[[int], tuple[float, float]] | None = None


def run_child(
    kind: type[T],
    work: Callable[[], T],
    limits: ProcessLimits,
    cpu_seconds: float,
    supervision: Supervision,
    writable: Sequence[str] = (),
) -> T | Broken | ReportedError | ChildDeath:
    """Fork a child that does `work`, contained and confined, in an empty directory.

    Nothing that it has started lives on, and nothing that it has written is there for the next one.

    Args:
        kind: the class of the values that the work returns; the child's message is read strictly as one.
        work: executed in the child.
        limits: limits of the child's resources.
        cpu_seconds: processor time for all of the work.
        supervision: how the child is watched.
        writable: folders in which it may write besides its own.
    """
    room = _room(writable)
    codec = codec_of(kind | Broken | ReportedError)
    compile_classes(kind | Broken | ReportedError)  # before the fork: each child would compile them again
    key = os.urandom(16)
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        _in_child(work, codec, limits, cpu_seconds, _Answering(key, write_end), room)
    os.close(write_end)
    most_seconds = IDLE_FACTOR * cpu_seconds
    try:
        data, overdue = _watch(child, read_end, supervision, most_seconds)
    finally:
        os.close(read_end)
        kill_group(child)
        _, status = os.waitpid(child, 0)
        end_everybody_below()
    if overdue is not None:
        allowed = f"{WALL_FACTOR} x the original's time + {supervision.constant(overdue.at):g} s"
        return ChildDeath(KillReason.WALL_LIMIT, f"wall clock: more than {allowed}", slept=overdue.slept)
    if data.startswith(key) and data.endswith(b"\n") and (message := _message_of(data[len(key) :], codec)) is not None:
        return message
    if data:
        return ChildDeath(KillReason.CRASH, "wrote to the harness, or was cut off as the harness wrote")
    if not os.WIFSIGNALED(status):
        return ChildDeath(KillReason.CRASH, f"left with exit status {os.WEXITSTATUS(status)}")
    number = os.WTERMSIG(status)
    if number == signal.SIGXCPU:
        return ChildDeath(KillReason.WALL_LIMIT, "processor-time limit")
    return ChildDeath(KillReason.CRASH, signal_name(number), outside=number == signal.SIGKILL)


def _message_of(
    line: bytes, codec: Codec[T | Broken | ReportedError]
) -> T | Broken | ReportedError | ChildDeath | None:
    """Return the message of a child, or None if it is no object: the program may know the key and write anything."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    try:
        return codec.of_data(data)
    except DecodeError:
        return ChildDeath(KillReason.CRASH, NO_FACTS, outside=True)


def signal_name(number: int) -> str:
    """Return a signal's name, such as `SIGSEGV`, or its number, as real-time signals have no name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class _Room:
    """The folder in which children work, one after the other, with its containment.

    It is made again if a child has left something behind.
    """

    def __init__(self, writable: Sequence[str]) -> None:
        self._path = Path(_FOLDER).absolute()
        self.writable = tuple(writable)
        self._make()
        self._siblings = os.listdir(self._path.parent)

    def emptied(self) -> _Room:
        """Return this room, with nothing in it."""
        try:
            status = os.lstat(self._path)
            clean = (status.st_ino, status.st_mode) == self._file_identity and not os.listdir(self._path)
            for sibling in os.listdir(self._path.parent):
                if sibling not in self._siblings:
                    remove_tree(self._path.parent / sibling)
        except OSError:
            clean = False
        if not clean:
            self.containment.close()
            self._make()
        return self

    def _make(self) -> None:
        with suppress(FileNotFoundError):
            try:
                self._path.rmdir()
            except NotADirectoryError:
                self._path.unlink()
            except OSError:
                remove_tree(self._path)
        self._path.mkdir(mode=0o700)
        status = os.lstat(self._path)
        self._file_identity = status.st_ino, status.st_mode
        self.folder = str(self._path)
        self.containment = Containment([self.folder, *self.writable])


_rooms: dict[tuple[str, ...], _Room] = {}


def _room(writable: Sequence[str]) -> _Room:
    existing_room = _rooms.get(tuple(writable))
    if existing_room is not None:
        return existing_room.emptied()
    return _rooms.setdefault(tuple(writable), _Room(writable))


def _in_child(
    work: Callable[[], T],
    codec: Codec[T | Broken | ReportedError],
    limits: ProcessLimits,
    cpu_seconds: float,
    answering: _Answering,
    room: _Room,
) -> NoReturn:
    key, write_end = answering
    own, write, leave, to_json = os.getpid(), os.write, os._exit, codec.to_json
    try:
        os.chdir(room.folder)
        confine(limits, {write_end, *room.containment.handles})
        limit_cpu(cpu_seconds)
        room.containment.enter()
        message: T | Broken | ReportedError
        try:
            message = work()
        except MutascopeError as error:
            message = ReportedError.of(error)
        except BaseException as error:
            message = Broken.by(error)
        if os.getpid() == own:  # else the mutant forked, and this is the other one
            data = key + to_json(message).encode() + b"\n"
            while data:
                data = data[write(write_end, data) :]
        leave(0)  # the mutant's exit handlers, buffers and threads must not run on
    finally:
        leave(_UNABLE)


def _watch(child: int, read_end: int, supervision: Supervision, most_seconds: float) -> tuple[bytes, _Overdue | None]:  # noqa: C901 (one loop over one child)
    """Return what the child sends until it closes the pipe, and where it was overdue (then it is dead)."""
    progress = supervision.progress
    data = bytearray()
    began = last_alive = time.monotonic()
    seen, since, used, starved = NOT_STARTED, began, cpu_seconds(child), 0.0
    parent, at_first = os.getppid(), used
    listening, pause = [read_end], POLL_SECONDS
    while True:
        ready, _, _ = select.select(listening, [], [], pause)
        if ready:
            chunk = os.read(read_end, 1 << 16)
            data += chunk
            # A process that the mutant left behind may hold the pipe open; if one floods it, reading ends.
            if data.endswith(b"\n") or len(data) > supervision.most_facts:
                return bytes(data), None
            if not chunk:
                listening, pause = [], _SHORTEST_PAUSE  # it may have closed the pipe itself: how it ends is seen then
        if not listening:
            if has_ended(child):
                return bytes(data), None
            pause = min(2 * pause, POLL_SECONDS)
        if os.getppid() != parent:
            kill_group(child)
            os._exit(1)
        now = time.monotonic()
        if now - last_alive > ALIVE_SECONDS:
            supervision.alive()
            last_alive = now
        lacked = seconds_starved(child)
        position = progress.position()
        if position is not None and progress.is_behind(seen, position.current):
            seen, since, used, starved = position.current, now, cpu_seconds(child), lacked
        limit = supervision.allowed_seconds(seen)
        exceeds = now - since > limit
        works = exceeds and cpu_seconds(child) - used > limit
        # A child does not wait while it is ready to run and others have the processor.
        waits = now - since - (lacked - starved) > IDLE_FACTOR * limit or now - began - lacked > most_seconds
        if supervision.idle is not None:
            at_input, in_all = supervision.idle(seen)
            slept = now - since - (lacked - starved) - (cpu_seconds(child) - used)
            waits = slept > at_input or now - began - lacked - (cpu_seconds(child) - at_first) > in_all
        if works or (exceeds and is_stopped(child)) or (waits and not _is_ready(child)):
            kill_group(child)
            return b"", _Overdue(seen, not works)


def cpu_seconds(process: int) -> float:
    """Return the processor time of a process so far, or the wall clock if the system does not report it."""
    used = processor_time(process)
    return time.monotonic() if used is None else used


def processor_time(process: int) -> float | None:
    """Return the processor time of a process so far; None if it is gone, or the system does not report it."""
    try:
        return time.clock_gettime((~process << 3) | _CPU_CLOCK)
    except OSError:
        return None


def has_ended(child: int) -> bool:
    """Return whether a child has ended; its status is kept for the process that waits for it."""
    if not hasattr(os, "waitid"):  # macOS before Python 3.13: who closed its pipe is ended at once there
        kill_group(child)
        return True
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def is_stopped(child: int) -> bool:
    """Return whether a child is stopped, as by SIGSTOP: unlike a sleeping one, it does not continue by itself."""
    if not hasattr(os, "waitid"):  # macOS before Python 3.13
        return False
    status = os.waitid(os.P_PID, child, os.WEXITED | os.WSTOPPED | os.WNOHANG | os.WNOWAIT)
    return status is not None and status.si_code == os.CLD_STOPPED


def _is_ready(process: int) -> bool:
    """Return whether a thread of a process runs or is ready to; False if the system does not report it."""
    try:
        threads = os.listdir(f"/proc/{process}/task")
    except OSError:
        return False
    return any(_state(f"{process}/task/{thread}") == "R" for thread in threads)


def _state(process: str) -> str:
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""


def kill_group(child: int) -> None:
    """End a child, and its group if it leads one."""
    for kill in (os.killpg, os.kill):
        try:
            kill(child, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass  # gone already, or not yet a group leader
