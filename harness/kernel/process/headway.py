"""The reports of a process while it answers a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from harness.kernel.process.fact_writer import FactWriter, Heartbeats

Item = TypeVar("Item")


@dataclass
class Headway:
    """The reports of a process while it works: the work that begins, and its progress."""

    teller: FactWriter
    beats: Heartbeats
    item_count: int = 0
    """The number of items that `each` has yielded so far."""

    def begins(self, stage: str, reached: Callable[[], int] | None = None, *, is_brief: bool = False) -> None:
        """Report the work that begins.

        Args:
            stage: the work. A parent names it if it hears no more.
            reached: returns its progress (default: items taken from `each`).
            is_brief: as in `FactWriter.begins`.
        """
        self.beats.reached = reached or (lambda: self.item_count)
        self.teller.begins(stage, is_brief=is_brief)

    def each(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items, each of which counts as headway."""
        for item in items:
            self.item_count += 1
            yield item
