"""Korat's search for one valid state, which tries the values of fields in a drawn order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from types import ModuleType
from typing import Any

from harness.generators.states.reference.narrowing import Narrowing
from harness.generators.states.reference.observe import StateObserver
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.reference.stack import AccessStack
from harness.kernel.inputs.state_space import StateSpace

MOST_EXECUTIONS = 1_000
"""The number of executions of rep_ok for one state, because the first drawn values may leave no valid state near by."""


class _TooLong(Exception):
    """No valid state was found within the limit of executions."""


class DrawnSearch(KoratSearch):
    """Korat's search with values tried in a drawn order, of which only the first state matters."""

    def __init__(self, space: StateSpace, module: ModuleType, rep_ok: Callable[[Any], Any]) -> None:
        super().__init__(space, module, rep_ok, narrowing=False)
        self.executions = 0
        """Those of all searches."""
        self._draw: Callable[[int], int] = lambda count: 0

    def drawn(self, draw: Callable[[int], int]) -> tuple[int, ...] | None:
        """Return a valid state, or None if there is none near by; `draw(count)` returns a number below `count`."""
        self._draw = draw
        with closing(iter(self)) as states:
            try:
                return next(states, None)
            except _TooLong:
                return None

    def _new_stack(self) -> AccessStack:
        return DrawnStack(self.space, self._draw)

    def _execute(self, observer: StateObserver, narrowing: Narrowing) -> bool:
        if self.explored == MOST_EXECUTIONS:
            raise _TooLong
        self.executions += 1
        return super()._execute(observer, narrowing)


class DrawnStack(AccessStack):
    """A stack that tries the values of a field in the order in which they are drawn, each when it is needed."""

    def __init__(self, space: StateSpace, draw: Callable[[int], int]) -> None:
        super().__init__(space)
        self._draw = draw

    def push(self, field: int) -> None:
        """Push a field that is not on the stack, with the first value drawn."""
        values = self._drawn([0, *self._push_field(field)])
        self.vector[field] = next(values)
        self.rests.append(values)

    def _drawn(self, left: list[int]) -> Iterator[int]:
        while left:
            yield left.pop(self._draw(len(left)) if left[1:] else 0)
