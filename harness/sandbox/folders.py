"""Temporary folders that end with their process: by its own hand, or, where it was killed, by that of the next run."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from harness.sandbox.locks import Lock, release, take

PREFIX = "mutascope-own-"
"""Of all names of such folders; each is locked by its owner as long as that lives."""

_AS_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_ROUNDS = 3
"""Attempts at a folder into which somebody still writes."""


@contextmanager
def own_folder(below: Path | None = None) -> Iterator[Path]:
    """A new empty folder of this process, `below` the one given or among temporary ones; removed at the end.

    Its path is absolute. It is locked: `collect_leftovers` leaves it alone as long as this process lives.

    Raises:
        OSError: it cannot be made.
    """
    path, descriptor = _made(below)
    try:
        yield path
    finally:
        remove_tree(path)
        release(descriptor)


def collect_leftovers(below: Path | None = None) -> None:
    """Removes the folders of `own_folder` whose process was killed; never a living one's, nor another user's."""
    with suppress(OSError):
        for entry in sorted((below or Path(tempfile.gettempdir())).glob(f"{PREFIX}*")):
            _collect(entry)


def has_living(below: Path) -> bool:
    """Whether a process still lives that made itself a folder there; asked after `collect_leftovers`."""
    return any(below.glob(f"{PREFIX}*"))


def remove_tree(path: Path) -> None:
    """Removes a folder whatever lies in it: of any depth, with any permissions. What cannot be removed stays."""
    with suppress(OSError):
        top = _opened(str(path), None)
        try:
            for _ in range(_ROUNDS):
                if _emptied(top):
                    break
        finally:
            os.close(top)
        path.rmdir()


def _made(below: Path | None) -> tuple[Path, int]:
    while True:
        path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=below)).absolute()
        try:
            descriptor = os.open(path, _AS_FOLDER)
        except FileNotFoundError:
            continue  # collected before it was locked
        if take(descriptor) is not Lock.ANOTHERS and _is_there(path, descriptor):
            return path, descriptor
        release(descriptor)


def _is_there(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path, follow_symlinks=False), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _collect(path: Path) -> None:
    with suppress(OSError):
        found = os.stat(path, follow_symlinks=False)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            return
        descriptor = _opened(str(path), None)
        try:
            if take(descriptor) is Lock.OURS:
                remove_tree(path)
        finally:
            release(descriptor)


def _opened(name: str, within: int | None) -> int:
    """A folder, opened; its permissions are widened to that end."""
    with suppress(OSError):
        descriptor = os.open(name, _AS_FOLDER, dir_fd=within)
        with suppress(OSError):
            os.fchmod(descriptor, stat.S_IRWXU)
        return descriptor
    os.chmod(name, stat.S_IRWXU, dir_fd=within)
    return os.open(name, _AS_FOLDER, dir_fd=within)


def _emptied(top: int) -> bool:
    """Whether nothing is left. Folders within folders come up to the top first: no depth is too great."""
    numbers = count()
    pending = _files_removed(top)
    while pending:
        name = pending.pop()
        with suppress(OSError):
            folder = _opened(name, top)
            try:
                for inner in _files_removed(folder):
                    with suppress(OSError):
                        os.close(_opened(inner, folder))
                        risen = f"{os.getpid()}-{next(numbers)}"
                        os.rename(inner, risen, src_dir_fd=folder, dst_dir_fd=top)
                        pending.append(risen)
            finally:
                os.close(folder)
            os.rmdir(name, dir_fd=top)
    return not os.listdir(top)


def _files_removed(folder: int) -> list[str]:
    """Removes what is no folder; the names of what is one."""
    folders = []
    with os.scandir(folder) as entries:
        for entry in list(entries):
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
                continue
            with suppress(OSError):
                os.unlink(entry.name, dir_fd=folder)
    return folders
