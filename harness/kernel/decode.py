"""Rebuilds pre-states and arguments from candidate vectors, always as fresh objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from harness.kernel.loader import resolve
from harness.kernel.space import PLAIN, StateSpace
from harness.model.finitization import DomainKind


class Token:
    """An interchangeable value without fields, equal only to itself."""

    __slots__ = ("domain", "index")

    def __init__(self, domain: str, index: int) -> None:
        self.domain = domain
        self.index = index

    def __repr__(self) -> str:
        return f"<{self.domain} {self.index}>"


class Decoder:
    """Makes the object graph that a candidate vector describes, from the classes of one module.

    Objects are allocated without calling `__init__`; only what is reachable from the root or an
    argument is made.
    """

    def __init__(self, space: StateSpace, module: ModuleType) -> None:
        self._space = space
        self._classes: list[Any] = [
            resolve(module, domain.class_name) if domain.kind is DomainKind.OBJECT else None
            for domain in space.finitization.domains
        ]
        self._recipes = [self._recipe(number) for number in range(len(space.objects))]

    def decode(self, vector: Sequence[int]) -> State:
        """The state that `vector` describes; its root is `state.root`."""
        return State(self._recipes, vector)

    def _recipe(self, number: int) -> Callable[[State], Any]:
        """A function that makes object `number` of a state, its fields included."""
        owner = self._space.objects[number]
        fields = [
            (name, owner.first + offset, field.domain.plain, field.domain.objects)
            for offset, (name, field) in enumerate(
                zip(owner.names, self._space.fields[owner.first : owner.first + len(owner.names)], strict=True)
            )
        ]
        if owner.domain.kind is DomainKind.TOKEN:
            return lambda state: state.keep(number, Token(owner.domain.class_name, owner.index))
        if owner.domain.kind is DomainKind.LIST:
            return _list_recipe(number, fields)
        return _object_recipe(number, self._classes[owner.domain.number], fields)


class State:
    """The objects made so far from one vector, so that shared references stay shared."""

    __slots__ = ("_made", "_recipes", "vector")

    def __init__(self, recipes: list[Callable[[State], Any]], vector: Sequence[int]) -> None:
        self._recipes = recipes
        self._made: dict[int, Any] = {}
        self.vector = vector

    @property
    def root(self) -> Any:
        """The root object."""
        return self.object(0)

    def object(self, number: int) -> Any:
        """Object `number`, made on first use."""
        made = self._made.get(number)
        if made is None:
            made = self._recipes[number](self)
        return made

    def keep(self, number: int, made: Any) -> Any:
        """Records object `number` before its fields are made, so that cycles close."""
        self._made[number] = made
        return made


_Fields = list[tuple[str, int, tuple[Any, ...], tuple[int, ...]]]


def _object_recipe(number: int, cls: Any, fields: _Fields) -> Callable[[State], Any]:
    put = object.__setattr__

    def make(state: State) -> Any:
        made = state.keep(number, cls.__new__(cls))
        vector = state.vector
        for name, field, plain, objects in fields:
            index = vector[field]
            other = objects[index]
            put(made, name, plain[index] if other == PLAIN else state.object(other))
        return made

    return make


def _list_recipe(number: int, fields: _Fields) -> Callable[[State], Any]:
    (_, length_field, lengths, _), *elements = fields

    def make(state: State) -> Any:
        made: list[Any] = state.keep(number, [])
        vector = state.vector
        for _, field, plain, objects in elements[: lengths[vector[length_field]]]:
            index = vector[field]
            other = objects[index]
            made.append(plain[index] if other == PLAIN else state.object(other))
        return made

    return make
