"""Finitization: the bounds that make a predicate's state space finite (exhaustive2003, section 3.2).

A spec's `finitization(scope)` builds one of these with plain names; no class of the program
under test is needed, so the same finitization serves the original and every mutant::

    def finitization(scope: int) -> Finitization:
        f = Finitization("SearchTree")
        nodes = f.objects("Node", scope)
        f.set("SearchTree.root", None, nodes)
        f.set("SearchTree.size", range(scope + 1))
        f.set("Node.left", None, nodes)
        f.set("Node.right", None, nodes)
        f.set("Node.info", range(1, scope + 1))
        f.method("add", range(1, scope + 1))
        f.method("remove", range(1, scope + 1))
        return f

A target whose precondition is not `rep_ok` states its own, over the pre-state and the arguments::

        f.method("merge", others, requires=lambda this, other: rep_ok(this) and rep_ok(other))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice
from typing import Any, TypeAlias

from harness.errors import SpecError

MOST_VALUES = 1 << 16
"""Values of a field domain, or objects of a class, at the most: an index takes two bytes."""

LARGEST_INTEGER_BITS = 1024

Plain: TypeAlias = None | bool | int | float | str


class DomainKind(Enum):
    """How the objects of a class domain come into being."""

    OBJECT = "object"
    """Instances of a class of the implementation; fields are attributes."""
    LIST = "list"
    """Python lists; fields are `length` and the elements."""
    TOKEN = "token"  # noqa: S105 (no password)
    """Interchangeable values without fields, equal only to themselves; texts where the domain has `elements`."""


@dataclass(frozen=True)
class ClassDomain:
    """An ordered set of objects of one class (exhaustive2003, section 3.3).

    `number` tells domains of one finitization apart: two domains may share a class.
    `lengths` are for lists only, `elements` for them and for the texts of `Finitization.texts`.
    """

    number: int
    class_name: str
    size: int
    kind: DomainKind
    lengths: tuple[int, ...] = ()
    elements: tuple[DomainValue, ...] = ()

    def __iter__(self) -> Iterator[Reference]:
        return (Reference(self.number, index) for index in range(self.size))


@dataclass(frozen=True)
class Reference:
    """A class domain index: object `index` of class domain `domain`."""

    domain: int
    index: int


@dataclass(frozen=True)
class Structures:
    """A field domain of whole structures: every valid input of another finitization.

    Its objects are its own; they never alias those of the pre-state.
    """

    finitization: Finitization
    rep_ok: Callable[..., Any]


DomainValue: TypeAlias = Plain | Reference
DomainPiece: TypeAlias = Plain | ClassDomain | Iterable[Plain]
Parameter: TypeAlias = DomainPiece | tuple[DomainPiece, ...] | Structures
Precondition: TypeAlias = Callable[..., Any]


class CallKind(Enum):
    """How a target is invoked on the pre-state."""

    METHOD = "method"
    FUNCTION = "function"


@dataclass(frozen=True)
class Target:
    """A target method (or module function taking the pre-state first) and its arguments' field domains.

    `requires(pre_state, *arguments)` is its precondition; None: the spec's rep_ok, and any arguments.
    """

    name: str
    kind: CallKind
    parameters: tuple[tuple[DomainValue, ...] | Structures, ...]
    requires: Precondition | None = None


class Finitization:
    """Bounds for one scope: class domains, field domains, target methods with argument domains.

    Args:
        root: the class of the root object, dotted for nested classes (`"Tree.Node"`). Where the
            pre-state is itself a list, use `Finitization.of_list`.
    """

    def __init__(self, root: str) -> None:
        if not isinstance(root, str) or not root:
            raise SpecError(f"Finitization(root) takes the name of the root's class, not {root!r}")
        self._domains: list[ClassDomain] = [ClassDomain(0, root, 1, DomainKind.OBJECT)]
        self._fields: dict[tuple[int, str], tuple[DomainValue, ...]] = {}
        self._targets: list[Target] = []

    @classmethod
    def of_list(cls, *, lengths: Iterable[int], elements: Iterable[Plain]) -> Finitization:
        """A finitization whose pre-state is itself a list, as for `heapq`."""
        self = cls("list")
        self._domains[0] = ClassDomain(
            0, "list", 1, DomainKind.LIST, _lengths(lengths), _flatten("elements", tuple(elements))
        )
        return self

    # -- declaring ---------------------------------------------------------------------------

    def objects(self, class_name: str, count: int) -> ClassDomain:
        """A class domain of `count` objects of `class_name`."""
        return self._domain(class_name, count, DomainKind.OBJECT)

    def tokens(self, name: str, count: int) -> ClassDomain:
        """A class domain of `count` interchangeable objects without fields, compared by identity."""
        return self._domain(name, count, DomainKind.TOKEN)

    def texts(self, name: str, count: int) -> ClassDomain:
        """A class domain of `count` interchangeable strings, `name` with a number: tokens for code that wants `str`.

        The search takes them for tokens, so rep_ok may ask only whether two are equal; the code under test may
        order them, too, and is tested with one order of those that are in use.
        """
        domain = self._domain(name, count, DomainKind.TOKEN)
        digits = len(str(count))
        self._domains[-1] = replace(domain, elements=tuple(f"{name}{number:0{digits}}" for number in range(count)))
        return self._domains[-1]

    def lists(
        self, count: int, *, lengths: Iterable[int], elements: Iterable[DomainPiece] | ClassDomain
    ) -> ClassDomain:
        """A class domain of `count` lists, each with a length and elements from the field domains given."""
        pieces = (elements,) if isinstance(elements, ClassDomain) else tuple(elements)
        number = len(self._domains)
        domain = ClassDomain(
            number, "list", _count("list", count), DomainKind.LIST, _lengths(lengths), _flatten("elements", pieces)
        )
        self._domains.append(domain)
        return domain

    def set(self, field: str, *pieces: DomainPiece) -> None:
        """Give `"Class.field"` its field domain, the union of `pieces` in order.

        A piece is None, a plain value, an iterable of plain values (a range), or a class domain.
        """
        class_name, dot, name = field.rpartition(".") if isinstance(field, str) else ("", "", "")
        if not dot:
            raise SpecError(f"Finitization.set takes 'Class.field', not {field!r}")
        owners = [d for d in self._domains if d.kind is DomainKind.OBJECT and d.class_name == class_name]
        if not owners:
            known = ", ".join(sorted({d.class_name for d in self._domains if d.kind is DomainKind.OBJECT}))
            raise SpecError(
                f"Finitization.set({field!r}): no objects of class {class_name!r} (there are: {known}); "
                f"call objects({class_name!r}, count) first"
            )
        if all((owner.number, name) in self._fields for owner in owners):
            raise SpecError(f"Finitization.set({field!r}) is called twice; give all values of the field domain at once")
        values = _flatten(field, pieces)
        for owner in owners:
            self._fields[owner.number, name] = values

    def method(self, name: str, *parameters: Parameter, requires: Precondition | None = None) -> None:
        """A target method of the root, called as `pre_state.name(*arguments)`; one field domain per parameter.

        Its inputs are the valid states with all arguments; with `requires`, instead, all pre-states
        and arguments for which `requires(pre_state, *arguments)` is true. Post-states are judged
        by rep_ok in any case.
        """
        self._target(name, CallKind.METHOD, parameters, requires)

    def function(self, name: str, *parameters: Parameter, requires: Precondition | None = None) -> None:
        """A target function of the module, called as `name(pre_state, *arguments)`; else as `method`."""
        self._target(name, CallKind.FUNCTION, parameters, requires)

    # -- reading -----------------------------------------------------------------------------

    @property
    def domains(self) -> tuple[ClassDomain, ...]:
        """Class domains by number; number 0 holds the root alone."""
        return tuple(self._domains)

    @property
    def targets(self) -> tuple[Target, ...]:
        """Targets in declaration order."""
        return tuple(self._targets)

    def fields_of(self, domain: ClassDomain) -> tuple[tuple[str, tuple[DomainValue, ...]], ...]:
        """Field names and field domains of every object of `domain`, in declaration order."""
        if domain.kind is DomainKind.TOKEN:
            return ()
        if domain.kind is DomainKind.LIST:
            longest = max(domain.lengths)
            elements = [(str(position), domain.elements) for position in range(longest)]
            return (("length", domain.lengths), *elements)
        return tuple((name, values) for (number, name), values in self._fields.items() if number == domain.number)

    def behind(self, root: str, fields: Mapping[str, tuple[DomainValue, ...]]) -> Finitization:
        """The same objects behind a new root of class `root`, whose `fields` draw on them and come first.

        So a state space covers several objects at once, such as a pre-state and arguments
        (exhaustive2003, section 3.3: "introduce a class for root").
        """
        made = Finitization(root)
        made._fields = {(0, name): tuple(map(_behind, values)) for name, values in fields.items()}
        for domain in self._domains:
            elements = tuple(map(_behind, domain.elements))
            made._domains.append(replace(domain, number=domain.number + 1, elements=elements))
        for (number, name), values in self._fields.items():
            made._fields[number + 1, name] = tuple(map(_behind, values))
        return made

    @classmethod
    def of_parts(
        cls,
        domains: Iterable[ClassDomain],
        fields: Mapping[tuple[int, str], tuple[DomainValue, ...]],
        targets: Iterable[Target],
    ) -> Finitization:
        """The finitization whose parts are known already, as those of another one are; nothing is checked."""
        root, *others = domains
        made = cls(root.class_name)
        made._domains = [root, *others]
        made._fields = dict(fields)
        made._targets = list(targets)
        return made

    def requiring(self, instead: Callable[[Precondition], Precondition]) -> Finitization:
        """The same bounds and targets, with `instead` of each precondition in its place."""
        made = copy(self)
        made._targets = [
            target if target.requires is None else replace(target, requires=instead(target.requires))
            for target in self._targets
        ]
        return made

    def _domain(self, class_name: str, count: int, kind: DomainKind) -> ClassDomain:
        _name("class", class_name)
        domain = ClassDomain(len(self._domains), class_name, _count(class_name, count), kind)
        self._domains.append(domain)
        return domain

    def _target(
        self, name: str, kind: CallKind, parameters: tuple[Parameter, ...], requires: Precondition | None
    ) -> None:
        _name("target", name)
        if any(target.name == name for target in self._targets):
            raise SpecError(f"target {name!r} is declared twice in the finitization; give it once")
        if requires is not None and not callable(requires):
            raise SpecError(f"target {name!r}: requires takes a function of pre-state and arguments, not {requires!r}")
        domains: list[tuple[DomainValue, ...] | Structures] = []
        for position, parameter in enumerate(parameters):
            if isinstance(parameter, Structures):
                domains.append(parameter)
            else:
                pieces = parameter if isinstance(parameter, tuple) else (parameter,)
                domains.append(_flatten(f"{name}, parameter {position + 1}", pieces))
        self._targets.append(Target(name, kind, tuple(domains), requires))


def _name(what: str, name: object) -> None:
    if type(name) is not str or not name.isprintable() or not name:
        raise SpecError(f"the name of a {what} is a text in quotes, not {name!r}")


def _behind(value: DomainValue) -> DomainValue:
    return Reference(value.domain + 1, value.index) if isinstance(value, Reference) else value


def _count(what: str, count: int) -> int:
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= MOST_VALUES:
        raise SpecError(f"the number of {what} objects is a whole number from 0, not {count!r}; at most {MOST_VALUES}")
    return count


def _lengths(lengths: Iterable[int]) -> tuple[int, ...]:
    values = tuple(lengths)
    if not values or any(isinstance(n, bool) or not isinstance(n, int) or n < 0 for n in values):
        raise SpecError(f"lengths of a list are whole numbers from 0, at least one; got {values!r}")
    return values


def _flatten(field: str, pieces: Iterable[Any]) -> tuple[DomainValue, ...]:
    values: list[DomainValue] = []
    for piece in pieces:
        if piece is None or isinstance(piece, (bool, int, float, str)):
            values.append(_plain(field, piece))
        elif isinstance(piece, ClassDomain):
            values.extend(piece)
        elif isinstance(piece, (set, frozenset, dict, bytes, bytearray)):
            raise SpecError(
                f"field domain of {field}: a {type(piece).__name__} is no list of plain values in order; give a list"
            )
        elif isinstance(piece, Iterable):
            values.extend(_flatten(field, islice(piece, MOST_VALUES + 1)))
        else:
            raise SpecError(
                f"field domain of {field}: {piece!r} is neither None, a plain value, a range of them nor a class domain"
            )
    if len(values) > MOST_VALUES:
        raise SpecError(f"field domain of {field}: more than {MOST_VALUES} values, the most there may be")
    seen: set[tuple[type, DomainValue]] = set()
    for value in values:
        key = (type(value), value)
        if key in seen:
            raise SpecError(f"field domain of {field} holds {value!r} twice; give each value once")
        seen.add(key)
    return tuple(values)


def _plain(field: str, value: Plain) -> Plain:
    if isinstance(value, float) and value != value:
        raise SpecError(f"field domain of {field}: nan is equal to nothing, itself included; leave it out")
    if isinstance(value, int) and value.bit_length() > LARGEST_INTEGER_BITS:
        raise SpecError(
            f"field domain of {field}: a whole number of more than {LARGEST_INTEGER_BITS} bits is too large"
        )
    return value
