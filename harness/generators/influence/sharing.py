"""Decides which calls of a candidate may access the same objects, and so influence each other (section 4.3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from harness.generators.influence.candidate import CandidateCall
from harness.generators.influence.influence import Influence


class Sharing:
    """The links between the calls of one candidate: objects that calls make and take, or locations that all calls
    share.

    Two calls before the last are linked only by calls among those before the last; the last call may link all. So the
    links depend on no order of calls.

    Args:
        is_told: if False, all calls count as linked.
    """

    def __init__(self, calls: Sequence[CandidateCall], influence: Influence, is_told: bool = True) -> None:
        self._calls = calls
        self._effects = [influence.facts[call.target].effects for call in calls]
        before_last = self._joined(len(calls) - 1) if is_told else [0] * (len(calls) - 1)
        self._before_last = [*before_last, -1]
        self._all = self._joined(len(calls)) if is_told else [0] * len(calls)

    def influences(self, at: int, later: int) -> bool:
        """Return whether a call may influence a later one directly: it makes its object, or writes its input."""
        if at in self._calls[later].objects:
            return True
        return self._links(at, later) and self._effects[at].feeds(self._effects[later])

    def all_influence(self) -> bool:
        """Return whether each call but the last may influence a later one."""
        last = len(self._calls) - 1
        return all(any(self.influences(at, later) for later in range(at + 1, last + 1)) for at in range(last))

    def depends(self, at: int, later: int) -> bool:
        """Return whether a later call must stay after an earlier one: it takes its object, or both access the same
        place.

        The last call always stays last.
        """
        if later == len(self._calls) - 1 or at in self._calls[later].objects:
            return True
        return self._links(at, later) and not self._effects[at].commutes_with(self._effects[later])

    def _links(self, at: int, later: int) -> bool:
        groups = self._all if later == len(self._calls) - 1 else self._before_last
        return groups[at] == groups[later]

    def _joined(self, count: int) -> list[int]:
        """Return the number of each call's group, for the first calls."""
        groups = list(range(count))
        for at in range(count):
            shared = [one for one in range(at) if self._effects[one].shares(self._effects[at])]
            for other in (*self._calls[at].objects, *shared):
                one, joined = groups[at], groups[other]
                groups = [joined if group == one else group for group in groups]
        return groups
