"""Lines from a pipe whose other end is not trusted: bounded, and never waited for longer than asked."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterable

MOST_LINE = 1 << 28
"""Bytes of one line; a suite's header with millions of structures has some tens of millions."""

_CHUNK = 1 << 16
_LAST_WORDS = 2000


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
