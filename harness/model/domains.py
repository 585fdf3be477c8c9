"""Class domains and field domains: what the fields of a finitization may hold (exhaustive2003, section 3.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Any, TypeAlias

from harness.errors import SpecError

MOST_VALUES = 1 << 16
"""Values of a field domain, or objects of a class, at the most: an index takes two bytes."""

LARGEST_INTEGER_BITS = 1024

CONTENTS = "(contents)"
"""The field of an instance of a list or dict subclass that stands for what it holds as a list or dict."""

Plain: TypeAlias = None | bool | int | float | str | tuple["Plain", ...]


class DomainKind(Enum):
    """The ways in which the objects of a class domain are made."""

    OBJECT = "object"
    """Instances of a class of the implementation; fields are attributes."""
    LIST = "list"
    """Python lists; fields are `length` and the elements."""
    DEQUE = "deque"
    """Like LIST, of `collections.deque`."""
    SET = "set"
    """Python sets; a field for each possible member says whether it is one."""
    DICT = "dict"
    """Python dicts; a field for each possible key holds its value, or ABSENT."""
    TOKEN = "token"  # noqa: S105 (no password)
    """Interchangeable values without fields, equal only to themselves."""
    MADE = "made"
    """Objects that a function of the spec makes for each state and each place; without fields."""
    NOTHING = "nothing"
    """The root of a finitization without pre-state."""


SEQUENCES = frozenset({DomainKind.LIST, DomainKind.DEQUE})
CONTAINERS = SEQUENCES | {DomainKind.SET, DomainKind.DICT}


class Absence(Enum):
    """The value of a dict's field whose key the dict does not have."""

    ABSENT = "absent"


ABSENT = Absence.ABSENT


@dataclass(frozen=True)
class ClassDomain:
    """An ordered set of objects of one class (exhaustive2003, section 3.3).

    `number` distinguishes domains of one finitization: two domains may share a class. `lengths` are for sequences,
    `keys` for dicts and (their members) sets. `elements` are for sequences, dicts (their values) and
    `Finitization.texts` (the texts). If `own` is set, each place that refers to the domain has its own object, and
    `size` is 1. `factory` makes objects of kind MADE; `compared` says whether these are compared after a call, or only
    their types. `maxlen` is that of deques.
    """

    number: int
    class_name: str
    size: int
    kind: DomainKind
    lengths: tuple[int, ...] = ()
    elements: tuple[DomainValue, ...] = ()
    keys: tuple[Plain, ...] = ()
    own: bool = False
    factory: Callable[..., Any] | None = None
    compared: bool = True
    maxlen: int | None = None

    def __iter__(self) -> Iterator[Reference]:
        return (Reference(self.number, index) for index in range(self.size))


@dataclass(frozen=True)
class Reference:
    """A class domain index: object `index` of class domain `domain`."""

    domain: int
    index: int


DomainValue: TypeAlias = Plain | Reference | Absence
DomainPiece: TypeAlias = Plain | ClassDomain | Iterable[Plain]


def contents_of(domain: ClassDomain) -> tuple[tuple[str, tuple[DomainValue, ...]], ...]:
    """Return the names and field domains of a container's contents."""
    if domain.kind in SEQUENCES:
        elements = [(str(position), domain.elements) for position in range(max(domain.lengths))]
        return (("length", domain.lengths), *elements)
    if domain.kind is DomainKind.SET:
        return tuple((repr(member), (False, True)) for member in domain.keys)
    return tuple((repr(key), (ABSENT, *domain.elements)) for key in domain.keys)


# -- checks of a spec's arguments --------------------------------------------------------------------


@dataclass(frozen=True)
class ComparedFields:
    """Says of fields how they distinguish states; called with a name, whether the field is left out.

    Attributes:
        omitted: matches the names of fields that are left out.
        unordered: the names of fields whose dicts are compared without the order of their items.
    """

    omitted: re.Pattern[str] | None = None
    unordered: frozenset[str] = frozenset()

    def __call__(self, name: str) -> bool:
        return self.omitted is not None and self.omitted.fullmatch(name) is not None


def checked_name(kind: str, name: object) -> str:
    """Return the name after checking it.

    Raises:
        SpecError: it is no name.
    """
    if type(name) is not str or not name.isprintable() or not name:
        raise SpecError(f"the name of a {kind} is a text in quotes, not {name!r}")
    return name


def checked_count(class_name: str, count: int) -> int:
    """Return the number of objects after checking it.

    Raises:
        SpecError: it is no such number.
    """
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= MOST_VALUES:
        raise SpecError(
            f"the number of {class_name} objects is a whole number from 0, not {count!r}; at most {MOST_VALUES}"
        )
    return count


def checked_lengths(container: str, lengths: Iterable[int]) -> tuple[int, ...]:
    """Return the lengths that a list may have, after checking them.

    Raises:
        SpecError: they are no such lengths.
    """
    values = tuple(islice(lengths, MOST_VALUES + 1))
    if len(values) > MOST_VALUES:
        raise SpecError(f"lengths of a {container}: more than {MOST_VALUES}, the most there may be")
    if not values or any(isinstance(n, bool) or not isinstance(n, int) or n < 0 for n in values):
        raise SpecError(f"lengths of a {container} are whole numbers from 0, at least one; got {values!r}")
    return values


def checked_keys(role: str, values: Iterable[Plain]) -> tuple[Plain, ...]:
    """Return the possible members of a set, or keys of a dict; equal ones (1, 1.0, True) are one.

    Raises:
        SpecError: one is no plain value, or is given twice.
    """
    if isinstance(values, ClassDomain):
        raise SpecError(f"the {role} are plain values, not objects: a set of objects has no order to search in")
    members = flattened(role, values if isinstance(values, Iterable) else (values,))
    seen: dict[Any, Plain] = {}
    keys: list[Plain] = []
    for value in members:
        if isinstance(value, (Reference, Absence)):
            raise SpecError(f"the {role} are plain values, not objects: a set of objects has no order to search in")
        if value in seen:
            raise SpecError(f"the {role} hold {value!r} twice, as {seen[value]!r} is equal to it; give each value once")
        seen[value] = value
        keys.append(value)
    return tuple(keys)


def flattened(field: str, pieces: Iterable[Any]) -> tuple[DomainValue, ...]:
    """Return the values of a field domain from its pieces: None, plain values, iterables of them, class domains.

    A tuple among the pieces is one value.

    Raises:
        SpecError: a piece is something else, a value comes twice, or there are too many.
    """
    values: list[DomainValue] = []
    for piece in pieces:
        if isinstance(piece, ClassDomain):
            values.extend(piece)
        elif piece is None or isinstance(piece, (bool, int, float, str, tuple)):
            values.append(_plain(field, piece))
        elif isinstance(piece, (set, frozenset, dict, bytes, bytearray)):
            kind = type(piece).__name__
            hint = f" (where the value is to be a {kind}: f.{kind}s(...))" if kind in ("set", "dict") else ""
            raise SpecError(f"field domain of {field}: a {kind} is no list of plain values in order; give a list{hint}")
        elif isinstance(piece, Iterable):
            values.extend(flattened(field, islice(piece, MOST_VALUES + 1)))
        else:
            raise SpecError(
                f"field domain of {field}: {piece!r} is neither None, a plain value, a range of them nor a class domain"
            )
        if len(values) > MOST_VALUES:
            raise SpecError(f"field domain of {field}: more than {MOST_VALUES} values, the most there may be")
    seen: set[tuple[type, str | DomainValue]] = set()
    for value in values:
        key = (type(value), repr(value) if isinstance(value, tuple) else value)  # (1,) is equal to (True,)
        if key in seen:
            raise SpecError(f"field domain of {field} holds {value!r} twice; give each value once")
        seen.add(key)
    return tuple(values)


def _plain(field: str, value: Any) -> Plain:
    if isinstance(value, tuple):
        if type(value) is not tuple:
            raise SpecError(f"field domain of {field}: a {type(value).__name__} is no plain tuple; give tuple(value)")
        return tuple(_plain(field, item) for item in value)
    if value is not None and not isinstance(value, (bool, int, float, str)):
        raise SpecError(
            f"field domain of {field}: a tuple is one value, made of plain values; {value!r} is none of them "
            "(give the pieces of a union one by one, or in a list)"
        )
    if isinstance(value, float) and value != value:
        raise SpecError(f"field domain of {field}: nan is equal to nothing, itself included; leave it out")
    if isinstance(value, int) and value.bit_length() > LARGEST_INTEGER_BITS:
        raise SpecError(
            f"field domain of {field}: a whole number of more than {LARGEST_INTEGER_BITS} bits is too large"
        )
    plain: Plain = value
    return plain
