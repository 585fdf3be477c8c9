"""The types that a field may have, taken apart, and the code that is generated for classes."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections import abc
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, NewType

Json = NewType("Json", object)
"""The type of a field that holds JSON as it is, such as a graph, which its own reader checks."""

KIND = "kind"
"""The key under which a dataclass in a union has the name of its class."""

MOST_TEXT = 1 << 26
"""Characters of one string at the most, and items of one collection."""

MOST_NUMBER = (1 << 63) - 1
"""The largest integer; the smallest one is `-MOST_NUMBER - 1`."""

TUPLES = (tuple, abc.Sequence)
MAPPINGS = (dict, abc.Mapping)


@dataclass(frozen=True)
class Bound:
    """Narrows a field: an integer to a range, a string or a collection to a size.

    Attributes:
        most: the largest integer, or the largest size.
        least: the smallest integer, or the smallest size.
        storable: whether a string must be one that can be encoded, which halves of characters cannot.
    """

    most: int
    least: int = 0
    storable: bool = False


Count = Annotated[int, Bound(MOST_NUMBER)]
"""A number of things: an integer from 0 to MOST_NUMBER."""


def parts(kind: Any) -> tuple[Any, tuple[Any, ...], Bound | None]:
    """Return the origin of a type, its arguments, and its bound."""
    bound = None
    if typing.get_origin(kind) is typing.Annotated:
        kind, *notes = typing.get_args(kind)
        bound = next((note for note in notes if isinstance(note, Bound)), None)
    origin = typing.get_origin(kind)
    if origin is types.UnionType:
        origin = typing.Union
    return origin or kind, typing.get_args(kind), bound


def members(arguments: Iterable[Any]) -> tuple[list[Any], list[Any], bool]:
    """Return the members of a union that are no dataclasses, those that are, and whether None is one."""
    plain = [member for member in arguments if member is not type(None) and not is_class(member)]
    classes: list[Any] = [member for member in arguments if is_class(member)]
    return plain, classes, type(None) in arguments


def is_class(origin: Any) -> bool:
    """Return whether a type is a dataclass."""
    return isinstance(origin, type) and dataclasses.is_dataclass(origin)


def hints_of(cls: Any) -> dict[str, Any]:
    """Return the types of a dataclass's fields, whether or not its module can still be imported by its name."""
    hints: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        own = vars(base).get("__annotations__", {})
        if own:  # in the names of its own module, as a base may lie in another one
            names = base.__init__.__globals__
            hints |= typing.get_type_hints(
                type(base.__name__, (), {"__annotations__": own}), names, include_extras=True
            )
    return hints


def fields_of(cls: Any, tagged: bool) -> list[str]:
    """Return the names of a dataclass's fields; `tagged`: it is in a union with others.

    Raises:
        TypeError: a field cannot be given to it, or has the name KIND in a union.
    """
    fields = dataclasses.fields(cls)
    if any(not field.init for field in fields) or (tagged and any(field.name == KIND for field in fields)):
        raise TypeError(f"{cls.__name__} has a field that cannot be given, or one named {KIND} though it is in a union")
    return [field.name for field in fields]


def compiled(name: str, lines: list[str], names: dict[str, Any]) -> Callable[..., Any]:
    """Return the function of this name that the source defines; `names` are its globals."""
    namespace = dict(names)
    exec(compile("\n".join(lines), "<codec>", "exec"), namespace)
    function: Callable[..., Any] = namespace[name]
    return function


def as_it_is(value: Any) -> Any:
    """Return the value."""
    return value
