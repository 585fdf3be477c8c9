"""What a sandboxed process is told of its containment, as JSON in its arguments."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

NAMESPACES, LANDLOCK, SECCOMP, CGROUP = "namespaces", "landlock", "seccomp", "cgroup"
LEVELS = (NAMESPACES, LANDLOCK, SECCOMP, CGROUP)
"""Each contains something that the others do not (docs/containment.md)."""


@dataclass(frozen=True)
class Plan:
    """By which levels a process is contained, where it works, and what else it may read and write.

    `folder` is its working directory, of at most `most_bytes` and `most_files` where there are namespaces; `parent` the
    number of the process that started it; `groups` the doors of its control groups.
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
        """As JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, text: str) -> Plan:
        """From JSON."""
        fields = json.loads(text)
        lists = ("levels", "readable", "writable", "groups")
        return cls(**fields | {name: tuple(fields[name]) for name in lists})
