"""Locks on files and folders that end with the process that took them, however it ends."""

from __future__ import annotations

import fcntl
import os
from enum import Enum

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
