"""Evaluates the observers of an object, and finds out which of them change it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.objects.reading import Omits
from harness.kernel.specs.tokens import Token
from harness.report.written_tests.item_observers import nested, observers_within
from harness.report.written_tests.observers import ITEMS, PAIRS, Observer, observers_of
from harness.report.written_tests.plain import plain_source
from harness.report.written_tests.waiting import Standstill, Waits

NOT_PLAIN = ""
"""Stands for the source of what cannot be written as a plain value."""


@dataclass(frozen=True)
class ObjectObservations:
    """The values of an object's observers at the end of a test; for those with a parameter, the answers by value."""

    variable: str
    class_name: str
    values: dict[Observer, str]
    answers: dict[Observer, dict[str, str]]

    @property
    def items(self) -> tuple[str, ...] | None:
        """The sources of the items that the object holds, if an iteration shows them; for a map, its keys."""
        if self.values.get(PAIRS):
            return tuple(key for key, _ in _pairs(self.values[PAIRS]))
        return _items(self.values[ITEMS]) if self.values.get(ITEMS) else None

    @property
    def derived(self) -> frozenset[str]:
        """The sources that follow from an iteration: the number of items; for a map, lists of its keys and of its
        values.
        """
        items = self.items
        if items is None:
            return frozenset()
        sources = {str(len(items))}
        if self.values.get(PAIRS):
            sources |= {f"[{', '.join(part)}]" for part in (items, [item for _, item in _pairs(self.values[PAIRS])])}
        return frozenset(sources)


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
        self.waiting: set[Observer] = set()
        """Observers that once waited for ever; they are among `changing`, and are not called again."""
        self.changing: set[Observer] = set()
        """Observers that changed an object, or gave two successive values for it."""

    def observe(
        self, variable: str, held: Any, arguments: dict[str, Any], tokens: dict[Token, str], named: Mapping[int, str]
    ) -> ObjectObservations:
        """Return the observations of an object, or of the objects in a collection.

        Args:
            variable: the name of the object's variable.
            arguments: the values that observers are called with, by source.
            named: variables of the test, by the identities of their objects.
        """
        values: dict[Observer, str] = {}
        answers: dict[Observer, dict[str, str]] = {}
        observers = self.observers(held, tokens, named)
        own = len(observers)
        for number, observer in enumerate(observers):  # the list grows within the loop
            if observer in self.changing or any(one.template in observer.template for one in self.waiting):
                continue
            if not observer.takes_value:
                source = self._observed(observer, (held,), tokens)
                if source is not None:
                    values[observer] = source
                if source == NOT_PLAIN and number < own and observer not in self.changing:
                    observers += [nested(observer, one) for one in self._within(observer.read(held), tokens, named)]
                continue
            answer_of = {text: self._observed(observer, (held, value), tokens) for text, value in arguments.items()}
            if answer_of and all(answer in ("True", "False") for answer in answer_of.values()):
                answers[observer] = {text: str(answer) for text, answer in answer_of.items()}
            elif answer_of:
                self.changing.add(observer)
        return ObjectObservations(variable, type(held).__name__, values, answers)

    def observers(self, held: Any, tokens: dict[Token, str], named: Mapping[int, str]) -> list[Observer]:
        """Return the observers of an object, or of those items of a collection that cannot be written as source."""
        if plain_source(held, tokens) is not None:
            return observers_of(held, self._module)
        own = observers_of(held, self._module) if type(held).__module__ == self._module else []
        return [*own, *self._within(held, tokens, named)]

    def _within(self, held: Any, tokens: dict[Token, str], named: Mapping[int, str]) -> list[Observer]:
        return observers_within(held, self._module, lambda one: plain_source(one, tokens) is not None, named)

    def _observed(self, observer: Observer, arguments: tuple[Any, ...], tokens: dict[Token, str]) -> str | None:
        """Return an observer's value as source, or None if it raises. Record the observer if it changes the object."""
        held, omits = arguments[0], self._omits
        try:
            state = concrete(held, omits=omits)
        except (NotCanonical, RecursionError):
            state = None
        source: str | None = None
        try:
            with self._standstill.watched():
                source = plain_source(observer.read(*arguments), tokens) or NOT_PLAIN
                if source != (plain_source(observer.read(*arguments), tokens) or NOT_PLAIN):
                    self.changing.add(observer)
        except Waits:
            self.waiting.add(observer)
            self.changing.add(observer)
            return None
        except BaseException:
            source = None
        if state is None:
            if "(" in observer.template:
                self.changing.add(observer)
        elif concrete(held, omits=omits) != state:
            self.changing.add(observer)
        return source


def _pairs(source: str) -> list[tuple[str, ...]]:
    """Return the sources of the pairs in a list."""
    return [_items(pair) for pair in _items(source)]


def _items(source: str) -> tuple[str, ...]:
    """Return the sources of the items of a list or tuple."""
    tree = ast.parse(source, mode="eval").body
    assert isinstance(tree, (ast.List, ast.Tuple))
    return tuple(str(ast.get_source_segment(source, item)) for item in tree.elts)
