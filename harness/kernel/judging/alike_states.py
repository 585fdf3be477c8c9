"""States in which a mutant is like the original: calls of these that do not infect it need not be run.

The calls of a sequence that infect a mutant (`harness.kernel.running.probing`) often leave the state that the original
has. From there on, a call that does not infect it does as the original does. So an input cannot tell it whose state
is like the original's and whose last call does not infect. A state is like the original's if

- it comes of one that is by a call that does not infect, or
- the mutant was run, no call told it, and what the calls gave is alike, object by object (`state_key`);

and what the program does hangs on nothing else (`harness.kernel.judging.beginnings.is_closed`), and judging runs
nothing of it.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from types import ModuleType
from typing import Any

from harness.kernel.inputs.decode import is_plain
from harness.kernel.inputs.routines import ABSENT
from harness.kernel.inputs.suites import NO_STATE, SuiteReader
from harness.kernel.judging.baseline import Baseline

MOST_STATES = 1 << 20
"""States remembered of one mutant, of some hundred bytes each."""

LARGEST = 1 << 12
"""Objects and values of a state at the most: comparing larger ones takes longer than their calls do."""

_FORMAT = 2
"""Of marshal: equal values give equal bytes."""

_DIGEST = 16
_SMALL = range(-5, 257)
"""Integers that there are once each, so that `is` tells of them no more than their value."""


@dataclass(frozen=True)
class LastCalls:
    """Inputs from `first` on whose last call may infect a mutant: of input `i`, bit `i % 8` of byte
    `i // 8 - first // 8` of `row`.
    """

    first: int
    row: bytes

    def may_infect(self, number: int) -> bool:
        """Whether that of input `number` may, or nobody knows."""
        at = (number >> 3) - (self.first >> 3)
        return number < self.first or at >= len(self.row) or bool(self.row[at] >> (number & 7) & 1)


class AlikeStates:
    """Those of one mutant, among the states of a suite of sequences.

    Args:
        makers: by state, the first input whose calls are those that lead to it, NO_STATE where there is none.
        is_closed: whether what calls do hangs on nothing but their objects and arguments; asked once, when needed.
    """

    def __init__(
        self,
        suite: SuiteReader,
        makers: Sequence[int],
        baseline: Baseline,
        last_calls: LastCalls,
        module: ModuleType,
        is_closed: Callable[[], bool],
    ) -> None:
        self._suite = suite
        self._makers = makers
        self._baseline = baseline
        self._last_calls = last_calls
        self._module = module
        self._is_closed = is_closed
        self._closed: bool | None = None
        self._surplus: dict[int, int | None] = {NO_STATE: 0}

    def surplus(self, number: int) -> int | None:
        """How many steps more than the original the mutant takes on an input that cannot tell it.

        None: it has to be run, as far as is known.
        """
        if self._last_calls.may_infect(number) or not self._baseline.key(number):
            return None
        if self._closed is None:
            self._closed = self._is_closed()
        return self._of(self._suite.input(number)[0]) if self._closed else None

    def asks_for(self, number: int) -> bool:
        """Whether it is worth while to `look` at the state before the last call of input `number`."""
        known = self._surplus
        return bool(self._closed) and self._suite.input(number)[0] not in known and len(known) < MOST_STATES

    def look(self, number: int, results: Sequence[Any], surplus: int) -> None:
        """Learns of that state: what its calls gave, none of which told the mutant, in so many steps more."""
        key = state_key(results, self._module)
        expected = self._baseline.key(number)
        self._surplus[self._suite.input(number)[0]] = surplus if key and key == expected else None

    def _of(self, state: int) -> int | None:
        """The surplus of the calls that lead to a state which is known to be like the original's."""
        known, passed = self._surplus, []
        while state not in known:
            maker = self._makers[state]
            if maker == NO_STATE or self._last_calls.may_infect(maker):
                return None
            passed.append(state)
            state = self._suite.before(state)
        surplus = known[state]
        if surplus is not None and len(known) + len(passed) < MOST_STATES:
            known |= dict.fromkeys(passed, surplus)
        return surplus


def state_key(results: Sequence[Any], module: ModuleType) -> bytes:
    """A digest of all that can be reached from what calls gave; equal ones: a program cannot tell them apart.

    Known are plain instances of the module's classes, exact lists, dicts and tuples, and values that there are once
    each. Objects are numbered in order of first visit, with class and content.

    Returns:
        b"" where there is anything else.
    """
    numbers: dict[int, int] = {}
    found: list[Any] = list(results)
    told: list[Any] = [len(found)]
    plain: dict[type, bool] = {}
    at = 0
    while at < len(found):
        if len(found) > LARGEST:
            return b""
        value = found[at]
        at += 1
        kind = type(value)
        if value is None or kind is bool or (kind is int and value in _SMALL):
            told.append(value)
            continue
        if value is ABSENT:
            told.append("absent")
            continue
        known = numbers.get(id(value))
        if known is not None:
            told.append((known,))
            continue
        numbers[id(value)] = len(numbers)
        if kind is list or kind is tuple:
            held = value
            told.append((kind.__name__, len(value)))
        elif kind is dict:
            held = [*value, *value.values()]
            told.append(("dict", len(value)))
        else:
            if kind not in plain:
                plain[kind] = kind.__module__ == module.__name__ and is_plain(kind, ())
            if not plain[kind]:
                return b""
            fields = object.__getattribute__(value, "__dict__")
            held = fields.values()
            told.append((kind.__qualname__, *fields))
        found.extend(held)
    return blake2b(marshal.dumps(told, _FORMAT), digest_size=_DIGEST).digest()
