"""Slices of the baseline that outlive an interrupted run; a run works on copies of its own, made and checked here."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from harness.errors import StoreError
from harness.kernel.running.baseline_slices import Slice, check_slice, slice_path
from harness.runner.logs import LOGGER


class KeptSlices:
    """Slices of `source` in the folder `kept`, and their copies in `work`, which is this run's alone.

    Whatever runs beside, even on another machine, a file of `kept` appears there completely or not at all.
    """

    def __init__(self, kept: Path, work: Path, source: str) -> None:
        self._kept = kept
        self._work = work
        self._source = source

    def taken(self, first: int, last: int) -> Slice | None:
        """The slice of these inputs, copied from what is kept; None where there is none that can be believed."""
        path = slice_path(self._kept, first)
        if not path.exists():
            return None
        copy = slice_path(self._work, first)
        try:
            if copy != path:
                shutil.copyfile(path, copy)
            told = check_slice(copy, self._source)
            if (told.first, told.last) != (first, last):
                raise StoreError(f"{path}: holds inputs {told.first} to {told.last - 1}, not {first} to {last - 1}")
        except (StoreError, OSError) as error:
            copy.unlink(missing_ok=True)
            LOGGER.warning("baseline %d is made anew: %s: %s", first, path, str(error).partition(": ")[2] or error)
            return None
        return told

    def keep(self, first: int) -> Slice:
        """Checks a slice that was just made, and keeps a copy of it.

        Raises:
            StoreError: it is not what was written.
        """
        path = slice_path(self._work, first)
        told = check_slice(path, self._source)
        number, part = tempfile.mkstemp(prefix=".part-", dir=self._kept)
        os.close(number)
        try:
            shutil.copyfile(path, part)
            os.replace(part, slice_path(self._kept, first))
        finally:
            Path(part).unlink(missing_ok=True)
        return told
