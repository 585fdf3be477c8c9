"""Compares the orders of a candidate's calls that differ by swaps of commuting neighbours, and finds the least."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from harness.generators.influence.candidate import CandidateCall

Depends: TypeAlias = Callable[[int, int], bool]
"""A function that returns whether a later call must stay after an earlier one, by positions."""
_Key: TypeAlias = tuple[int, ...]


def is_least(calls: Sequence[CandidateCall], depends: Depends) -> bool:
    """Return whether no other order is before this one.

    Orders are compared call by call, by numbers of routines, then by positions of the objects that they take. Swaps of
    neighbours produce all orders in which dependent calls keep their order, and one of these is the least.

    Args:
        depends: returns True for each call that takes another's object, and does not depend on positions.
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
    positions = (call.receiver, *call.arguments)
    return (call.target, *(-1 if position is None else places[position] for position in positions))
