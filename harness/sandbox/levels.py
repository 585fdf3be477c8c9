"""Determines, by trying once, the levels by which programs under test are contained on this machine."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.kernel.process.containment import landlock, namespaces, seccomp
from harness.kernel.process.containment.plan import CGROUP, LANDLOCK, LEVELS, NAMESPACES, SECCOMP
from harness.kernel.process.containment.system import PR_SET_NO_NEW_PRIVS, prctl
from harness.sandbox.cgroups import ControlGroup
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
