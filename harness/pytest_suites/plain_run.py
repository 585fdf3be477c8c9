"""The request to run plain pytest once (`harness.pytest_suites.naive`), and its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PlainRequest:
    """Run pytest once on a copied project.

    Attributes:
        folder: where pytest is called.
        roots: folders from which modules are imported.
        arguments: what pytest is called with.
        excluded: node ids of the tests that are left out.
        tests: node ids of the others.
        installed: of an installed target, its name and the file that stands for it.
        blocked: modules whose import fails.
    """

    folder: str
    roots: tuple[str, ...]
    arguments: tuple[str, ...]
    excluded: tuple[str, ...]
    tests: tuple[str, ...]
    installed: tuple[str, str] | None
    blocked: tuple[str, ...]
    seed: int


@dataclass(frozen=True)
class PlainRun:
    """The exit status of pytest and, by node ids, the tests that do not pass.

    Attributes:
        failures: why each test failed first: the reason and the words of a run.
        missing: tests that were not collected.
        how: how the process died; empty if pytest came to its end.
    """

    status: int
    failing: tuple[str, ...] = ()
    failures: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()
    xfailed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    how: str = ""
