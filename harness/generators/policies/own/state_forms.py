"""Encodes live states with the arguments of a call, and collects what is beyond the bounds of the finitization.

The form of an input is the same for isomorphic inputs: objects are numbered in the order in which they are met. The
bounds are widened by the values of the forms (`harness.model.widened_bounds`), so that each form has a candidate
vector.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.objects.object_creation import factory_object
from harness.kernel.objects.reading import held_contents, stored_fields
from harness.kernel.program.loader import resolve
from harness.kernel.specs.tokens import Token
from harness.model.domains import CONTENTS, SEQUENCES, ClassDomain, DomainKind, DomainValue, Reference
from harness.model.literals import NotLiteral, literal_of
from harness.model.targets import StateBounds, Structures
from harness.model.widened_bounds import objects_of

_KINDS: dict[type, DomainKind] = {
    list: DomainKind.LIST,
    deque: DomainKind.DEQUE,
    set: DomainKind.SET,
    dict: DomainKind.DICT,
}
_PLAIN = (type(None), bool, int, float, str, bytes, tuple)
ABSENT_KEY = ""
"""The symbol of a key that a dict does not have; no literal is empty."""


class NotEncodable(ValueError):
    """Raised for an object that no object of the finitization can stand for; says which one, and where it is."""


class Held(NamedTuple):
    """The symbol of an object that a field holds: its number among the objects of its form."""

    number: int


class FixedObject(NamedTuple):
    """The symbol of a text, or of an object that a function of the spec makes: domain and index."""

    domain: int
    at: int


Symbol = str | Held | FixedObject
"""What a field holds: the literal of a value, or an object."""


class EncodedObject(NamedTuple):
    """An object of a form.

    Attributes:
        domain: the number of its class domain.
        keys: the literal of its keys, if these are not those of the domain; else empty.
        at: its index among the objects of its domain and keys.
        symbols: what its fields hold, in the order of the finitization.
    """

    domain: int
    keys: str
    at: int
    symbols: tuple[Symbol, ...]


class InputForm(NamedTuple):
    """An input: objects, the root first, and the arguments of the call, with the forms of whole structures."""

    objects: tuple[EncodedObject, ...]
    arguments: tuple[Symbol | InputForm, ...]
    is_beyond: bool


class StateEncoder:
    """Encodes the inputs of one finitization.

    Attributes:
        outside: what the forms so far have beyond the bounds, as `SuiteHeader.outside` has it.
    """

    def __init__(self, bounds: StateBounds, module: ModuleType) -> None:
        self.outside: dict[str, list[str]] = {}
        self._bounds = bounds
        self._module = module
        self._domains = [_Domain.of(domain, bounds, module) for domain in bounds.domains]
        self._structures: dict[tuple[int, int], StateEncoder] = {}
        self._literals: dict[str, set[str]] = {}
        self._beyond: set[tuple[str, str]] = set()

    @property
    def ends(self) -> dict[str, tuple[int, str]]:
        """The number of values at each place of `outside`, and the last one: these change whenever `outside` does."""
        return {place: (len(held), held[-1]) for place, held in self.outside.items()}

    def form(self, root: Any, target: int | None = None, arguments: Sequence[Any] = ()) -> InputForm:
        """Encode a state, with the arguments of a target.

        Raises:
            NotEncodable: it holds what the finitization has no object for.
        """
        work = _Work(self)
        if self._bounds.domains[0].kind is not DomainKind.NOTHING:
            work.root(root)
        parts: list[Symbol | InputForm] = []
        parameters = () if target is None else self._bounds.targets[target].parameters
        for position, (parameter, argument) in enumerate(zip(parameters, arguments, strict=True)):
            place = f"{target}:{position}"
            if isinstance(parameter, Structures):
                assert target is not None
                inner = self._structure(target, position, parameter)
                parts.append(form := inner.form(argument))
                work.is_beyond |= form.is_beyond
                self.outside.update({f"{place} {key}": held for key, held in inner.outside.items()})
            else:
                parts.append(work.symbol(argument, parameter, place, f"argument {position + 1}"))
        work.finish()
        return InputForm(tuple(work.objects), tuple(parts), work.is_beyond)

    def _structure(self, target: int, position: int, parameter: Structures) -> StateEncoder:
        key = target, position
        if key not in self._structures:
            self._structures[key] = StateEncoder(parameter.finitization, self._module)
        return self._structures[key]

    def note(self, place: str, literal: str, declared: Sequence[DomainValue]) -> bool:
        """Keep a value that is beyond a field domain. Return True if it is."""
        if place not in self._literals:
            self._literals[place] = {literal_of(value) for value in declared if isinstance(value, _PLAIN)}
        if literal in self._literals[place]:
            return False
        if (place, literal) not in self._beyond:
            self._beyond.add((place, literal))
            self.outside.setdefault(place, []).append(literal)
        return True

    def note_size(self, number: int, size: int) -> bool:
        """Keep the number of objects of a domain. Return True if it is beyond the bounds."""
        if size <= self._bounds.domains[number].size:
            return False
        stored = self.outside.get(f"size {number}", ["0"])
        self.outside[f"size {number}"] = [str(max(size, int(stored[0])))]
        return True


@dataclass(frozen=True)
class _Domain:
    """A class domain with its class, fields and keys."""

    domain: ClassDomain
    cls: Any
    fields: tuple[tuple[str, tuple[DomainValue, ...]], ...]
    keys: tuple[str, ...]

    @classmethod
    def of(cls, domain: ClassDomain, bounds: StateBounds, module: ModuleType) -> _Domain:
        python_class = resolve(module, domain.class_name) if domain.kind is DomainKind.OBJECT else None
        return cls(domain, python_class, bounds.fields_of(domain), tuple(map(literal_of, domain.keys)))


class _Work:
    """One input that is being encoded."""

    def __init__(self, encoder: StateEncoder) -> None:
        self._encoder = encoder
        self._domains = encoder._domains
        self._numbers: dict[int, Held] = {}
        self._counts: dict[tuple[int, str], int] = {}
        self._alive: dict[int, Any] = {}
        self._waiting: deque[tuple[int, Any]] = deque()
        self.objects: list[Any] = []
        self.is_beyond = False

    def root(self, root: Any) -> None:
        """Encode the root of a state.

        Raises:
            NotEncodable: it is of another class.
        """
        domain = self._domains[0]
        expected = list if domain.cls is None else domain.cls
        if type(root) is not expected:
            name = expected.__qualname__
            origin = "" if domain.cls is None else f" made by subject.module.{name}"
            raise NotEncodable(f"the state is a {type(root).__qualname__}, not a {name}{origin}")
        self._new(root, domain)
        self.finish()

    def finish(self) -> None:
        """Encode the fields of all objects that were met.

        Raises:
            NotEncodable: a field holds what the finitization has no object for.
        """
        while self._waiting:
            number, value = self._waiting.popleft()
            domain, keys, index = self.objects[number]
            self.objects[number] = EncodedObject(domain, keys, index, self._symbols(value, self._domains[domain], keys))

    def symbol(self, value: Any, declared: Sequence[DomainValue], place: str, where: str) -> Symbol:
        """Encode what a field, element or parameter holds, whose field domain is `declared`.

        Raises:
            NotEncodable: nothing in the finitization can stand for it.
        """
        referred = [self._domains[n] for n in dict.fromkeys(v.domain for v in declared if isinstance(v, Reference))]
        if type(value) in _PLAIN:
            tokens = (one.domain for one in referred if one.domain.kind is DomainKind.TOKEN)
            texts = [domain for domain in tokens if type(value) is str and value in domain.elements]
            if texts:
                return FixedObject(texts[0].number, texts[0].elements.index(value))
            return self._plain(value, declared, place, where)
        if id(value) in self._numbers:
            return self._numbers[id(value)]
        elsewhere = [one for one in self._domains[1:] if one.cls is not None and one not in referred]
        for one in (*referred, *elsewhere):
            if self._stands_for(one, value):
                if one not in referred:
                    self.is_beyond |= self._encoder.note(place, objects_of(one.domain.number), declared)
                return self._new(value, one)
        for one in referred:
            if one.domain.kind is DomainKind.MADE and self._is_made_by(one.domain, value):
                self._keep_once(value, where)
                return FixedObject(one.domain.number, 0)
        if type(value) in (list, set, dict):
            self._keep_once(value, where)
            return self._plain(value, declared, place, where)
        raise NotEncodable(
            f"{where} holds a {type(value).__qualname__}, for which finitization declares no objects there"
        )

    def _plain(self, value: Any, declared: Sequence[DomainValue], place: str, where: str) -> str:
        try:
            literal = literal_of(value)
        except NotLiteral as error:
            raise NotEncodable(
                f"{where} holds a {type(value).__qualname__} with {error}; finitization declares no such objects there"
            ) from None
        self.is_beyond |= self._encoder.note(place, literal, declared)
        return literal

    def _keep_once(self, value: Any, where: str) -> None:
        """Refuse an object that two places share, though each would get a copy of its own."""
        if id(value) in self._alive:
            raise NotEncodable(f"{where} holds a {type(value).__qualname__} that another field holds, too")
        self._alive[id(value)] = value

    def _stands_for(self, one: _Domain, value: Any) -> bool:
        """Return True if an object of the domain can stand for the value."""
        kind = one.domain.kind
        if kind is DomainKind.OBJECT:
            return type(value) is one.cls
        if kind is DomainKind.TOKEN:
            return isinstance(value, Token) and not one.domain.elements and value.domain == one.domain.class_name
        if kind is not _KINDS.get(type(value)) or (kind is DomainKind.DEQUE and value.maxlen != one.domain.maxlen):
            return False
        return kind in SEQUENCES or all(type(key) in _PLAIN for key in value)

    def _is_made_by(self, domain: ClassDomain, value: Any) -> bool:
        """Return True if a function of the spec makes such an object."""
        instance = factory_object(domain, self._encoder._module)
        if type(instance) is not type(value):
            return False
        try:
            return not domain.compared or concrete(instance) == concrete(value)
        except (NotCanonical, RecursionError):
            return False

    def _new(self, value: Any, one: _Domain) -> Held:
        """Give an object that is met for the first time its number."""
        keys = self._other_keys(value, one)
        number = one.domain.number
        index = self._counts.get((number, keys), 0)
        if not one.domain.own:
            self._counts[number, keys] = index + 1
            if number:
                self.is_beyond |= self._encoder.note_size(number, index + 1)
        held = self._numbers[id(value)] = Held(len(self.objects))
        self._alive[id(value)] = value
        self.objects.append((number, keys, index))
        self._waiting.append((held.number, value))
        return held

    def _other_keys(self, value: Any, one: _Domain) -> str:
        """Return the literal of the keys of a dict or set that has others than its domain, or in another order."""
        kind = one.domain.kind
        if kind not in (DomainKind.SET, DomainKind.DICT):
            return ""
        try:
            literals = list(map(literal_of, held_contents(value) or ()))
        except NotLiteral as error:
            raise NotEncodable(f"a {kind.value} has a key of type {error}") from None
        if kind is DomainKind.SET:
            literals.sort()
            if set(literals) <= set(one.keys):
                return ""
        else:
            remaining = iter(one.keys)
            if all(literal in remaining for literal in literals):
                return ""
        keys = "(" + "".join(f"{literal}, " for literal in literals) + ")"
        self.is_beyond |= self._encoder.note(f"keys {one.domain.number}", keys, ())
        return keys

    def _symbols(self, value: Any, one: _Domain, keys: str) -> tuple[Symbol, ...]:
        """Encode what an object holds."""
        number, kind = one.domain.number, one.domain.kind
        if kind is DomainKind.TOKEN:
            return ()
        if kind in SEQUENCES:
            length = str(len(value))
            self.is_beyond |= self._encoder.note(f"lengths {number}", length, one.domain.lengths)
            elements = one.domain.elements
            where = f"an element of a {kind.value}"
            return (length, *(self.symbol(item, elements, f"elements {number}", where) for item in value))
        literals = list(one.keys)
        if keys:
            literals = list(map(literal_of, value)) if kind is DomainKind.DICT else sorted(map(literal_of, value))
        if kind is DomainKind.SET:
            members = set(map(literal_of, value))
            return tuple(str(literal in members) for literal in literals)
        if kind is DomainKind.DICT:
            held = {literal_of(key): item for key, item in value.items()}
            where = "a value of a dict"
            return tuple(
                self.symbol(held[literal], one.domain.elements, f"elements {number}", where)
                if literal in held
                else ABSENT_KEY
                for literal in literals
            )
        return self._fields(value, one)

    def _fields(self, value: Any, one: _Domain) -> tuple[Symbol, ...]:
        held = dict(stored_fields(value))
        name_of_class = one.domain.class_name
        unknown = sorted(held.keys() - {name for name, _ in one.fields})
        if unknown:
            raise NotEncodable(f"{name_of_class}.{unknown[0]} is no field of finitization; declare it there by f.set")
        symbols: list[Symbol] = []
        for name, declared in one.fields:
            if name == CONTENTS:
                held[name] = held_contents(value)
            elif name not in held:
                try:
                    held[name] = getattr(value, name)
                except AttributeError:
                    raise NotEncodable(f"{name_of_class}.{name} is not there, but finitization declares it") from None
            symbols.append(self.symbol(held[name], declared, f"{one.domain.number}.{name}", f"{name_of_class}.{name}"))
        return tuple(symbols)
