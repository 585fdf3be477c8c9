"""Finds out what the spec's functions read: whether their answers depend on nothing but the state that they get."""

from __future__ import annotations

import builtins
import dis
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from harness.kernel.objects.reading import ATOMS
from harness.kernel.program.builtin_effects import BUILTINS, CallEffects, is_exception, named
from harness.kernel.program.code_reading import codes_of
from harness.kernel.program.steps import TICK
from harness.kernel.specs.spec import Spec

ANSWERING = named(BUILTINS, CallEffects.DEPENDS_ON_CONTENT)
"""Builtins that the spec's functions may call."""

_FORBIDDEN = {name for name in vars(builtins) if name not in ANSWERING and not is_exception(name)}
KEEPS_STATE = frozenset(
    {"STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR", "IMPORT_NAME", "LOAD_BUILD_CLASS"}
)
"""Instructions of functions whose answers may change from one call to the next."""


def names_read(
    spec: Spec, more: Iterable[Callable[..., Any]] = (), refused: frozenset[str] = KEEPS_STATE
) -> frozenset[str] | None:
    """Return the names of attributes that judging a state may read; None if it may read more than the state.

    Args:
        more: functions of the spec that are called, too.
        refused: instructions that none of these functions may have.
    """
    functions = [*more, spec.rep_ok] if spec.abstraction is None else [*more, spec.rep_ok, spec.abstraction]
    names: set[str] = set()
    seen: set[object] = set()
    while functions:
        function = functions.pop()
        if function in seen:
            continue
        seen.add(function)
        if not isinstance(function, FunctionType) or function.__globals__ is not vars(spec.module):
            return None
        referenced = (
            *(function.__defaults__ or ()),
            *(function.__kwdefaults__ or {}).values(),
            *vars(function).values(),
        )
        if function.__closure__ or not ATOMS.issuperset(map(type, referenced)):
            return None
        for code in codes_of(function.__code__):
            if any(instruction.opname in refused for instruction in dis.get_instructions(code)):
                return None
            names.update(code.co_names)
        for name in names - {TICK}:
            value = vars(spec.module).get(name)
            if isinstance(value, FunctionType):
                functions.append(value)
            elif name.startswith("__") or type(value) not in ATOMS or name in _FORBIDDEN:
                return None
    return frozenset(names)
