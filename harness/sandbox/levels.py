"""Determines, by trying once, the levels by which programs under test are contained on this machine.

Control groups bound the total memory and number of processes of a sandbox and its children.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path

from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.kernel.process.containment import landlock, namespaces, seccomp
from harness.kernel.process.containment.contain import CGROUP, LANDLOCK, LEVELS, NAMESPACES, SECCOMP
from harness.kernel.process.containment.system import PR_SET_NO_NEW_PRIVS, prctl
from harness.sandbox.folders import locked_folder

VARIABLE = "MUTASCOPE_CONTAINMENT"
"""The levels to use at the most, separated by commas; unset: all that the system allows."""

_TRUSTED = "run only programs that you trust"


def held_levels() -> tuple[str, ...]:
    """Return the levels that contain sandboxed processes, which are both wanted and available.

    Raises:
        UsageError: the environment names an unknown level.
    """
    return tuple(level for level in allowed_levels() if level in available_levels())


def allowed_levels() -> tuple[str, ...]:
    """Return the levels that the environment allows to be used.

    Raises:
        UsageError: the environment names an unknown level.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen is None:
        return LEVELS
    names = [name.strip() for name in chosen.split(",") if name.strip()]
    for name in names:
        if name not in LEVELS:
            raise UsageError(
                f"{VARIABLE} names {name!r}; {suggestion(name, LEVELS, 'mutascope list')}, or leave it unset for all"
            )
    return tuple(level for level in LEVELS if level in names)


@cache
def available_levels() -> tuple[str, ...]:
    """Return the levels that the system allows to this user."""
    tried = {NAMESPACES: _enter_namespaces, LANDLOCK: _enter_landlock, SECCOMP: _enter_seccomp, CGROUP: _enter_group}
    return tuple(level for level in LEVELS if _works(tried[level]))


def missing_levels() -> str | None:
    """Return one line for people about the levels that are not held; None if all are."""
    held = held_levels()
    missing = [level for level in LEVELS if level not in held]
    if not missing:
        return None
    why = "left out by " + VARIABLE if set(missing).isdisjoint(set(allowed_levels())) else "not allowed on this system"
    advice = "memory and processes of a search are not bounded as a whole" if missing == [CGROUP] else _TRUSTED
    return (
        f"programs under test are contained by {_listed(held) or 'nothing but limits'}; {_listed(missing)} "
        f"{'is' if len(missing) == 1 else 'are'} {why}: {advice} (docs/containment.md)"
    )


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


@cache
def warn_of_missing_levels() -> None:
    """Print, once, a line for people about the levels by which programs under test are not contained here."""
    if line := missing_levels():
        print(f"mutascope: {line}", file=sys.stderr, flush=True)


def _works(enter: Callable[[str], None]) -> bool:
    """Return whether a child that enters a level comes out of it well."""
    with locked_folder() as folder, warnings.catch_warnings():
        # The child calls the system and leaves: no lock that another thread holds is wanted there.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
        if child == 0:
            try:
                enter(str(folder))
            except BaseException:
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
    return status == 0


def _enter_namespaces(folder: str) -> None:
    namespaces.shut_in(Path(folder), 1 << 20, 16, [])


def _enter_landlock(folder: str) -> None:
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    landlock.restrict(landlock.WRITE, [(Path(folder), landlock.WRITE)])


def _enter_seccomp(folder: str) -> None:
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    seccomp.refuse_machine()
    seccomp.refusal_of_processes_and_signals(file_modes=False).install()


def _enter_group(folder: str) -> None:
    group = ControlGroup()
    try:
        child = os.fork()
        if child == 0:
            for door in group.doors:
                Path(door).write_text("0", encoding="utf-8")
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            raise OSError("nobody can come into a control group")
    finally:
        group.close()


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
