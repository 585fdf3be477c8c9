"""Contains this process by a plan, before it runs anything of the program under test.

A sandboxed process gets its plan as JSON in its arguments.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import harness
from harness.kernel.process.containment import landlock, namespaces, seccomp
from harness.kernel.process.containment.system import PR_SET_NO_NEW_PRIVS, call, prctl

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store")
_ABOUT_THE_MACHINE = ("/proc", "/sys/devices/system/cpu")
_SYSTEM_FILES = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone", "mime.types", "alternatives")
_DEVICES = ("zero", "random", "urandom")

_held: tuple[str, ...] = ()


def contain(plan: Plan) -> None:
    """Enter the plan's levels; with namespaces, continue in a child there.

    Raises:
        OSError: a level that the plan names cannot be entered.
    """
    global _held
    os.chdir(plan.folder)
    for door in plan.groups:
        Path(door).write_text("0", encoding="utf-8")
    if NAMESPACES in plan.levels:
        namespaces.shut_in(Path(plan.folder), plan.most_bytes, plan.most_files, [Path(path) for path in plan.writable])
    if plan.levels:
        prctl(PR_SET_NO_NEW_PRIVS, 1)
    if LANDLOCK in plan.levels:
        landlock.restrict(landlock.READ | landlock.WRITE, _rules(plan))
    if SECCOMP in plan.levels:
        seccomp.refuse_machine()
    _held = plan.levels


def in_own_namespaces() -> bool:
    """Return whether this process sees only processes that were started below it."""
    return NAMESPACES in _held


class Containment:
    """The containment of a child that runs a program under test.

    The child writes below `writable` only, and starts and signals no process. The containment is made in its parent,
    once for many children, because anything that a child does by itself costs it copies of pages.

    Raises:
        OSError: a level that this process is contained by cannot be entered again.
    """

    def __init__(self, writable: Sequence[str]) -> None:
        self._ruleset: int | None = None
        self._filter: seccomp.FilterProgram | None = None
        if LANDLOCK in _held:
            folders = [(Path(path), landlock.WRITE) for path in (*writable, os.devnull)]
            self._ruleset = landlock.ruleset(landlock.WRITE, folders)
        if SECCOMP in _held:
            self._filter = seccomp.refusal_of_processes_and_signals(file_modes=NAMESPACES in _held)

    @property
    def handles(self) -> set[int]:
        """The handles that a child must not close before it enters."""
        return set() if self._ruleset is None else {self._ruleset}

    def enter(self) -> None:
        """Contain this process for good.

        Raises:
            OSError: the system refused.
        """
        if self._ruleset is not None:
            call("landlock_restrict_self", self._ruleset, 0)
            os.close(self._ruleset)
        if self._filter is not None:
            self._filter.install()

    def close(self) -> None:
        """Close the handles."""
        if self._ruleset is not None:
            os.close(self._ruleset)


def _rules(plan: Plan) -> Iterator[tuple[Path, int]]:
    everywhere = map(Path, (*_SYSTEM, *_ABOUT_THE_MACHINE, *plan.readable))
    for path in dict.fromkeys([*_pythons_own(), *everywhere]):
        yield path, landlock.READ
    for name in _SYSTEM_FILES:
        yield Path("/etc", name), landlock.READ
    for name in _DEVICES:
        yield Path("/dev", name), landlock.READ
    for path in map(Path, (os.devnull, plan.folder, *plan.writable)):
        yield path, landlock.READ | landlock.WRITE


def _pythons_own() -> Iterator[Path]:
    """Yield the interpreter and its import paths. Of a checkout of ours only the package: results lie next to it."""
    package = Path(harness.__file__).parent
    yield package
    checkout = package.parent if (package.parent / "pyproject.toml").exists() else None
    for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix):
        yield Path(prefix)
    for entry in sys.path:
        if entry and Path(entry) != checkout:
            yield Path(entry)


NAMESPACES, LANDLOCK, SECCOMP, CGROUP = "namespaces", "landlock", "seccomp", "cgroup"
LEVELS = (NAMESPACES, LANDLOCK, SECCOMP, CGROUP)
"""All levels; each contains something that the others do not (docs/containment.md)."""


@dataclass(frozen=True)
class Plan:
    """The levels by which a process is contained, its working directory, and the other paths that it may read and
    write.

    `folder` is its working directory, of at most `most_bytes` and `most_files` if there are namespaces. `parent` is the
    number of the process that started it, and `groups` are the doors of its control groups.
    """

    levels: tuple[str, ...]
    parent: int
    folder: str
    readable: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    most_bytes: int = 64 << 20
    most_files: int = 4096

    def text(self) -> str:
        """Return the plan as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, text: str) -> Plan:
        """Return the plan that JSON describes."""
        fields = json.loads(text)
        lists = ("levels", "readable", "writable", "groups")
        return cls(**fields | {name: tuple(fields[name]) for name in lists})
