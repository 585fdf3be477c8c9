"""Encodes states as bytes, and decodes them: an object graph without the classes of any one module.

So a state that the original's calls have led to can be restored in a mutant. Objects are allocated by the methods of C
that their classes inherit, and filled past their own methods. Of the program's code, only `__hash__` and `__eq__` of
keys and of members of sets are run.
"""

from __future__ import annotations

import copyreg
import marshal
import sys
import weakref
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MethodType, MethodWrapperType, ModuleType
from typing import Any

from harness.kernel.inputs.restoring import (
    KINDS_OF_CONTAINER,
    LOCKS,
    Node,
    NotRestorable,
    RestoredState,
    found,
)
from harness.kernel.objects.reading import ATOMS, is_of_c, stored_fields
from harness.kernel.specs.tokens import Token

_FORMAT = 2
_BY_ADDRESS: Any = object.__hash__
_VALUES: tuple[Any, ...] = (int, float, complex, str, bytes)
_PARTS_OF_REDUCED = 5
_LONGEST_PATH = 20
"""The greatest number of steps of a value's path that a message shows."""
_FACTORY: Any = vars(defaultdict)["default_factory"].__get__
_MAXLEN: Any = vars(deque)["maxlen"].__get__
_ARGUMENTS: Any = vars(BaseException)["args"].__get__


def encode(roots: Sequence[Any], module: ModuleType) -> bytes:
    """Encode the object graph below `roots`, whose classes are those of `module` or of other modules.

    Raises:
        NotRestorable: an object cannot be made again: an object of C that cannot be read, or a function without a name.
            This also holds for a set of objects that are hashed by address, so that their order is chance.
    """
    return _Writer(module).write(roots)


def decode(data: bytes, module: ModuleType) -> list[Any]:
    """Return the roots that `encode` was given, made of the classes of `module`.

    A global variable of a module, or an attribute of one of its classes, gets the state that it was in. The order of a
    set's members is no part of a state.

    Raises:
        NotRestorable: `module` lacks a class or function of the state, or gives its objects no such attribute.
    """
    return RestoredState(module, *marshal.loads(data)).roots  # noqa: S302 (made by `encode` in a process of ours)


class _Writer:
    """Numbers objects in the order in which they are met, and encodes each as a tuple of its kind and its parts.

    A part is the number of an object, or an atom in a tuple of its own.
    """

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._numbers: dict[int, int] = {}
        self._met: list[tuple[Any, int, str]] = []
        """Each value with the number of its owner (-1: it is a root), and the step from its owner to it."""
        self._at = -1
        self._globals: dict[str, dict[int, str]] = {}

    def write(self, roots: Sequence[Any]) -> bytes:
        parts = self._parts(roots, "the root")
        nodes: list[Node] = []
        for number, (value, _, _) in enumerate(self._met):  # grows while it is walked
            self._at = number
            nodes.append(self._node(value))
        return marshal.dumps((parts, nodes), _FORMAT)

    def _part(self, value: Any, step: str) -> Any:
        if type(value) in ATOMS:
            return (value,)
        number = self._numbers.get(id(value))
        if number is None:
            number = self._numbers[id(value)] = len(self._met)
            self._met.append((value, self._at, step))
        return number

    def _parts(self, values: Iterable[Any], step: str) -> tuple[Any, ...]:
        return tuple([self._part(value, step) for value in values])

    def _refused(self, what: str) -> NotRestorable:
        """Return the error that says why the value at hand cannot be restored, and where it is."""
        steps: list[str] = []
        at = self._at
        while at >= 0:
            _, at, step = self._met[at]
            steps.append(step)
        if len(steps) > _LONGEST_PATH:
            steps[_LONGEST_PATH // 2 : -_LONGEST_PATH // 2] = [" ... "]
        return NotRestorable(f"{''.join(reversed(steps))} is {what}")

    def _node(self, value: Any) -> Node:
        """Encode a value that is no atom. Its own `__class__` is not trusted, as a proxy's is that of another class."""
        cls = type(value)
        if cls is Token:
            return ("token", value.domain, value.index)
        if issubclass(cls, type):
            return ("found", self._named(value))
        if issubclass(cls, Enum):
            return self._member(value, cls)
        if cls is FunctionType:
            return ("found", self._named(value))
        if cls is MethodType:
            return self._method(value)
        if cls in (BuiltinFunctionType, MethodWrapperType):
            return self._builtin(value)
        if cls is ModuleType:
            return ("module", value.__name__)
        if cls in (weakref.ReferenceType, weakref.ProxyType, weakref.CallableProxyType):
            return self._weak(value, cls)
        if cls in LOCKS.values():
            return self._lock(value, cls)
        return self._instance(value, cls)

    def _member(self, value: Any, cls: Any) -> Node:
        name = value._name_
        if cls._member_map_.get(name) is value:
            return ("member", self._named(cls), name)
        return ("flag", self._named(cls), self._part(value._value_, ".value"))

    def _method(self, value: Any) -> Node:
        owner, function = value.__self__, value.__func__
        for base in (owner if isinstance(owner, type) else type(owner)).__mro__:
            for name, held in vars(base).items():
                if held is function or getattr(held, "__func__", None) is function:
                    return ("method", self._part(owner, ", its object"), name)
        raise self._refused("a bound function that is no method of its object")

    def _builtin(self, value: Any) -> Node:
        owner = value.__self__
        if owner is None or type(owner) is ModuleType:
            return ("found", self._named(value))
        return ("builtin", self._part(owner, ", its object"), value.__name__)

    def _weak(self, value: Any, cls: type) -> Node:
        try:
            referent = value() if cls is weakref.ReferenceType else value.__reduce_ex__.__self__
        except ReferenceError:
            referent = None
        if referent is None:
            raise self._refused("a weak reference to a deleted object")
        return ("weak", cls.__name__, self._part(referent, ", its referent"))

    def _lock(self, value: Any, cls: type) -> Node:
        if "unlocked" not in repr(value):
            raise self._refused("a lock that is held")
        return ("lock", next(name for name, kind in LOCKS.items() if kind is cls))

    def _instance(self, value: Any, cls: Any) -> Node:
        of_c = is_of_c(cls)
        kind = next((base for base in KINDS_OF_CONTAINER if issubclass(cls, base)), None)
        if of_c and kind is None and cls not in (tuple, frozenset, complex):
            return self._reduced(value, cls)
        fields = stored_fields(value)
        if issubclass(cls, defaultdict):
            fields["default_factory"] = _FACTORY(value)
        field_parts = tuple([part for name, held in fields.items() for part in (name, self._part(held, f".{name}"))])
        named = self._named(cls)
        if issubclass(cls, tuple):
            return ("frozen", named, "tuple", self._parts(tuple.__iter__(value), ", an element"), field_parts)
        if issubclass(cls, frozenset):
            return ("frozen", named, "frozenset", self._parts(self._in_order(value), ", a member"), field_parts)
        if issubclass(cls, BaseException):
            return ("frozen", named, "BaseException", self._parts(_ARGUMENTS(value), ", an argument"), field_parts)
        for base in _VALUES:
            if issubclass(cls, base):
                return (
                    "frozen",
                    named,
                    base.__name__,
                    tuple((part,) for part in base.__getnewargs__(value)),
                    field_parts,
                )
        place = self._place(value, cls)
        if kind is not None:
            return ("container", named, kind.__name__, self._contents(value, kind), place, field_parts)
        if any(base is not object and is_of_c(base) for base in cls.__mro__):
            raise self._refused(f"a {_full(cls)}, an object of C")
        return ("object", named, place, field_parts)

    def _contents(self, value: Any, base: Any) -> tuple[Any, ...]:
        if base is bytearray:
            return ((bytes(memoryview(value)),),)
        if base is set:
            return self._parts(self._in_order(value), ", a member")
        if issubclass(base, dict):
            return self._parts((part for item in base.items(value) for part in item), ", an item")
        most = ((_MAXLEN(value),),) if base is deque else ()
        return (*most, *self._parts(base.__iter__(value), ", an element"))

    def _reduced(self, value: Any, cls: Any) -> Node:
        """Encode an instance of a class written in C, as it would be pickled."""
        try:
            table = copyreg.dispatch_table.get(cls)
            reduced: Any = value.__reduce_ex__(2) if table is None else table(value)
        except Exception:
            raise self._refused(f"a {_full(cls)}, an object of C") from None
        if isinstance(reduced, str):
            module = getattr(value, "__module__", None) or "builtins"
            return ("found", (found(self._module, reduced) is value, module, reduced))
        constructor, arguments, state, elements, items = (*reduced, *(None,) * _PARTS_OF_REDUCED)[:_PARTS_OF_REDUCED]
        if elements is not None or items is not None:
            raise self._refused(f"a {_full(cls)}, an object of C")
        return (
            "reduced",
            self._part(constructor, ", its maker"),
            self._parts(arguments, ", a part"),
            self._part(state, ", its state"),
        )

    def _in_order(self, members: Any) -> list[Any]:
        """Return the members in the set's order, if that is not chance."""
        base = frozenset if issubclass(type(members), frozenset) else set
        listed = list(base.__iter__(members))
        chance = next(filter(_is_hashed_by_address, listed), None) if len(listed) > 1 else None
        if chance is not None:
            raise self._refused(f"a set of {type(chance).__qualname__} objects, whose order is chance")
        return listed

    def _named(self, value: Any) -> tuple[bool, str, str]:
        """Return where a class or function is found: in the program's own module, or in another one."""
        module, name = str(value.__module__), str(value.__qualname__)
        if found(self._module, name) is value:
            return (True, module, name)
        other = found(sys.modules.get(module), name)
        if type(other) is not type(value) or module == self._module.__name__:
            raise self._refused(f"{name}, or made by it, which has no name in its module")
        return (False, module, name)

    def _place(self, value: Any, cls: Any) -> tuple[bool, str, str] | None:
        """Return where an object is found if it is a global variable of its class's module, or in a class there."""
        own = self._known(self._module.__name__, self._module)
        if id(value) in own:
            return (True, self._module.__name__, own[id(value)])
        if cls.__module__ in ("builtins", self._module.__name__):
            return None
        elsewhere = self._known(cls.__module__, sys.modules.get(cls.__module__))
        return (False, cls.__module__, elsewhere[id(value)]) if id(value) in elsewhere else None

    def _known(self, name: str, module: ModuleType | None) -> dict[int, str]:
        if name not in self._globals:
            self._globals[name] = dict(_globals(module))
        return self._globals[name]


def _globals(module: ModuleType | None) -> Iterator[tuple[int, str]]:
    """Yield the ids and names of objects that are global variables, or attributes of a class."""
    for name, held in vars(module).items() if module else ():
        if name.startswith("__"):
            continue
        yield id(held), name
        if issubclass(type(held), type) and module is not None and held.__module__ == module.__name__:
            yield from ((id(inner), f"{name}.{key}") for key, inner in vars(held).items() if not key.startswith("__"))


def _is_hashed_by_address(value: Any) -> bool:
    """Return whether the hash of a value depends on addresses, which are others in a restored state."""
    cls = type(value)
    for base in (tuple, frozenset):
        if issubclass(cls, base):
            return any(map(_is_hashed_by_address, base.__iter__(value)))
    if cls is MethodType:
        return not isinstance(value.__self__, type)
    return cls.__hash__ is _BY_ADDRESS and not issubclass(cls, (Token, type, type(None), FunctionType, ModuleType))


def _full(cls: Any) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"
