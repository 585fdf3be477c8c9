"""Conditions on fields, evaluated from left to right; a search that listens is told which values can satisfy them.

A condition is evaluated when its truth is asked for (`if`, `not`, `bool`). Outside of a search
that is all: a check. Within one, each field that the search has not given a value yet is announced
together with a test of its values: those that fail it make the condition false, whatever the
fields read later hold. What follows from that is the search's business.
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
"""Stands for the value of a field that has not been read."""


Possible: TypeAlias = Callable[[Any], bool]
"""A test of a field's values: those that fail it make the present condition false. It reads nothing."""

Offer: TypeAlias = Callable[[Any, str | int], Possible | None]
"""The test of a field's values by its owner and name; None where nothing is known of it."""


class Search(Protocol):
    """What conditions tell a search that is executing a predicate."""

    def decide(self, evaluate: Callable[[bool], bool]) -> bool:
        """Has the outermost condition evaluated; the argument says whether fields may be narrowed."""

    def is_unread(self, owner: Any, name: str | int) -> bool:
        """Whether this is a field of the state space without a value yet."""

    def announce(self, offer: Offer | None) -> None:
        """Until the next announcement, fields that are given a value are offered first."""


_search: Search | None = None


def listen(search: Search | None) -> Search | None:
    """From now on `search` is told of conditions (None: nobody); returns who was before."""
    global _search
    former, _search = _search, search
    return former


class Field:
    """A field of an object, or an element or the length of a list, without its being read."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: Any, name: str | int) -> None:
        self.owner = owner
        self.name = name

    def read(self) -> Any:
        """Its value."""
        if isinstance(self.name, str):
            return getattr(self.owner, self.name)
        return len(self.owner) if self.name == LENGTH else self.owner[self.name]

    def is_same(self, other: Field) -> bool:
        """Whether both mean one field."""
        return self.owner is other.owner and self.name == other.name


class Knowledge:
    """What is known during one evaluation: values read, outcomes of checks, and what is assumed for a moment."""

    def __init__(self, search: Search | None) -> None:
        self._search = search
        self._outcomes: dict[int, bool] = {}
        self._assumed: tuple[Field, Any] | None = None

    @property
    def assumes(self) -> bool:
        """Whether a field is assumed to have some value, so that nothing may be read on the way."""
        return self._assumed is not None

    def value(self, operand: Any) -> Any:
        """What an operand is worth; UNKNOWN for a field that the search has not given a value."""
        if not isinstance(operand, Field):
            return operand
        if self._assumed is not None and operand.is_same(self._assumed[0]):
            return self._assumed[1]
        if self._search is not None and self._search.is_unread(operand.owner, operand.name):
            return UNKNOWN
        return operand.read()

    def outcome(self, check: Procedure) -> bool | None:
        """What a check came to, None where it has not been run."""
        return self._outcomes.get(id(check))

    def record(self, check: Procedure, outcome: bool) -> None:
        """Keeps what a check came to."""
        self._outcomes[id(check)] = outcome

    def possible(self, condition: Condition, field: Field, value: Any) -> bool:
        """Whether `condition` may still hold if `field` has that value."""
        self._assumed = field, value
        try:
            return condition.known(self) is not False
        except Exception:
            return True  # the predicate itself is to meet it
        finally:
            self._assumed = None

    def requires(self, condition: Condition, check: Procedure) -> bool:
        """Whether `condition` cannot hold unless `check` does."""
        self._outcomes[id(check)] = False
        try:
            return condition.known(self) is False
        except Exception:
            return False
        finally:
            del self._outcomes[id(check)]


class Condition:
    """Something that holds or does not; `bool(condition)` tells.

    Not an abstract base class: `isinstance` of those is slow, and is asked at every step.
    """

    __slots__ = ()

    @property
    def sole_field(self) -> Field | None:
        """The field that it is about, if it is about one only and runs no procedure."""
        raise NotImplementedError

    def test(self, value: Any) -> bool:
        """Whether it holds if its sole field has that value."""
        raise NotImplementedError

    def is_inert(self, value: Any) -> bool:
        """Whether testing the value of its sole field executes no code of the program under test."""
        raise NotImplementedError

    def offer(self, owner: Any, name: str | int) -> Possible | None:
        """Says of its sole field which values can make it true (an Offer)."""
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

    def known(self, knowledge: Knowledge) -> bool | None:
        """Whether it holds, None where that hangs on what is not known; reads nothing that is unknown."""
        raise NotImplementedError

    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        """What to find out next; asked only while `known` is None."""
        raise NotImplementedError

    def __bool__(self) -> bool:
        if _search is None:
            return Evaluation(None, False).holds(self)
        return _search.decide(partial(evaluate, self, _search))


class Procedure(Condition):
    """A check that reads as it goes along: what it reads next may hang on what it has read."""

    __slots__ = ()
    sole_field = None

    def run(self, evaluation: Evaluation) -> bool:
        """Whether the check succeeds; it fails as soon as something that `evaluation` is asked for does not hold."""
        raise NotImplementedError

    def known(self, knowledge: Knowledge) -> bool | None:
        """Only what a run came to."""
        return knowledge.outcome(self)

    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        """Itself."""
        return self


class Evaluation:
    """One evaluation of a condition; with `narrowing`, what is found not to hold makes the whole false."""

    __slots__ = ("_narrowing", "_search")

    def __init__(self, search: Search | None, narrowing: bool) -> None:
        self._search = search
        self._narrowing = narrowing

    @contextmanager
    def announced(self, offer: Offer) -> Iterator[None]:
        """Within the block, the check reads fields on the promise to fail unless what `offer` says of them holds."""
        if not self._narrowing or self._search is None:
            yield
            return
        self._search.announce(offer)
        try:
            yield
        finally:
            self._search.announce(None)

    def holds(self, condition: Condition | bool) -> bool:
        """Whether a condition (or plain truth value) holds."""
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
        while (known := condition.known(knowledge)) is None:
            unknown = condition.first_unknown(knowledge)
            if isinstance(unknown, Procedure):
                narrowing = self._narrowing and knowledge.requires(condition, unknown)
                knowledge.record(unknown, unknown.run(Evaluation(search, narrowing)))
            elif self._narrowing and search is not None:
                _read(search, unknown, partial(knowledge.possible, condition, unknown))
            else:
                unknown.read()
        return known


def evaluate(condition: Condition, search: Search, narrowing: bool) -> bool:
    """Whether a condition holds, `search` being told of what it reads."""
    return Evaluation(search, narrowing).holds(condition)


def _read(search: Search, field: Field, possible: Possible) -> Any:
    search.announce(lambda owner, name: possible if owner is field.owner and name == field.name else None)
    try:
        return field.read()
    finally:
        search.announce(None)
