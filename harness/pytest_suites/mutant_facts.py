"""Facts of running a mutant on tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from harness.codec.kinds import Bound, Count
from harness.kernel.running.job import Detail
from harness.model.outcome import KillReason, Phase

_MOST_NAME = 1 << 16
"""Characters of a node id, which may hold parameters."""

NodeId = Annotated[str, Bound(_MOST_NAME, storable=True)]

_PHASES = (Phase.LOAD, Phase.CALL)


@dataclass(frozen=True)
class FirstKill:
    """The first test that kills a mutant, with the reason.

    `killer` is its node id; None if the mutant died while it was loaded, or if the test is unknown.
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

    @property
    def is_consistent(self) -> bool:
        """Whether the parts fit each other, as they do unless a process says what can be no fact."""
        first, kills = self.first, self.kills
        if self.seconds < 0:
            return False
        if first is None:
            return not kills and self.steps is not None
        if first.killer is None:
            return not kills and first.phase in _PHASES
        return first.phase is Phase.CALL and first.killer in kills

    def joined(self, later_facts: MutantFacts) -> MutantFacts:
        """Add the facts of a further process, which ran the tests after these; the first kill counts."""
        return MutantFacts(
            executed=self.executed + later_facts.executed,
            steps=None if self.steps is None or later_facts.steps is None else self.steps + later_facts.steps,
            entered=self.entered + later_facts.entered,
            loaded=max(self.loaded, later_facts.loaded),
            kills=self.kills + later_facts.kills,
            first=self.first or later_facts.first,
            seconds=self.seconds + later_facts.seconds,
        )


def lost(reason: KillReason, detail: str) -> MutantFacts:
    """Return the facts of a mutant that died at an unknown place, as it has overwritten its position."""
    return MutantFacts(0, None, first=FirstKill(None, reason, detail))
