"""Applies conditions in a search: it skips values that make a condition false if that decides the predicate.

A condition that turns out false need not make the predicate false, as it may stand in a branch. So the search finds
out. After the first failure of the k-th condition of an execution, all fields read since the condition was asked are
taken out of the objects. If the predicate then returns false and reads neither these nor any new fields, its result
depends only on the condition's failure and on the fields read before. For as long as that stays the same, every failure
of that condition makes the predicate false, and candidates that would fail it need no execution.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from harness.generators.states.reference.observe import StateObserver
from harness.generators.states.reference.stack import AccessStack, Narrowed
from harness.kernel.specs.dedicated.condition import Condition, Offer, evaluate


class _Decision:
    """A condition asked when `height` fields had been read; `settles` if its failure makes the predicate false."""

    __slots__ = ("height", "settles")

    def __init__(self, height: int) -> None:
        self.height = height
        self.settles: bool | None = None


_CONCLUSION = _Decision(0)
_CONCLUSION.settles = True


class Narrowing:
    """Receives the conditions of a predicate (as a kernel.dedicated Search) on behalf of a KoratSearch.

    Args:
        enabled: if False, no value is skipped; fields are read in the same order.
    """

    def __init__(self, observer: StateObserver, stack: AccessStack, enabled: bool) -> None:
        self._observer = observer
        self._stack = stack
        self._enabled = enabled
        self._decisions: list[_Decision] = []  # in the order of asking, so by height
        self._next = 0
        self._current: _Decision | None = None
        self._offer: Offer | None = None
        self._probes: list[_Decision] = []

    # -- called by conditions ---------------------------------------------------------------------

    def decide(self, evaluate: Callable[[bool], bool]) -> bool:
        """Evaluate a condition; one that is asked within another condition only checks."""
        if self._current is not None:
            return evaluate(False)
        if self._next == len(self._decisions):
            self._decisions.append(_Decision(len(self._stack.fields)))
        decision = self._current = self._decisions[self._next]
        self._next += 1
        try:
            holds = evaluate(True)
        finally:
            self._current = None
        if not holds and decision.settles is None and self._enabled and not self._observer.changed:
            self._probes.append(decision)
            self._observer.on_read = self._on_read
            self._observer.hide(decision.height)
        return holds

    def is_unread(self, owner: Any, name: str | int) -> bool:
        """Return whether it is a field of the state space that is not on the stack."""
        field = self._observer.field_number(owner, name)
        return field is not None and not self._stack.on[field]

    def announce(self, offer: Offer | None) -> None:
        """Offer fields that are pushed from now on; impossible values are skipped if the present condition decides."""
        self._offer = offer
        self._observer.narrow = self._narrow if offer is not None and self._enabled else None

    # -- called by the search ---------------------------------------------------------------------

    def begin(self) -> None:
        """Prepare for an execution of the predicate; the top of the stack has changed since the last one."""
        self._next = 0
        while self._decisions and self._decisions[-1].height >= len(self._stack.fields):
            self._decisions.pop()

    def conclude(self, result: Any) -> bool:
        """Return the truth of the predicate's result. If that is a condition, its failure makes the predicate false."""
        if not isinstance(result, Condition):
            return bool(result)
        self._current = _CONCLUSION
        try:
            return evaluate(result, self, True)
        finally:
            self._current = None

    def end(self, accepted: bool) -> None:
        """Note that the predicate has returned."""
        for decision in self._probes:
            decision.settles = not accepted
        self._finish()

    def abandon(self) -> bool:
        """Note that the predicate raised; return whether to execute it again with nothing taken out of the objects."""
        probing = self._observer.on_read is not None
        for decision in self._probes:
            decision.settles = False
        self._finish()
        self._next = 0
        return probing

    def _narrow(self, field: int) -> Narrowed | None:
        decision = self._current
        assert decision is not None
        assert self._offer is not None
        possible = self._offer(*self._observer.name_of(field))
        if possible is None:
            return None
        worth = bytes(map(possible, self._observer.values(field)))
        return lambda: worth if decision.settles else None

    def _finish(self) -> None:
        self._probes.clear()
        self._observer.on_read = None

    def _on_read(self, field: int) -> None:
        position = self._stack.fields.index(field)
        for decision in self._probes:
            if decision.height <= position:
                decision.settles = False
        self._probes = [decision for decision in self._probes if decision.settles is None]
