"""The calls that a scope allows, the structures that sequences of them have made, and a set of seen ones."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from hashlib import blake2b
from itertools import product
from typing import NamedTuple

from harness.kernel.inputs.suites import NO_STATE, Call, SuiteWriter
from harness.model.routines import Routine
from harness.model.sequence import SequenceScope, class_names


class CallChoice(NamedTuple):
    """A routine with an index into the values of each parameter, or None for an object of a sequence."""

    target: int
    indices: tuple[int | None, ...]

    def classes(self, routine: Routine, root: str) -> list[tuple[str, ...]]:
        """Return the names of the possible classes of each object that the call takes, the receiver first."""
        receiver = [(root,)] if routine.has_receiver else []
        arguments = zip(routine.parameters, self.indices, strict=True)
        return receiver + [parameter.earlier for parameter, index in arguments if index is None]

    def call(self, routine: Routine, results: Sequence[int]) -> Call:
        """Return the call whose objects are the results with those numbers, the receiver's first."""
        left = iter(results)
        receiver = (next(left),) if routine.has_receiver else ()
        arguments = zip(routine.parameters, self.indices, strict=True)
        return Call(
            self.target,
            (*receiver, *(len(p.values) + next(left) if index is None else index for p, index in arguments)),
        )


class ScopeClasses:
    """The names by which a scope refers to objects: those of their classes and of the base classes of these."""

    def __init__(self, scope: SequenceScope) -> None:
        earlier = (name for routine in scope.routines for p in routine.parameters for name in p.earlier)
        self._wanted = dict.fromkeys((scope.root, *earlier))
        self._names: dict[type, tuple[str, ...]] = {}

    def names(self, cls: type) -> tuple[str, ...]:
        """Return the names of the objects of a class, in the order of the scope."""
        names = self._names.get(cls)
        if names is None:
            own = class_names(cls)
            names = self._names[cls] = tuple(name for name in self._wanted if name in own)
        return names


def choices(scope: SequenceScope, target: int) -> list[CallChoice]:
    """Return all choices of a routine, in the order of its values, objects last."""
    routine = scope.routines[target]
    options: list[list[int | None]] = []
    for parameter in routine.parameters:
        objects: list[int | None] = [None] if parameter.earlier else []
        options.append([*range(len(parameter.values)), *objects])
    return [CallChoice(target, indices) for indices in product(*options)]


def moved(call: Call, routine: Routine, by: int, behind: int = 0) -> Call:
    """Return the call with references shifted by `by` calls, inserted into its sequence before call `behind`."""
    return _renumbered(call, routine, lambda number: number + by if number >= behind else number) if by else call


def without(calls: Sequence[Call], routines: Sequence[Routine], dropped: Collection[int]) -> tuple[Call, ...]:
    """Return the sequence without the calls of those numbers, and without calls that take results of dropped calls.

    It is empty if the last call is left out.
    """
    places: dict[int, int] = {}
    remaining: list[Call] = []
    for number, call in enumerate(calls):
        routine = routines[call.target]
        if number not in dropped and all(one in places for one in call.earlier(routine)):
            places[number] = len(remaining)
            remaining.append(_renumbered(call, routine, places.__getitem__))
    return tuple(remaining) if len(calls) - 1 in places else ()


def _renumbered(call: Call, routine: Routine, place: Callable[[int], int]) -> Call:
    """Return the call with another number for each earlier call that it refers to."""
    arguments = list(call.arguments)
    first = int(routine.has_receiver)
    if first:
        arguments[0] = place(arguments[0])
    for at, parameter in enumerate(routine.parameters, start=first):
        values = len(parameter.values)
        if arguments[at] >= values:
            arguments[at] = values + place(arguments[at] - values)
    return Call(call.target, tuple(arguments))


MOST_WHOLE = 500_000
"""The largest number of structures whose keys are stored in full."""


class Structure(NamedTuple):
    """An object that a sequence leaves.

    Attributes:
        state: the number of the state that the sequence leads to.
        result: the number of the call whose result it is.
        length: the number of calls of the sequence.
        names: the names of its classes that the scope refers to.
        encoding: the bytes from which the path that made it can make it again.
    """

    state: int
    result: int
    length: int
    names: tuple[str, ...]
    encoding: bytes


class SeenStructures:
    """The keys of the known structures; beyond MOST_WHOLE, their digests of 16 bytes.

    A key has some hundred bytes, so millions would not fit into memory. Two keys with the same digest are not to be
    expected before some 10^19 are made.
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
        """Add a key. Return whether it is new."""
        before = len(self._keys)
        self._keys.add(_digest(key) if self._are_digests else key)
        if before == self._most_whole and not self._are_digests:
            self._keys = set(map(_digest, self._keys))
            self._are_digests = True
        return len(self._keys) > before

    def clear(self) -> None:
        """Remove all keys."""
        self._keys, self._are_digests = set(), False


def _digest(key: bytes) -> bytes:
    return blake2b(key, digest_size=16).digest()


class CallResult(NamedTuple):
    """An object that a call has left: the result of call `result` of its sequence.

    Attributes:
        rejected: whether rep_ok rejects it, if it was called.
    """

    choice: CallChoice
    result: int
    names: tuple[str, ...]
    key: bytes
    encoding: bytes
    rejected: bool = False


class Rows:
    """The states of a suite, with the sequences that lead to them; each is written to `writer`, if there is one."""

    def __init__(self, scope: SequenceScope, writer: SuiteWriter | None) -> None:
        self._routines = scope.routines
        self._writer = writer
        self._before = array("I")
        self._call = array("I")
        self._calls: dict[int, Call] = {}
        self._numbers: dict[Call, int] = {}
        self._joined: dict[int, dict[int, int]] = {}
        self._moves: dict[tuple[int, int], int] = {}

    def number(self, call: Call) -> int:
        """Return the number of a call, in the order of first use; it is the writer's number, if there is a writer."""
        call_number = self._numbers.get(call)
        if call_number is None:
            call_number = len(self._calls) if self._writer is None else self._writer.call_number(call)
            self._numbers[call] = call_number
            self._calls[call_number] = call
        return call_number

    def extended(self, parts: Sequence[Structure], choice: CallChoice) -> int:
        """Return the new state after a call on parts, whose sequence no other state has."""
        if len(parts) != 1:
            return self._add(self.joined(parts), self.number(self.call(parts, choice)))
        part = parts[0]
        return self._add(part.state, self.number(self.call(parts, choice)))

    def after(self, calls: Sequence[Call]) -> int:
        """Return the new state after calls."""
        state = NO_STATE
        for call in calls:
            state = self._add(state, self.number(call))
        return state

    def _add(self, before: int, number: int) -> int:
        self._before.append(before)
        self._call.append(number)
        if self._writer is not None:
            self._writer.add_state((before, number))
        return len(self._before) - 1

    def sequence(self, state: int) -> list[Call]:
        """Return the calls that lead to a state; none lead to NO_STATE."""
        calls: list[Call] = []
        while state != NO_STATE:
            calls.append(self._calls[self._call[state]])
            state = self._before[state]
        calls.reverse()
        return calls

    def joined(self, parts: Sequence[Structure]) -> int:
        """Return the state after the concatenated sequences of all parts; it is new at the first request."""
        state = parts[0].state if parts else NO_STATE
        offset = parts[0].length if parts else 0
        for part in parts[1:]:
            state = self._behind(state, part.state, offset)
            offset += part.length
        return state

    def _behind(self, state: int, other: int, offset: int) -> int:
        """Return the state after the sequence of `state`, which has `offset` calls, followed by that of `other`."""
        states = self._joined.setdefault(state, {})
        missing = []
        while other != NO_STATE and other not in states:
            missing.append(other)
            other = self._before[other]
        here = state if other == NO_STATE else states[other]
        for one in reversed(missing):
            here = states[one] = self._add(here, self._moved(self._call[one], offset))
        return here

    def _moved(self, number: int, offset: int) -> int:
        """Return the number of a call that is moved after `offset` other calls."""
        moved_number = self._moves.get((number, offset))
        if moved_number is None:
            call = self._calls[number]
            moved_number = self._moves[number, offset] = self.number(moved(call, self._routines[call.target], offset))
        return moved_number

    def calls(self, parts: Sequence[Structure], choice: CallChoice) -> list[Call]:
        """Return the sequence of a call on parts, without making a state for it."""
        calls: list[Call] = []
        for part in parts:
            offset = len(calls)
            calls += [moved(call, self._routines[call.target], offset) for call in self.sequence(part.state)]
        return [*calls, self.call(parts, choice)]

    def call(self, parts: Sequence[Structure], choice: CallChoice) -> Call:
        """Return a call on parts, whose concatenated sequences precede it."""
        return choice.call(self._routines[choice.target], results(parts))


def results(parts: Sequence[Structure]) -> list[int]:
    """Return the number of the call whose result each part is, in the concatenated sequences."""
    numbers, offset = [], 0
    for part in parts:
        numbers.append(offset + part.result)
        offset += part.length
    return numbers


def length(parts: Sequence[Structure]) -> int:
    """Return the number of calls of the sequences of all parts together."""
    return sum(part.length for part in parts)


class Storage:
    """Writes sequences to a suite, and remembers which ones it contains."""

    def __init__(self, writer: SuiteWriter) -> None:
        self._writer = writer
        self._states: dict[tuple[int, Call], int] = {}
        self._inputs: set[tuple[int, Call]] = set()

    @property
    def count(self) -> int:
        """The number of sequences in the suite."""
        return len(self._inputs)

    def has(self, calls: Sequence[Call]) -> bool:
        """Return whether the suite already has the same calls as an input."""
        state = NO_STATE
        for call in calls[:-1]:
            next_state = self._states.get((state, call))
            if next_state is None:
                return False
            state = next_state
        return (state, calls[-1]) in self._inputs

    def add(self, calls: Sequence[Call]) -> None:
        """Add a sequence that is not in the suite."""
        state = NO_STATE
        for call in calls[:-1]:
            if (state, call) not in self._states:
                self._states[state, call] = self._writer.add_state((state, self._writer.call_number(call)))
            state = self._states[state, call]
        self._inputs.add((state, calls[-1]))
        self._writer.add_input(state, calls[-1])
