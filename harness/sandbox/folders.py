"""Temporary folders that are removed when their process ends, or by the next run if the process was killed.

Locks on files and folders end with the process that took them, however it ends.
"""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path

from harness.kernel.process.trees import AS_FOLDER, OWN_FOLDER_PREFIX, open_widened, remove_tree

_VARIABLES = ("TMPDIR", "TEMP", "TMP")
_USUAL = ("/tmp", "/var/tmp", "/usr/tmp")  # noqa: S108 (the system's own places)
_collected: set[Path] = set()
"""Places from which this process has collected what killed ones left."""


@contextmanager
def locked_folder(below: Path | None = None) -> Iterator[Path]:
    """Make a new empty folder of this process, `below` the given one or among temporary ones, and remove it at the end.

    Its path is absolute. It is locked: `collect_leftovers` leaves it alone as long as this process lives. Before a
    process makes its first one in some place, it collects leftovers there.

    Raises:
        OSError: it cannot be made.
    """
    place = below or temporary_folder()
    if place not in _collected:
        _collected.add(place)
        collect_leftovers(place)
    path, descriptor = _new_folder(place)
    try:
        yield path
    finally:
        remove_tree(path)
        release(descriptor)


def collect_leftovers(below: Path | None = None) -> None:
    """Remove the folders of `locked_folder` whose process was killed; never a living one's, nor another user's."""
    with suppress(OSError):
        for entry in sorted((below or temporary_folder()).glob(f"{OWN_FOLDER_PREFIX}*")):
            _collect(entry)


def temporary_folder() -> Path:
    """Return the folder for temporary folders. `tempfile.gettempdir` writes a file to test it, which a kill would leave
    there.
    """
    named = [os.environ[name] for name in _VARIABLES if os.environ.get(name)]
    for folder in map(Path, (*named, *_USUAL)):
        if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
            return folder.absolute()
    return Path.cwd()


def has_living(below: Path) -> bool:
    """Return whether a process lives that made itself a folder there; call it after `collect_leftovers`."""
    return any(below.glob(f"{OWN_FOLDER_PREFIX}*"))


def _new_folder(below: Path) -> tuple[Path, int]:
    while True:
        path = Path(tempfile.mkdtemp(prefix=OWN_FOLDER_PREFIX, dir=below)).absolute()
        try:
            descriptor = os.open(path, AS_FOLDER)
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
        status = os.stat(path, follow_symlinks=False)
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
            return
        descriptor = open_widened(str(path), None)
        try:
            if take(descriptor) is Lock.OURS:
                remove_tree(path)
        finally:
            release(descriptor)


_held: set[int] = set()


class Lock(Enum):
    """The result of a request for a lock."""

    OURS = "ours until it is released, or until this process ends"
    ANOTHERS = "held by another process, or by another part of this one"
    UNSUPPORTED = "the file system has no locks"


def take(descriptor: int) -> Lock:
    """Lock the open file or folder, at once or not at all; processes forked later do not hold the lock."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return Lock.ANOTHERS
    except OSError:
        return Lock.UNSUPPORTED
    _held.add(descriptor)
    return Lock.OURS


def release(descriptor: int) -> None:
    """Close the file or folder, which also releases the lock, if there was one."""
    _held.discard(descriptor)
    os.close(descriptor)


def _forget_in_child() -> None:
    """Close the locked files in a forked process, which would keep them locked after its parent has ended."""
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


os.register_at_fork(after_in_child=_forget_in_child)
