"""Evaluates the observers of an object, and finds out which of them change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.objects.reading import Omits
from harness.kernel.specs.tokens import Token
from harness.report.written_tests.observers import REPR, Observer, observers_of, own_method, parts_of
from harness.report.written_tests.source import plain_source
from harness.report.written_tests.waiting import Standstill, Waits

NOT_PLAIN = ""
"""Stands for the source of what cannot be written as a plain value."""


@dataclass(frozen=True)
class ObjectObservations:
    """The plain values of an object's observers at the end of a test, as source."""

    variable: str
    class_name: str
    values: dict[Observer, str]


class Asker:
    """Evaluates observers of a module's objects.

    Args:
        module: the name of the module.
        omits: the fields that do not belong to the state of an object.
        standstill: detects observers that wait.
    """

    def __init__(self, module: str, omits: Omits | None, standstill: Standstill) -> None:
        self._module = module
        self._omits = omits
        self._standstill = standstill
        self.waiting: set[str] = set()
        """Families of observers that once waited for ever; they are among `changing`, and are not called again."""
        self.changing: set[str] = set()
        """Families of observers that changed an object, or gave two successive values for it."""

    def observe(
        self, variable: str, held: Any, values: Mapping[str, Any], tokens: dict[Token, str], named: Mapping[int, str]
    ) -> ObjectObservations:
        """Return the observations of an object, or of the objects in a collection.

        Args:
            variable: the name of the object's variable.
            values: the values that observers are called with, by source.
            named: variables of the test, by the identities of their objects.
        """
        sources: dict[Observer, str | None] = {}
        for observer in self.observers(held, values, tokens, named):
            sources[observer], value = self._observed(observer, held, tokens, named)
            if sources[observer] == NOT_PLAIN and not observer.always and observer.family not in self.changing:
                for part in self._parts(value, tokens, named):
                    inner = replace(part.within(observer), always=False)
                    sources[inner], _ = self._observed(inner, held, tokens, named)
        if not any(sources.values()) and own_method(type(held), "__repr__", self._module):
            sources[REPR], _ = self._observed(REPR, held, tokens, named)
        plain = {observer: source for observer, source in sources.items() if source}
        return ObjectObservations(variable, type(held).__name__, plain)

    def observers(
        self, held: Any, values: Mapping[str, Any], tokens: dict[Token, str], named: Mapping[int, str]
    ) -> list[Observer]:
        """Return the observers of an object, or of those items of a collection that cannot be written as source."""
        if plain_source(held, tokens) is not None:
            return observers_of(held, self._module, values)
        own = observers_of(held, self._module, values) if type(held).__module__ == self._module else []
        return [*own, *self._parts(held, tokens, named)]

    def _parts(self, held: Any, tokens: dict[Token, str], named: Mapping[int, str]) -> list[Observer]:
        return parts_of(held, self._module, lambda one: id(one) in named or plain_source(one, tokens) is not None)

    def _observed(
        self, observer: Observer, held: Any, tokens: dict[Token, str], named: Mapping[int, str]
    ) -> tuple[str | None, Any]:
        """Return an observer's value as source, or None if it raises, and the value.

        Record the observer if it changes the object.
        """
        if observer.family in self.changing or any(family in observer.family for family in self.waiting):
            return None, None
        state = self._state(held)
        try:
            with self._standstill.watched():
                values = [observer.read(held), observer.read(held)]
        except Waits:
            self.waiting.add(observer.family)
            self.changing.add(observer.family)
            return None, None
        except BaseException:
            values = []
        names = {number: name for number, name in named.items() if number != id(held)}
        sources = [names.get(id(value)) or plain_source(value, tokens) or NOT_PLAIN for value in values]
        is_unchanged = "(" not in observer.text if state is None else self._state(held) == state
        if not is_unchanged or sources[:1] != sources[1:]:
            self.changing.add(observer.family)
        if not sources:
            return None, None
        return NOT_PLAIN if " at 0x" in sources[0] else sources[0], values[0]

    def _state(self, held: Any) -> bytes | None:
        try:
            return concrete(held, omits=self._omits, past_methods=True)
        except (NotCanonical, RecursionError):
            return None
