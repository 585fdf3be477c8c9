"""Randoop's contracts of objects, as Python has them (Pacheco, Lahiri, Ernst, Ball 2007, Figure 4; decision 140).

Checking may change objects, as where `__hash__` keeps its result, so it is for objects that no later call takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from types import FunctionType
from typing import Any, NamedTuple

from harness.generators.sequences.calls import moved
from harness.kernel.inputs.routines import ABSENT
from harness.kernel.inputs.suites import Call
from harness.kernel.inputs.written_calls import CallWriter
from harness.kernel.specs.spec import told
from harness.model.sequence import SequenceScope

MOST_KEPT = 32
"""Objects of one class, no two of them equal, that each further object is compared with."""

_SHOWN = (type(None), bool, int, float, str)
"""Types of which what is not true is short."""


class Contract(Enum):
    """What holds for each object, whatever its class; the value says it in words."""

    REFLEXIVE = "an object is equal to itself"
    HASH = "equal objects have equal hashes"
    REPR = "repr raises no exception"


@dataclass(frozen=True)
class Check:
    """One contract on one or two objects, by the numbers of the calls that gave them; `what` tells how it is broken."""

    contract: Contract
    calls: tuple[Call, ...]
    numbers: tuple[int, ...]
    classes: tuple[str, ...]
    what: str = ""

    def text(self, scope: SequenceScope) -> str:
        """The sequence, and what is asked of its objects or how the contract is broken."""
        written = CallWriter(scope.root, scope.routines).write(self.calls, self.numbers)
        names = [str(written[number].name) for number in self.numbers]
        sequence = "; ".join(map(str, written))
        if not self.what:
            asked = _ASKED[self.contract, len(names)].format(*names)
            return f"{sequence}; {asked} (the contract that {self.contract.value})"
        objects = " and ".join(f"{name}, a {kind}," for name, kind in zip(names, self.classes, strict=True))
        verb = "breaks" if len(names) == 1 else "break"
        return f"{sequence}: {objects} {verb} the contract that {self.contract.value}: {self.what.format(*names)}"


_ASKED = {
    (Contract.REFLEXIVE, 1): "{0} == {0}",
    (Contract.HASH, 1): "hash({0})",
    (Contract.HASH, 2): "{0} == {1} and hash({0}) == hash({1})",
    (Contract.REPR, 1): "repr({0})",
}


class _Kept(NamedTuple):
    value: Any
    calls: tuple[Call, ...]
    number: int


class Contracts:
    """Checks objects, each by itself, and beside those that were checked before and equal no other one.

    Attributes:
        at: makes the check that is being done; None where none is.
    """

    at: Callable[[], Check] | None = None

    def __init__(self, scope: SequenceScope) -> None:
        self._routines = scope.routines
        self._asked: dict[type, _Asked | None] = {}
        self._kept: dict[type, list[_Kept]] = {}

    def broken(self, calls: tuple[Call, ...], results: Sequence[Any], numbers: Iterable[int]) -> Check | None:
        """The first contract that one of the results with these numbers breaks, by itself or with an earlier one."""
        seen: set[int] = set()
        for number in numbers:
            value = results[number]
            kind = type(value)
            if kind not in self._asked:
                self._asked[kind] = _Asked.of(kind)
            asked = self._asked[kind]
            if asked is None or value is ABSENT or id(value) in seen:
                continue
            seen.add(id(value))
            for contract, flaw in asked.alone:
                self.at = check = partial(Check, contract, calls, (number,), (kind.__name__,))
                what = flaw(value)
                if what:
                    return check(what)
            pair = self._beside_others(calls, results, number) if asked.beside_others else None
            if pair is not None:
                return pair
        self.at = None
        return None

    def _beside_others(self, calls: tuple[Call, ...], results: Sequence[Any], number: int) -> Check | None:
        value = results[number]
        kind = type(value)
        kept = self._kept.setdefault(kind, [])
        for other in kept:
            if other.value is value:
                return None
            self.at = check = partial(self._check_of_two, other, calls, results, number)
            equal, differ = _hashed_apart(other.value, value)
            if differ:
                return check("{0} == {1}, and their hashes differ")
            if equal:
                return None
        if len(kept) < MOST_KEPT:
            kept.append(_Kept(value, calls, number))
        return None

    def _check_of_two(
        self, other: _Kept, calls: tuple[Call, ...], results: Sequence[Any], number: int, what: str = ""
    ) -> Check:
        """Return the check of a kept object and a result, with their sequences one after the other."""
        first = 0
        if not (other.number < len(results) and results[other.number] is other.value):
            first = len(other.calls)
            moved_calls = (moved(call, self._routines[call.target], first) for call in calls)
            calls = (*other.calls, *moved_calls)
        kind = type(other.value).__name__
        return Check(Contract.HASH, calls, (other.number, first + number), (kind, kind), what)


def _unequal(value: Any) -> str:
    """How an object is not equal to itself; empty where it is."""
    try:
        result = value == value
        if result:
            return ""
    except (Exception, SystemExit) as error:
        return f"{{0}} == {{0}} raised {_raised(error)}"
    shown = repr(result) if type(result) in _SHOWN else f"a {type(result).__name__} that is not true"
    return f"{{0}} == {{0}} is {shown}"


def _no_hash(value: Any) -> str:
    """How hash fails; empty where it does not, or raises TypeError, by which an object says that it has no hash."""
    try:
        hash(value)
    except TypeError:
        return ""
    except (Exception, SystemExit) as error:
        return f"hash({{0}}) raised {_raised(error)}"
    return ""


def _no_repr(value: Any) -> str:
    try:
        repr(value)
    except (Exception, SystemExit) as error:
        return f"repr({{0}}) raised {_raised(error)}"
    return ""


def _hashed_apart(one: Any, other: Any) -> tuple[bool, bool]:
    """Whether two objects are equal, and whether their hashes differ then; no contract is about what raises here."""
    try:
        return (True, hash(one) != hash(other)) if one == other else (False, False)
    except (Exception, SystemExit):
        return False, False


def _raised(error: BaseException) -> str:
    """An exception as text that `str.format` gives as it is."""
    return told(error).replace("{", "{{").replace("}", "}}")


class _Asked(NamedTuple):
    """What is asked of the objects of a class, by what it has in Python: those of C keep these contracts."""

    alone: tuple[tuple[Contract, Callable[[Any], str]], ...]
    beside_others: bool

    @classmethod
    def of(cls, kind: type) -> _Asked | None:
        """None: nothing."""
        own = [name for name in _OF_METHODS if isinstance(getattr(kind, name, None), FunctionType)]
        beside_others = "__eq__" in own and kind.__hash__ is not None
        return cls(tuple(_OF_METHODS[name] for name in own), beside_others) if own else None


_OF_METHODS: dict[str, tuple[Contract, Callable[[Any], str]]] = {
    "__eq__": (Contract.REFLEXIVE, _unequal),
    "__hash__": (Contract.HASH, _no_hash),
    "__repr__": (Contract.REPR, _no_repr),
}
