"""Rebuilds pre-states and arguments from candidate vectors, always as fresh objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MemberDescriptorType, ModuleType
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
    """The objects made so far from one vector, so that shared references stay shared.

    After `remember`, `restore` puts everything made back as it was, in place: several inputs on the
    same state need to decode it once only.
    """

    __slots__ = ("_instances", "_lists", "_made", "_others", "_recipes", "_remembered", "vector")

    def __init__(self, recipes: list[Callable[[State], Any]], vector: Sequence[int]) -> None:
        self._recipes = recipes
        self._made: dict[int, Any] = {}
        self.vector = vector
        self._remembered = 0
        self._instances: list[tuple[Any, type, dict[str, Any]]] = []
        self._lists: list[tuple[list[Any], list[Any]]] = []
        self._others: list[tuple[Any, type, dict[str, Any]]] = []

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

    def remember(self) -> None:
        """Takes what was made since the last time as it is now, for `restore`."""
        if self._remembered == len(self._made):
            return
        for made in list(self._made.values())[self._remembered :]:
            if isinstance(made, list):
                self._lists.append((made, made[:]))
            elif not isinstance(made, Token):
                cls = type(made)
                plain = hasattr(made, "__dict__") and cls.__setattr__ is object.__setattr__ and not _slots(cls)
                (self._instances if plain else self._others).append((made, cls, _attributes(made)))
        self._remembered = len(self._made)

    def restore(self) -> bool:
        """Puts every remembered object back; False where one has changed its class: decode again."""
        for made, cls, attributes in self._instances:
            if type(made) is not cls:
                return False
            made.__dict__ = attributes.copy()
        for made, elements in self._lists:
            made[:] = elements
        for made, cls, attributes in self._others:
            if type(made) is not cls:
                return False
            for name in _attributes(made).keys() - attributes.keys():
                object.__delattr__(made, name)
            for name, value in attributes.items():
                object.__setattr__(made, name, value)
        return True


def _slots(cls: type) -> list[str]:
    return [
        name for base in cls.__mro__ for name, member in vars(base).items() if isinstance(member, MemberDescriptorType)
    ]


def _attributes(made: Any) -> dict[str, Any]:
    """Instance attributes and filled slots, read past the class's own `__getattribute__`."""
    found: dict[str, Any] = dict(object.__getattribute__(made, "__dict__")) if hasattr(made, "__dict__") else {}
    for name in _slots(type(made)):
        try:
            found[name] = object.__getattribute__(made, name)
        except AttributeError:
            pass  # an empty slot
    return found


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
