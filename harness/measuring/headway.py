"""Code shared by all measurements: the reports of headway, and the loading of suites."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import TypeVar

from harness.errors import UsageError
from harness.kernel.process.fact_writer import FactWriter, Heartbeats
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.running.loaded_suite import LoadedSuite
from harness.kernel.specs.spec import Spec
from harness.measuring.job import CoverageRequest

Item = TypeVar("Item")


@dataclass
class Headway:
    """The reports of a measuring process while it works: the task that begins, and its progress."""

    teller: FactWriter
    beats: Heartbeats
    item_count: int = 0
    """The number of items that `each` has yielded so far."""

    def begins(self, task: str, reached: Callable[[], int] | None = None) -> None:
        """Report that the process begins `task`; `reached` returns its progress (default: items taken from `each`)."""
        self.beats.reached = reached or (lambda: self.item_count)
        self.teller.begins(task)

    def each(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items, each of which counts as headway."""
        for item in items:
            self.item_count += 1
            yield item


def observed_suite(
    request: CoverageRequest,
    headway: Headway,
    spec: Callable[[], Spec] | None = None,
    executed: Callable[[ModuleText], ModuleType] = execute,
) -> LoadedSuite:
    """Load the suite of a request and the original that runs it; see `LoadedSuite.of`.

    Raises:
        MutascopeError: spec, implementation or suite is unusable; the suite has no inputs.
    """
    loaded = LoadedSuite.of(request, headway.begins, request.sequences, spec, executed)
    if not len(loaded.suite):
        raise UsageError(f"{request.suite}: a suite of zero inputs tells nothing; generate one at a larger scope")
    headway.begins(f"executing {request.implementation.filename} on its suite")
    return loaded
