"""Numbers the objects and fields of a finitization's state space, and values by index (exhaustive2003, section 3.3).

A candidate vector is a sequence of field-domain indices, one per field, the root's fields first,
then those of each class domain's objects in declaration order. Fields of objects that are not
reachable are 0 in every vector that a generator yields. The decoder rebuilds pre-states and arguments from vectors.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from types import ModuleType
from typing import Any, NamedTuple

from harness.errors import UsageError
from harness.kernel.objects.reading import allocator, factory_object, filler, is_plain
from harness.kernel.program.loader import resolve
from harness.kernel.specs.tokens import Token
from harness.model.finitization import (
    ABSENT,
    CONTENTS,
    SEQUENCES,
    Absence,
    ClassDomain,
    DomainKind,
    DomainValue,
    Finitization,
    Plain,
    Reference,
    Structures,
)

PLAIN = -1
"""The number in `FieldDomain.objects` of a value that is plain, not an object."""


@dataclass(frozen=True)
class FieldDomain:
    """The values of one field: `objects[i]` is an object number or PLAIN, where `plain[i]` counts.

    `classes[i]` and `indices[i]` are value i's class domain and its index there, for isomorphism breaking. Both are
    PLAIN if the value is plain, or an object that only this field can have.
    """

    plain: tuple[Plain | Absence, ...]
    objects: tuple[int, ...]
    classes: tuple[int, ...]
    indices: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.plain)


@dataclass(frozen=True)
class SpaceObject:
    """An object of the state space; its fields are numbered `first`, `first + 1`, ..."""

    number: int
    domain: ClassDomain
    index: int
    first: int
    names: tuple[str, ...]

    def field_name(self, name: str) -> str:
        """Return a name of one of its fields for messages: `Node.info`, or one name for all elements of a list."""
        kind = self.domain.class_name
        return f"{kind}.{name}" if self.domain.kind is DomainKind.OBJECT else f"elements of a {kind}"

    @property
    def is_sequence(self) -> bool:
        """Whether its first field is the length that says how many of the others, its elements, there are."""
        return self.domain.kind in SEQUENCES


@dataclass(frozen=True)
class SpaceField:
    """One field of one object."""

    number: int
    owner: int
    name: str
    domain: FieldDomain


Held = tuple[str, int, tuple[Plain | Absence, ...], tuple[int, ...]]
"""A field of an object: its name, its number, and `plain` and `objects` of its domain."""


class StateSpace:
    """All objects and fields of a finitization, numbered. Object 0 is the root.

    A class domain whose objects are `own` has one object for arguments, if it has no fields, and one for each field
    that refers to it.
    """

    def __init__(self, finitization: Finitization) -> None:
        self.finitization = finitization
        sizes = _sizes(finitization)
        starts: dict[int, int] = {}
        count = 0
        for domain in finitization.domains:
            starts[domain.number] = count
            count += sizes[domain.number]
        self._starts = starts
        self._used: dict[int, int] = {}
        self._of_parameters: dict[int, tuple[tuple[DomainValue, ...], FieldDomain | None]] = {}
        objects: list[SpaceObject] = []
        fields: list[SpaceField] = []
        shared: dict[tuple[tuple[type, object], ...], FieldDomain] = {}
        for domain in finitization.domains:
            declared = finitization.fields_of(domain)
            names = tuple(name for name, _ in declared)
            keys = [tuple((type(value), _identity_key(value)) for value in values) for _, values in declared]
            for index in range(sizes[domain.number]):
                owner = SpaceObject(len(objects), domain, index, len(fields), names)
                objects.append(owner)
                for (name, values), key in zip(declared, keys, strict=True):  # True is not 1 in a key
                    field_domain = shared.get(key)
                    if field_domain is None:
                        field_domain = self._field_domain(values)
                        if not any(_is_own(value, finitization) for value in values):
                            shared[key] = field_domain
                    fields.append(SpaceField(len(fields), owner.number, name, field_domain))
        self.objects: tuple[SpaceObject, ...] = tuple(objects)
        self.fields: tuple[SpaceField, ...] = tuple(fields)

    @cached_property
    def layouts(self) -> tuple[tuple[Held, ...], ...]:
        """The fields of each object, by its number."""
        return tuple(
            tuple(
                (name, field.number, field.domain.plain, field.domain.objects)
                for name, field in zip(owner.names, self.fields[owner.first :], strict=False)
            )
            for owner in self.objects
        )

    @cached_property
    def instances(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """The domains of the implementation's classes that have objects, each with its fields' names."""
        names_by_domain = {o.domain.number: o.names for o in self.objects if o.domain.kind is DomainKind.OBJECT}
        return tuple(names_by_domain.items())

    @property
    def width(self) -> int:
        """The number of fields in a candidate vector."""
        return len(self.fields)

    @property
    def size(self) -> int:
        """The number of states in the whole space: the product of the field domains' sizes."""
        product = 1
        for field in self.fields:
            product *= len(field.domain)
        return product

    def object_number(self, reference: Reference) -> int:
        """Return the number of the object that `reference` names."""
        return self._starts[reference.domain] + reference.index

    def field_domain(self, values: tuple[DomainValue, ...]) -> FieldDomain:
        """Return field-domain tables for `values`, those of a parameter: made once for the same tuple."""
        _, tables = self._of_parameters.get(id(values), (values, None))
        if tables is None:
            tables = self._tables(
                values, [self.object_number(v) if isinstance(v, Reference) else PLAIN for v in values]
            )
            self._of_parameters[id(values)] = values, tables
        return tables

    def _field_domain(self, values: tuple[DomainValue, ...]) -> FieldDomain:
        """Return the tables of a field, which gets objects of its own if its domain says so."""
        numbers = []
        for value in values:
            number = self.object_number(value) if isinstance(value, Reference) else PLAIN
            if isinstance(value, Reference) and _is_own(value, self.finitization):
                domain = self.finitization.domains[value.domain]
                number += self._used.setdefault(domain.number, _for_arguments(domain))
                self._used[domain.number] += 1
            numbers.append(number)
        return self._tables(values, numbers)

    def _tables(self, values: tuple[DomainValue, ...], numbers: list[int]) -> FieldDomain:
        shared = [v if isinstance(v, Reference) and not _is_own(v, self.finitization) else None for v in values]
        return FieldDomain(
            plain=tuple(None if isinstance(value, Reference) else value for value in values),
            objects=tuple(numbers),
            classes=tuple(PLAIN if r is None else r.domain for r in shared),
            indices=tuple(PLAIN if r is None else r.index for r in shared),
        )


def _sizes(finitization: Finitization) -> list[int]:
    """Count the objects of each class domain; of own ones, the places that refer to it, up to a fixed point."""
    sizes = [_for_arguments(domain) if domain.own else domain.size for domain in finitization.domains]
    while True:
        counted = [_for_arguments(domain) if domain.own else domain.size for domain in finitization.domains]
        for domain in finitization.domains:
            for _, values in finitization.fields_of(domain):
                for value in values:
                    if _is_own(value, finitization) and isinstance(value, Reference):
                        counted[value.domain] += sizes[domain.number]
        if counted == sizes:
            return sizes
        sizes = counted


def _is_own(value: DomainValue, finitization: Finitization) -> bool:
    return isinstance(value, Reference) and finitization.domains[value.domain].own


def _for_arguments(domain: ClassDomain) -> int:
    """Return the number of objects of a domain of own ones that no field has."""
    return 1 if domain.kind is DomainKind.MADE else 0


def _identity_key(value: DomainValue) -> object:
    """Return a key that equal values of one type share only if they are identical: not 0.0 and -0.0."""
    return repr(value) if isinstance(value, (float, tuple)) else value


def item_size(space: StateSpace) -> int:
    """Return the bytes per field index: 1, or 2 if a field domain has more than 256 values."""
    largest = max((len(f.domain) for f in space.fields), default=0)
    for target in space.finitization.targets:
        for parameter in target.parameters:
            if not isinstance(parameter, Structures):
                largest = max(largest, len(parameter))
    if largest > 1 << 16:
        raise UsageError(f"a field domain has {largest} values; 65,536 are the most a candidate vector can hold")
    return 1 if largest <= 256 else 2


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
