"""Changes classes so that reads and writes of their instances' fields are noticed, and undoes it afterwards."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

from harness.errors import SpecError

if TYPE_CHECKING:
    from harness.generators.states.reference.observe import StateObserver

MISSING: Any = object()


class _LazyField:
    """Replaces a field on a class while an instance lacks it.

    Without a `__set__`, it gives way to the instance's own attribute. Once the value is there, reading it calls no code
    of the harness.
    """

    def __init__(self, name: str, fields: Mapping[int, int], observer: StateObserver, shadowed: Any) -> None:
        self._name = name
        self._fields = fields
        self._observer = observer
        self._shadowed = shadowed

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        field = self._fields.get(id(instance))
        if field is not None and self._observer.read_field(field):
            return object.__getattribute__(instance, self._name)
        if self._shadowed is MISSING:
            of = f"type object {owner.__name__!r}" if instance is None else f"{type(instance).__name__!r} object"
            raise AttributeError(f"{of} has no attribute {self._name!r}", name=self._name, obj=instance)
        if hasattr(type(self._shadowed), "__get__"):
            return self._shadowed.__get__(instance, owner)
        return self._shadowed


class ClassPatches:
    """Attributes set on classes, which are reset in reverse order."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []

    def observe(self, cls: Any, name: str, fields: Mapping[str, Mapping[int, int]], observer: StateObserver) -> None:
        """Instrument `cls` for `fields`, which maps names to the field numbers by `id` of the instance.

        Raises:
            SpecError: the class cannot be changed, or a field is a property.
            RuntimeError: another search observes the class at this moment.
        """
        if isinstance(vars(cls).get("__setattr__"), _Hook):
            raise RuntimeError(f"class {name} is being searched already; finish that search first")
        real_dict = static(cls, "__dict__")
        setter, deleter, reducer = (static(cls, hook) for hook in ("__setattr__", "__delattr__", "__reduce_ex__"))
        slots: dict[tuple[int, str], int] = {}
        by_name = {(key, field): number for field, ids in fields.items() for key, number in ids.items()}
        try:
            self._set(cls, "__setattr__", _Hook(_write_hook(setter, observer)))
            self._set(cls, "__delattr__", _Hook(_delete_hook(deleter, by_name, observer)))
            self._set(cls, "__reduce_ex__", _Hook(_reduce_hook(reducer, observer)))
            for field, ids in fields.items():
                shadowed = static(cls, field)
                if isinstance(shadowed, MemberDescriptorType):
                    slots.update({(key, field): number for key, number in ids.items()})
                elif hasattr(type(shadowed), "__set__"):
                    raise SpecError(
                        f"{name}.{field} is a {type(shadowed).__name__}, not a stored field; "
                        f"set the attribute that it stores its value in"
                    )
                else:
                    self._set(cls, field, _LazyField(field, ids, observer, shadowed))
            if slots:
                self._set(cls, "__getattr__", _Hook(_slot_hook(static(cls, "__getattr__"), slots, observer)))
            if real_dict is not MISSING:
                self._set_dict(cls, _dict_property(real_dict, observer))
        except TypeError:
            raise SpecError(f"class {name} is not written in Python, so its fields cannot be observed") from None

    def undo(self) -> None:
        """Give every class its former attributes back."""
        while self._undo:
            self._undo.pop()()

    def _set(self, cls: Any, name: str, value: Any) -> None:
        before = vars(cls).get(name, MISSING)
        type.__setattr__(cls, name, value)
        if before is MISSING:
            self._undo.append(lambda: type.__delattr__(cls, name))
        else:
            self._undo.append(lambda: type.__setattr__(cls, name, before))

    def _set_dict(self, cls: Any, value: property) -> None:
        # `type` refuses to set a class's `__dict__` entry, so the mapping behind the read-only view is changed.
        (mapping,) = gc.get_referents(vars(cls))
        before = mapping.get("__dict__", MISSING)

        def undo() -> None:
            if before is MISSING:
                del mapping["__dict__"]
            else:
                mapping["__dict__"] = before
            _invalidate(cls)

        mapping["__dict__"] = value
        _invalidate(cls)
        self._undo.append(undo)


class _Hook:
    """A function as a method; it has its own type so that instrumented classes can be recognised."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self._function if instance is None else self._function.__get__(instance, owner)


def static(cls: Any, name: str) -> Any:
    """Return the attribute `name` of a class or its bases, unbound; MISSING if there is none."""
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), MISSING)


def _invalidate(cls: Any) -> None:
    """Make the interpreter forget cached lookups on a class."""
    type.__setattr__(cls, "__mutascope__", None)
    type.__delattr__(cls, "__mutascope__")


def _write_hook(former: Any, observer: StateObserver) -> Callable[[Any, str, Any], None]:
    def write(self: Any, name: str, value: Any) -> None:
        number = observer.numbers.get(id(self))
        if number is not None:
            observer.write_object(number)
        former.__get__(self, type(self))(name, value)

    return write


def _delete_hook(
    former: Any, fields: Mapping[tuple[int, str], int], observer: StateObserver
) -> Callable[[Any, str], None]:
    def delete(self: Any, name: str) -> None:
        number = observer.numbers.get(id(self))
        if number is not None:
            observer.write_object(number)
            field = fields.get((id(self), name))
            if field is not None:
                observer.read_field(field)  # it must be there to be deleted
        former.__get__(self, type(self))(name)

    return delete


def _reduce_hook(former: Any, observer: StateObserver) -> Callable[[Any, Any], Any]:
    def reduce(self: Any, protocol: Any) -> Any:
        number = observer.numbers.get(id(self))
        if number is not None:
            observer.read_object(number)
        return former.__get__(self, type(self))(protocol)

    return reduce


def _slot_hook(former: Any, slots: Mapping[tuple[int, str], int], observer: StateObserver) -> Callable[[Any, str], Any]:
    def read(self: Any, name: str) -> Any:
        field = slots.get((id(self), name))
        if field is not None and observer.read_field(field):
            return object.__getattribute__(self, name)
        if former is not MISSING:
            return former.__get__(self, type(self))(name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    return read


def _dict_property(real: Any, observer: StateObserver) -> property:
    def expose(self: Any) -> None:
        number = observer.numbers.get(id(self))
        if number is not None:
            observer.write_object(number)
            observer.read_object(number)

    def get(self: Any) -> Any:
        expose(self)
        return real.__get__(self, type(self))

    def assign(self: Any, value: Any) -> None:
        expose(self)
        real.__set__(self, value)

    return property(get, assign)
