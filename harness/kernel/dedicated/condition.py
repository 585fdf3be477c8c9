"""Conditions on fields, evaluated from left to right; a search that listens is told which values can satisfy them.

A condition is evaluated when its truth is asked for (`if`, `return`, `not`, `bool`). Outside of a
search that is all: a check. Within one, each field that the search has not given a value yet is
announced together with a test of its values: those that fail it make the condition false,
whatever the fields read later hold. What follows from that is the search's business.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, Protocol

LENGTH = -1
"""The name of a list's length among its fields; elements are named by their positions."""

UNKNOWN: Any = object()
"""Stands for the value of a field that has not been read."""


class Search(Protocol):
    """What conditions tell a search that is executing a predicate."""

    def decide(self, evaluate: Callable[[bool], bool]) -> bool:
        """Has the outermost condition evaluated; the argument says whether fields may be narrowed."""

    def is_unread(self, owner: Any, name: str | int) -> bool:
        """Whether this is a field of the state space without a value yet."""

    def narrow(self, owner: Any, name: str | int, possible: Callable[[Any], bool]) -> None:
        """Gives an unread field a value; those that are not `possible` make the condition false."""


_search: Search | None = None


def listen(search: Search | None) -> Search | None:
    """From now on `search` is told of conditions (None: nobody); returns who was before."""
    global _search  # noqa: PLW0603
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


class Condition(ABC):
    """Something that holds or does not; `bool(condition)` tells."""

    __slots__ = ()

    @abstractmethod
    def known(self, knowledge: Knowledge) -> bool | None:
        """Whether it holds, None where that hangs on what is not known; reads nothing that is unknown."""

    @abstractmethod
    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        """What to find out next; asked only while `known` is None."""

    def __bool__(self) -> bool:
        search = _search
        if search is None:
            return _evaluate(self, None, False)
        return search.decide(lambda narrowing: _evaluate(self, search, narrowing))


class Procedure(Condition):
    """A check in steps, each of which must hold; what a step is may hang on what the ones before have read."""

    __slots__ = ()

    @abstractmethod
    def steps(self) -> Iterator[Condition]:
        """The steps in order; the next one is asked for when the one before has been found to hold."""

    def known(self, knowledge: Knowledge) -> bool | None:
        """Only what a run came to."""
        return knowledge.outcome(self)

    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        """Itself."""
        return self


def _evaluate(condition: Condition, search: Search | None, narrowing: bool) -> bool:
    knowledge = Knowledge(search)
    while (known := condition.known(knowledge)) is None:
        unknown = condition.first_unknown(knowledge)
        if isinstance(unknown, Procedure):
            narrow = narrowing and knowledge.requires(condition, unknown)
            knowledge.record(unknown, all(_evaluate(step, search, narrow) for step in unknown.steps()))
        else:
            if narrowing and search is not None:
                _narrow(condition, search, knowledge, unknown)
            unknown.read()
    return known


def _narrow(condition: Condition, search: Search, knowledge: Knowledge, field: Field) -> None:
    search.narrow(field.owner, field.name, lambda value: knowledge.possible(condition, field, value))
