"""Creates objects without their `__init__`, and calls a spec's own functions that make objects."""

from __future__ import annotations

import copyreg
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any

from harness.errors import SpecError
from harness.kernel.objects.reading import is_of_c, reader_of
from harness.model.finitization import ClassDomain

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
