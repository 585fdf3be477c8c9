"""Memory kept in reserve, so that a test that has used up all memory can still be reported."""

from __future__ import annotations

from mmap import mmap

SIZE = 16 << 20
"""Bytes of the reserve; they are only addresses, as no memory is written."""


class Reserve:
    """Counts against the limit on memory while it is kept."""

    def __init__(self) -> None:
        self._memory: mmap | None = None

    def keep(self) -> None:
        """Take the reserve, unless it is kept already or there is not as much memory."""
        if self._memory is None:
            try:
                self._memory = mmap(-1, SIZE)
            except OSError:
                pass  # another test has used up all memory; as much as possible is reported

    def give_back(self) -> None:
        """Release the reserve for code that needs memory now."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None
