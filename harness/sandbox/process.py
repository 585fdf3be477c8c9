"""A sandboxed Python process with two pipes of JSON lines: orders in, facts out.

The other end of a pipe is not trusted: lines are bounded, and never waited for longer than asked.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import harness
from harness.codec.codec import Codec, DecodeError
from harness.errors import MutascopeError
from harness.kernel.process.child_process import processor_time, signal_name
from harness.kernel.process.confinement import children_of
from harness.kernel.process.containment.contain import CGROUP, NAMESPACES, Plan
from harness.kernel.process.limits import TimeLimit, Usage, seconds_starved
from harness.kernel.process.talk import ERROR, ERRORS
from harness.sandbox.folders import locked_folder
from harness.sandbox.levels import ControlGroup, held_levels, warn_of_missing_levels

LONGEST_SILENCE = 600.0
"""Seconds of processor time, and asleep, that a fact is waited for where the caller names no other limit."""

NO_FACT = "said what is no fact"
"""The beginning of `WorkerDied.how` in that case."""

_TAKING_SECONDS = 60.0
"""Seconds for an order to be taken from a full pipe."""

_UMASK = 0o022
"""The usual one; modes of files that programs make are then the same, whatever that of our caller is."""

_LOOK_SECONDS = 0.2
"""Between two looks at the processor time of a process that says nothing."""
_ENDING_SECONDS = 10.0
_END_INSIDE_SECONDS = 1.0
_DEPTH_INSIDE = 2

MOST_LINE = 1 << 28
"""Bytes of one line; a suite's header with millions of structures has some tens of millions."""

_CHUNK = 1 << 16
_LAST_WORDS = 2000

_ADDR_NO_RANDOMIZE = 0x0040000
_QUERY = 0xFFFFFFFF

T = TypeVar("T")


class WorkerDied(Exception):
    """The process ended without a last message; `how` says why, with the last line that it printed on stderr."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how


class NoProgress(WorkerDied):
    """The process lives, but says nothing, or makes no headway."""


class Silence(Exception):
    """Nothing came in time."""


class Closed(Exception):
    """The other end is closed, or what comes is endless."""


def readable(handles: Iterable[int], seconds: float) -> list[int]:
    """Wait for the first handle that has data to read or is closed; return all such handles."""
    return _polled(handles, select.POLLIN, seconds)


def writable(handle: int, seconds: float) -> bool:
    """Wait until the handle can be written to or its reader is gone; return whether that happened in time."""
    return bool(_polled([handle], select.POLLOUT, seconds))


def _polled(handles: Iterable[int], events: int, seconds: float) -> list[int]:
    polled = select.poll()  # select knows no handle above 1023
    for handle in handles:
        polled.register(handle, events)
    return [handle for handle, _ in polled.poll(max(0.0, seconds) * 1000)]


class LineReader:
    """Reads lines from `lines`, and meanwhile keeps `words`, a pipe of anything at all, from filling up."""

    def __init__(self, lines: int, words: int) -> None:
        self._lines = lines
        self._words: int | None = words
        self._buffer = bytearray()
        self._looked = 0
        self._tail = b""
        os.set_blocking(words, False)

    def line(self, seconds: float) -> bytes:
        """Return the next line, without its end.

        Raises:
            Silence: the line was not complete within `seconds`.
            Closed: the line will never be complete.
        """
        deadline = time.monotonic() + seconds
        while (end := self._buffer.find(b"\n", self._looked)) < 0:
            self._looked = len(self._buffer)
            if self._looked > MOST_LINE:
                raise Closed
            left = deadline - time.monotonic()
            ready = readable([self._lines] if self._words is None else [self._lines, self._words], left)
            if not ready and left <= 0:
                raise Silence
            if self._words in ready:
                self._hear()
            if self._lines in ready:
                chunk = os.read(self._lines, _CHUNK)
                if not chunk:
                    raise Closed
                self._buffer += chunk
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._looked = 0
        return line

    def last_words(self) -> str:
        """Return the last line that was written to stderr so far."""
        while self._words is not None and readable([self._words], 0):
            self._hear()
        lines = self._tail.decode(errors="replace").splitlines()
        return lines[-1].strip() if lines else ""

    def _hear(self) -> None:
        assert self._words is not None
        data = os.read(self._words, _CHUNK)
        self._tail = (self._tail + data)[-_LAST_WORDS:]
        if not data:
            self._words = None


class SandboxedProcess:
    """A process that calls `MODULE.main([ARGUMENTS..., ORDERS, FACTS])`, in a new session and an empty directory.

    It is contained by the levels that this machine allows (`harness.sandbox.levels`). It can read the files and folders
    named `readable`, and write those named `writable`, besides its directory and the files that Python needs. It has no
    sockets, and can send signals only to its own children. It inherits no standard input, no handle but its two pipe
    ends (so never a logging queue), and an environment of a few variables. Its hash seed is fixed, and so are its
    addresses where the system can do that (`hash(None)` is an address before Python 3.12). Programs are looked for on
    `path`, for processes that need one (a C compiler), otherwise in the system's own folders. Use it as a context
    manager: leaving the block ends the process with its children, and removes the directory. That one is made `below`
    the given folder, otherwise among the system's temporary ones.
    """

    def __init__(
        self,
        module: str,
        *arguments: str,
        below: Path | None = None,
        path: str = os.defpath,
        readable: Sequence[Path] = (),
        writable: Sequence[Path] = (),
        hash_seed: int = 0,
    ) -> None:
        self._module = module
        self._hash_seed = hash_seed
        self._readable = readable
        self._writable = writable
        self._below = below
        self._path = path
        self._arguments = arguments

    def __enter__(self) -> SandboxedProcess:
        with ExitStack() as undone:
            self.folder = undone.enter_context(locked_folder(self._below)).resolve()
            warn_of_missing_levels()
            self._levels = held_levels()
            group = undone.enter_context(closing(ControlGroup())) if CGROUP in self._levels else None
            plan = Plan(
                levels=self._levels,
                parent=os.getpid(),
                folder=str(self.folder),
                readable=tuple(str(path.absolute()) for path in self._readable),
                writable=tuple(str(path.absolute()) for path in self._writable),
                groups=group.doors if group else (),
            )
            self._start(plan, undone)
            self._undo = undone.pop_all()
        return self

    def _start(self, plan: Plan, undone: ExitStack) -> None:
        orders_read, self._orders = os.pipe()
        self._facts, facts_write = os.pipe()
        self._words, words_write = os.pipe()
        for parent_handle in (self._facts, self._words):
            undone.callback(os.close, parent_handle)
        launch = [sys.executable, "-P", "-m", "harness.kernel.process.containment.launch", plan.text()]
        try:
            with _fixed_addresses():
                self._process = subprocess.Popen(
                    [*launch, self._module, *self._arguments, str(orders_read), str(facts_write)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=words_write,
                    cwd=self.folder,
                    env=_environment(self._hash_seed) | {"PATH": self._path, "TMPDIR": str(self.folder)},
                    umask=_UMASK,
                    pass_fds=(orders_read, facts_write),
                    start_new_session=True,
                )
        except BaseException:
            os.close(self._orders)
            raise
        finally:
            for child_handle in (orders_read, facts_write, words_write):
                os.close(child_handle)
        os.set_blocking(self._orders, False)
        self._reader = LineReader(self._facts, self._words)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._orders)
        try:
            self._process.wait(timeout=0 if kind else 5)
        except subprocess.TimeoutExpired:
            pass
        self._end()
        self._process.wait()
        self._outlive()
        self._undo.close()

    def _end(self) -> None:
        # The program first: its parents wait for it, so that its processor time is added to theirs.
        for process in reversed(self._inside()):
            _kill(os.kill, process)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=_END_INSIDE_SECONDS)
                return
        _kill(os.killpg, self._process.pid)

    def _inside(self) -> list[int]:
        """Return the first process of the namespaces and the program, if there are any."""
        processes: list[int] = []
        if NAMESPACES in self._levels and self._process.poll() is None:
            above = self._process.pid
            while len(processes) < _DEPTH_INSIDE and (children := children_of(above)):
                above = children[0]
                processes.append(above)
        return processes

    def _outlive(self) -> None:
        """Wait until no descendant holds the pipe of facts: the process that was started may end before its child."""
        until = time.monotonic() + _ENDING_SECONDS
        try:
            while True:
                self._reader.line(until - time.monotonic())
        except (Closed, Silence, OSError):
            pass

    @property
    def pid(self) -> int:
        """The number of the process that was started, also its group's; where contained, the program's is below it."""
        return self._process.pid

    def order(self, order: object) -> None:
        """Send one order.

        Raises:
            WorkerDied: the process has ended, or does not read the order.
        """
        data = json.dumps(order).encode() + b"\n"
        deadline = time.monotonic() + _TAKING_SECONDS
        while data:
            try:
                data = data[os.write(self._orders, data) :]
            except BlockingIOError:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise WorkerDied(f"took no order within {_TAKING_SECONDS:g} s") from None
                writable(self._orders, left)
            except BrokenPipeError:
                raise WorkerDied(self._end_description()) from None

    def word(self, codec: Codec[T], seconds: float = LONGEST_SILENCE, idle_factor: float | None = None) -> T:
        """Return the next fact as a value of the codec, waiting for it as `fact` does.

        Raises:
            WorkerDied: as `fact`, or it is no such value.
            Silent, MutascopeError: as `fact`.
        """
        try:
            return codec.of_data(self.fact(seconds, idle_factor=idle_factor))
        except DecodeError as error:
            raise WorkerDied(f"{NO_FACT}: {error}") from None

    def fact(self, seconds: float = LONGEST_SILENCE, *, idle_factor: float | None = None) -> object:
        """Return the next fact, for which the process works at most `seconds` of processor time.

        One that sleeps is waited for `idle_factor` times as long (default: IDLE_FACTOR). A busy machine ends nothing.

        Args:
            seconds: the limit of processor time.
            idle_factor: the factor for a process that sleeps.

        Raises:
            Silent: it has met the limit, which the text says.
            WorkerDied: the process ended, or said nothing that can be understood.
            MutascopeError: the process reported an error of the user's making; it is raised here.
        """
        limit: TimeLimit | None = None
        while (found := self._fact(min(_LOOK_SECONDS, seconds))) is None:
            limit = limit or TimeLimit(seconds, self.usage, idle_factor)
            if (met := limit.exceeded()) is not None:
                raise NoProgress(f"no word within {met}")
        return found

    def usage(self) -> Usage:
        """Return the time that the process and all its descendants have used.

        Where the system does not report processor time, the wall clock stands in.
        """
        own = processor_time(self._process.pid)
        worked = time.monotonic() if own is None else own
        starved, work = seconds_starved(self._process.pid), children_of(self._process.pid)
        while work:
            below = work.pop()
            worked += processor_time(below) or 0.0
            starved += seconds_starved(below)
            work += children_of(below)
        return Usage(worked, starved)

    def _fact(self, seconds: float) -> dict[object, object] | None:
        """Return the next fact, or None if there is none within `seconds` of the wall clock."""
        try:
            line = self._reader.line(seconds)
        except Silence:
            return None
        except Closed:
            raise WorkerDied(self._end_description()) from None
        try:
            fact = json.loads(line)
        except (ValueError, RecursionError):
            fact = None
        if not isinstance(fact, dict):
            raise WorkerDied(f"{NO_FACT}: {line[:60]!r}")
        if ERROR in fact:
            raise _reported(fact[ERROR])
        return fact

    def _end_description(self) -> str:
        try:
            status = self._process.wait(timeout=_ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its pipe and stayed"
        how = f"ended by {signal_name(-status)}" if status < 0 else f"ended with exit status {status}"
        last_line = self._reader.last_words()
        return f"{how}; its last words: {last_line}" if last_line else how


@contextmanager
def _fixed_addresses() -> Iterator[None]:
    """Load programs that this thread starts in the block at the same addresses each time.

    Code that depends on addresses then always does the same. Before Python 3.12 `hash(None)` is an address.
    """
    personality = getattr(ctypes.CDLL(None), "personality", None)  # Linux has it, unless a container forbids it
    former = -1 if personality is None else personality(ctypes.c_ulong(_QUERY))
    if personality is None or former == -1:
        yield
        return
    personality(ctypes.c_ulong(former | _ADDR_NO_RANDOMIZE))
    try:
        yield
    finally:
        personality(ctypes.c_ulong(former))


def _kill(kill: Callable[[int, int], None], number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        kill(number, signal.SIGKILL)


def _environment(hash_seed: int) -> dict[str, str]:
    """Return the variables of a process: a fixed hash seed, locale and time zone, and the path to this package."""
    return {
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC0",
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(Path(harness.__file__).parents[1]),
    }


def _reported(data: object) -> MutascopeError:
    try:
        return ERRORS.of_data(data).error()
    except DecodeError:
        return MutascopeError("a sandboxed process reported an error that cannot be understood; see run.log")
