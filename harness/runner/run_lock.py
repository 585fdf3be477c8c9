"""One run at a time in a folder: a second run is refused with the name of the first, before it changes anything."""

from __future__ import annotations

import json
import os
import shlex
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep

from harness.errors import StoreError, UsageError
from harness.sandbox.folders import Lock, release, take

FILE_NAME = "run.lock"
REMNANT_SECONDS = 5.0
"""The time that a lock may outlive its holder: a process forked just before the end shares it until it has first run.
"""


@dataclass(frozen=True)
class Holder:
    """The process that holds the lock, and its host.

    `clock` is the time when the system started it, which distinguishes two processes with one number.
    """

    pid: int
    host: str
    clock: str
    since: str
    command: str

    @classmethod
    def this(cls) -> Holder:
        """Return the holder that describes this process."""
        command = shlex.join(["mutascope", *sys.argv[1:]])
        since = datetime.now(UTC).isoformat(" ", "seconds")
        return cls(os.getpid(), socket.gethostname(), _clock(os.getpid()), since, command)

    @classmethod
    def read(cls, path: Path) -> Holder | None:
        """Return the process that wrote the file; None if that is unknown (the file is just being written)."""
        try:
            return cls(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    @property
    def is_gone(self) -> bool:
        """Whether the process is known to have ended; of another host's that is not known."""
        return self.host == socket.gethostname() and _clock(self.pid) != self.clock


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder of a run, which is made if it is missing, until the block or this process ends.

    Folders that are made for it are removed again if the block leaves nothing in them, as a refused run does. If the
    file system has no locks, a file that names a living process stands for one.

    Raises:
        UsageError: another run holds it.
        StoreError: the folder cannot be written.
    """
    path = folder / FILE_NAME
    new_folders = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = _locked_descriptor(path)
    except OSError as error:
        raise StoreError(f"{folder}: cannot write there ({error.strerror}); choose another output folder") from None
    try:
        with suppress(OSError):  # a full disk: then the message has no holder's name
            os.ftruncate(descriptor, 0)
            os.write(descriptor, json.dumps(asdict(Holder.this())).encode())
        yield
    finally:
        with suppress(OSError):
            path.unlink()
            for place in new_folders:
                place.rmdir()
        release(descriptor)


def _locked_descriptor(path: Path) -> int:
    limit = monotonic() + REMNANT_SECONDS
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            lock = take(descriptor)
            holder = Holder.read(path)
            if lock is Lock.ANOTHERS and holder is not None and holder.is_gone and monotonic() < limit:
                release(descriptor)
                sleep(0.01)
                continue
            if lock is Lock.ANOTHERS or (lock is Lock.UNSUPPORTED and holder is not None and not holder.is_gone):
                raise _held(path, holder)
            if os.path.samestat(os.stat(path), os.fstat(descriptor)):
                return descriptor
        except FileNotFoundError:
            pass  # its holder removed it between our opening and locking it
        except BaseException:
            release(descriptor)
            raise
        release(descriptor)


def _held(path: Path, holder: Holder | None) -> UsageError:
    name = "" if holder is None else f": process {holder.pid} on {holder.host}, since {holder.since}, {holder.command}"
    return UsageError(
        f"{path.parent}: another run is writing there{name}; wait for its end, or give another folder with --out"
    )


def _clock(pid: int) -> str:
    """Return when the system started a process, in the system's unit; empty if there is none, or no such record."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[19]
    except OSError:
        return ""
