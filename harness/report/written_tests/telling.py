"""What the observers of an object tell of it, and which of them change it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.kernel.judging.canon import NotCanonical, Omits, concrete
from harness.kernel.specs.tokens import Token
from harness.report.written_tests.observers import ITEMS, PAIRS, Observer, observers_of
from harness.report.written_tests.plain import plain_source
from harness.report.written_tests.waiting import Standstill, Waits
from harness.report.written_tests.within import nested, observers_within

NOT_PLAIN = ""
"""Stands for the source of what cannot be written as a plain value."""


@dataclass(frozen=True)
class Told:
    """What the observers of an object's class told of it at the end, by observer; of a question, by the value asked."""

    variable: str
    class_name: str
    values: dict[Observer, str]
    answers: dict[Observer, dict[str, str]]

    @property
    def items(self) -> tuple[str, ...] | None:
        """The sources of what the object holds, where an iteration tells it; of a map, its keys."""
        if self.values.get(PAIRS):
            return tuple(key for key, _ in _pairs(self.values[PAIRS]))
        return _items(self.values[ITEMS]) if self.values.get(ITEMS) else None

    @property
    def derived(self) -> frozenset[str]:
        """Sources that an iteration tells, too: how many items there are; of a map, lists of keys and of values."""
        items = self.items
        if items is None:
            return frozenset()
        found = {str(len(items))}
        if self.values.get(PAIRS):
            found |= {f"[{', '.join(part)}]" for part in (items, [item for _, item in _pairs(self.values[PAIRS])])}
        return frozenset(found)


class Asker:
    """Asks objects of a module what they are like.

    Args:
        module: the name of the module.
        omits: which fields of objects do not count as theirs.
        standstill: finds out that an observer waits.
    """

    def __init__(self, module: str, omits: Omits | None, standstill: Standstill) -> None:
        self._module = module
        self._omits = omits
        self._standstill = standstill
        self.waiting: set[Observer] = set()
        """Observers that have waited for ever once; they are among `changing`, and asked no more."""
        self.changing: set[Observer] = set()
        """Observers that changed an object, or told two things of it, one after the other."""

    def told(
        self, variable: str, held: Any, asked: dict[str, Any], tokens: dict[Token, str], named: Mapping[int, str]
    ) -> Told:
        """What is told of an object, or of the objects in a collection.

        Args:
            variable: its name.
            asked: values that it is asked about, by source.
            named: variables of the test, by the identities of their objects.
        """
        values: dict[Observer, str] = {}
        answers: dict[Observer, dict[str, str]] = {}
        observers = self.observers(held, tokens, named)
        own = len(observers)
        for number, observer in enumerate(observers):  # which grow
            if observer in self.changing or any(one.template in observer.template for one in self.waiting):
                continue
            if not observer.asks:
                source = self._observed(observer, (held,), tokens)
                if source is not None:
                    values[observer] = source
                if source == NOT_PLAIN and number < own and observer not in self.changing:
                    observers += [nested(observer, one) for one in self._within(observer.read(held), tokens, named)]
                continue
            found = {text: self._observed(observer, (held, value), tokens) for text, value in asked.items()}
            if found and all(answer in ("True", "False") for answer in found.values()):
                answers[observer] = {text: str(answer) for text, answer in found.items()}
            elif found:
                self.changing.add(observer)
        return Told(variable, type(held).__name__, values, answers)

    def observers(self, held: Any, tokens: dict[Token, str], named: Mapping[int, str]) -> list[Observer]:
        """What may be asked of an object, or of what a collection holds that cannot be written whole."""
        if plain_source(held, tokens) is not None:
            return observers_of(held, self._module)
        own = observers_of(held, self._module) if type(held).__module__ == self._module else []
        return [*own, *self._within(held, tokens, named)]

    def _within(self, held: Any, tokens: dict[Token, str], named: Mapping[int, str]) -> list[Observer]:
        return observers_within(held, self._module, lambda one: plain_source(one, tokens) is not None, named)

    def _observed(self, observer: Observer, arguments: tuple[Any, ...], tokens: dict[Token, str]) -> str | None:
        """What is told, as source; None where asking raises. Who changes the object is found out."""
        held, omits = arguments[0], self._omits
        try:
            state = concrete(held, omits=omits, past_methods=True)
        except (NotCanonical, RecursionError):
            state = None
        source: str | None = None
        try:
            with self._standstill.watched():
                source = plain_source(observer.read(*arguments), tokens) or NOT_PLAIN
                if source != (plain_source(observer.read(*arguments), tokens) or NOT_PLAIN):
                    self.changing.add(observer)
        except (Exception, SystemExit):
            source = None
        except Waits:
            self.waiting.add(observer)
            self.changing.add(observer)
            return None
        if state is None:
            if "(" in observer.template:
                self.changing.add(observer)
        elif concrete(held, omits=omits, past_methods=True) != state:
            self.changing.add(observer)
        return source


def _pairs(source: str) -> list[tuple[str, ...]]:
    """The sources of the pairs in a list."""
    return [_items(pair) for pair in _items(source)]


def _items(source: str) -> tuple[str, ...]:
    """The sources of what is in a list or tuple."""
    tree = ast.parse(source, mode="eval").body
    assert isinstance(tree, (ast.List, ast.Tuple))
    return tuple(str(ast.get_source_segment(source, item)) for item in tree.elts)
