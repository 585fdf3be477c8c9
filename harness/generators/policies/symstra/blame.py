"""Which routines' arguments cannot be symbolic, where an execution on symbolic integers is not that on integers."""

from __future__ import annotations

from collections.abc import Sequence

from harness.generators.policies.symstra.calling import Outcome
from harness.generators.policies.symstra.states import SymbolicCall
from harness.generators.sequences.protocol import NotSymbolic
from harness.generators.symbolic.leaving import LeftSubset


def blaming(calls: Sequence[SymbolicCall], left: LeftSubset) -> NotSymbolic:
    """Of calls whose last one has left the subset: those that its integers are arguments of, or all, of a sum."""
    found = [call for call in calls if not left.variables.isdisjoint(call.variables)]
    return NotSymbolic(_targets(found or calls), str(left))


def different(calls: Sequence[SymbolicCall], why: str) -> NotSymbolic | None:
    """Of calls whose last one does something else on plain integers; None: none has symbolic integers.

    The last one, if it has any, else all before it: what they left is what it does otherwise with.
    """
    found = _targets(calls[-1:]) or _targets(calls)
    return NotSymbolic(found, why) if found else None


def told(outcome: Outcome, raised: str) -> str:
    """How an outcome differs from that on plain integers, which raises something else."""
    mine = f"raises {outcome.raised} {outcome.place}".rstrip() if outcome.raised else "raises nothing"
    return f"it {mine} on symbolic integers, and {raised or 'nothing'} on plain ones"


def _targets(calls: Sequence[SymbolicCall]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(call.choice.target for call in calls if call.variables))
