"""Subject: a class or module under test as the orchestrator sees it: names and text, nothing imported of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Subject:
    """A program under test and its spec.

    `name` is the folder's name and what the command line takes; `title` is the name in tables
    (`SearchTree`). `source` is the text that is mutated, read from `source_path`; `module` is
    the name under which it is executed (`heapq` for an installed module, else `impl`).
    `blocked` lists modules whose import fails inside the implementation, so that pure-Python code
    is not replaced by C. `spec_path` and `spec_source` are the judge's.
    """

    name: str
    title: str
    module: str
    source_path: Path
    source: str
    spec_path: Path
    spec_source: str
    blocked: tuple[str, ...] = ()
    installed: bool = False
    """The implementation is an installed module, not a file beside the spec."""
    helpers: tuple[str, ...] | None = None
    """Qualified names of helper functions to mutate and cover; None: those reachable from targets."""

    @property
    def source_hash(self) -> str:
        """sha256 of the implementation's text."""
        return hashlib.sha256(self.source.encode()).hexdigest()

    @property
    def content_hash(self) -> str:
        """sha256 over implementation, spec and blocked imports: what every cached result of the subject hangs on."""
        digest = hashlib.sha256()
        for part in (self.module, self.source, self.spec_source, *self.blocked):
            digest.update(part.encode())
            digest.update(b"\0")
        return digest.hexdigest()
