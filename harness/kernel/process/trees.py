"""Removes folders that a hostile program has filled: of any depth, with any permissions."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from itertools import count
from pathlib import Path

OWN_FOLDER_PREFIX = "mutascope-own-"
"""The prefix of folders that a process makes for itself, and locks as long as it lives."""
AS_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_ROUNDS = 3
"""The number of attempts at a folder into which somebody still writes."""


def remove_tree(path: Path) -> None:
    """Remove a folder with any contents, depth and permissions. Entries that cannot be removed stay."""
    with suppress(OSError):
        top = open_widened(str(path), None)
        try:
            for _ in range(_ROUNDS):
                if _emptied(top):
                    break
        finally:
            os.close(top)
        path.rmdir()


def open_widened(name: str, within: int | None) -> int:
    """Open a folder, and widen its permissions for this.

    Raises:
        OSError: it is no folder, or cannot be opened. Nothing is changed then: what a link leads to is not ours.
    """
    try:
        descriptor = os.open(name, AS_FOLDER, dir_fd=within)
    except PermissionError:
        os.chmod(name, stat.S_IRWXU, dir_fd=within)
        return os.open(name, AS_FOLDER, dir_fd=within)
    with suppress(OSError):
        os.fchmod(descriptor, stat.S_IRWXU)
    return descriptor


def _emptied(top: int) -> bool:
    """Empty a folder. Return whether nothing is left. Inner folders first move to the top: no depth is too great."""
    numbers = count()
    pending = _files_removed(top)
    while pending:
        name = pending.pop()
        with suppress(OSError):
            folder = open_widened(name, top)
            try:
                for inner in _files_removed(folder):
                    with suppress(OSError):
                        os.close(open_widened(inner, folder))
                        risen = f"{os.getpid()}-{next(numbers)}"
                        os.rename(inner, risen, src_dir_fd=folder, dst_dir_fd=top)
                        pending.append(risen)
            finally:
                os.close(folder)
            os.rmdir(name, dir_fd=top)
    return not os.listdir(top)


def _files_removed(folder: int) -> list[str]:
    """Remove all entries that are no folders. Return the names of the folders."""
    folders = []
    with os.scandir(folder) as entries:
        for entry in list(entries):
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
                continue
            with suppress(OSError):
                os.unlink(entry.name, dir_fd=folder)
    return folders
