"""The request to `harness.observing.process`, and its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.kernel.running.job import RunJob


@dataclass(frozen=True)
class TestsRequest:
    """Write inputs of a suite, given by their numbers, as tests; these import the implementation as `module`."""

    __test__ = False  # pytest collects classes of such names

    job: RunJob
    module: str
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class TestSources:
    """The sources of tests, and what their file needs besides.

    Attributes:
        imports: by module, the names to import from it.
        raises: whether a test expects an exception.
        keeps_state: whether tests leave something in the module, which is to be loaded afresh for each.
        waiting: routines that no test asks, as they wait for ever.
    """

    __test__ = False

    tests: tuple[str, ...]
    imports: Mapping[str, tuple[str, ...]]
    raises: bool
    keeps_state: bool
    waiting: tuple[str, ...]
