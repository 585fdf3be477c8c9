"""Reads objects, and makes them, past the methods that their program may define.

A `__getattr__` or `__getattribute__` may change the object, raise anything, or answer for fields that are not there; an
`items` or `__iter__` may leave out what a container holds. Objects are made without their `__init__`.
"""

from __future__ import annotations

import copyreg
import inspect
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from types import BuiltinFunctionType, FunctionType, GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any

from harness.errors import SpecError
from harness.model.finitization import ClassDomain

ATOMS = frozenset({type(None), bool, int, float, str, bytes})
"""Types whose values never change and are distinguished by value, not identity."""

Omits = Callable[[str], bool]
"""A predicate: whether a field of that name says nothing about a state."""

CONTAINERS = (list, tuple, dict, set, frozenset, deque)

_HEAP_TYPE, _IMMUTABLE_TYPE = 1 << 9, 1 << 8
"""The flags of classes made by class statements, and of classes that cannot be changed."""
_COLLECTIONS = (tuple, list, dict, set, frozenset)
_DESCRIPTORS = (MemberDescriptorType, GetSetDescriptorType)


class FieldReader:
    """Reads the fields of the objects of one class, as the class was when the reader was made.

    The fields are the attributes in the object's dict, and the slots that are set.

    Attributes:
        slots: the names of the slots, also of those that a mutant has overwritten in a class.
        members: the slots by the names of attributes, without overwritten ones.
    """

    __slots__ = ("_has_dict", "_look", "members", "slots")

    def __init__(self, cls: type) -> None:
        self._look = _look_up(cls)
        self._has_dict = bool(cls.__dictoffset__)
        self.members: dict[str, Any] = {}
        self.slots: list[str] = []
        for base in cls.__mro__:
            if "__slots__" in base.__dict__:  # the names there do not serve: a private slot has another
                members = {n: member for n, member in base.__dict__.items() if isinstance(member, MemberDescriptorType)}
                self.members = members | self.members
                self.slots += (*members, *_overwritten_slots(base))

    def stored(self, value: Any) -> dict[str, Any]:
        """Return the fields that the object itself stores, whatever its class has for their names."""
        held = object.__getattribute__(value, "__dict__") if self._has_dict else {}
        if not self.members:
            return dict(held)
        stored = {}
        for name, member in self.members.items():
            try:
                stored[name] = member.__get__(value)
            except AttributeError:
                pass  # an empty one
        return stored | held

    def fields(self, value: Any) -> dict[str, Any] | None:
        """Return the fields as the program reads them, not to be changed; None for a value that can have none.

        An overwritten slot has the value of the class. The object of a weak proxy is read.
        """
        fields = held_dict(value, self._look)
        if self.slots:
            fields = {} if fields is None else fields.copy()
            for slot in self.slots:
                with suppress(AttributeError):
                    fields[slot] = self._look(value, slot)
        return fields


_READERS: dict[int, FieldReader] = {}
"""The readers of classes without slots, which the program cannot change in a way that matters."""


def reader_of(cls: type) -> FieldReader:
    """Return a reader for a class, to be used until code of the program is run."""
    reader = _READERS.get(id(cls))
    if reader is None:
        reader = FieldReader(cls)
        if not reader.slots:
            remember(_READERS, cls, reader)
    return reader


def held_fields(value: Any) -> dict[str, Any] | None:
    """Return the fields of one object, as `FieldReader.fields` does."""
    return reader_of(type(value)).fields(value)


def stored_fields(value: Any, omits: Omits | None = None) -> dict[str, Any]:
    """Return the fields that one object stores, as `FieldReader.stored` does, without those that are omitted."""
    stored = reader_of(type(value)).stored(value)
    return stored if omits is None else {name: held for name, held in stored.items() if not omits(name)}


def held_dict(value: Any, look: Callable[[Any, str], Any] | None = None) -> dict[str, Any] | None:
    """Return the attributes in the object's dict, not to be changed; None if it has no dict."""
    try:
        held = (look or _look_up(type(value)))(value, "__dict__")
    except AttributeError:
        return None
    return held if type(held) is dict else dict(held)


def remember(facts: dict[int, Any], cls: type, fact: Any) -> None:
    """Remember a fact about a class, by the class's id, as long as the class exists."""
    facts[id(cls)] = fact
    weakref.finalize(cls, facts.pop, id(cls), None).atexit = False


def contents(container: Any) -> list[Any]:
    """Return the elements of a container, of a dict the keys and then the items; nothing of other values."""
    kind = type(container)
    base: Any = kind if kind in CONTAINERS else next((base for base in CONTAINERS if issubclass(kind, base)), None)
    if base is dict:
        return [*dict.keys(container), *dict.values(container)]
    return [] if base is None else list(base.__iter__(container))


def held_contents(container: Any) -> list[Any] | dict[Any, Any] | None:
    """Return the elements of a container as a list, and the items of a dict as a dict; None for other values."""
    kind = type(container)  # `isinstance` would ask the program for `__class__`
    if issubclass(kind, dict):
        return dict(OrderedDict.items(container) if issubclass(kind, OrderedDict) else dict.items(container))
    return contents(container) if issubclass(kind, CONTAINERS) else None


def walked(roots: Iterable[Any], inner: Callable[[Any], Iterable[Any]]) -> Iterator[Any]:
    """Yield roots and all values below them, each object once, depth first from the last one.

    Args:
        inner: returns the values directly below one; it is called after the value was yielded.
    """
    seen: dict[int, Any] = {}  # kept, so that no other object has an id that was seen
    waiting = [*roots]
    while waiting:
        value = waiting.pop()
        if id(value) not in seen:
            seen[id(value)] = value
            yield value
            waiting += inner(value)


def is_of_c(cls: Any) -> bool:
    """Return whether a class was not made by a class statement; object counts as if it were."""
    if cls is object:
        return False
    by_statement = cls.__flags__ & _HEAP_TYPE and not cls.__flags__ & _IMMUTABLE_TYPE
    return not by_statement or isinstance(vars(cls).get("__new__"), BuiltinFunctionType)


def _overwritten_slots(cls: type) -> Iterator[str]:
    declared = cls.__dict__["__slots__"]
    if isinstance(declared, str):
        declared = (declared,)
    elif not isinstance(declared, _COLLECTIONS):
        return  # overwritten itself
    for slot in declared:
        if slot[:2] == "__" and slot[-2:] != "__":
            slot = f"_{cls.__name__.lstrip('_')}{slot}"
        if slot in cls.__dict__ and not isinstance(cls.__dict__[slot], _DESCRIPTORS):
            yield slot


def _look_up(cls: type) -> Callable[[Any, str], Any]:
    own = type.__getattribute__(cls, "__getattribute__")
    plain = own is object.__getattribute__ or isinstance(own, FunctionType)
    return object.__getattribute__ if plain else getattr  # modules and proxies of the library look up in C


NOT_COMPARED: dict[type, ClassDomain] = {}
"""The types of objects made by functions given to `Finitization.opaque`: their instances are compared by type only."""

_CONTENTS_FIRST = (int, float, complex, str, bytes, tuple, frozenset)
"""Types whose instances get their contents when they are made."""
_COMPARED = (*_CONTENTS_FIRST, type(None), list, dict, set, bytearray, FunctionType)


def allocator(cls: Any) -> partial[Any]:
    """Return a function that makes an empty instance: the class's `__new__`, or a base's if that takes arguments.

    Raises:
        SpecError: an instance has its contents from the start.
    """
    new = cls.__new__
    if isinstance(new, FunctionType) and not _takes_nothing(new):
        new = native(cls, "__new__")
        if issubclass(cls, _CONTENTS_FIRST):
            kind = next(kind for kind in _CONTENTS_FIRST if issubclass(cls, kind)).__name__
            raise SpecError(
                f"objects of class {cls.__qualname__} are made with what they hold, as each is a {kind}, so fields "
                f"cannot give it to them; give some of them by f.fixed(lambda program: program.{cls.__qualname__}(...))"
            )
    return partial(new, cls)


def _takes_nothing(new: FunctionType) -> bool:
    try:
        inspect.signature(new).bind(None)
    except TypeError:
        return False
    return True


def native(cls: type, name: str) -> Any:
    """Return the method of that name that a class inherits from one that is written in C, past its own."""
    methods = ((base, vars(base)[name]) for base in cls.__mro__ if vars(base).get(name) is not None)
    base = next(base for base, method in methods if not isinstance(getattr(method, "__func__", method), FunctionType))
    return getattr(base, name)


def filler(cls: Any) -> Callable[[Any, Any], None]:
    """Return a function that replaces the contents of an instance of a class derived from list or dict.

    The contents are a list, or a dict.

    Raises:
        SpecError: the class derives from neither.
    """
    if issubclass(cls, list):
        return _fill_list
    if not issubclass(cls, dict):
        raise SpecError(
            f"contents({cls.__qualname__!r}, ...): the class derives from neither list nor dict; set its fields instead"
        )
    clear, set_item = native(cls, "clear"), native(cls, "__setitem__")  # an OrderedDict's keep its order, too

    def fill(container: Any, contents: Mapping[Any, Any]) -> None:
        clear(container)
        for key, value in contents.items():
            set_item(container, key, value)

    return fill


def _fill_list(container: list[Any], contents: list[Any]) -> None:
    list.__setitem__(container, slice(None), contents)


def is_plain(cls: Any, fields: Iterable[str]) -> bool:
    """Return whether an instance is its `__dict__`, to be filled and refilled as a whole."""
    if cls.__new__ is not object.__new__ or cls.__setattr__ is not object.__setattr__ or not cls.__dictoffset__:
        return False
    for base in cls.__mro__[:-1]:
        members = vars(base)
        if is_of_c(base) or any(isinstance(m, MemberDescriptorType) for m in members.values()):
            return False
        if not isinstance(members.get("__dict__"), GetSetDescriptorType | None):
            return False
        if any(hasattr(type(members[name]), "__set__") for name in fields if name in members):
            return False
    return True


def set_fields(value: Any, fields: Mapping[str, Any]) -> None:
    """Give an object these fields, as `stored_fields` has read them, and no others, past its own methods."""
    in_dict = dict(fields)
    for name, member in reader_of(type(value)).members.items():
        if name in in_dict:
            member.__set__(value, in_dict.pop(name))
        else:
            with suppress(AttributeError):
                member.__delete__(value)
    if in_dict or type(value).__dictoffset__:
        object.__setattr__(value, "__dict__", in_dict)


def factory_object(domain: ClassDomain, module: ModuleType) -> Any:
    """Return the object that the function of a domain makes.

    Raises:
        SpecError: it raises, or makes an object that is to be compared, or that cannot distinguish states.
    """
    make = domain.factory
    declaration = "fixed" if domain.compared else "opaque"
    assert make is not None
    try:
        instance = make(module) if takes_program(make) else make()
    except Exception as error:
        message = " ".join(str(error).split())
        raise SpecError(
            f"{declaration}({domain.class_name}) of the finitization raised {type(error).__name__}: {message}"
        ) from None
    if not domain.compared:
        if isinstance(instance, _COMPARED):
            raise SpecError(
                f"opaque({domain.class_name}) of the finitization makes a {type(instance).__name__}, which is to be "
                "compared; use fixed, or a field domain"
            )
        NOT_COMPARED.setdefault(type(instance), domain)
    return instance


def takes_program(make: Callable[..., Any]) -> bool:
    """Return whether a function needs an argument: the implementation's module."""
    try:
        parameters = inspect.signature(make).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)


@contextmanager
def opaque_as_it_is() -> Iterator[None]:
    """Let copies of a state share opaque objects within the block, since a lock cannot be copied."""
    table = copyreg.dispatch_table
    before = {kind: table.get(kind) for kind in NOT_COMPARED}
    table.update(dict.fromkeys(NOT_COMPARED, lambda made: "itself"))
    try:
        yield
    finally:
        for kind, reduce in before.items():
            del table[kind]
            if reduce is not None:
                table[kind] = reduce
