"""Control groups: bounds on the total memory and number of processes of a sandbox and its children."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

PROCESSES = 256
"""The number of processes of one sandbox; a search in parts and a compiler take some tens."""

_MOUNT = Path("/sys/fs/cgroup")
_PREFIX = "mutascope-"
_NUMBERS = count()
_EMPTYING_SECONDS = 2.0
_PAUSE = 0.01

# Files for the limits, in version 1 of the hierarchies and in version 2.
_PIDS, _MEMORY = ("pids.max",), ("memory.limit_in_bytes", "memory.max")


class ControlGroup:
    """A group of this process's own in every hierarchy that bounds memory or processes. Use `close` at the end.

    Raises:
        OSError: this user may make none, or the system has none.
    """

    def __init__(self) -> None:
        self._folders: list[Path] = []
        name = f"{_PREFIX}{os.getpid()}-{next(_NUMBERS)}"
        try:
            for parent in dict.fromkeys([_parent("pids"), _parent("memory")]):
                _collect(parent)
                folder = parent / name
                folder.mkdir()
                self._folders.append(folder)
            _limit(self._folders, _PIDS, PROCESSES)
            _limit(self._folders, _MEMORY, _half_of_memory())
        except OSError:
            self.close()
            raise

    @property
    def doors(self) -> tuple[str, ...]:
        """Files to which a process writes 0 to come in."""
        return tuple(str(folder / "cgroup.procs") for folder in self._folders)

    def close(self) -> None:
        """Remove the groups once they are empty."""
        until = time.monotonic() + _EMPTYING_SECONDS
        for folder in self._folders:
            while not _removed(folder) and time.monotonic() < until:
                time.sleep(_PAUSE)


def _half_of_memory() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


def _parent(controller: str) -> Path:
    """Return the group of this process below which a controller's limits can be set."""
    for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
        _, controllers, path = line.split(":", 2)
        if controller in controllers.split(","):
            return _existing(_MOUNT / controllers, path)
        if not controllers and (_MOUNT / "cgroup.controllers").exists():
            parent = _existing(_MOUNT, path)
            if controller not in (parent / "cgroup.subtree_control").read_text(encoding="utf-8").split():
                (parent / "cgroup.subtree_control").write_text(f"+{controller}", encoding="utf-8")
            return parent
    raise OSError(f"no hierarchy of control groups has {controller}")


def _existing(mount: Path, path: str) -> Path:
    """Return the group's folder; the mount if the path belongs to another view of the hierarchy, as in a container."""
    own = mount / path.lstrip("/")
    return own if own.is_dir() else mount


def _limit(folders: list[Path], files: tuple[str, ...], value: int) -> None:
    for folder in folders:
        for name in files:
            if (folder / name).exists():
                (folder / name).write_text(str(value), encoding="utf-8")
                return
    raise OSError(f"no control group has {files[0]}")


def _collect(parent: Path) -> None:
    """Remove the empty groups of processes that were killed."""
    for folder in parent.glob(f"{_PREFIX}*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not Path("/proc", owner).exists():
            _removed(folder)


def _removed(folder: Path) -> bool:
    with suppress(FileNotFoundError):
        try:
            folder.rmdir()
        except OSError:
            return False
    return True
