"""Defines the containment plan that a sandboxed process gets, as JSON in its arguments."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

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
