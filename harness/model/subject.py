"""Subject: a class or module under test as the orchestrator uses it: names and text, nothing of it is imported."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

_SUBJECTS = "subjects"


def root_of(module: str, path: Path) -> Path:
    """Return the folder that a module's dotted name starts from."""
    return path.parents[module.count(".") + (path.name == "__init__.py")]


@dataclass(frozen=True)
class SourceFile:
    """A module of a program of several files: its dotted name, path and text."""

    module: str
    path: str
    source: str

    @property
    def root(self) -> Path:
        """The folder that its name starts from."""
        return root_of(self.module, Path(self.path))


@dataclass(frozen=True)
class Subject:
    """A program under test and its spec.

    `name` is the folder's name and the name on the command line; `title` is the name in tables (`SearchTree`). `source`
    is the text that is mutated, read from `source_path`. It is executed under the name `module` (`heapq` for an
    installed module, else `impl`, or with its package in front). `blocked` lists modules whose import fails inside the
    implementation, so that pure-Python code is not replaced by C. `spec_path` and `spec_source` belong to the spec.
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
    """The implementation is an installed module, not a file next to the spec."""
    helpers: tuple[str, ...] | None = None
    """Qualified names of helper functions to mutate and cover; None: those reachable from targets."""
    companions: tuple[SourceFile, ...] = ()
    """Files of the user's own that the implementation imports, each once; they are neither mutated nor covered."""
    is_driven: bool = False
    """It is called through a file of the spec's author, whose functions are the targets; only helpers are mutated."""
    profile_scope: int | None = None
    """The scope at which types are observed; None: the largest one that is small enough."""
    package_hash: str = ""
    """sha256 over the other files of an installed implementation's package."""

    @property
    def is_module(self) -> bool:
        """Whether it is a module that tests of pytest call, which has no spec."""
        return self.spec_path == self.source_path

    @property
    def pinned_name(self) -> str:
        """The folder of its pinned mutants below `mutants`: its name, with its group's in front (`real/fraction`).

        That of a module is `modules/NAME`.
        """
        if self.is_module:
            return f"modules/{self.name}"
        folder = self.spec_path.parent
        grouped = folder.parent.name != _SUBJECTS and folder.parent.parent.name == _SUBJECTS
        return f"{folder.parent.name}/{self.name}" if grouped else self.name

    @property
    def driven(self) -> tuple[str, ...]:
        """The functions that are mutated, where a driver is what inputs call."""
        return (self.helpers or ()) if self.is_driven else ()

    @property
    def source_hash(self) -> str:
        """sha256 of the implementation's text."""
        return hashlib.sha256(self.source.encode()).hexdigest()

    @property
    def content_hash(self) -> str:
        """The sha256 of implementation, spec, blocked imports and other files, on which cached results depend."""
        digest = hashlib.sha256()
        companion_texts = [text for file in self.companions for text in (file.module, file.source)]
        package = [self.package_hash] if self.package_hash else []
        for part in (self.module, self.source, self.spec_source, *self.blocked, *companion_texts, *package):
            digest.update(part.encode())
            digest.update(b"\0")
        return digest.hexdigest()
