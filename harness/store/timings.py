"""The table `timing`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count, takewhile
from typing import TypeVar

from harness.kernel.inputs.suites import BLOCK
from harness.store import rows
from harness.store.database import Database
from harness.store.facts import Timing

T = TypeVar("T")


def blocks_of(seconds: Mapping[str, T], what: str) -> list[T]:
    """Return the seconds of an activity after each block of `BLOCK` inputs (`Timings.add_blocks`), as far as known."""
    names = (f"{what}:{number * BLOCK}" for number in count(1))
    return [seconds[name] for name in takewhile(seconds.__contains__, names)]


class Timings:
    """Seconds of the activities of each trial. The latest ones count."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, trial: str, what: str, seconds: float, origin: str | None = None) -> None:
        """Record seconds of an activity.

        Args:
            what: `generate`, `coverage`, `baseline` or the id of a mutant. `made:32` is the generation of the first 32
                inputs, `baseline:32` the original on them.
            origin: where, how and when they were measured, if this run did not measure them.
        """
        self._database.append("timing", {"trial": trial, "what": what, "seconds": seconds, "origin": origin})

    def add_blocks(self, trial: str, what: str, seconds: Sequence[float], origin: str | None = None) -> None:
        """Record the seconds of an activity after each block of `BLOCK` inputs, as `made:32`, `made:64` and so on."""
        for number, spent in enumerate(seconds, start=1):
            self.add(trial, f"{what}:{number * BLOCK}", spent, origin)

    def of(self, trial: str) -> list[Timing]:
        """Return the latest seconds of each activity, by its name."""
        query = (
            "SELECT * FROM timing WHERE number IN "
            "(SELECT max(number) FROM timing WHERE trial = ? GROUP BY what) ORDER BY what"
        )
        return self._database.read(rows.timing_of, query, trial)
