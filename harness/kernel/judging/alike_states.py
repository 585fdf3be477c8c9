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
from array import array
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
_CONTAINERS = frozenset({list, dict})
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


class Lineage:
    """How the states and the inputs of a suite of sequences come of each other; NO_STATE stands for none.

    Attributes:
        makers: by state, the first input whose calls are those that lead to it.
        made: by input, the state of which it is that.
        uses: by state, the first input that goes on from it.
    """

    def __init__(self, suite: SuiteReader) -> None:
        self.makers = suite.makers()
        self.made = array("I", [NO_STATE]) * len(suite)
        self.uses = array("I", [NO_STATE]) * len(self.makers)
        for state, number in enumerate(self.makers):
            if number != NO_STATE:
                self.made[number] = state
        for number in range(len(suite) - 1, -1, -1):
            state, _ = suite.input(number)
            if state != NO_STATE:
                self.uses[state] = number


class AlikeStates:
    """Those of one mutant, among the states of a suite of sequences.

    Args:
        is_closed: whether what calls do hangs on nothing but their objects and arguments; asked once, when needed.
    """

    def __init__(
        self,
        suite: SuiteReader,
        lineage: Lineage,
        baseline: Baseline,
        last_calls: LastCalls,
        module: ModuleType,
        is_closed: Callable[[], bool],
    ) -> None:
        self._suite = suite
        self._lineage = lineage
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

    def before(self, number: int) -> int | None:
        """The state before the last call of input `number`, if it is worth while to `look` at it."""
        return self._asked(self._suite.input(number)[0])

    def behind(self, number: int) -> int | None:
        """The state that the last call of input `number` leads to, if it is worth while to `look` at it."""
        return self._asked(self._lineage.made[number])

    def look(self, state: int, results: Sequence[Any], surplus: int) -> None:
        """Learns of a state: what its calls gave, none of which told the mutant, in so many steps more."""
        key = state_key(results, self._module)
        expected = self._baseline.key(self._lineage.uses[state])
        self._surplus[state] = surplus if key and key == expected else None

    def _asked(self, state: int) -> int | None:
        known = self._surplus
        if not self._closed or state in known or len(known) >= MOST_STATES or self._lineage.uses[state] == NO_STATE:
            return None
        return state

    def _of(self, state: int) -> int | None:
        """The surplus of the calls that lead to a state which is known to be like the original's."""
        known, passed = self._surplus, []
        while state not in known:
            maker = self._lineage.makers[state]
            if maker == NO_STATE or self._last_calls.may_infect(maker):
                return None
            passed.append(state)
            state = self._suite.before(state)
        surplus = known[state]
        if surplus is not None and len(known) + len(passed) < MOST_STATES:
            known |= dict.fromkeys(passed, surplus)
        return surplus


def state_key(results: Sequence[Any], module: ModuleType) -> bytes:  # noqa: C901 (a hot loop)
    """A digest of all that can be reached from what calls gave; equal ones: a program cannot tell them apart.

    Known are plain instances of the module's classes, exact lists and dicts, and values that there are once
    each; of tuples, the empty one. Objects are numbered in order of first visit, with class and content.

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
        if value is None or kind is bool or (kind is int and value in _SMALL) or (kind is tuple and not value):
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
        if kind in _CONTAINERS and len(value) > LARGEST:
            return b""  # before it is copied, which might take more memory than there is
        if kind is list:
            held = value
            told.append(("list", len(value)))
        elif kind is dict:
            held = [*value, *value.values()]
            told.append(("dict", len(value)))
        else:
            if kind not in plain:
                # Two classes of one name: the module has the later one.
                own = kind.__module__ == module.__name__ and vars(module).get(kind.__qualname__) is kind
                plain[kind] = own and is_plain(kind, ())
            if not plain[kind]:
                return b""
            fields = object.__getattribute__(value, "__dict__")
            held = fields.values()
            told.append((kind.__qualname__, *fields))
        found.extend(held)
    return blake2b(marshal.dumps(told, _FORMAT), digest_size=_DIGEST).digest()
