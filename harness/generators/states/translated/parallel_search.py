"""Runs one search in several processes: distributes its parts, and puts their vectors in order again."""

from __future__ import annotations

import mmap
import multiprocessing
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import IO

from harness.errors import EndlessSpecError, MutascopeError, SpecError
from harness.generators.states.native.parts import SearchPart
from harness.generators.states.native.pieces import Piece, Pieces
from harness.generators.states.native.untranslatable import LateDisagreement
from harness.generators.states.translated.comparison import LateCheck
from harness.generators.states.translated.covered import Covered
from harness.generators.states.translated.search import Block, NativeSearch, RunningSearch, SearchGaveUp
from harness.generators.watchdog import EndlessCandidate, Watchdog, endless
from harness.kernel.process.confinement import end_with_parent
from harness.kernel.process.processor_time_limit import PATIENCE_FACTOR

_CHUNK = 4096
"""The number of vectors between two checks of the members, as the consumer of vectors may be slow."""
_LOOK = 0.2
"""The seconds between two checks whether the members live, while none of them reports."""


@dataclass(frozen=True)
class WatchRules:
    """The rules for watching members: seconds for rep_ok on one candidate, and the file whose code is suspected."""

    seconds: float = float("inf")
    suspect: str | None = None


UNWATCHED = WatchRules()


@dataclass(frozen=True)
class _Report:
    """The result of a part: bytes of vectors, executions, the remainder, and the error that ended it early."""

    size: int
    explored: int
    remainder: SearchPart | None
    failure: SearchGaveUp | LateDisagreement | SpecError | None
    left: int
    """The height of the stack at its end (RunningSearch.left)."""
    classes: list[tuple[int, ...]] = field(default_factory=list)
    """The first vector of each class that the criterion finds there."""


@dataclass(frozen=True)
class _SearchedPiece:
    """The member that has searched a piece, the position of its vectors in that member's file, and the report."""

    member: _Member
    start: int
    report: _Report


class _Member:
    """A process that searches parts, and the file that its vectors go to."""

    def __init__(self, process: BaseProcess, connection: Connection, file: IO[bytes], pulse: mmap.mmap) -> None:
        self.process = process
        self.connection = connection
        self.file = file
        self.size = 0
        self.piece: Piece[_SearchedPiece] | None = None
        self._pulse = pulse
        self._felt = b""
        self._since = time.monotonic()

    def still(self) -> float:
        """Return for how many seconds it has shown no sign of life, as far as this was observed."""
        felt = self._pulse[:]
        if felt != self._felt:
            self._felt, self._since = felt, time.monotonic()
        return time.monotonic() - self._since


class Crew:
    """Processes that search the remainder of a search. Use it as a context manager; leaving it ends them.

    The sizes of parts are unpredictable, so no part is searched to its end at once. After a moment a member returns the
    remainder, which is split at the place where most of the search seems to be left. The division into parts depends on
    time and load, but its result does not: parts are intervals of one sequence, and are put together in its order.
    Vectors wait for their turn on disk.

    With a criterion, a part may end early, and others may have been begun in vain (Pieces). Their executions are not
    counted, and their errors are ignored.

    Args:
        native: the search, whose `explored` grows by the parts' executions. It has no outcome pruning, which would
            explore more in parts than in one piece.
        folder: a folder in which files without a name can be made.
        late: the check by which each member compares samples of its own results.
        covered: for a search with a criterion, the classes covered before; it is extended by later ones.
    """

    def __init__(  # noqa: PLR0913 (the state of a search, handed to a process)
        self,
        native: NativeSearch,
        part: SearchPart,
        jobs: int,
        folder: Path,
        watch: WatchRules = UNWATCHED,
        late: LateCheck | None = None,
        covered: Covered | None = None,
    ) -> None:
        self._native = native
        self._watch = watch
        self._late = late
        self._covered = covered
        self._jobs = jobs
        self._folder = folder
        self._sizes = [len(field.domain) for field in native.space.fields]
        self._members: list[_Member] = []
        self._pieces: Pieces[_SearchedPiece] = Pieces(part.pieces(self._sizes, native.pace.pieces * jobs))
        self.parts = 0
        """Parts searched so far."""

    def __enter__(self) -> Crew:
        context = multiprocessing.get_context("fork")
        for _ in range(self._jobs):
            mine, its = context.Pipe()
            file = tempfile.TemporaryFile(dir=self._folder, buffering=0)
            pulse = mmap.mmap(-1, 8)
            strangers = [mine, *(member.connection for member in self._members)]
            order = (its, strangers, self._native, file, pulse, self._watch, self._late)
            process = context.Process(target=_serve, args=order, daemon=True)
            process.start()
            its.close()
            self._members.append(_Member(process, mine, file, pulse))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for member in self._members:
            member.process.kill()
            member.process.join()
            member.connection.close()
            member.file.close()

    def blocks(self) -> Iterator[Block]:
        """Yield the valid vectors in blocks, as RunningSearch.blocks does.

        Raises:
            Interrupted, LateDisagreement, SpecError: as the members' searches.
            MutascopeError: a process has died, or gives no sign of life.
        """
        while self._pieces:
            self._hand_out()
            result = self._pieces.first.result
            if result is None:
                self._listen(None)
                continue
            for block in self._blocks_of(result):
                yield block
                self._listen(0)
                self._hand_out()
            if result.report.failure is not None:
                raise result.report.failure
            for piece in self._pieces.end_first(result.report.left):
                if piece.result is not None:
                    self._native.explored -= piece.result.report.explored

    def _blocks_of(self, searched_piece: _SearchedPiece) -> Iterator[Block]:
        report = searched_piece.report
        if self._covered is not None:
            fresh = self._covered.add(report.classes)
            if self._covered.first_only:
                yield self._native.block(fresh)
                return
        chunk = _CHUNK * 2 * self._native.space.width
        for offset in range(0, report.size, chunk):
            data = bytearray(min(chunk, report.size - offset))
            os.preadv(searched_piece.member.file.fileno(), [data], searched_piece.start + offset)
            yield Block(self._native, memoryview(data))

    def _hand_out(self) -> None:
        """Give members without work the first parts that wait."""
        idle = [member for member in self._members if member.piece is None]
        if not idle:
            return
        waiting = self._pieces.waiting
        pace = self._native.pace
        seconds = pace.long if len(waiting) > 2 * len(self._members) else pace.short
        for member, piece in zip(idle, waiting, strict=False):
            piece.is_taken, member.piece = True, piece
            try:
                member.connection.send((piece.part, seconds))
            except OSError:
                raise _died(member) from None

    def _listen(self, timeout: float | None) -> None:
        """Take the reports that have arrived, or wait for one."""
        busy = {member.connection: member for member in self._members if member.piece is not None}
        ready = wait(list(busy), _LOOK if timeout is None else timeout)
        if not ready:
            self._feel(busy.values())
        for connection in ready:
            member = busy[connection]  # type: ignore[index]
            piece = member.piece
            assert piece is not None
            try:
                report: _Report = member.connection.recv()
            except (EOFError, OSError):
                raise _died(member) from None
            piece.result = _SearchedPiece(member, member.size, report)
            member.size += report.size
            member.piece = None
            self.parts += 1
            if piece.is_dropped:
                continue
            self._native.explored += report.explored
            if report.remainder is not None:
                self._pieces.leave_rest(piece, report.remainder.pieces(self._sizes, 2))

    def _feel(self, members: Iterable[_Member]) -> None:
        patience = PATIENCE_FACTOR * self._watch.seconds
        first = self._pieces.first
        for member in members:
            if self._covered is not None and first.is_taken and member.piece is not first:
                continue  # perhaps the search never comes there
            if member.still() >= patience:
                raise MutascopeError(
                    f"a process of the search gave no sign of life for {patience:g} s: it was stopped, or rep_ok is in "
                    f"code in C that does not return; make it end, or generate again"
                )


def _died(member: _Member) -> MutascopeError:
    member.process.join(10)
    status = member.process.exitcode
    how = f"by {signal.Signals(-status).name}" if status is not None and status < 0 else f"with exit status {status}"
    return MutascopeError(
        f"a process of the search ended {how}, perhaps for want of memory; generate again, or with --jobs 1"
    )


def _serve(  # noqa: PLR0913 (the state of a search, handed to a process)
    connection: Connection,
    strangers: Sequence[Connection],
    native: NativeSearch,
    file: IO[bytes],
    pulse: mmap.mmap,
    watch: WatchRules,
    late: LateCheck | None,
) -> None:
    """Search the parts that the parent sends to this member, until the parent closes the connection."""
    end_with_parent(signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the parent ends the search on an interrupt
    for other in strangers:
        other.close()
    failure: Exception | None = None
    while True:
        # After rep_ok has raised, its objects keep their state, although other parts may have to be searched.
        with native.begin() as running, Watchdog(_beating(pulse, running), watch.seconds, watch.suspect):
            failure = None
            while failure is None:
                try:
                    part, seconds = connection.recv()
                except EOFError:
                    return
                report = _searched(running, native, part, seconds, file, watch, late)
                failure = report.failure
                connection.send(report)


def _searched(  # noqa: PLR0913 (the state of a search, handed to a process)
    running: RunningSearch,
    native: NativeSearch,
    part: SearchPart,
    seconds: float,
    file: IO[bytes],
    watch: WatchRules,
    late: LateCheck | None,
) -> _Report:
    """Search a part for a number of seconds, and write its vectors to the file."""
    until, before, size = time.process_time() + seconds, native.explored, 0
    failure: SearchGaveUp | LateDisagreement | SpecError | None = None
    remainder: SearchPart | None = None
    running.enter(part)
    try:
        for block in running.blocks():
            size += file.write(block.data)
            if late is not None:
                size += file.write(native.block(late.look(running, native)).data)
            if time.process_time() >= until:
                remainder = running.remainder
                break
    except (SearchGaveUp, LateDisagreement, SpecError) as reason:
        failure = reason
    except EndlessCandidate as reason:
        description = f"{running.executing} did not return on candidate {running.current}"
        failure = EndlessSpecError(endless(description, reason))
    return _Report(size, native.explored - before, remainder, failure, running.left, running.class_vectors)


def _beating(pulse: mmap.mmap, running: RunningSearch) -> Callable[[], object]:
    """Return a function that shows, at each call, that this process lives, and returns the progress of the search."""
    beats = 0

    def beat() -> object:
        nonlocal beats
        beats += 1
        pulse[:] = beats.to_bytes(8, "little")
        return running.explored

    return beat
