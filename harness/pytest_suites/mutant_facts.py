"""Facts of running a mutant on tests, and the strict reading of a process's report of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from harness.codec.codec import codec_of
from harness.codec.kinds import MOST_NUMBER, Bound
from harness.codec.reading import DecodeError
from harness.kernel.running.testimony import LONGEST_DETAIL, NO_FACTS
from harness.model.outcome import KillReason, Phase

_MOST_NAME = 1 << 16
"""Characters of a node id, which may hold parameters."""

Count = Annotated[int, Bound(MOST_NUMBER)]
NodeId = Annotated[str, Bound(_MOST_NAME, storable=True)]
Detail = Annotated[str, Bound(LONGEST_DETAIL, storable=True)]

_PHASES = (Phase.LOAD, Phase.CALL)


@dataclass(frozen=True)
class FirstKill:
    """Why the first of the tests that kill a mutant does.

    `killer` is its node id; None where the mutant died while it was loaded, or where nobody knows at which test.
    """

    killer: NodeId | None
    reason: KillReason
    detail: Detail
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

    executed: Count
    steps: Count | None
    entered: Count = 0
    loaded: Count = 0
    kills: tuple[NodeId, ...] = ()
    first: FirstKill | None = None
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """For a pipe."""
        facts: dict[str, Any] = codec_of(MutantFacts).to_data(self)
        return facts

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
    try:
        facts = codec_of(MutantFacts).of_data(report)
    except DecodeError:
        raise ValueError(NO_FACTS) from None
    first, kills = facts.first, facts.kills
    _require(facts.seconds >= 0)
    if first is None:
        _require(not kills and facts.steps is not None)
    else:
        _require(first.phase in _PHASES)
        _require(not kills if first.killer is None else first.phase is Phase.CALL and first.killer in kills)
    return facts


def _require(holds: bool) -> None:
    if not holds:
        raise ValueError(NO_FACTS)
