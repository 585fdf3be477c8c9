"""Finds states in which a mutant is like the original: calls on these that do not infect it need not be run.

The calls of a sequence that infect a mutant (`harness.kernel.running.probing`) often leave the state that the original
has. From there on, a call that does not infect it does as the original does. So an input cannot kill the mutant if its
state is like the original's and its last call does not infect. A state is like the original's if

- a call that does not infect leads to it from a state that is, or
- the mutant was run, no call killed it, and the results of the calls are isomorphic, object by object (`graph_digest`);

and the program's behaviour depends on nothing else (`harness.kernel.judging.prefix_cache.is_closed`), and judging runs
nothing of it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from types import ModuleType
from typing import Any

from harness.kernel.inputs.suites import NO_STATE, SuiteReader
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.state_key import graph_key

MOST_STATES = 1 << 20
"""The greatest number of states remembered of one mutant, of some hundred bytes each."""

_DIGEST = 16


@dataclass(frozen=True)
class InfectingCalls:
    """Bits that say, for inputs from `first` on, whether their last calls may infect a mutant.

    Input `i` has bit `i % 8` of byte `i // 8 - first // 8` of `row`.
    """

    first: int
    row: bytes

    def may_infect(self, number: int) -> bool:
        """Return whether the last call of input `number` may infect the mutant, or this is unknown."""
        at = (number >> 3) - (self.first >> 3)
        return number < self.first or at >= len(self.row) or bool(self.row[at] >> (number & 7) & 1)


class Lineage:
    """The relation between the states and the inputs of a suite of sequences; NO_STATE stands for none.

    Attributes:
        makers: by state, the first input whose calls are those that lead to it.
        made: by input, the state that its calls lead to, if the input is the state's maker.
        uses: by state, the first input that starts from it.
    """

    def __init__(self, suite: SuiteReader) -> None:
        self.makers = suite.makers()
        self.resulting_states = array("I", [NO_STATE]) * len(suite)
        self.uses = array("I", [NO_STATE]) * len(self.makers)
        for state, number in enumerate(self.makers):
            if number != NO_STATE:
                self.resulting_states[number] = state
        for number in range(len(suite) - 1, -1, -1):
            state, _ = suite.input(number)
            if state != NO_STATE:
                self.uses[state] = number


class PropagationFilter:
    """The states of a suite of sequences in which one mutant is like the original.

    Args:
        is_closed: whether the behaviour of calls depends only on their objects and arguments; called once, when needed.
    """

    def __init__(
        self,
        suite: SuiteReader,
        lineage: Lineage,
        baseline: Baseline,
        last_calls: InfectingCalls,
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
        """Return how many more steps than the original the mutant takes on an input that cannot kill it.

        None if the input has to be run, as far as is known.
        """
        if self._last_calls.may_infect(number) or not self._baseline.key(number):
            return None
        if self._closed is None:
            self._closed = self._is_closed()
        return self._of(self._suite.input(number)[0]) if self._closed else None

    def before(self, number: int) -> int | None:
        """Return the state before the last call of input `number`, if it pays to `look` at it."""
        return self._state_to_compare(self._suite.input(number)[0])

    def behind(self, number: int) -> int | None:
        """Return the state that the last call of input `number` leads to, if it pays to `look` at it."""
        return self._state_to_compare(self._lineage.resulting_states[number])

    def look(self, state: int, results: Sequence[Any], surplus: int) -> None:
        """Learn a state from the results of its calls, none of which killed the mutant, and their surplus of steps."""
        digest = graph_digest(results, self._module)
        expected = self._baseline.key(self._lineage.uses[state])
        self._surplus[state] = surplus if digest and digest == expected else None

    def _state_to_compare(self, state: int) -> int | None:
        surpluses = self._surplus
        if (
            not self._closed
            or state in surpluses
            or len(surpluses) >= MOST_STATES
            or self._lineage.uses[state] == NO_STATE
        ):
            return None
        return state

    def _of(self, state: int) -> int | None:
        """Return the surplus of the calls that lead to a state which is known to be like the original's."""
        surpluses, passed = self._surplus, []
        while state not in surpluses:
            maker = self._lineage.makers[state]
            if maker == NO_STATE or self._last_calls.may_infect(maker):
                return None
            passed.append(state)
            state = self._suite.before(state)
        surplus = surpluses[state]
        if surplus is not None and len(surpluses) + len(passed) < MOST_STATES:
            surpluses |= dict.fromkeys(passed, surplus)
        return surplus


def graph_digest(results: Sequence[Any], module: ModuleType) -> bytes:
    """Return the digest of the key of the results of calls; b"" if they have none."""
    key = graph_key(results, module)
    return blake2b(key, digest_size=_DIGEST).digest() if key else b""
