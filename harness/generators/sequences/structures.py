"""Structures that sequences have made: how each is reached, and which of them are known."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from harness.generators.sequences.calls import Choice, moved
from harness.kernel.inputs.suites import NO_STATE, Call, SuiteWriter
from harness.model.sequence import SequenceScope

MOST_WHOLE = 500_000
"""Structures whose keys are kept as they are."""


class Structure(NamedTuple):
    """An object that a sequence leaves.

    Attributes:
        state: number of the state that the sequence leads to.
        result: number of the call of the sequence whose result it is.
        length: calls of the sequence.
        names: the classes of the scope that it is of.
        made: what the path that has made it makes it from again.
    """

    state: int
    result: int
    length: int
    names: tuple[str, ...]
    made: bytes


class Known:
    """The keys of the structures that are known; beyond MOST_WHOLE, their digests of 16 bytes.

    A key has some hundred bytes, so that millions would not fit into memory. That two of them have the same digest
    is not to be expected before some 10^19 are made.
    """

    def __init__(self, most_whole: int = MOST_WHOLE) -> None:
        self._keys: set[bytes] = set()
        self._most_whole = most_whole
        self._are_digests = False

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: bytes) -> bool:
        return (_digest(key) if self._are_digests else key) in self._keys

    def add(self, key: bytes) -> bool:
        """Takes notice of a key; returns whether it is new."""
        before = len(self._keys)
        self._keys.add(_digest(key) if self._are_digests else key)
        if before == self._most_whole and not self._are_digests:
            self._keys = set(map(_digest, self._keys))
            self._are_digests = True
        return len(self._keys) > before

    def clear(self) -> None:
        """Forgets all."""
        self._keys, self._are_digests = set(), False


def _digest(key: bytes) -> bytes:
    return blake2b(key, digest_size=16).digest()


class Made(NamedTuple):
    """An object that a call has left: the result of the call of that number of its sequence.

    Attributes:
        rejected: whether rep_ok rejects it, as far as it was asked.
    """

    choice: Choice
    result: int
    names: tuple[str, ...]
    key: bytes
    made: bytes
    rejected: bool = False


class Rows:
    """The states of a suite, with the sequences that lead to them; written to `writer` as they come, where given."""

    def __init__(self, scope: SequenceScope, writer: SuiteWriter | None) -> None:
        self._routines = scope.routines
        self._writer = writer
        self._before = array("I")
        self._call = array("I")
        self._calls: dict[int, Call] = {}
        self._numbers: dict[Call, int] = {}
        self._joined: dict[int, dict[int, int]] = {}
        self._moves: dict[tuple[int, int], int] = {}
        self._alone: dict[tuple[Choice, int], int] = {}

    def number(self, call: Call) -> int:
        """The number of a call, in the order of first use; the writer's, where there is one."""
        known = self._numbers.get(call)
        if known is None:
            known = len(self._calls) if self._writer is None else self._writer.call_number(call)
            self._numbers[call] = known
            self._calls[known] = call
        return known

    def extended(self, parts: Sequence[Structure], choice: Choice) -> int:
        """The state after a call on parts, which no other state has the sequence of."""
        if len(parts) != 1:
            return self._add(self.joined(parts), self.number(self.call(parts, choice)))
        part = parts[0]
        key = (choice, part.result)
        number = self._alone.get(key)
        if number is None:
            number = self._alone[key] = self.number(self.call(parts, choice))
        return self._add(part.state, number)

    def _add(self, before: int, number: int) -> int:
        self._before.append(before)
        self._call.append(number)
        if self._writer is not None:
            self._writer.add_state((before, number))
        return len(self._before) - 1

    def sequence(self, state: int) -> list[Call]:
        """The calls that lead to a state; none to NO_STATE."""
        calls: list[Call] = []
        while state != NO_STATE:
            calls.append(self._calls[self._call[state]])
            state = self._before[state]
        calls.reverse()
        return calls

    def joined(self, parts: Sequence[Structure]) -> int:
        """The state after the sequences of all parts, one behind the other; a new one, where it is asked for first."""
        state = parts[0].state if parts else NO_STATE
        offset = parts[0].length if parts else 0
        for part in parts[1:]:
            state = self._behind(state, part.state, offset)
            offset += part.length
        return state

    def _behind(self, state: int, other: int, offset: int) -> int:
        """The state after the sequence of `state`, which has `offset` calls, and behind it that of `other`."""
        known = self._joined.setdefault(state, {})
        missing = []
        while other != NO_STATE and other not in known:
            missing.append(other)
            other = self._before[other]
        here = state if other == NO_STATE else known[other]
        for one in reversed(missing):
            here = known[one] = self._add(here, self._moved(self._call[one], offset))
        return here

    def _moved(self, number: int, offset: int) -> int:
        """The number of a call as it is behind `offset` others."""
        found = self._moves.get((number, offset))
        if found is None:
            call = self._calls[number]
            found = self._moves[number, offset] = self.number(moved(call, self._routines[call.target], offset))
        return found

    def calls(self, parts: Sequence[Structure], choice: Choice) -> list[Call]:
        """The sequence of a call on parts; no state is made for it."""
        calls: list[Call] = []
        for part in parts:
            offset = len(calls)
            calls += [moved(call, self._routines[call.target], offset) for call in self.sequence(part.state)]
        return [*calls, self.call(parts, choice)]

    def call(self, parts: Sequence[Structure], choice: Choice) -> Call:
        """A call on parts, whose sequences go before it one behind the other."""
        return choice.call(self._routines[choice.target], results(parts))


def results(parts: Sequence[Structure]) -> list[int]:
    """Of each part, the number of the call that it is the result of."""
    numbers, offset = [], 0
    for part in parts:
        numbers.append(offset + part.result)
        offset += part.length
    return numbers


def length(parts: Sequence[Structure]) -> int:
    """Calls of the sequences of all parts together."""
    return sum(part.length for part in parts)
