"""States as bytes, and back: what an object graph consists of, told without the classes of any one module.

So a state that the original's calls have led to can be put before a mutant's. Objects are allocated by the methods
of C that their classes inherit, and filled past their own methods: none of the program's code is run.
"""

from __future__ import annotations

import marshal
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any

from harness.kernel.inputs.making import native
from harness.kernel.program.loader import resolve
from harness.kernel.specs.tokens import Token

_ATOMS = frozenset({type(None), bool, int, float, complex, str, bytes})
_HEAP_TYPE = 1 << 9
"""Flag of classes made by a class statement, not in C."""
_FORMAT = 2
_DEFAULT_HASH: Any = object.__hash__

_SEQUENCE, _MAPPING, _SET = "sequence", "mapping", "set"
_MUTABLE: dict[type, str] = {
    list: _SEQUENCE, deque: _SEQUENCE, bytearray: "bytes", dict: _MAPPING, OrderedDict: _MAPPING, set: _SET,
}  # fmt: skip
_FROZEN: dict[str, Any] = {"tuple": tuple, "frozenset": frozenset}

Node = tuple[Any, ...]


class NotRestorable(Exception):
    """A state holds something that cannot be made again from what can be read of it; says what, and where."""


def encode(roots: Sequence[Any], module: ModuleType) -> bytes:
    """The object graph below `roots`, whose classes are those of `module` or of other modules.

    Raises:
        NotRestorable: it holds an object of C that is no container, a function without a name, or a set (or keys
            of a dict) of objects that are told apart by where they lie in memory, so that their order is chance.
    """
    return _Writer(module.__name__).write(roots)


def decode(data: bytes, module: ModuleType) -> list[Any]:
    """The roots that `encode` was given, made anew of the classes of `module`.

    Raises:
        NotRestorable: `module` lacks a class or function of the state, or gives its objects no such attribute.
    """
    return _Reader(module, marshal.loads(data)).roots  # noqa: S302 (made by `encode` in a process of ours)


class _Writer:
    """Numbers objects in the order in which they are met, and tells each as a tuple of its kind and its parts.

    A part is the number of an object, or an atom in a tuple of its own.
    """

    def __init__(self, own: str) -> None:
        self._own = own
        self._numbers: dict[int, int] = {}
        self._met: list[tuple[Any, str]] = []

    def write(self, roots: Sequence[Any]) -> bytes:
        parts = [self._part(root, "the root") for root in roots]
        nodes: list[Node] = []
        for value, path in self._met:  # grows while it is walked
            nodes.append(self._node(value, path))
        return marshal.dumps((parts, nodes), _FORMAT)

    def _part(self, value: Any, path: str) -> Any:
        if type(value) in _ATOMS:
            return (value,)
        number = self._numbers.get(id(value))
        if number is None:
            number = self._numbers[id(value)] = len(self._met)
            self._met.append((value, path))
        return number

    def _parts(self, values: Iterable[Any], path: str) -> tuple[Any, ...]:
        return tuple(self._part(value, path) for value in values)

    def _node(self, value: Any, path: str) -> Node:
        cls = type(value)
        if isinstance(value, Token):
            return ("token", value.domain, value.index)
        if isinstance(value, type):
            return ("class", self._named(value, path))
        if isinstance(value, Enum):
            return ("member", self._named(cls, path), value.name)
        if isinstance(value, FunctionType):
            return ("function", self._named(value, path))
        if isinstance(value, MethodType):
            return ("method", self._part(value.__self__, path), value.__func__.__name__)
        if isinstance(value, BuiltinFunctionType):
            return self._builtin(value, path)
        if isinstance(value, ModuleType):
            return ("module", value.__name__)
        return self._instance(value, cls, path)

    def _builtin(self, value: Any, path: str) -> Node:
        owner = value.__self__
        if owner is None or isinstance(owner, ModuleType):
            return ("function", (False, value.__module__ or "builtins", value.__qualname__))
        return ("method", self._part(owner, path), value.__name__)

    def _instance(self, value: Any, cls: Any, path: str) -> Node:
        fields = _attributes(value)
        told = tuple(part for name, held in fields.items() for part in (name, self._part(held, f"{path}.{name}")))
        named = self._named(cls, path)
        if isinstance(value, tuple):
            return ("frozen", named, "tuple", self._parts(tuple.__iter__(value), path), told)
        if isinstance(value, frozenset):
            return ("frozen", named, "frozenset", self._parts(self._in_order(value, path), path), told)
        for base, kind in _MUTABLE.items():
            if isinstance(value, base) and (base is not dict or not isinstance(value, OrderedDict)):
                return ("container", named, base.__name__, self._contents(value, base, kind, path), told)
        if _is_of_c(cls):
            raise NotRestorable(f"{path} is a {cls.__module__}.{cls.__qualname__}, an object of C")
        return ("object", named, told)

    def _contents(self, value: Any, base: Any, kind: str, path: str) -> tuple[Any, ...]:
        if kind == "bytes":
            return (bytes(value),)
        if kind == _SET:
            return self._parts(self._in_order(value, path), f"{path}, a member")
        if kind == _MAPPING:
            self._in_order(base.keys(value), path)
            flat = (part for item in base.items(value) for part in item)
            return self._parts(flat, f"{path}, an item")
        most = (value.maxlen,) if base is deque else ()
        return (*most, *self._parts(base.__iter__(value), f"{path}, an element"))

    def _in_order(self, members: Iterable[Any], path: str) -> list[Any]:
        """The members as the container has them, if that is no chance."""
        listed = list(members)
        for member in listed:
            if type(member).__hash__ is _DEFAULT_HASH and not isinstance(member, (Token, type)):
                raise NotRestorable(f"{path} holds {type(member).__qualname__} objects in an order that is chance")
        return listed

    def _named(self, found: Any, path: str) -> tuple[bool, str, str]:
        module, name = str(found.__module__), str(found.__qualname__)
        if "<" in name:
            raise NotRestorable(f"{path} is, or is made by, {name}, which has no name in its module")
        return (module == self._own, module, name)


class _Reader:
    """Makes all objects empty, then what cannot be changed later, then fills attributes, and containers at last."""

    def __init__(self, module: ModuleType, data: tuple[list[Any], list[Node]]) -> None:
        self._module = module
        parts, self._nodes = data
        self._made: dict[int, Any] = {}
        for number, node in enumerate(self._nodes):
            if node[0] in ("object", "container"):
                self._made[number] = self._empty(node)
        fills = [number for number, node in enumerate(self._nodes) if node[0] in ("object", "container", "frozen")]
        for number in fills:
            self._fill_attributes(self._value(number), self._nodes[number][-1])
        for number in reversed(fills):  # what a member's hash reads is likelier there
            if self._nodes[number][0] == "container":
                self._fill(self._made[number], self._nodes[number])
        self.roots = [self._value(part) for part in parts]

    def _value(self, part: Any) -> Any:
        if type(part) is tuple:
            return part[0]
        if part not in self._made:
            self._made[part] = self._leaf(self._nodes[part])
        return self._made[part]

    def _empty(self, node: Node) -> Any:
        cls = self._found(node[1])
        try:
            made = native(cls, "__new__")(cls)
        except TypeError as error:
            raise NotRestorable(f"an object of class {cls.__qualname__} cannot be made empty ({error})") from None
        if node[0] == "container" and node[2] == "deque":
            made = deque.__new__(cls)
            deque.__init__(made, (), node[3][0])
        return made

    def _leaf(self, node: Node) -> Any:
        kind = node[0]
        if kind == "token":
            return Token(node[1], node[2])
        if kind in ("class", "function"):
            return self._found(node[1])
        if kind == "member":
            return self._found(node[1])[node[2]]
        if kind == "method":
            return getattr(self._value(node[1]), node[2])
        if kind == "module":
            return sys.modules[node[1]]
        return _FROZEN[node[2]].__new__(self._found(node[1]), [self._value(part) for part in node[3]])

    def _fill(self, made: Any, node: Node) -> None:
        base = next(base for base in _MUTABLE if base.__name__ == node[2])
        if _MUTABLE[base] == "bytes":
            made[:] = node[3][0]
            return
        values = [self._value(part) for part in (node[3][1:] if base is deque else node[3])]
        if base is list:
            list.extend(made, values)
        elif base is deque:
            deque.extend(made, values)
        elif base is set:
            set.update(made, values)
        else:
            put: Callable[[Any, Any, Any], None] = native(type(made), "__setitem__")
            for key, value in zip(values[::2], values[1::2], strict=True):
                put(made, key, value)

    def _fill_attributes(self, made: Any, told: tuple[Any, ...]) -> None:
        if not told:
            return
        fields = dict(zip(told[::2], map(self._value, told[1::2]), strict=True))
        slots = _slots(type(made))
        for name in fields.keys() & slots.keys():
            slots[name].__set__(made, fields.pop(name))
        if fields:
            try:
                object.__getattribute__(made, "__dict__").update(fields)
            except AttributeError:
                raise NotRestorable(
                    f"objects of class {type(made).__qualname__} have no attribute {next(iter(fields))!r}"
                ) from None

    def _found(self, named: tuple[bool, str, str]) -> Any:
        own, module, name = named
        if own:
            try:
                return resolve(self._module, name)
            except Exception as error:
                raise NotRestorable(f"{self._module.__name__} has no {name} ({error})") from None
        found: Any = sys.modules.get(module)
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is None:
            raise NotRestorable(f"there is no {module}.{name}")
        return found


def _slots(cls: Any) -> dict[str, Any]:
    """The slots of a class and its bases, by the names of their attributes."""
    return {
        name: member
        for base in reversed(cls.__mro__)
        for name, member in vars(base).items()
        if isinstance(member, MemberDescriptorType)
    }


def _attributes(value: Any) -> dict[str, Any]:
    """What an object holds by name, read past its class's own methods: slots that are filled, and its `__dict__`."""
    found: dict[str, Any] = {}
    for name, member in _slots(type(value)).items():
        try:
            found[name] = member.__get__(value)
        except AttributeError:
            pass  # an empty one
    if type(value).__dictoffset__:
        found.update(object.__getattribute__(value, "__dict__"))
    return found


def _is_of_c(cls: Any) -> bool:
    """Whether an instance may hold something besides attributes: a class of C other than object is among its bases."""
    return any(base is not object and not base.__flags__ & _HEAP_TYPE for base in cls.__mro__)
