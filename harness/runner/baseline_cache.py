"""Slices of the baseline that outlive an interrupted run. A run works on its own copies, which are made and checked
here.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from harness.kernel.running.baseline_slices import Slice, check_slice, slice_path


class BaselineCache:
    """Slices of `source` in the folder `folder`, and their copies in `work`, which is this run's alone.

    A file appears in `folder` completely or not at all, even if other processes or machines use the folder, too.
    """

    def __init__(self, folder: Path, work: Path, source: str) -> None:
        self._folder = folder
        self._work = work
        self._source = source

    def load(self, first: int) -> Slice | None:
        """Return the slice of the inputs from `first` on, copied from the kept ones; None if there is none."""
        path, copy = slice_path(self._folder, first), slice_path(self._work, first)
        if not path.exists():
            return None
        if copy != path:
            shutil.copyfile(path, copy)
        return check_slice(copy, self._source)

    def store(self, first: int) -> Slice:
        """Check a slice that was just made, and keep a copy of it.

        Raises:
            StoreError: it is not what was written.
        """
        path = slice_path(self._work, first)
        header = check_slice(path, self._source)
        number, part = tempfile.mkstemp(prefix=".part-", dir=self._folder)
        os.close(number)
        try:
            shutil.copyfile(path, part)
            os.replace(part, slice_path(self._folder, first))
        finally:
            Path(part).unlink(missing_ok=True)
        return header
