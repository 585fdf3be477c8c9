"""Rebuilds pre-states and arguments from candidate vectors, afresh, or in place where the state is the same."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any, NamedTuple

from harness.kernel.inputs.making import allocator, filler, made_by
from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.kernel.program.loader import resolve
from harness.kernel.specs.tokens import Token
from harness.model.finitization import ABSENT, CONTENTS, ClassDomain, DomainKind

_HEAP_TYPE = 1 << 9
"""Flag of classes made by a class statement, not in C."""


def token(domain: ClassDomain, index: int) -> Any:
    """The value that stands for object `index` of a domain of tokens: a text, where the domain has texts."""
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

    def decode(self, vector: Sequence[int]) -> State:
        """The state that `vector` describes; its root is `state.root`."""
        return State(self._recipes, vector)

    def _recipe(self, number: int) -> _Recipe:
        """A function that makes object `number` of a state, its fields included."""
        owner = self._space.objects[number]
        fields = self._space.layouts[number]
        if owner.domain.kind is DomainKind.TOKEN:
            return lambda state: state.keep(number, token(owner.domain, owner.index))
        if owner.domain.kind is DomainKind.LIST:
            return _list_recipe(number, fields)
        if owner.domain.kind is DomainKind.OBJECT:
            return _object_recipe(number, self._kinds[owner.domain.number], fields)
        if owner.domain.kind is DomainKind.NOTHING:
            return lambda state: None
        if owner.domain.kind is DomainKind.MADE:
            return lambda state: state.keep_made(number, made_by(owner.domain, self._module))
        return _container_recipe(number, owner.domain, fields)


class _Recipes(dict[int, "_Recipe"]):
    """Recipes of objects by number, made when they are first asked for: most mutants die on small states."""

    def __init__(self, make: Callable[[int], _Recipe]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, number: int) -> _Recipe:
        found = self[number] = self._make(number)
        return found


class State:
    """The objects made so far from one vector, so that shared references stay shared.

    `restore` puts everything made back as it was made, in place: several inputs on the same state need
    to decode it once only.
    """

    __slots__ = ("_containers", "_instances", "_lists", "_made", "_others", "_recipes", "_restorable", "vector")

    def __init__(self, recipes: Mapping[int, _Recipe], vector: Sequence[int]) -> None:
        self._recipes = recipes
        self._made: dict[int, Any] = {}
        self.vector = vector
        self._instances: list[tuple[Any, type, dict[str, Any]]] = []
        self._lists: list[tuple[list[Any], list[Any]]] = []
        self._containers: list[tuple[Any, Callable[[Any], None], list[Any]]] = []
        self._others: list[tuple[Any, type, dict[str, Any] | None, dict[str, Any]]] = []
        self._restorable = True

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

    def made(self, number: int) -> Any:
        """Object `number`; None where nothing has asked for it."""
        return self._made.get(number)

    def keep(self, number: int, made: Any) -> Any:
        """Records object `number` before its fields are made, so that cycles close."""
        self._made[number] = made
        return made

    def keep_instance(self, made: Any, attributes: dict[str, Any]) -> None:
        """Gives a plain object its attributes, for `restore` as well."""
        made.__dict__ = attributes.copy()
        self._instances.append((made, type(made), attributes))

    def keep_list(self, made: list[Any]) -> None:
        """Records a finished list for `restore`."""
        self._lists.append((made, made[:]))

    def keep_container(self, made: Any, fill: Callable[[Any], None], contents: list[Any]) -> None:
        """Fills a set, dict or deque, for `restore` as well."""
        fill(contents)
        self._containers.append((made, fill, contents))

    def keep_made(self, number: int, made: Any) -> Any:
        """Records what a function of the spec has made: nobody else can put it back."""
        self._restorable = False
        return self.keep(number, made)

    def keep_other(self, made: Any) -> None:
        """Records a finished object that is not plain for `restore`."""
        cls: Any = type(made)
        # What list, dict or an extension's class keeps besides attributes would not come back; __new__ is to be seen.
        simple = all(base is object or base.__flags__ & _HEAP_TYPE for base in cls.__mro__)
        self._restorable &= simple and cls.__new__ is object.__new__
        self._others.append((made, cls, _attributes(made), _slots(made)))

    def restore(self) -> bool:  # noqa: C901 (executed before each input)
        """Puts every object back; False where that cannot be done (a class was changed): decode again."""
        if not self._restorable:
            return False
        for made, cls, attributes in self._instances:
            if type(made) is not cls:
                return False
            made.__dict__ = attributes.copy()
        for made, elements in self._lists:
            made[:] = elements
        for made, fill, contents in self._containers:
            made.clear()
            fill(contents)
        for made, cls, own, slots in self._others:
            if type(made) is not cls:
                return False
            if own is not None:
                object.__setattr__(made, "__dict__", own.copy())
            for name in _slots(made).keys() - slots.keys():
                object.__delattr__(made, name)
            for name, value in slots.items():
                object.__setattr__(made, name, value)
        return True


def is_plain(cls: Any, fields: Iterable[str]) -> bool:
    """Whether an instance is its `__dict__`, to be filled and refilled as a whole."""
    if cls.__new__ is not object.__new__ or cls.__setattr__ is not object.__setattr__ or not cls.__dictoffset__:
        return False
    for base in cls.__mro__[:-1]:
        members = vars(base)
        if not base.__flags__ & _HEAP_TYPE or any(isinstance(m, MemberDescriptorType) for m in members.values()):
            return False
        if not isinstance(members.get("__dict__"), GetSetDescriptorType | None):
            return False
        if any(hasattr(type(members[name]), "__set__") for name in fields if name in members):
            return False
    return True


def _attributes(made: Any) -> dict[str, Any] | None:
    """Its `__dict__`, copied, read past the class's own `__getattribute__`; None where it has none."""
    return dict(object.__getattribute__(made, "__dict__")) if type(made).__dictoffset__ else None


def own_attributes(made: Any) -> dict[str, Any]:
    """What an object holds by name: its `__dict__` and its filled slots, read past the class's own methods."""
    return {**(_attributes(made) or {}), **_slots(made)}


def _slots(made: Any) -> dict[str, Any]:
    """Slots that are filled."""
    found: dict[str, Any] = {}
    for base in type(made).__mro__:
        for name, member in vars(base).items():
            if isinstance(member, MemberDescriptorType):
                try:
                    found[name] = object.__getattribute__(made, name)
                except AttributeError:
                    pass  # an empty one
    return found


_Recipe = Callable[[State], Any]
_Fields = Sequence[tuple[str, int, tuple[Any, ...], tuple[int, ...]]]


class _Kind(NamedTuple):
    """How objects of one domain are made, which is the same for all of them."""

    new: Callable[[], Any]
    fill: Callable[[Any, Any], None] | None
    is_plain: bool

    @classmethod
    def of(cls, made: Any, names: Sequence[str]) -> _Kind:
        return cls(allocator(made), filler(made) if CONTENTS in names else None, is_plain(made, names))


def _object_recipe(number: int, kind: _Kind, fields: _Fields) -> Callable[[State], Any]:
    put = object.__setattr__
    new, fill, _ = kind

    def make_plain(state: State) -> Any:
        made = state.keep(number, new())
        vector = state.vector
        attributes = {}
        for name, field, plain, objects in fields:
            index = vector[field]
            other = objects[index]
            attributes[name] = plain[index] if other == PLAIN else state.object(other)
        state.keep_instance(made, attributes)
        return made

    def make(state: State) -> Any:
        made = state.keep(number, new())
        vector = state.vector
        for name, field, plain, objects in fields:
            index = vector[field]
            other = objects[index]
            value = plain[index] if other == PLAIN else state.object(other)
            if fill is not None and name == CONTENTS:
                fill(made, value)
            else:
                put(made, name, value)
        state.keep_other(made)
        return made

    return make_plain if kind.is_plain else make


def _list_recipe(number: int, fields: _Fields) -> Callable[[State], Any]:
    (_, length_field, lengths, _), *elements = fields

    def make(state: State) -> Any:
        made: list[Any] = state.keep(number, [])
        vector = state.vector
        for _, field, plain, objects in elements[: lengths[vector[length_field]]]:
            index = vector[field]
            other = objects[index]
            made.append(plain[index] if other == PLAIN else state.object(other))
        state.keep_list(made)
        return made

    return make


def _container_recipe(number: int, domain: ClassDomain, fields: _Fields) -> Callable[[State], Any]:
    """Of a set, dict or deque, filled in order: so it is gone through in the same order always."""

    def values(state: State, chosen: _Fields) -> list[Any]:
        vector = state.vector
        return [
            plain[vector[field]] if objects[vector[field]] == PLAIN else state.object(objects[vector[field]])
            for _, field, plain, objects in chosen
        ]

    def make_deque(state: State) -> Any:
        made: deque[Any] = state.keep(number, deque(maxlen=domain.maxlen))
        _, length_field, lengths, _ = fields[0]
        state.keep_container(made, made.extend, values(state, fields[1 : 1 + lengths[state.vector[length_field]]]))
        return made

    def make_set(state: State) -> Any:
        made: set[Any] = state.keep(number, set())
        members = [key for key, holds in zip(domain.keys, values(state, fields), strict=True) if holds]
        state.keep_container(made, made.update, members)
        return made

    def make_dict(state: State) -> Any:
        made: dict[Any, Any] = state.keep(number, {})
        items = [item for item in zip(domain.keys, values(state, fields), strict=True) if item[1] is not ABSENT]
        state.keep_container(made, made.update, items)
        return made

    return {DomainKind.DEQUE: make_deque, DomainKind.SET: make_set, DomainKind.DICT: make_dict}[domain.kind]
