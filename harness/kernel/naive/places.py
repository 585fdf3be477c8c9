"""Objects that have a place in a program: its global variables, and what stands in its classes.

A program tells such an object by which one it is (`self.held is EMPTY`), so a state that refers to one has to refer to
the program's own object wherever it is put.
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
"""Whether it is in the program's own module, the module's name, and the name there."""


class Places:
    """The places of objects in one program."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._names: dict[str, dict[int, str]] = {module.__name__: _names(module)}

    def of(self, value: Any) -> Place | None:
        """Where an object stands: in the program's module, or else in the one that its class is of."""
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
    """By their ids, the objects of a module; what has several names has the last one."""
    names: dict[int, str] = {}
    for name, held in [] if module is None else vars(module).items():
        if name[:2] == "__":
            continue
        names[id(held)] = name
        if isinstance(held, type) and held.__module__ == getattr(module, "__name__", None):
            names |= {id(inner): f"{name}.{key}" for key, inner in vars(held).items() if key[:2] != "__"}
    return names


def standing_at(place: Place, module: ModuleType) -> Any:
    """What stands at a place of a program whose module is `module`.

    Raises:
        LookupError: nothing does.
    """
    own, name, dotted = place
    found: Any = module if own else sys.modules.get(name)
    for part in dotted.split("."):
        if not hasattr(found, part):
            raise LookupError(f"there is no {name}.{dotted}")
        found = getattr(found, part)
    return found


@dataclass(frozen=True)
class Aside:
    """A copy of a program, with the other modules that it is made of, which `sys.modules` no longer names."""

    module: ModuleType
    companions: Mapping[str, ModuleType]

    @classmethod
    def of(cls, text: ModuleText, counter: StepCounter) -> Aside:
        """The program loaded once more, before that one which `sys.modules` is to name."""
        module = execute_with_ticks(text, counter)
        names = [companion.name for companion in text.companions if companion.name in sys.modules]
        return cls(module, {name: sys.modules[name] for name in names})


@contextmanager
def among(modules: Mapping[str, ModuleType]) -> Iterator[None]:
    """Within it, `sys.modules` names these: the other modules of a program, as another copy of it has others."""
    others = {name: sys.modules[name] for name in modules}
    sys.modules.update(modules)
    try:
        yield
    finally:
        sys.modules.update(others)


def emptied(held: Any) -> Any:
    """An object without its contents and attributes, as its class's own methods could not prevent."""
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
