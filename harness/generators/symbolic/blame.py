"""Finds routines whose arguments cannot be symbolic because executions on symbolic and plain integers differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from harness.generators.sequences.protocol import NotSymbolic
from harness.generators.symbolic.runtime import SymbolicArgumentEscaped
from harness.generators.symbolic.symbolic_call import SymbolicCall


class Predicted(Protocol):
    """The outcome of a sequence, as its path predicts it: the exception of the last call, and the place of its raise.

    Both are empty if there was none.
    """

    @property
    def raised(self) -> str: ...

    @property
    def place(self) -> str: ...


def blaming(calls: Sequence[SymbolicCall], left: SymbolicArgumentEscaped) -> NotSymbolic:
    """Return an error that blames the calls whose arguments left the subset, or all calls if none of them did."""
    blamed = [call for call in calls if not left.variables.isdisjoint(call.variables)]
    return NotSymbolic(_targets(blamed or calls), str(left))


def different(calls: Sequence[SymbolicCall], why: str) -> NotSymbolic | None:
    """Return an error that blames calls whose last one behaves differently on plain integers.

    It blames the last call if that has symbolic integers, else all calls before, whose state makes the last one differ.
    Return None if no call has symbolic integers.
    """
    targets = _targets(calls[-1:]) or _targets(calls)
    return NotSymbolic(targets, why) if targets else None


def difference_text(outcome: Predicted, raised: str) -> str:
    """Describe the difference between an outcome and the one on plain integers, which raises something else."""
    mine = f"raises {outcome.raised} {outcome.place}".rstrip() if outcome.raised else "raises nothing"
    return f"it {mine} on symbolic integers, and {raised or 'nothing'} on plain ones"


def _targets(calls: Sequence[SymbolicCall]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(call.choice.target for call in calls if call.variables))
