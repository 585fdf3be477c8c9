"""Randoop's contracts of objects, as Python has them (Pacheco, Lahiri, Ernst, Ball 2007, Figure 4; decision 140).

Checking may change objects, for example if `__hash__` caches its result. So only objects that no later call takes are
checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from types import FunctionType
from typing import Any, NamedTuple

from harness.generators.sequences.calls import moved
from harness.kernel.inputs.describe import CallWriter
from harness.kernel.inputs.routines import ABSENT
from harness.kernel.inputs.suites import Call
from harness.kernel.specs.spec import exception_summary
from harness.model.sequence import SequenceScope

MOST_KEPT = 32
"""The largest number of unequal objects of one class with which further objects are compared."""

_PRINTED_TYPES = (type(None), bool, int, float, str)
"""Types with short false values, which messages show."""


class Contract(Enum):
    """A property that every object has, whatever its class; the value describes it in words."""

    REFLEXIVE = "an object is equal to itself"
    HASH = "equal objects have equal hashes"
    REPR = "repr raises no exception"


@dataclass(frozen=True)
class Check:
    """One contract for one or two objects, given by the numbers of their calls; `violation` says how it is broken."""

    contract: Contract
    calls: tuple[Call, ...]
    numbers: tuple[int, ...]
    classes: tuple[str, ...]
    violation: str = ""

    def text(self, scope: SequenceScope) -> str:
        """Return the sequence as text, with the checked expression or with the way in which the contract is broken."""
        written = CallWriter(scope.root, scope.routines).write(self.calls, self.numbers)
        names = [str(written[number].name) for number in self.numbers]
        sequence = "; ".join(map(str, written))
        if not self.violation:
            expression = _EXPRESSIONS[self.contract, len(names)].format(*names)
            return f"{sequence}; {expression} (the contract that {self.contract.value})"
        objects = " and ".join(f"{name}, a {kind}," for name, kind in zip(names, self.classes, strict=True))
        verb = "breaks" if len(names) == 1 else "break"
        return f"{sequence}: {objects} {verb} the contract that {self.contract.value}: {self.violation.format(*names)}"


_EXPRESSIONS = {
    (Contract.REFLEXIVE, 1): "{0} == {0}",
    (Contract.HASH, 1): "hash({0})",
    (Contract.HASH, 2): "{0} == {1} and hash({0}) == hash({1})",
    (Contract.REPR, 1): "repr({0})",
}


class _CheckedObject(NamedTuple):
    value: Any
    calls: tuple[Call, ...]
    number: int


class ContractChecker:
    """Checks objects alone, and in pairs with unequal objects that were checked before.

    Attributes:
        at: a function that makes the check in progress; None if there is none.
    """

    at: Callable[[], Check] | None = None

    def __init__(self, scope: SequenceScope) -> None:
        self._routines = scope.routines
        self._checks_by_class: dict[type, _ClassChecks | None] = {}
        self._objects_by_class: dict[type, list[_CheckedObject]] = {}

    def broken(self, calls: tuple[Call, ...], results: Sequence[Any], numbers: Iterable[int]) -> Check | None:
        """Return the first broken contract of the results with these numbers, alone or with an earlier object."""
        seen: set[int] = set()
        for number in numbers:
            value = results[number]
            kind = type(value)
            if kind not in self._checks_by_class:
                self._checks_by_class[kind] = _ClassChecks.of(kind)
            checks = self._checks_by_class[kind]
            if checks is None or value is ABSENT or id(value) in seen:
                continue
            seen.add(id(value))
            for contract, flaw in checks.single_checks:
                self.at = check = partial(Check, contract, calls, (number,), (kind.__name__,))
                violation = flaw(value)
                if violation:
                    return check(violation)
            pair = self._pair_violation(calls, results, number) if checks.is_paired else None
            if pair is not None:
                return pair
        self.at = None
        return None

    def _pair_violation(self, calls: tuple[Call, ...], results: Sequence[Any], number: int) -> Check | None:
        value = results[number]
        kind = type(value)
        unequal_objects = self._objects_by_class.setdefault(kind, [])
        for other in unequal_objects:
            if other.value is value:
                return None
            self.at = check = partial(self._check_of_two, other, calls, results, number)
            equal, differ = _hashed_apart(other.value, value)
            if differ:
                return check("{0} == {1}, and their hashes differ")
            if equal:
                return None
        if len(unequal_objects) < MOST_KEPT:
            unequal_objects.append(_CheckedObject(value, calls, number))
        return None

    def _check_of_two(
        self, other: _CheckedObject, calls: tuple[Call, ...], results: Sequence[Any], number: int, violation: str = ""
    ) -> Check:
        """Return the check of a stored object and a result, with their sequences one after the other."""
        first = 0
        if not (other.number < len(results) and results[other.number] is other.value):
            first = len(other.calls)
            moved_calls = (moved(call, self._routines[call.target], first) for call in calls)
            calls = (*other.calls, *moved_calls)
        kind = type(other.value).__name__
        return Check(Contract.HASH, calls, (other.number, first + number), (kind, kind), violation)


def _unequal(value: Any) -> str:
    """Return the way in which an object is not equal to itself, or "" if it is equal."""
    try:
        result = value == value
        if result:
            return ""
    except (Exception, SystemExit) as error:
        return f"{{0}} == {{0}} raised {_raised(error)}"
    result_text = repr(result) if type(result) in _PRINTED_TYPES else f"a {type(result).__name__} that is not true"
    return f"{{0}} == {{0}} is {result_text}"


def _no_hash(value: Any) -> str:
    """Return the way in which hash fails; empty if it succeeds, or raises TypeError because the object has no hash."""
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
    """Return whether two objects are equal, and if so whether their hashes differ; errors break no contract here."""
    try:
        return (True, hash(one) != hash(other)) if one == other else (False, False)
    except (Exception, SystemExit):
        return False, False


def _raised(error: BaseException) -> str:
    """Return an exception as text that `str.format` leaves unchanged."""
    return exception_summary(error).replace("{", "{{").replace("}", "}}")


class _ClassChecks(NamedTuple):
    """The checks of a class's objects, chosen by its methods in Python; methods in C satisfy these contracts."""

    single_checks: tuple[tuple[Contract, Callable[[Any], str]], ...]
    is_paired: bool

    @classmethod
    def of(cls, kind: type) -> _ClassChecks | None:
        """Return the checks for a class, or None if there are none."""
        own = [name for name in _OF_METHODS if isinstance(getattr(kind, name, None), FunctionType)]
        is_paired = "__eq__" in own and kind.__hash__ is not None
        return cls(tuple(_OF_METHODS[name] for name in own), is_paired) if own else None


_OF_METHODS: dict[str, tuple[Contract, Callable[[Any], str]]] = {
    "__eq__": (Contract.REFLEXIVE, _unequal),
    "__hash__": (Contract.HASH, _no_hash),
    "__repr__": (Contract.REPR, _no_repr),
}
