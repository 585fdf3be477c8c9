"""Locations of the objects that a program keeps in its global variables and in the attributes of its classes.

A program recognises such an object by identity (`self.held is EMPTY`). A state that refers to one must therefore refer
to the program's own object, whichever copy of the program the state is rebuilt for.
"""

from __future__ import annotations

import sys
import weakref
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from harness.kernel.program.loader import ModuleText, execute_with_ticks
from harness.kernel.program.steps import StepCounter

_NEVER_REFILLED = (type, ModuleType, FunctionType, MethodType, BuiltinFunctionType, BaseException, weakref.ref)

Place = tuple[bool, str, str]
"""A location: whether the module is the program's own, the module's name, and the object's dotted name in it."""


class Places:
    """Finds the locations of objects in one program."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._names: dict[str, dict[int, str]] = {module.__name__: _names(module)}

    def of(self, value: Any) -> Place | None:
        """Return an object's location in the program's module, else in the module of its class, else None."""
        if isinstance(value, _NEVER_REFILLED):
            return None
        home, elsewhere = self._module.__name__, type(value).__module__
        name = self._names[home].get(id(value))
        if name is not None:
            return True, home, name
        if elsewhere in ("builtins", home):
            return None
        if elsewhere not in self._names:
            self._names[elsewhere] = _names(sys.modules.get(elsewhere))
        name = self._names[elsewhere].get(id(value))
        return None if name is None else (False, elsewhere, name)


def _names(module: ModuleType | None) -> dict[int, str]:
    """Return the dotted names of a module's objects by object id; of several names, the last one counts."""
    names: dict[int, str] = {}
    for name, held in [] if module is None else vars(module).items():
        if name[:2] == "__":
            continue
        names[id(held)] = name
        if isinstance(held, type) and held.__module__ == getattr(module, "__name__", None):
            names |= {id(inner): f"{name}.{key}" for key, inner in vars(held).items() if key[:2] != "__"}
    return names


def standing_at(place: Place, module: ModuleType) -> Any:
    """Return the object at a location of the program whose module is `module`.

    Raises:
        LookupError: there is no object at that location.
    """
    own, name, dotted = place
    value: Any = module if own else sys.modules.get(name)
    for part in dotted.split("."):
        if not hasattr(value, part):
            raise LookupError(f"there is no {name}.{dotted}")
        value = getattr(value, part)
    return value


@dataclass(frozen=True)
class SecondCopy:
    """A second copy of a program, with its companion modules, which `sys.modules` no longer names."""

    module: ModuleType
    companions: Mapping[str, ModuleType]

    @classmethod
    def of(cls, text: ModuleText, counter: StepCounter) -> SecondCopy:
        """Load a copy of the program. Call this before loading the copy that `sys.modules` is to name."""
        module = execute_with_ticks(text, counter)
        names = [companion.name for companion in text.companions if companion.name in sys.modules]
        return cls(module, {name: sys.modules[name] for name in names})


@contextmanager
def companions_installed(modules: Mapping[str, ModuleType]) -> Iterator[None]:
    """Make `sys.modules` name the companion modules of another copy of the program within the block."""
    replaced = {name: sys.modules[name] for name in modules}
    sys.modules.update(modules)
    try:
        yield
    finally:
        sys.modules.update(replaced)


def emptied(held: Any) -> Any:
    """Empty an object by methods of built-in classes, which its own class cannot override, and return it."""
    containers: tuple[Any, ...] = (list, deque, bytearray, dict, set)
    for base in containers:
        if isinstance(held, base):
            base.clear(held)
    for cls in type(held).__mro__:
        for name, member in vars(cls).items() if "__slots__" in vars(cls) else ():
            if type(member).__name__ == "member_descriptor" and hasattr(held, name):
                member.__delete__(held)
    if hasattr(held, "__dict__"):
        object.__getattribute__(held, "__dict__").clear()
    return held
