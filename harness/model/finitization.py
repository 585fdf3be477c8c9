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

        f.method("merge", others, requires=lambda this, other: rep_ok(other))

Other containers, contents of a class derived from list, objects made for each state, and keyword-only arguments::

        f.set("Cache.nodes", f.dicts(1, keys=range(scope), values=nodes))
        f.set("Cache.recent", f.deques(1, lengths=range(scope + 1), elements=range(scope), maxlen=scope))
        f.set("Cache.at", f.tuples(lengths=[2], elements=range(scope)))
        f.set("Cache.lock", f.opaque(threading.Lock))
        f.contents("Stack", lengths=range(scope + 1), elements=range(scope))
        f.method("add_all", f.fixed([3, 1, 2]), front=[False, True])

Without a pre-state::

        f = Finitization()
        f.function("gcd", range(scope), range(scope))
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, replace
from enum import Enum, EnumType
from functools import reduce
from itertools import product
from typing import Any, TypeAlias, cast

from harness.errors import SpecError
from harness.model.domains import (
    ABSENT,
    CONTAINERS,
    CONTENTS,
    MOST_VALUES,
    SEQUENCES,
    Absence,
    ClassDomain,
    DomainKind,
    DomainPiece,
    DomainValue,
    Plain,
    Reference,
    checked_count,
    checked_keys,
    checked_lengths,
    checked_name,
    contents_of,
    flattened,
)
from harness.model.literals import is_collection

__all__ = [
    "ABSENT", "CONTAINERS", "CONTENTS", "SEQUENCES", "Absence", "CallKind", "ClassDomain", "Copied", "DomainKind",
    "DomainPiece", "DomainValue", "Finitization", "Plain", "Precondition", "Reference", "Structures", "Target",
    "WithoutState",
]  # fmt: skip


@dataclass(frozen=True)
class Structures:
    """A field domain of whole structures: every valid input of another finitization.

    Its objects are its own; they never alias those of the pre-state.
    """

    finitization: Finitization
    rep_ok: Callable[..., Any]


Parameter: TypeAlias = DomainPiece | tuple[DomainPiece, ...] | Structures
Precondition: TypeAlias = Callable[..., Any]


class CallKind(Enum):
    """The way in which a target is called on the pre-state."""

    METHOD = "method"
    FUNCTION = "function"


@dataclass(frozen=True)
class Target:
    """A target method (or module function taking the pre-state first) and its arguments' field domains.

    Its inputs are the valid states and arguments for which `requires(pre_state, *arguments)` is true; None: all of
    them. With `any_state`, the precondition alone decides, and states need not be valid.
    `keywords` are the names by which the last of the parameters are passed.
    """

    name: str
    kind: CallKind
    parameters: tuple[tuple[DomainValue, ...] | Structures, ...]
    requires: Precondition | None = None
    keywords: tuple[str, ...] = ()
    any_state: bool = False


@dataclass(frozen=True)
class WithoutState:
    """A precondition of arguments alone, called as if there were a pre-state."""

    requires: Precondition

    @property
    def __wrapped__(self) -> Precondition:
        return self.requires

    def __call__(self, _state: object, *arguments: Any) -> Any:
        return self.requires(*arguments)


class Finitization:
    """Bounds for one scope: class domains, field domains, target methods with argument domains.

    Args:
        root: the class of the root object, dotted for nested classes (`"Tree.Node"`). Without it there is no
            pre-state: the targets are functions of their arguments alone, as `gcd(a, b)`, and the spec needs no
            rep_ok. Where the pre-state is itself a list, use `Finitization.of_list`.
    """

    def __init__(self, root: str | None = None) -> None:
        if root is not None and (not isinstance(root, str) or not root):
            raise SpecError(f"Finitization(root) takes the name of the root's class, not {root!r}")
        kind = DomainKind.NOTHING if root is None else DomainKind.OBJECT
        self._domains: list[ClassDomain] = [ClassDomain(0, root or "", 1, kind)]
        self._fields: dict[tuple[int, str], tuple[DomainValue, ...]] = {}
        self._targets: list[Target] = []
        self.unordered_fields: tuple[str, ...] = ()

    @classmethod
    def of_list(cls, *, lengths: Iterable[int], elements: Iterable[Plain]) -> Finitization:
        """Return a finitization whose pre-state is itself a list, as for `heapq`."""
        self = cls("list")
        self._domains[0] = ClassDomain(
            0, "list", 1, DomainKind.LIST, checked_lengths("list", lengths), flattened("elements", tuple(elements))
        )
        return self

    # -- declaring ---------------------------------------------------------------------------

    def objects(self, class_name: str, count: int) -> ClassDomain:
        """Add a class domain of `count` objects of `class_name`, and return it."""
        return self._domain(class_name, count, DomainKind.OBJECT)

    def tokens(self, name: str, count: int) -> ClassDomain:
        """Add a class domain of `count` interchangeable objects without fields, compared by identity, and return it."""
        return self._domain(name, count, DomainKind.TOKEN)

    def texts(self, name: str, count: int) -> ClassDomain:
        """Add a class domain of `count` interchangeable strings, `name` with a number, and return it.

        These are tokens for code that wants `str`. The search takes them for tokens, so rep_ok may ask only whether two
        are equal. The code under test may order them, too, and is tested with one order of those that are in use.
        """
        domain = self._domain(name, count, DomainKind.TOKEN)
        digits = len(str(count))
        self._domains[-1] = replace(domain, elements=tuple(f"{name}{number:0{digits}}" for number in range(count)))
        return self._domains[-1]

    def lists(
        self, count: int, *, lengths: Iterable[int], elements: Iterable[DomainPiece] | ClassDomain
    ) -> ClassDomain:
        """Add a class domain of `count` lists, with lengths and elements from these field domains, and return it."""
        return self._container(DomainKind.LIST, count, checked_lengths("list", lengths), elements)

    def deques(
        self,
        count: int,
        *,
        lengths: Iterable[int],
        elements: Iterable[DomainPiece] | ClassDomain,
        maxlen: int | None = None,
    ) -> ClassDomain:
        """Add a class domain like `lists`, of `collections.deque`, and return it; `maxlen` is that of each deque."""
        sizes = checked_lengths("deque", lengths)
        if maxlen is not None and (type(maxlen) is not int or maxlen < max(sizes)):
            raise SpecError(
                f"a deque of maxlen={maxlen!r} cannot have {max(sizes)} elements; correct lengths or maxlen"
            )
        return self._container(DomainKind.DEQUE, count, sizes, elements, maxlen=maxlen)

    def sets(self, count: int, *, members: Iterable[Plain]) -> ClassDomain:
        """Add a class domain of `count` sets, which take each subset of `members` (plain values), and return it."""
        return self._container(DomainKind.SET, count, keys=checked_keys("members of a set", members))

    def dicts(self, count: int, *, keys: Iterable[Plain], values: Iterable[DomainPiece] | ClassDomain) -> ClassDomain:
        """Add a class domain of `count` dicts, which map each subset of `keys` in every way to `values`, and return it.

        Keys are plain values, and a dict's keys come in the given order.
        """
        return self._container(DomainKind.DICT, count, (), values, keys=checked_keys("keys of a dict", keys))

    def tuples(self, *, lengths: Iterable[int], elements: Iterable[Plain]) -> list[Plain]:
        """Return every tuple of `elements`, which are plain values, of one of `lengths`.

        Tuples are plain values themselves: they have no identity, so their number is not declared.
        """
        pieces = (elements,) if isinstance(elements, ClassDomain) else elements
        values = flattened("elements of a tuple", pieces)
        if any(isinstance(value, Reference) for value in values):
            raise SpecError("the elements of a tuple are plain values, not objects; use lists where objects belong")
        sizes = dict.fromkeys(checked_lengths("tuple", lengths))
        if sum(len(values) ** size for size in sizes) > MOST_VALUES:
            raise SpecError(f"there are more than {MOST_VALUES} tuples of these lengths and elements; give fewer")
        return [cast(Plain, made) for size in sizes for made in product(values, repeat=size)]

    def contents(
        self,
        class_name: str,
        *,
        lengths: Iterable[int] | None = None,
        elements: Iterable[DomainPiece] | ClassDomain = (),
        keys: Iterable[Plain] | None = None,
        values: Iterable[DomainPiece] | ClassDomain = (),
    ) -> None:
        """Declare the contents, as a list or dict, of the objects of a class that derives from list or dict.

        `lengths` and `elements` are as for `lists`, `keys` and `values` as for `dicts`. Each object has contents of
        its own.
        """
        if (lengths is None) == (keys is None):
            raise SpecError(
                f"contents({class_name!r}) takes lengths and elements of a list, or keys and values of a dict"
            )
        if lengths is not None:
            sizes = checked_lengths("list", lengths)
            domain = self._container(DomainKind.LIST, 1, sizes, elements, own=True)
        else:
            domain = self._container(DomainKind.DICT, 1, (), values, keys=checked_keys("keys", keys or ()), own=True)
        self.set(f"{class_name}.{CONTENTS}", domain)

    def unordered(self, *fields: str) -> None:
        """Compare dicts in these fields, and dicts among their values, without an order, unless by `abstraction`."""
        self.unordered_fields += tuple(checked_name("field", name) for name in fields)

    def opaque(self, make: Callable[..., Any]) -> ClassDomain:
        """Return a domain of objects that `make()` returns, such as locks, of which only the type is compared.

        Each state and place gets its own object.

        A function of one argument gets the implementation's module.
        """
        return self._factory_domain("opaque", make, compared=False)

    def fixed(self, value: Any) -> ClassDomain:
        """Return a domain of copies of `value`, such as `[3, 1, 2]`, or of a function's results; compared after a call.

        Each state, and each place that refers to it, has its own copy. Functions are as for `opaque`.
        """
        if value is None or isinstance(value, (bool, int, float, str)):
            raise SpecError(f"fixed({value!r}): a plain value does not change; give it without fixed")
        return self._factory_domain("fixed", value if callable(value) else Copied(value), compared=True)

    def members(self, enumeration: str, *names: str) -> list[ClassDomain]:
        """Return the members with these names of an enumeration of the program, as values of a field or parameter."""
        return [self._factory_domain("fixed", Member(enumeration, name), compared=True) for name in names]

    def set(self, field: str, *pieces: DomainPiece, of: ClassDomain | None = None) -> None:
        """Give `"Class.field"` its field domain, the union of `pieces` in order.

        A piece is None, a plain value (a tuple of plain values, too), an iterable of plain values (a range, a list), a
        class domain, a frozenset of plain values, or an enumeration or a member of one. A class may have several class
        domains, so that structures do not share objects. Then `of` is the domain whose objects get the field (default:
        all domains of the class whose field has no domain yet).
        """
        class_name, dot, name = field.rpartition(".") if isinstance(field, str) else ("", "", "")
        if not dot:
            raise SpecError(f"Finitization.set takes 'Class.field', not {field!r}")
        owners = [d for d in self._domains if d.kind is DomainKind.OBJECT and d.class_name == class_name]
        if of is not None and owners:
            owners = [owner for owner in owners if owner.number == of.number]
            if not owners:
                raise SpecError(f"Finitization.set({field!r}, of=...): the class domain is of class {of.class_name!r}")
        if not owners:
            classes = ", ".join(sorted({d.class_name for d in self._domains if d.kind is DomainKind.OBJECT}))
            raise SpecError(
                f"Finitization.set({field!r}): no objects of class {class_name!r} (there are: {classes}); "
                f"call objects({class_name!r}, count) first"
            )
        owners = [owner for owner in owners if (owner.number, name) not in self._fields]
        if not owners:
            raise SpecError(f"Finitization.set({field!r}) is called twice; give all values of the field domain at once")
        values = flattened(field, self.with_constants(pieces))
        for owner in owners:
            self._fields[owner.number, name] = values

    def method(
        self,
        name: str,
        *parameters: Parameter,
        requires: Precondition | None = None,
        any_state: bool = False,
        **keywords: Parameter,
    ) -> None:
        """Declare a target method of the root, called as `pre_state.name(*arguments)`; one field domain per parameter.

        Its inputs are the valid states with all arguments; with `requires`, those of them for which
        `requires(pre_state, *arguments)` is true. A method that establishes the invariant, such as `sort`, has
        `any_state=True`: its inputs are all states of these bounds, valid or not, for which `requires` is true.
        Post-states are judged by rep_ok in any case. `keywords` are passed by their names, as keyword-only parameters
        have to be; `requires` gets them as its last arguments.
        """
        if self._domains[0].kind is DomainKind.NOTHING:
            raise SpecError(
                f"method({name!r}): without a root there is no object to call it on; name the root's class in "
                f"Finitization(...), or use function({name!r}, ...)"
            )
        self._target(name, CallKind.METHOD, parameters, requires, keywords, any_state)

    def function(
        self,
        name: str,
        *parameters: Parameter,
        requires: Precondition | None = None,
        any_state: bool = False,
        **keywords: Parameter,
    ) -> None:
        """Declare a target function of the module, called as `name(pre_state, *arguments)`, otherwise like `method`.

        Without a root, both it and `requires` are called with the arguments alone.
        """
        if requires is not None and callable(requires) and self._domains[0].kind is DomainKind.NOTHING:
            requires = WithoutState(requires)
        self._target(name, CallKind.FUNCTION, parameters, requires, keywords, any_state)

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
        if domain.kind in CONTAINERS:
            return contents_of(domain)
        return tuple((name, values) for (number, name), values in self._fields.items() if number == domain.number)

    def behind(self, root: str, fields: Mapping[str, tuple[DomainValue, ...]]) -> Finitization:
        """Return the same objects below a new root of class `root`, whose `fields` draw on them and come first.

        So a state space covers several objects at once, such as a pre-state and arguments
        (exhaustive2003, section 3.3: "introduce a class for root").
        """
        finitization = Finitization(root)
        finitization._fields = {(0, name): tuple(map(_behind, values)) for name, values in fields.items()}
        for domain in self._domains:
            elements = tuple(map(_behind, domain.elements))
            finitization._domains.append(replace(domain, number=domain.number + 1, elements=elements))
        for (number, name), values in self._fields.items():
            finitization._fields[number + 1, name] = tuple(map(_behind, values))
        return finitization

    def extended(self, outside: Mapping[str, Sequence[str]]) -> Finitization:
        """Return the same bounds with further values of parameters, behind those of the spec, whose indices stay.

        Args:
            outside: literals of the values by `target:parameter`, the positions of both (`SuiteHeader.outside`). Of a
                list, set or dict, each call gets a copy of its own, as of `fixed`.
        """
        changed = copy(self)
        changed._domains = list(self._domains)

        def added(place: str) -> Iterator[DomainValue]:
            for value in map(literal_eval, outside.get(place, ())):
                yield from changed.fixed(value) if is_collection(value) else (value,)

        changed._targets = [
            replace(
                target,
                parameters=tuple(
                    values if isinstance(values, Structures) else (*values, *added(f"{number}:{position}"))
                    for position, values in enumerate(target.parameters)
                ),
            )
            for number, target in enumerate(self._targets)
        ]
        return changed

    def requiring(self, instead: Callable[[Precondition], Precondition]) -> Finitization:
        """Return the same bounds and targets, with each precondition replaced by `instead` of it."""
        changed = copy(self)
        changed._targets = [
            target if target.requires is None else replace(target, requires=instead(target.requires))
            for target in self._targets
        ]
        return changed

    def without_targets(self) -> Finitization:
        """Return the same bounds of states, without targets."""
        changed = copy(self)
        changed._targets = []
        return changed

    def with_constants(self, pieces: Iterable[Any]) -> Iterator[Any]:
        """Yield the pieces, with a domain for each frozenset, and for each member of an enumeration."""
        for piece in pieces:
            if isinstance(piece, frozenset):
                yield self.fixed(piece)
            elif isinstance(piece, Enum) and not isinstance(piece, Absence):
                yield from self.members(type(piece).__qualname__, piece.name)
            elif isinstance(piece, EnumType) or (type(piece) is list and any(isinstance(one, Enum) for one in piece)):
                yield from self.with_constants(piece)
            else:
                yield piece

    def _domain(self, class_name: str, count: int, kind: DomainKind) -> ClassDomain:
        checked_name("class", class_name)
        return self._add(ClassDomain(0, class_name, checked_count(class_name, count), kind))

    def _container(
        self,
        kind: DomainKind,
        count: int,
        lengths: tuple[int, ...] = (),
        elements: Iterable[DomainPiece] | ClassDomain = (),
        **fields: Any,
    ) -> ClassDomain:
        name, role = kind.value, "values" if kind is DomainKind.DICT else "elements"
        pieces = (elements,) if isinstance(elements, ClassDomain) else elements
        values = flattened(role, pieces)
        return self._add(ClassDomain(0, name, checked_count(name, count), kind, lengths, values, **fields))

    def _factory_domain(self, method: str, make: Any, *, compared: bool) -> ClassDomain:
        if not callable(make):
            raise SpecError(f"{method}({make!r}) takes a function that makes it, such as threading.Lock")
        name = repr(make) if isinstance(make, (Copied, Member)) else getattr(make, "__name__", type(make).__name__)
        return self._add(ClassDomain(0, name, 1, DomainKind.MADE, own=True, factory=make, compared=compared))

    def _add(self, domain: ClassDomain) -> ClassDomain:
        numbered = replace(domain, number=len(self._domains))
        self._domains.append(numbered)
        return numbered

    def _target(
        self,
        name: str,
        kind: CallKind,
        parameters: tuple[Parameter, ...],
        requires: Precondition | None,
        keywords: Mapping[str, Parameter],
        any_state: bool,
    ) -> None:
        checked_name("target", name)
        if any(target.name == name for target in self._targets):
            raise SpecError(f"target {name!r} is declared twice in the finitization; give it once")
        if requires is not None and not callable(requires):
            raise SpecError(f"target {name!r}: requires takes a function of pre-state and arguments, not {requires!r}")
        if any_state and requires is None:
            raise SpecError(f"target {name!r}: any_state=True needs requires=..., which says which states it takes")
        domains: list[tuple[DomainValue, ...] | Structures] = []
        for position, parameter in enumerate((*parameters, *keywords.values())):
            if isinstance(parameter, Structures):
                domains.append(parameter)
            else:
                pieces = parameter if isinstance(parameter, tuple) else (parameter,)
                domains.append(flattened(f"{name}, parameter {position + 1}", self.with_constants(pieces)))
        self._targets.append(Target(name, kind, tuple(domains), requires, tuple(keywords), any_state))


@dataclass(frozen=True, repr=False)
class Member:
    """Finds a member of an enumeration in the program, original or mutant, by its name."""

    enumeration: str
    name: str

    def __call__(self, module: Any) -> Any:
        return reduce(getattr, [*self.enumeration.split("."), self.name], module)

    def __repr__(self) -> str:
        return f"{self.enumeration}.{self.name}"


@dataclass(frozen=True)
class Copied:
    """Makes a copy of a collection."""

    of: Any

    def __call__(self) -> Any:
        return deepcopy(self.of)

    def __repr__(self) -> str:
        return repr(self.of)


def _behind(value: DomainValue) -> DomainValue:
    return Reference(value.domain + 1, value.index) if isinstance(value, Reference) else value
