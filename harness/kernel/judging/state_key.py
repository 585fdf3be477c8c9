"""Makes keys of post-states: no code that may read two states with the same key can distinguish them.

A state has a key if it consists of atoms and of objects of the same kinds as a pre-state: plain instances with exactly
the fields of the finitization, exact lists, tokens. A state has no key if a mutant has changed this: another class, an
attribute more or less, an object where none belongs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any

from harness.kernel.objects.encoding import KEYS, ODD, EncodedClass, Encoder, HeldKinds, execute, indented, names_of
from harness.kernel.objects.object_creation import is_plain
from harness.kernel.program.loader import resolve
from harness.kernel.specs.tokens import Token
from harness.model.finitization import ClassDomain, DomainKind, DomainValue, Reference, Structures
from harness.model.targets import StateBounds

KeyFunction = Callable[[Any, Sequence[Any]], bytes | None]
"""A function from a root and the arguments that a call can change to their key; None where they have none."""

_KEYED = frozenset({DomainKind.OBJECT, DomainKind.LIST, DomainKind.TOKEN})


def kinds_of(finitization: StateBounds, module: ModuleType) -> list[EncodedClass] | None:
    """Return the kinds of the objects in states and structures of `finitization`, first that of the root.

    None if keys would miss a part of these.
    """
    kinds: dict[type, EncodedClass] = {}
    every = [finitization, *_structures(finitization)]
    if any(map(_holds_more, every)):
        return None
    for one in every:
        classes = [_class(domain, module) for domain in one.domains]
        for domain, cls in zip(one.domains, classes, strict=True):
            if cls is str:
                continue
            declared = dict(one.fields_of(domain)) if domain.kind is DomainKind.OBJECT else {}
            kind = kinds.setdefault(cls, _new_kind(cls, len(kinds), declared))
            if kind.elements is not None:
                _note(kind.elements, domain.elements, classes)
            elif cls is not Token and kind.fields.keys() != declared.keys():
                return None
            for name, values in declared.items():
                _note(kind.fields[name], values, classes)
    return [*kinds.values()] if all(_is_readable(cls, kinds[cls].fields) for cls in instances(kinds.values())) else None


def instances(kinds: Iterable[EncodedClass]) -> list[type]:
    """Return the classes of the implementation."""
    return [kind.cls for kind in kinds if kind.cls not in (list, Token)]


def _new_kind(cls: type, number: int, names: Iterable[str]) -> EncodedClass:
    if cls is list:
        return EncodedClass(cls, number, elements=HeldKinds())
    if cls is Token:
        return EncodedClass(cls, number, {name: HeldKinds() for name in Token.__slots__}, slotted=True)
    return EncodedClass(cls, number, {name: HeldKinds() for name in names})


def _note(place: HeldKinds, values: Iterable[DomainValue], classes: Sequence[type]) -> None:
    for value in values:
        if isinstance(value, Reference) and classes[value.domain] is not str:
            place.objects = True
        else:
            place.plain |= value is not None


def _holds_more(finitization: StateBounds) -> bool:
    """Return whether there is something besides plain instances, lists and tokens of atoms."""
    values = [value for domain in finitization.domains for _, held in finitization.fields_of(domain) for value in held]
    return any(domain.kind not in _KEYED or domain.own for domain in finitization.domains) or tuple in map(type, values)


def _structures(finitization: StateBounds) -> list[StateBounds]:
    parameters = [parameter for target in finitization.targets for parameter in target.parameters]
    return [parameter.finitization for parameter in parameters if isinstance(parameter, Structures)]


def _class(domain: ClassDomain, module: ModuleType) -> type:
    """Return the class of a domain's objects; str for texts, which are plain values."""
    if domain.kind is DomainKind.OBJECT:
        cls: type = resolve(module, domain.class_name)
        return cls
    if domain.kind is DomainKind.LIST:
        return list
    return str if domain.elements else Token


def _is_readable(cls: Any, fields: Iterable[str]) -> bool:
    """Return whether an instance consists of its `__dict__`, and reading that runs none of its code."""
    reader: object = cls.__getattribute__
    return type(cls) is type and is_plain(cls, fields) and reader is object.__getattribute__


def key_function(kinds: Sequence[EncodedClass]) -> KeyFunction:
    """Compile the function that makes keys."""
    names = names_of(kinds, KEYS)
    definition, *body = Encoder(kinds, further=True).function("encode")
    execute([definition, *indented(_if_one_list(kinds), 1), *body], names)
    encode: Callable[[Any, Sequence[Any]], bytes] = names["encode"]

    def key(root: Any, changeable: Sequence[Any]) -> bytes | None:
        try:
            return encode(root, changeable)
        except (*ODD, MemoryError):  # a mutant may have made something huge
            return None

    return key


def _if_one_list(kinds: Sequence[EncodedClass]) -> list[str]:
    """Return a shorter way for a root with one list of atoms as its only object, or for a root that is such a list."""
    root, *inner_kinds = kinds
    place = root.elements or (inner_kinds[0].elements if len(inner_kinds) == 1 else None)
    objects = [name for name, of in root.fields.items() if of.objects]
    if place is None or place.objects or len(objects) != len(inner_kinds):
        return []
    if root.elements:
        return [
            "if not further and type(root) is class0 and atoms.issuperset(map(type, root)):",
            "    return dumps(tuple(root), 2)",
        ]
    plain = "".join(f"fields[{name!r}], " for name in root.fields if name not in objects)
    return [
        "if not further and type(root) is class0:",
        "    fields = root.__dict__",
        f"    items = fields[{objects[0]!r}]",
        f"    if len(fields) == {len(root.fields)} and type(items) is class1:",
        f"        parts = ({plain}*items,)",
        "        if atoms.issuperset(map(type, parts)): return dumps(parts, 2)",
    ]
