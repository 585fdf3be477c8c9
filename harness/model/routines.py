"""Routines that sequences are made of: their names, and the domain of each parameter."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import compress, islice, product
from typing import Any, TypeAlias, cast

from harness.errors import SpecError
from harness.model.domains import (
    ABSENT,
    CONTAINERS,
    MOST_VALUES,
    ClassDomain,
    DomainKind,
    Plain,
    Reference,
    flattened,
)
from harness.model.finitization import Copied, Finitization, Precondition, Structures


@dataclass(frozen=True)
class TokenValue:
    """Object `index` of a domain of interchangeable objects without fields, the same in all calls of a sequence."""

    domain: str
    index: int


@dataclass(frozen=True)
class Fixed:
    """A collection of plain values, nested at will, of which each call gets a copy of its own."""

    of: Any


@dataclass(frozen=True, repr=False)
class Made:
    """What the function of a domain of kind MADE makes, anew for each call."""

    domain: ClassDomain

    def __repr__(self) -> str:
        name = self.domain.class_name
        return name if "." in name else f"{name}()"  # a member of an enumeration, or what a function makes


Value: TypeAlias = Plain | TokenValue | Fixed | Made


@dataclass(frozen=True)
class Earlier:
    """The results of earlier calls of the sequence that are of the class of that name, or of one derived from it."""

    class_name: str


MOST_HELD = 4096
"""The most lists, sets or dicts of one domain that are arguments of derived sequences."""

NONE = -1
"""The number of the argument None in a `Call`, for a parameter whose domain does not have None."""


@dataclass(frozen=True)
class ArgumentDomain:
    """The domain of a parameter of a routine: values, and earlier results of some classes.

    In a `Call`, an argument below `len(values)` is a value's index; from there on it is `len(values)` more than the
    number of the earlier call whose result is passed. `NONE` passes None, whatever the values are.

    Attributes:
        apart: whether an object passed here may occur nowhere else in the call, like objects of `Structures`.
    """

    values: tuple[Value, ...]
    earlier: tuple[str, ...] = ()
    apart: bool = False

    def value(self, index: int) -> Value:
        """Return the value that an argument stands for, which is no earlier result."""
        return None if index == NONE else self.values[index]


class RoutineKind(Enum):
    """The way in which a routine is called."""

    CONSTRUCTOR = "constructor"
    """Makes an object; it has no receiver."""
    METHOD = "method"
    """Called on the receiver."""
    FUNCTION = "function"
    """A function of the module, called with the receiver first."""


@dataclass(frozen=True)
class Routine:
    """One thing to call; `keywords` are the names by which the last of the parameters are passed.

    `requires(receiver, *arguments)` is its precondition: a call without it is misuse. In a `Call` of a METHOD or a
    FUNCTION, the first argument is the number of the earlier call whose result is the receiver.
    """

    name: str
    kind: RoutineKind
    parameters: tuple[ArgumentDomain, ...]
    keywords: tuple[str, ...] = ()
    requires: Precondition | None = None

    @property
    def has_receiver(self) -> bool:
        """Whether it is called on, or with, an earlier object."""
        return self.kind is not RoutineKind.CONSTRUCTOR


Piece: TypeAlias = Value | Earlier | ClassDomain | Iterable[Any]


def domain_of_pieces(label: str, piece: Piece | tuple[Piece, ...]) -> ArgumentDomain:
    pieces: list[Any] = []
    for part in Finitization().with_constants(piece if isinstance(piece, tuple) else (piece,)):
        if isinstance(part, ClassDomain) and part.kind is DomainKind.MADE:
            part = _made(part)
        is_one = isinstance(part, (str, ClassDomain, set, frozenset, dict, bytes, bytearray))
        pieces.extend([part] if is_one or not isinstance(part, Iterable) else islice(part, MOST_VALUES + 1))
    if len(pieces) > MOST_VALUES:
        raise SpecError(f"domain of {label}: more than {MOST_VALUES} values, the most there may be")
    earlier = tuple(part.class_name for part in pieces if isinstance(part, Earlier))
    values: list[Value] = []
    plain = iter(
        flattened(label, [part for part in pieces if not isinstance(part, (Earlier, TokenValue, Fixed, Made))])
    )
    for part in pieces:
        if isinstance(part, (TokenValue, Fixed, Made)):
            values.append(part)
        elif not isinstance(part, Earlier):
            value = next(plain)
            if isinstance(value, Reference) or value is ABSENT:
                raise SpecError(
                    f"domain of {label}: class domains belong to finitizations; use earlier, tokens or fixed"
                )
            values.append(value)
    return ArgumentDomain(tuple(values), earlier)


def check_fixed(value: Any, whole: Any) -> None:
    if isinstance(value, dict):
        parts: list[Any] = [*value.keys(), *value.values()]
    elif isinstance(value, (list, tuple, set, frozenset)):
        parts = list(value)
    elif value is None or isinstance(value, (bool, int, float, str)):
        return
    else:
        raise SpecError(f"fixed({whole!r}): {value!r} is neither a plain value nor a list, tuple, set or dict of them")
    for part in parts:
        check_fixed(part, whole)


def domain_of_parameter(parameter: tuple[Any, ...] | Structures, bounds: Finitization) -> ArgumentDomain | None:
    """Return a parameter's domain, given that of a finitization.

    Lists, deques, sets and dicts of plain values are copied for each call. The result is None if they hold objects, or
    if there are too many of them.
    """
    if isinstance(parameter, Structures):
        return ArgumentDomain((), (parameter.finitization.domains[0].class_name,), apart=True)
    values: list[Value] = []
    earlier: dict[str, None] = {}
    for value in parameter:
        if not isinstance(value, Reference):
            values.append(value)
            continue
        domain = bounds.domains[value.domain]
        if domain.kind is DomainKind.MADE:
            values.append(_made(domain))
        elif domain.kind in CONTAINERS and value.domain:
            if value.index:  # it has the contents of the first one
                continue
            held = list(islice(_held(domain), MOST_HELD + 1))
            if len(held) > MOST_HELD or any(isinstance(one, Reference) for one in domain.elements):
                return None
            values += map(Fixed, held)
        elif domain.kind is not DomainKind.TOKEN:
            earlier[domain.class_name] = None
        elif domain.elements:
            values.append(cast(Plain, domain.elements[value.index]))
        else:
            values.append(TokenValue(domain.class_name, value.index))
    return ArgumentDomain(tuple(values), tuple(earlier))


def _made(domain: ClassDomain) -> Fixed | Made:
    return Fixed(domain.factory.of) if isinstance(domain.factory, Copied) else Made(domain)


def _held(domain: ClassDomain) -> Iterator[Any]:
    """Yield the lists, deques, sets or dicts of a domain, each once."""
    if domain.kind is DomainKind.SET:
        for chosen in product((False, True), repeat=len(domain.keys)):
            yield set(compress(domain.keys, chosen))
    elif domain.kind is DomainKind.DICT:
        for values in product((ABSENT, *domain.elements), repeat=len(domain.keys)):
            pairs = zip(domain.keys, values, strict=True)
            yield {key: value for key, value in pairs if value is not ABSENT}
    else:
        for length in domain.lengths:
            for elements in product(domain.elements, repeat=length):
                yield list(elements) if domain.kind is DomainKind.LIST else deque(elements, domain.maxlen)
