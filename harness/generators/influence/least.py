"""The first of all orders of a candidate's calls that differ by swaps of neighbours which commute."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from harness.generators.influence.candidate import CandidateCall

Depends: TypeAlias = Callable[[int, int], bool]
"""Whether a later call must stay behind an earlier one, by positions."""
_Key: TypeAlias = tuple[int, ...]


def is_least(calls: Sequence[CandidateCall], depends: Depends) -> bool:
    """Whether no other order is before this one.

    Orders are compared call by call, by numbers of routines, then by positions of the objects that they take. All
    orders that keep those apart which depend on each other come of swaps of neighbours, and one of them is the least.

    Args:
        depends: says so of each call that takes another's object, and hangs on no position.
    """
    before = [[at for at in range(later) if depends(at, later)] for later in range(len(calls))]
    return _is_least(calls, before, {})


def _is_least(calls: Sequence[CandidateCall], before: Sequence[Sequence[int]], placed: dict[int, int]) -> bool:
    position = len(placed)
    if position == len(calls):
        return True
    own = _key(calls[position], range(len(calls)))
    for at, call in enumerate(calls):
        if at in placed or any(one not in placed for one in before[at]):
            continue
        key = _key(call, placed)
        if key < own or (key == own and not _is_least(calls, before, {**placed, at: position})):
            return False
    return True


def _key(call: CandidateCall, places: Sequence[int] | dict[int, int]) -> _Key:
    given = (call.receiver, *call.arguments)
    return (call.target, *(-1 if position is None else places[position] for position in given))
