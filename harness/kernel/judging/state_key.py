"""Makes keys of post-states: no code that may read two states with the same key can distinguish them.

A key numbers the objects below the root in order of first visit and holds their fields, as marshalled bytes. A state
has a key if it consists of the same parts as a pre-state: plain instances with exactly the fields of the finitization,
exact lists, tokens. If a mutant has changed this (another class, an attribute more or less, an object where none
belongs), the state has no key.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import CodeType, ModuleType
from typing import Any

from harness.kernel.objects.making import is_plain
from harness.kernel.program.loader import resolve
from harness.kernel.specs.tokens import Token
from harness.model.finitization import ClassDomain, DomainKind, DomainValue, Reference, Structures
from harness.model.targets import StateBounds

KeyFunction = Callable[[Any, Sequence[Any]], bytes | None]
"""A function from a root and the arguments that a call can change to their key; None where they have none."""

# Types whose marshalled form shows type and value. Not bytes: a bytearray is written likewise.
_ATOMS = frozenset({type(None), bool, int, str})

_KEYED = frozenset({DomainKind.OBJECT, DomainKind.LIST, DomainKind.TOKEN})

_DEPTH = 2
"""The depth of tuples within tuples in a key: a list's elements, and one of them that is plain among objects."""

_NO_KEY = (KeyError, ValueError, MemoryError)
"""Raised if a field is missing, an object is where plain values belong, or a mutant has made something huge."""


@dataclass
class _Place:
    """The values that a field, or a list's element, may hold by the finitization."""

    plain: bool = False
    objects: set[type] = field(default_factory=set)

    def add(self, values: Iterable[DomainValue], kinds: Sequence[type]) -> None:
        for value in values:
            if isinstance(value, Reference) and kinds[value.domain] is not str:
                self.objects.add(kinds[value.domain])
            else:
                self.plain |= value is not None


@dataclass
class Shapes:
    """The fields of each class, and the elements of lists, over all finitizations of a program."""

    root: type
    classes: dict[type, dict[str, _Place]]
    elements: _Place

    @property
    def instances(self) -> list[type]:
        """The classes of the implementation."""
        return [cls for cls in self.classes if cls not in (list, Token)]


def shapes_of(finitization: StateBounds, module: ModuleType) -> Shapes | None:
    """Return the shapes of states and structures of `finitization`; None if keys would miss a part of these."""
    shapes: Shapes | None = None
    if any(map(_holds_more, [finitization, *_structures(finitization)])):
        return None
    for one in [finitization, *_structures(finitization)]:
        kinds = [_kind(domain, module) for domain in one.domains]
        if shapes is None:
            shapes = Shapes(kinds[0], {}, _Place())
        for domain, kind in zip(one.domains, kinds, strict=True):
            if kind is str:
                continue
            if domain.kind is DomainKind.LIST:
                shapes.elements.add(domain.elements, kinds)
            declared = dict(one.fields_of(domain)) if domain.kind is DomainKind.OBJECT else {}
            places = shapes.classes.setdefault(kind, {name: _Place() for name in declared})
            if places.keys() != declared.keys():
                return None
            for name, values in declared.items():
                places[name].add(values, kinds)
    if shapes is None or not all(_is_readable(cls, shapes.classes[cls]) for cls in shapes.instances):
        return None
    return shapes


def _holds_more(finitization: StateBounds) -> bool:
    """Return whether there is something besides plain instances, lists and tokens of atoms."""
    values = [value for domain in finitization.domains for _, held in finitization.fields_of(domain) for value in held]
    return any(domain.kind not in _KEYED or domain.own for domain in finitization.domains) or tuple in map(type, values)


def _structures(finitization: StateBounds) -> list[StateBounds]:
    parameters = [parameter for target in finitization.targets for parameter in target.parameters]
    return [parameter.finitization for parameter in parameters if isinstance(parameter, Structures)]


def _kind(domain: ClassDomain, module: ModuleType) -> type:
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


def is_certain(key: bytes) -> bool:
    """Return whether every state with this key is isomorphic to this one.

    Plain values are then atoms, in this state and, as their types are written with them, in every other. A list
    or dict among them could be one object twice, or two objects.
    """
    parts: Any = marshal.loads(key)  # noqa: S302 (made by a key function)
    for _ in range(_DEPTH):
        parts = [item for part in parts for item in (part if type(part) is tuple else (part,))]
    return _ATOMS.issuperset(map(type, parts))


def key_function(finitization: StateBounds, shapes: Shapes) -> KeyFunction:
    """Compile the function that makes keys."""
    only_list = _only_list(finitization, shapes)
    lines = _general(shapes)
    if only_list is not None:  # what is asked for besides the root may be a second list
        lines = ["if not changeable:", *_indented(_flat(shapes, only_list), 1), *lines]
    names: dict[str, Any] = {"dumps": marshal.dumps, "no_key": _NO_KEY}
    names |= {_name(shapes, cls): cls for cls in shapes.classes}
    body = "\n".join(f"        {line}" for line in lines)
    text = f"def key(root, changeable):\n    try:\n{body}\n    except no_key:\n        return None\n"
    exec(_compiled(text), names)
    key: KeyFunction = names["key"]
    return key


@cache
def _compiled(text: str) -> CodeType:
    return compile(text, "<state key>", "exec")


def _name(shapes: Shapes, cls: type) -> str:
    return f"class{list(shapes.classes).index(cls)}"


def _only_list(finitization: StateBounds, shapes: Shapes) -> str | None:
    """Return the root's only field that holds an object, which is a list of plain values; "" if the root is that list.

    There is then no second place for an object.
    """
    parameters = [parameter for target in finitization.targets for parameter in target.parameters]
    plain = not any(isinstance(p, Structures) or any(isinstance(v, Reference) for v in p) for p in parameters)
    if not plain or shapes.elements.objects or not shapes.classes.keys() <= {shapes.root, list}:
        return None
    if shapes.root is list:
        return ""
    lists = [name for name, place in shapes.classes[shapes.root].items() if place.objects]
    is_alone = len(lists) == 1 and shapes.classes[shapes.root][lists[0]].objects == {list}
    return lists[0] if is_alone and not shapes.classes[shapes.root][lists[0]].plain else None


def _flat(shapes: Shapes, only_list: str) -> list[str]:
    """Return the lines that make a key of the root's plain fields, and then its list's elements."""
    if shapes.root is list:
        return ["return dumps(tuple(root), 2) if type(root) is list else None"]
    fields = shapes.classes[shapes.root]
    plain = "".join(f"fields[{name!r}], " for name in fields if name != only_list)
    return [
        f"if type(root) is not {_name(shapes, shapes.root)}: return None",
        "fields = root.__dict__",
        f"elements = fields[{only_list!r}]",
        f"if len(fields) != {len(fields)} or type(elements) is not {_name(shapes, list)}: return None",
        f"return dumps(({plain}*elements,), 2)",
    ]


def _general(shapes: Shapes) -> list[str]:
    """Return the lines that make a key of the arguments' numbers, and then each object's class number and fields."""
    many_first = sorted(shapes.classes, key=lambda cls: cls is shapes.root)
    lines = [
        f"if type(root) is not {_name(shapes, shapes.root)}: return None",
        "numbers = {id(root): 0}",
        "order = [root]",  # keeps what was met: no id is used twice
        "value = []",
        "for item in changeable:",
        *_indented(_numbered("item", _Place(objects=set(shapes.classes)), shapes), 1),
        "    value.append(item)",
        "parts = [tuple(value)]",
        "for one in order:",
        "    kind = type(one)",
    ]
    for at, cls in enumerate(many_first):
        lines.append(f"    {'elif' if at else 'if'} kind is {_name(shapes, cls)}:")
        lines += _indented(_visited(cls, shapes), 2)
    return [*lines, "return dumps(parts, 2)"]


def _visited(cls: type, shapes: Shapes) -> list[str]:
    number = list(shapes.classes).index(cls)
    if cls is Token:
        return [f"parts += ({number}, one.domain, one.index)"]
    if cls is list:
        if not shapes.elements.objects:
            return [f"parts += ({number}, tuple(one))"]
        body = [*_numbered("item", shapes.elements, shapes), "value.append(item)"]
        return ["value = []", "for item in one:", *_indented(body, 1), f"parts += ({number}, tuple(value))"]
    fields = shapes.classes[cls]
    lines = ["fields = one.__dict__", f"if len(fields) != {len(fields)}: return None"]
    values = []
    for at, (name, place) in enumerate(fields.items()):
        if place.objects:
            lines += [f"field{at} = fields[{name!r}]", *_numbered(f"field{at}", place, shapes)]
        values.append(f"field{at}" if place.objects else f"fields[{name!r}]")
    return [*lines, f"parts += ({number}, {', '.join(values)})"]


def _numbered(name: str, place: _Place, shapes: Shapes) -> list[str]:
    """Return the lines that replace the object `name` by its number; a plain value, if allowed, by a tuple of it."""
    test = " and ".join(f"kind is not {_name(shapes, cls)}" for cls in shapes.classes if cls in place.objects)
    otherwise = [f"    {name} = ({name},)"] if place.plain else ["    return None"]
    return [
        f"if {name} is not None:",
        f"    number = numbers.get(id({name}))",
        "    if number is None:",
        f"        kind = type({name})",
        f"        if {test}:",
        *_indented(otherwise, 2),
        "        else:",
        f"            numbers[id({name})] = number = len(order)",
        f"            order.append({name})",
        f"            {name} = number",
        "    else:",
        f"        {name} = number",
    ]


def _indented(lines: Iterable[str], by: int) -> list[str]:
    return [f"{'    ' * by}{line}" for line in lines]
