"""Writes values and object graphs as readable Python source, with names for shared objects and cycles."""

from __future__ import annotations

import builtins
import keyword
from collections import Counter, deque
from collections.abc import Callable, Iterable
from enum import Enum
from types import ModuleType
from typing import Any

from harness.kernel.objects.reading import ATOMS, NOT_COMPARED, held_contents, stored_fields
from harness.kernel.specs.tokens import Token
from harness.model.finitization import CONTENTS
from harness.model.literals import displayed
from harness.report.python_files import is_found

RESERVED = frozenset(
    {
        "Abstract", "Cases", "IMPLEMENTATION", "MadeObject", "Named", "Path", "Raises", "SPEC", "Same", "Self", "Token",
        "builder", "cases", "check", "deque", "impl", "importlib", "load", "loaded_afresh", "number", "pytest",
        "raises", "same", "same_structure", "spec", "sys", "with_keywords", *dir(builtins), *keyword.kwlist,
    }
)  # fmt: skip
"""Names that the written file uses itself, or whose meaning in Python it needs."""

_EXACT = ATOMS - {float}
# The value of an instance of these types is not in its attributes.
_NOT_BY_FIELDS = (int, float, complex, str, bytes, tuple, set, frozenset, deque, type, BaseException)
_CONTAINERS = (tuple, list, dict, deque, set)


class NoLiteral(Exception):
    """A value cannot be written as source; the message is its type's name."""


class Literals:
    """Writes values of one module as source.

    An instance of `Node` becomes `Node(left=None, right=None, info=1)`. The first mention of a shared object is
    `Named("a", ...)`, a later one `Same("a")`. Fields whose names `omits` are left out.
    """

    def __init__(self, module: ModuleType, omits: Callable[[str], bool] | None = None) -> None:
        self._module = module
        self._omits = omits
        self._used: dict[str, str] = {}
        self._mentions: Counter[int] = Counter()
        self._names: dict[int, str] = {}

    @property
    def classes(self) -> dict[str, str]:
        """The names of the builders in the source by class name, for the classes written so far."""
        return dict(sorted(self._used.items()))

    def write(self, *values: Any) -> list[str]:
        """Return the source of each value; names are shared by all of them.

        Raises:
            NoLiteral: a value of a foreign class, a function, or a container that contains itself.
        """
        self._mentions = Counter()
        self._names = {}
        for value in values:
            self._count(value, ())
        return [self._write(value) for value in values]

    def _count(self, value: Any, containers: tuple[int, ...]) -> None:
        """Count the mentions of each object with an identity below `value`."""
        if type(value) in _CONTAINERS:
            if id(value) in containers:
                raise NoLiteral(f"{type(value).__name__} that contains itself")
            inner: Iterable[Any] = [*value.keys(), *value.values()] if isinstance(value, dict) else value
            inside = (*containers, id(value))
        elif self._is_own(value):
            inner, inside = self._parts(value).values(), ()
        else:
            return
        if type(value) is not tuple:
            self._mentions[id(value)] += 1
            if self._mentions[id(value)] > 1:
                return
        for item in inner:
            self._count(item, inside)

    def _is_own(self, value: Any) -> bool:
        """Return whether a value is an instance of one of the module's classes, and its fields describe it."""
        kind = type(value)
        if kind.__module__ != self._module.__name__ or issubclass(kind, (Enum, *_NOT_BY_FIELDS)):
            return False
        return is_found(kind, self._module)

    def _write(self, value: Any) -> str:
        if id(value) in self._names:
            return f'Same("{self._names[id(value)]}")'
        if self._mentions[id(value)] > 1:
            name = self._names[id(value)] = _letters(len(self._names))
            return f'Named("{name}", {self._contents(value)})'
        return self._contents(value)

    def _contents(self, value: Any) -> str:
        kind = type(value)
        if kind in _EXACT:
            return repr(value)
        if issubclass(kind, Token):
            return f'Token("{value.domain}", {value.index})'
        if kind is deque:
            bound = "" if value.maxlen is None else f", {value.maxlen}"
            return f"deque([{', '.join(map(self._write, value))}]{bound})"
        if kind in (set, frozenset) and any(type(item) not in _EXACT for item in value):
            raise NoLiteral(f"{kind.__name__} of objects")
        if issubclass(kind, Enum) and kind.__module__ == self._module.__name__:
            name = f"impl.{kind.__qualname__}"
            return f"{name}.{value.name}" if value.name in kind.__members__ else f"{name}({value.value!r})"
        if kind in NOT_COMPARED:
            return f"MadeObject({NOT_COMPARED[kind].number})"
        if self._is_own(value):
            return self._object(value)
        display = displayed(value, self._write)
        if display is None:
            raise NoLiteral(kind.__qualname__)
        return display

    def _parts(self, value: Any) -> dict[str, Any]:
        """Return the stored fields, and the contents of an instance of a class derived from list or dict."""
        parts = stored_fields(value, self._omits)
        held = held_contents(value)
        return parts if held is None else {**parts, CONTENTS: held}

    def _object(self, value: Any) -> str:
        name = type(value).__qualname__
        if name not in self._used:
            self._used[name] = _free_name(name.replace(".", "_"), RESERVED.union(self._used.values()))
        fields = [
            f"{field}={self._write(item)}"
            if field.isidentifier() and not keyword.iskeyword(field)
            else f"**{{{field!r}: {self._write(item)}}}"
            for field, item in self._parts(value).items()
        ]
        return f"{self._used[name]}({', '.join(fields)})"


def _free_name(name: str, used_names: frozenset[str]) -> str:
    while name in used_names:
        name += "_"
    return name


def _letters(number: int) -> str:
    """Return a name by number: a, b, ..., z, a1, b1, ..."""
    turn, letter = divmod(number, 26)
    return f"{chr(ord('a') + letter)}{turn or ''}"
