"""Evaluates conditions on fields from left to right, and announces to a search which values can satisfy them.

A condition is evaluated when its truth is needed (`if`, `not`, `bool`). Outside of a search, this is only a check.
Within one, each field that the search has not given a value yet is announced together with a test of its values. Values
that fail the test make the condition false, whatever the fields read later hold. The search draws the conclusions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol, TypeAlias

LENGTH = -1
"""The name of a list's length among its fields; elements are named by their positions."""

ATOMS = frozenset({type(None), bool, int, float, str})
"""Types whose values are compared without any code of the program."""

UNKNOWN: Any = object()
"""The value of a field that has not been read."""


Possible: TypeAlias = Callable[[Any], bool]
"""A test of a field's values: values that fail it make the present condition false. It reads nothing."""

Offer: TypeAlias = Callable[[Any, str | int], Possible | None]
"""A function that returns the test of a field's values by its owner and name; None if nothing is known of it."""


class ConditionSearch(Protocol):
    """The interface of a search that executes a predicate, for conditions."""

    def decide(self, evaluate: Callable[[bool], bool]) -> bool:
        """Evaluate the outermost condition; the argument says whether fields may be narrowed."""

    def is_unread(self, owner: Any, name: str | int) -> bool:
        """Return whether this is a field of the state space without a value yet."""

    def announce(self, offer: Offer | None) -> None:
        """Until the next announcement, offer the fields that are given a value first."""


_search: ConditionSearch | None = None


def listen(search: ConditionSearch | None) -> ConditionSearch | None:
    """Report conditions to `search` from now on (None: to nobody). Return the search before."""
    global _search
    former, _search = _search, search
    return former


class Field:
    """A field of an object, or an element or the length of a list, which is not read yet."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: Any, name: str | int) -> None:
        self.owner = owner
        self.name = name

    def read(self) -> Any:
        """Return the field's value."""
        if isinstance(self.name, str):
            return getattr(self.owner, self.name)
        return len(self.owner) if self.name == LENGTH else self.owner[self.name]

    def is_same(self, other: Field) -> bool:
        """Return whether both mean one field."""
        return self.owner is other.owner and self.name == other.name


class Knowledge:
    """The facts of one evaluation: values read, outcomes of checks, and a value that is assumed for a moment."""

    def __init__(self, search: ConditionSearch | None) -> None:
        self._search = search
        self._outcomes: dict[int, bool] = {}
        self._assumed: tuple[Field, Any] | None = None

    @property
    def assumes(self) -> bool:
        """Whether a field is assumed to have some value, so that nothing may be read on the way."""
        return self._assumed is not None

    def value(self, operand: Any) -> Any:
        """Return an operand's value; UNKNOWN for a field that the search has not given a value."""
        if not isinstance(operand, Field):
            return operand
        if self._assumed is not None and operand.is_same(self._assumed[0]):
            return self._assumed[1]
        if self._search is not None and self._search.is_unread(operand.owner, operand.name):
            return UNKNOWN
        return operand.read()

    def outcome(self, check: Procedure) -> bool | None:
        """Return the outcome of a check, or None if it has not been run."""
        return self._outcomes.get(id(check))

    def record(self, check: Procedure, outcome: bool) -> None:
        """Keep the outcome of a check."""
        self._outcomes[id(check)] = outcome

    def possible(self, condition: Condition, field: Field, value: Any) -> bool:
        """Return whether `condition` may still hold if `field` has that value."""
        self._assumed = field, value
        try:
            return condition.outcome(self) is not False
        except Exception:
            return True  # the predicate itself is to meet it
        finally:
            self._assumed = None

    def requires(self, condition: Condition, check: Procedure) -> bool:
        """Return whether `condition` cannot hold unless `check` does."""
        self._outcomes[id(check)] = False
        try:
            return condition.outcome(self) is False
        except Exception:
            return False
        finally:
            del self._outcomes[id(check)]


class Condition:
    """A condition that holds or does not; `bool(condition)` evaluates it.

    It is no abstract base class: `isinstance` of those is slow, and is called at every step.
    """

    __slots__ = ()

    @property
    def sole_field(self) -> Field | None:
        """The condition's field, if it depends on only one field and runs no procedure."""
        raise NotImplementedError

    def test(self, value: Any) -> bool:
        """Return whether the condition holds if its sole field has that value."""
        raise NotImplementedError

    def is_inert(self, value: Any) -> bool:
        """Return whether testing the value of its sole field executes no code of the program under test."""
        raise NotImplementedError

    def offer(self, owner: Any, name: str | int) -> Possible | None:
        """Return a test of the values of its sole field that can make it true (an Offer)."""
        sole = self.sole_field
        if sole is None or owner is not sole.owner or name != sole.name:
            return None
        test, is_inert = self.test, self.is_inert
        inert_otherwise = is_inert(None)

        def possible(value: Any) -> bool:
            try:
                if inert_otherwise if type(value) in ATOMS else is_inert(value):
                    return test(value)
            except Exception:
                return True  # the predicate itself is to meet it
            return True

        return possible

    def outcome(self, knowledge: Knowledge) -> bool | None:
        """Return whether it holds, or None if that depends on an unknown; reads no unknown field."""
        raise NotImplementedError

    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        """Return the field or check to evaluate next; called only while `outcome` is None."""
        raise NotImplementedError

    def __bool__(self) -> bool:
        if _search is None:
            return Evaluation(None, False).holds(self)
        return _search.decide(partial(evaluate, self, _search))


class Procedure(Condition):
    """A check that reads fields while it runs; the next field may depend on the values that it has read."""

    __slots__ = ()
    sole_field = None

    def run(self, evaluation: Evaluation) -> bool:
        """Return whether the check succeeds; it fails as soon as a condition that it evaluates does not hold."""
        raise NotImplementedError

    def outcome(self, knowledge: Knowledge) -> bool | None:
        """Return only the outcome of a run."""
        return knowledge.outcome(self)

    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        """Return the check itself."""
        return self


class Evaluation:
    """One evaluation of a condition; with `narrowing`, any part that does not hold makes the whole false."""

    __slots__ = ("_narrowing", "_search")

    def __init__(self, search: ConditionSearch | None, narrowing: bool) -> None:
        self._search = search
        self._narrowing = narrowing

    @contextmanager
    def announced(self, offer: Offer) -> Iterator[None]:
        """Within the block, promise that the check fails unless the values of fields pass the tests of `offer`."""
        if not self._narrowing or self._search is None:
            yield
            return
        self._search.announce(offer)
        try:
            yield
        finally:
            self._search.announce(None)

    def holds(self, condition: Condition | bool) -> bool:
        """Return whether a condition (or plain truth value) holds."""
        if not isinstance(condition, Condition):
            return bool(condition)
        sole = condition.sole_field
        if sole is None:
            return condition.run(self) if isinstance(condition, Procedure) else self._find_out(condition)
        search = self._search
        if not self._narrowing or search is None:
            return condition.test(sole.read())
        search.announce(condition.offer)
        try:
            value = sole.read()
        finally:
            search.announce(None)
        return condition.test(value)

    def _find_out(self, condition: Condition) -> bool:
        search = self._search
        knowledge = Knowledge(search)
        while (known := condition.outcome(knowledge)) is None:
            unknown = condition.first_unknown(knowledge)
            if isinstance(unknown, Procedure):
                narrowing = self._narrowing and knowledge.requires(condition, unknown)
                knowledge.record(unknown, unknown.run(Evaluation(search, narrowing)))
            elif self._narrowing and search is not None:
                _read(search, unknown, partial(knowledge.possible, condition, unknown))
            else:
                unknown.read()
        return known


def evaluate(condition: Condition, search: ConditionSearch, narrowing: bool) -> bool:
    """Return whether a condition holds, and announce the fields that it reads to `search`."""
    return Evaluation(search, narrowing).holds(condition)


def _read(search: ConditionSearch, field: Field, possible: Possible) -> Any:
    search.announce(lambda owner, name: possible if owner is field.owner and name == field.name else None)
    try:
        return field.read()
    finally:
        search.announce(None)
