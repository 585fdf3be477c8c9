"""Facts of running a mutant on tests, and the strict reading of a process's report of them."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import asdict, dataclass, fields
from typing import Any

from harness.kernel.running.testimony import NO_FACTS, is_count, is_text
from harness.model.outcome import KillReason, Phase

_MOST_NAME = 1 << 16
"""Characters of a node id, which may hold parameters."""
_PHASES = (Phase.LOAD, Phase.CALL)


@dataclass(frozen=True)
class FirstKill:
    """Why the first of the tests that kill a mutant does.

    `killer` is its node id; None where the mutant died while it was loaded, or where nobody knows at which test.
    """

    killer: str | None
    reason: KillReason
    detail: str
    phase: Phase = Phase.CALL


@dataclass(frozen=True)
class MutantFacts:
    """The facts of one mutant on tests.

    Attributes:
        executed: how many tests were run.
        steps: what they took; None where a process died, which takes along what it has counted.
        entered: how often code of the mutant was executed.
        loaded: how often its module was.
        kills: node ids of the tests that kill it, in the order in which they were run.
        seconds: how long it took, all of its processes together.
    """

    executed: int
    steps: int | None
    entered: int = 0
    loaded: int = 0
    kills: tuple[str, ...] = ()
    first: FirstKill | None = None
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """For a pipe."""
        first = self.first
        values = {"reason": first.reason.value, "phase": first.phase.value} if first else {}
        return asdict(self) | {"first": first and asdict(first) | values}

    def joined(self, found: MutantFacts) -> MutantFacts:
        """Add the facts of a further process, which ran the tests behind these; the first kill counts."""
        return MutantFacts(
            executed=self.executed + found.executed,
            steps=None if self.steps is None or found.steps is None else self.steps + found.steps,
            entered=self.entered + found.entered,
            loaded=max(self.loaded, found.loaded),
            kills=self.kills + found.kills,
            first=self.first or found.first,
            seconds=self.seconds + found.seconds,
        )


def lost(reason: KillReason, detail: str) -> MutantFacts:
    """Make the facts of a mutant of which nobody knows where it died, as it has overwritten its position."""
    return MutantFacts(0, None, first=FirstKill(None, reason, detail))


def facts_of(report: Any) -> MutantFacts:
    """Read a report as `MutantFacts.to_json` writes it; the process that sent it may have run anything.

    Raises:
        ValueError: it cannot be a fact.
    """
    _require(_has(report, MutantFacts))
    _require(all(is_count(report[name]) for name in ("executed", "entered", "loaded")))
    _require(report["steps"] is None or is_count(report["steps"]))
    _require(type(report["seconds"]) is float and math.isfinite(report["seconds"]) and report["seconds"] >= 0)
    _require(type(report["kills"]) is list and all(is_text(node, _MOST_NAME) for node in report["kills"]))
    kills = tuple(report["kills"])
    first = None if report["first"] is None else _first_of(report["first"], kills)
    _require(first is not None or (not kills and report["steps"] is not None))
    return MutantFacts(**report | {"kills": kills, "first": first})


def _first_of(report: Any, kills: Collection[str]) -> FirstKill:
    _require(_has(report, FirstKill) and is_text(report["detail"]))
    first = FirstKill(report["killer"], KillReason(report["reason"]), report["detail"], Phase(report["phase"]))
    _require(first.phase in _PHASES)
    _require(not kills if first.killer is None else first.phase is Phase.CALL and first.killer in kills)
    return first


def _require(holds: bool) -> None:
    if not holds:
        raise ValueError(NO_FACTS)


def _has(report: Any, kind: type[MutantFacts | FirstKill]) -> bool:
    return type(report) is dict and report.keys() == {field.name for field in fields(kind)}
