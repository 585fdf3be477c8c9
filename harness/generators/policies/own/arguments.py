"""Compares the arguments of a call that a user writes with the parameters that the spec declares."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from harness.amounts import counted
from harness.errors import SpecError
from harness.kernel.program.loader import resolve
from harness.model.routines import Routine
from harness.model.targets import Target


@dataclass(frozen=True)
class ArgumentChecker:
    """Says what is wrong with the arguments of a call.

    Attributes:
        module: the implementation, executed; its signatures name the parameters.
        root: the name of the class that calls are made on; empty for functions without a state.
    """

    module: ModuleType
    root: str

    def wrong_number(self, name: str, count: int, declared: Sequence[Routine | Target]) -> str:
        """Return what is wrong with a number of arguments, and which ones the spec has.

        Args:
            declared: what the spec declares under the name; one, or several constructors.
        """
        gets = f"{name} gets {counted(count, 'argument')}"
        if len(declared) > 1:
            numbers = " or ".join(str(len(one.parameters)) for one in declared)
            return f"{gets}; give {numbers}, as the spec declares"
        needed, names = len(declared[0].parameters), ", ".join(self._names(declared[0]))
        listed = f": {names}" if names else ""
        if not needed:
            return f"{gets}; the spec declares none, so leave {'it' if count == 1 else 'them'} out"
        if needed == 1:
            return f"{gets}; give the one of the spec{listed}"
        return f"{gets}; give all {needed} of the spec in its order{listed}"

    def named_in_dict(self, declared: Routine | Target, arguments: Sequence[Any]) -> str:
        """Return what is wrong with a dict in the last place that names the parameter of that place; else nothing."""
        if not declared.keywords:
            return ""
        name, last = declared.keywords[-1], arguments[-1]
        if not isinstance(last, Mapping) or name not in last or set(last) == {"result"}:
            return ""
        return f"{declared.name} takes {name} by its place, not in a dict"

    def _names(self, declared: Routine | Target) -> list[str]:
        """Return the names of the parameters in the order of the spec; none if the signature does not tell them."""
        count = len(declared.parameters) - len(declared.keywords)
        try:
            function, before = self._function(declared)
            parameters = inspect.signature(function).parameters.values()
        except (AttributeError, SpecError, TypeError, ValueError):
            return []
        by_place = [one.name for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
        names = by_place[before : before + count]
        return [*names, *declared.keywords] if len(names) == count else []

    def _function(self, declared: Routine | Target) -> tuple[Any, int]:
        """Return what is called, and the number of its parameters before those of the spec."""
        kind = declared.kind.value
        if kind != "method":
            return resolve(self.module, declared.name), int(kind == "function" and bool(self.root))
        owner = resolve(self.module, self.root)
        is_bound = isinstance(inspect.getattr_static(owner, declared.name), (staticmethod, classmethod))
        return getattr(owner, declared.name), int(not is_bound)
