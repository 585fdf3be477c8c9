"""Stores the original's outcomes on all inputs compactly; mutants are compared with them."""

from __future__ import annotations

import marshal
from array import array
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate
from typing import Any, NamedTuple


class ExpectedOutcome(NamedTuple):
    """The original's outcome on one input.

    `outcome` and `state` are canonical bytes; `steps` are those of the call, `judge_steps` those of checking the
    post-state. Only sequences have `before`: the outcomes of the calls before the last. Then `steps` counts the steps
    of these calls, too. `key` is that of the state before the last call (`propagation.graph_digest`), if it has one.
    """

    outcome: bytes
    state: bytes
    steps: int
    judge_steps: int
    before: bytes | None = None
    key: bytes = b""


class CallExpected(NamedTuple):
    """The outcome of one call of the original; `state` is None where the state after it is not compared."""

    outcome: bytes
    steps: int
    state: bytes | None
    judge_steps: int


_FORMAT = 2
"""The version of marshal's format in which equal values give equal bytes."""


def trace_bytes(trace: Iterable[CallExpected]) -> bytes:
    """Return the calls before the last one as bytes, for `ExpectedOutcome.before`."""
    return marshal.dumps(tuple(map(tuple, trace)), _FORMAT)


def trace_of(data: bytes) -> tuple[CallExpected, ...]:
    """Return the calls of `trace_bytes`."""
    return tuple(CallExpected(*call) for call in marshal.loads(data))  # noqa: S302 (our own process wrote it)


class Baseline:
    """Expected observations of inputs `first`, `first + 1`, ...; equal ones are stored once.

    For input `first + at`, `outcomes[at]` and `states[at]` are numbers of `values`; `befores[at]` and `keys[at]` are
    such numbers, too, but empty if the inputs are no sequences. Steps are as in `ExpectedOutcome`.
    """

    def __init__(self, first: int = 0) -> None:
        self.first = first
        self.untold: Counter[str] = Counter()
        """Places of values without content, with the numbers of calls that gave or left them; not in `to_bytes`."""
        self._unique: dict[bytes, int] = {}
        self.values: list[bytes] = []
        self.outcomes = array("I")
        self.states = array("I")
        self.befores = array("I")
        self.keys = array("I")
        self.steps = array("Q")
        self.judge_steps = array("Q")
        self._seconds = array("f")
        self._sums = array("Q")
        self._total = 0.0
        self._summed = 0

    def __len__(self) -> int:
        return len(self.outcomes)

    def seconds(self, number: int) -> float:
        """Return T_o: how long the original took on the input, oracle included; for the wall-clock backstop only."""
        return self._seconds[number - self.first]

    def key(self, number: int) -> bytes:
        """Return `ExpectedOutcome.key` of an input of sequences."""
        return self.values[self.keys[number - self.first]]

    @property
    def all_seconds(self) -> float:
        """T_o summed over all inputs."""
        if self._summed != len(self):  # asked for each mutant, so a sum of a million inputs is made once
            self._total, self._summed = sum(self._seconds), len(self)
        return self._total

    def steps_before(self, number: int) -> int:
        """Return the original's steps on all inputs of this baseline before `number`."""
        if len(self._sums) != len(self) + 1:
            self._sums = array("Q", accumulate(self.steps, initial=0))
        return self._sums[number - self.first]

    @property
    def totals(self) -> tuple[int, int, int]:
        """The number of inputs, all steps, and the number of inputs on which the original raised."""
        raised = sum(self.values[number][:1] == b"E" for number in self.outcomes)
        return len(self), sum(self.steps), raised

    def add(self, expected: ExpectedOutcome, seconds: float) -> None:
        """Append the observation of the next input."""
        self.outcomes.append(self._number(expected.outcome))
        self.states.append(self._number(expected.state))
        self.steps.append(expected.steps)
        self.judge_steps.append(expected.judge_steps)
        if expected.before is not None:
            self.befores.append(self._number(expected.before))
            self.keys.append(self._number(expected.key))
        self._seconds.append(seconds)

    def extend(self, later: Baseline) -> None:
        """Append the observations of the inputs that follow."""
        numbers = array("I", map(self._number, later.values))
        for own, more in zip(self._columns, later._columns, strict=True):
            own.extend(map(numbers.__getitem__, more) if own.typecode == "I" else more)

    @property
    def _columns(self) -> tuple[array[Any], ...]:
        """The outcomes and all else by input; those of type "I" are numbers of `values`."""
        numbers = (self.outcomes, self.states, self.befores, self.keys)
        return (*numbers, self.steps, self.judge_steps, self._seconds)

    def to_bytes(self) -> bytes:
        """Return bytes for `from_bytes` on the same machine."""
        return marshal.dumps((self.values, *(column.tobytes() for column in self._columns)))

    @classmethod
    def from_bytes(cls, first: int, data: bytes) -> Baseline:
        """Return the baseline from input `first` on that `to_bytes` wrote."""
        values, *columns = marshal.loads(data)  # noqa: S302 (our own process wrote it)
        baseline = cls(first)
        baseline.values = values
        baseline._unique = {value: number for number, value in enumerate(values)}
        for column, content in zip(baseline._columns, columns, strict=True):
            column.frombytes(content)
        return baseline

    def _number(self, value: bytes) -> int:
        number = self._unique.setdefault(value, len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number
