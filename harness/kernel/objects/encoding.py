"""Compiles functions that encode object graphs of known classes as bytes: equal bytes mean isomorphic graphs.

An encoding has the fields of each object in order of first visit, and then the kinds of all objects. An object is
represented by its number as `bytes`, a constant by a tuple with its index, and an atom by itself.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import CodeType
from typing import Any

from harness.kernel.objects.reading import ATOMS, Omits

PLAIN = ATOMS - {bytes}
"""The types of values that are encoded unchanged. Not bytes, which represent objects."""
KEYS = PLAIN - {float}
"""The types whose values are equal exactly if their bytes are. Not float, since nan is not equal to itself."""

MOST_OBJECTS = 4096
"""The largest number of objects in one graph."""
_REFERENCES = [b"%x" % number for number in range(MOST_OBJECTS)]


class UnsupportedState(Exception):
    """An object is of a shape that the compiled function does not know."""


ODD = (UnsupportedState, KeyError, AttributeError, ValueError, IndexError)
"""The exceptions that an encoder raises at unknown shapes."""


@dataclass
class HeldKinds:
    """The kinds of values in a field, or in elements, except None."""

    plain: bool = False
    objects: bool = False


@dataclass
class EncodedClass:
    """A class of objects: its fields by name, or the place of its elements."""

    cls: type
    number: int
    fields: dict[str, HeldKinds] = field(default_factory=dict)
    elements: HeldKinds | None = None
    slotted: bool = False

    def read(self, one: str, fields: str, name: str) -> str:
        """Return code that reads a field, from the object or from its dict."""
        return f"{one}.{name}" if self.slotted else f"{fields}[{name!r}]"


@dataclass(frozen=True)
class Encoder:
    """A function from a root to its encoding; it raises one of ODD at unknown shapes.

    Attributes:
        kinds: the kinds of objects, first that of the root, which most graphs have once.
        omits: names fields that are not encoded.
        most_elements: the greatest number of elements of a container; None is returned of a graph with more.
        ending: lines that are executed when `order` has all objects, and `numbers` has them by id.
    """

    kinds: Sequence[EncodedClass]
    omits: Omits | None = None
    most_elements: int | None = None
    ending: tuple[str, ...] = ()

    def function(self, name: str) -> list[str]:
        """Return the lines of the function, whose global names are those of `names_of`."""
        lines = [
            f"def {name}(root):",
            "    numbers = {id(root): references[0]}",
            "    order = [root]",
            "    parts = []",
            "    for one in order:",
            "        kind = type(one)",
        ]
        for at, kind in enumerate(many_first(self.kinds)):
            lines.append(f"        {'elif' if at else 'if'} kind is class{kind.number}:")
            lines += indented(
                self._instance(kind) if kind.elements is None else self._container(kind, kind.elements), 3
            )
        return [
            *lines,
            "        else: raise Odd",
            *indented(self.ending, 1),
            "    parts.append(bytes(map(kind_of, map(type, order))))",
            "    return dumps(parts, 2)",
        ]

    def _instance(self, kind: EncodedClass) -> list[str]:
        lines = [] if kind.slotted else ["fields = one.__dict__", f"if len(fields) != {len(kind.fields)}: raise Odd"]
        values = []
        for at, (name, place) in enumerate(kind.fields.items()):
            if self.omits is not None and self.omits(name):
                lines += [] if kind.slotted else [f"fields[{name!r}]"]  # else another field has replaced it
                continue
            lines += [f"f{at} = {kind.read('one', 'fields', name)}", *_written(f"f{at}", place)]
            values.append(f"f{at}")
        return [*lines, f"parts += ({', '.join(values)}{',' if values else ''})"]

    def _container(self, kind: EncodedClass, elements: HeldKinds) -> list[str]:
        lines = [] if self.most_elements is None else [f"if len(one) > {self.most_elements}: return None"]
        lines.append("parts.append(len(one))")
        if kind.cls is dict:
            return [
                *lines,
                "if not keys.issuperset(map(type, one)): raise Odd",
                "for name, item in one.items():",
                "    parts.append(name)",
                *indented(_element(elements), 1),
            ]
        each = ["for item in one:", *indented(_element(elements), 1)]
        if elements.objects:
            return [*lines, *each]
        return [*lines, "if atoms.issuperset(map(type, one)): parts += one", "else:", *indented(each, 1)]


def names_of(kinds: Sequence[EncodedClass], constants: Mapping[int, tuple[int]]) -> dict[str, Any]:
    """Return the global names of encoders.

    Args:
        constants: by the id of an object that is the same in every graph, its index in a tuple.
    """
    return {
        "dumps": marshal.dumps, "Odd": UnsupportedState, "references": _REFERENCES,
        "atoms": PLAIN, "keys": KEYS, "constants": constants,
        "kind_of": {kind.cls: kind.number for kind in kinds}.__getitem__,
        **{f"class{kind.number}": kind.cls for kind in kinds},
    }  # fmt: skip


def execute(lines: Iterable[str], names: dict[str, Any]) -> None:
    """Define functions, each text of which is compiled once."""
    exec(_compiled("\n".join(lines)), names)


@cache
def _compiled(text: str) -> CodeType:
    return compile(text, "<encoding of states>", "exec")


def many_first(kinds: Sequence[EncodedClass]) -> list[EncodedClass]:
    """Return the kinds with the root's last: others are more frequent."""
    return [*kinds[1:], *kinds[:1]]


def _element(place: HeldKinds) -> list[str]:
    return [*_written("item", place), "parts.append(item)"]


def _written(name: str, place: HeldKinds) -> list[str]:
    """Return code that replaces an object by its number, and a constant by its index."""
    if not place.objects:
        return [
            f"if type({name}) is not int and type({name}) not in atoms:",
            f"    {name} = constants.get(id({name}))",
            f"    if {name} is None: raise Odd",
        ]
    number = [
        f"place = id({name})",
        "if place in numbers:",
        f"    {name} = numbers[place]",
        "else:",
        f"    order.append({name})",
        f"    numbers[place] = {name} = references[len(numbers)]",
    ]
    if not place.plain:
        return [f"if {name} is not None:", *indented(number, 1)]
    return [
        f"if type({name}) not in atoms:",
        f"    constant = constants.get(id({name}))",
        f"    if constant is not None: {name} = constant",
        "    else:",
        *indented(number, 2),
    ]


def indented(lines: Iterable[str], by: int) -> list[str]:
    """Return lines with so many more levels of indentation."""
    return [f"{'    ' * by}{line}" for line in lines]
