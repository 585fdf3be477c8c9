"""Rebuilds pre-states and arguments from candidate vectors."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.kernel.objects.object_creation import allocator, factory_object, filler, is_plain
from harness.kernel.program.loader import resolve
from harness.kernel.specs.tokens import Token
from harness.model.finitization import ABSENT, CONTENTS, ClassDomain, DomainKind


def token(domain: ClassDomain, index: int) -> Any:
    """Return the value that stands for object `index` of a domain of tokens: a text, if the domain has texts."""
    return domain.elements[index] if domain.elements else Token(domain.class_name, index)


class Decoder:
    """Makes the object graph that a candidate vector describes, from the classes of one module.

    Objects are allocated without calling `__init__`; only what is reachable from the root or an
    argument is made.
    """

    def __init__(self, space: StateSpace, module: ModuleType) -> None:
        self._space = space
        self._module = module
        classes: dict[int, Any] = {
            domain.number: resolve(module, domain.class_name)
            for domain in space.finitization.domains
            if domain.kind is DomainKind.OBJECT
        }
        self._kinds = {domain: _Kind.of(classes[domain], names) for domain, names in space.instances}
        self._recipes = _Recipes(self._recipe)

    def decode(self, vector: Sequence[int]) -> DecodedState:
        """Return the state that `vector` describes; its root is `state.root`."""
        return DecodedState(self._recipes, vector)

    def _recipe(self, number: int) -> _Recipe:
        """Return a function that makes object `number` of a state, its fields included."""
        owner = self._space.objects[number]
        fields = self._space.layouts[number]
        if owner.domain.kind is DomainKind.TOKEN:
            return lambda state: state.keep(number, token(owner.domain, owner.index))
        if owner.domain.kind is DomainKind.LIST:
            return _sequence_recipe(number, list, fields)
        if owner.domain.kind is DomainKind.DEQUE:
            return _sequence_recipe(number, partial(deque, maxlen=owner.domain.maxlen), fields)
        if owner.domain.kind is DomainKind.OBJECT:
            return _object_recipe(number, self._kinds[owner.domain.number], fields)
        if owner.domain.kind is DomainKind.NOTHING:
            return lambda state: None
        if owner.domain.kind is DomainKind.MADE:
            return lambda state: state.keep(number, factory_object(owner.domain, self._module))
        return _container_recipe(number, owner.domain, fields)


class _Recipes(dict[int, "_Recipe"]):
    """Recipes of objects by number, made when they are first used: most mutants die on small states."""

    def __init__(self, make: Callable[[int], _Recipe]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, number: int) -> _Recipe:
        recipe = self[number] = self._make(number)
        return recipe


class DecodedState:
    """The objects made so far from one vector, so that shared references stay shared."""

    __slots__ = ("_made", "_recipes", "vector")

    def __init__(self, recipes: Mapping[int, _Recipe], vector: Sequence[int]) -> None:
        self._recipes = recipes
        self._made: dict[int, Any] = {}
        self.vector = vector

    @property
    def root(self) -> Any:
        """The root object."""
        return self.object(0)

    def object(self, number: int) -> Any:
        """Return object `number`, made on first use."""
        instance = self._made.get(number)
        if instance is None:
            instance = self._recipes[number](self)
        return instance

    def made(self, number: int) -> Any:
        """Return object `number`; None if it was not made."""
        return self._made.get(number)

    def keep(self, number: int, made: Any) -> Any:
        """Record object `number` before its fields are made, so that cycles close."""
        self._made[number] = made
        return made


_Recipe = Callable[[DecodedState], Any]
_Fields = Sequence[tuple[str, int, tuple[Any, ...], tuple[int, ...]]]


class _Kind(NamedTuple):
    """The way in which the objects of one domain are made."""

    new: Callable[[], Any]
    fill: Callable[[Any, Any], None] | None
    is_plain: bool

    @classmethod
    def of(cls, made: Any, names: Sequence[str]) -> _Kind:
        return cls(allocator(made), filler(made) if CONTENTS in names else None, is_plain(made, names))


def _object_recipe(number: int, kind: _Kind, fields: _Fields) -> Callable[[DecodedState], Any]:
    set_attribute = object.__setattr__
    new, fill, _ = kind

    def make_plain(state: DecodedState) -> Any:
        instance = state.keep(number, new())
        vector = state.vector
        attributes = {}
        for name, field, plain, objects in fields:
            index = vector[field]
            other = objects[index]
            attributes[name] = plain[index] if other == PLAIN else state.object(other)
        instance.__dict__ = attributes
        return instance

    def make(state: DecodedState) -> Any:
        instance = state.keep(number, new())
        vector = state.vector
        for name, field, plain, objects in fields:
            index = vector[field]
            other = objects[index]
            value = plain[index] if other == PLAIN else state.object(other)
            if fill is not None and name == CONTENTS:
                fill(instance, value)
            else:
                set_attribute(instance, name, value)
        return instance

    return make_plain if kind.is_plain else make


def _sequence_recipe(number: int, new: Callable[[], Any], fields: _Fields) -> Callable[[DecodedState], Any]:
    """Return the recipe of a list or deque."""
    (_, length_field, lengths, _), *elements = fields

    def make(state: DecodedState) -> Any:
        made = state.keep(number, new())
        vector = state.vector
        for _, field, plain, objects in elements[: lengths[vector[length_field]]]:
            index = vector[field]
            other = objects[index]
            made.append(plain[index] if other == PLAIN else state.object(other))
        return made

    return make


def _container_recipe(number: int, domain: ClassDomain, fields: _Fields) -> Callable[[DecodedState], Any]:
    """Return the recipe of a set or dict. It is filled in order, so that its iteration order never varies."""

    def items(state: DecodedState) -> Iterator[tuple[Any, Any]]:
        vector = state.vector
        for key, (_, field, plain, objects) in zip(domain.keys, fields, strict=True):
            other = objects[vector[field]]
            yield key, plain[vector[field]] if other == PLAIN else state.object(other)

    def make_set(state: DecodedState) -> Any:
        container: set[Any] = state.keep(number, set())
        container.update(key for key, holds in items(state) if holds)
        return container

    def make_dict(state: DecodedState) -> Any:
        container: dict[Any, Any] = state.keep(number, {})
        container.update(item for item in items(state) if item[1] is not ABSENT)
        return container

    return make_set if domain.kind is DomainKind.SET else make_dict
