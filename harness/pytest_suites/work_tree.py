"""The copy of a project in which tests work, restored before each test to undo the changes of the last one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from harness.kernel.process.trees import remove_tree

_Mark = tuple[str, int, int, int]


class WorkTree:
    """`tree`, a copy of `pristine`, which is made again if it was changed.

    Raises:
        OSError: it cannot be written.
    """

    def __init__(self, pristine: Path, tree: Path) -> None:
        self._pristine = pristine
        self.path = tree
        self._make()

    def restore(self) -> None:
        """Restore the tree. Changes show in the times that the system sets, which no program can forge."""
        if list(_marks(self.path)) != self._marks:
            self._make()

    def _make(self) -> None:
        if self.path.exists():
            remove_tree(self.path)
        shutil.copytree(self._pristine, self.path, symlinks=True, dirs_exist_ok=True)
        self._marks = list(_marks(self.path))


def _marks(folder: Path) -> Iterator[_Mark]:
    """Yield a mark of each file and folder, which changes when the file or folder does."""
    left = [str(folder)]
    while left:
        path = left.pop()
        try:
            folder_status = os.lstat(path)
            yield path, folder_status.st_ino, folder_status.st_ctime_ns, folder_status.st_mode
            with os.scandir(path) as entries:
                for entry in sorted(entries, key=lambda entry: entry.name):
                    if entry.is_dir(follow_symlinks=False):
                        left.append(entry.path)
                    else:
                        seen = entry.stat(follow_symlinks=False)
                        yield entry.path, seen.st_ino, seen.st_ctime_ns, seen.st_mode
        except OSError:
            yield path, 0, 0, 0  # gone, or shut
