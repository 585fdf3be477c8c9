"""Executes an implementation or a spec from its text, as a module, without the import system finding it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, ModuleType
from typing import Any

from harness.errors import SpecError
from harness.kernel.steps import TICK, StepCounter, with_ticks

SELECTOR = "__mutascope_mutant__"
"""Global of a metamutant module that selects the mutant; 0 is the original."""


@dataclass(frozen=True)
class ModuleText:
    """A module to be executed: its name, text, the file that tracebacks and coverage name, and blocked imports."""

    name: str
    source: str
    filename: str
    blocked: tuple[str, ...] = ()


@contextmanager
def _blocked(names: tuple[str, ...]) -> Iterator[None]:
    """Importing any of `names` raises ImportError within the block."""
    absent = object()
    before: dict[str, Any] = {name: sys.modules.get(name, absent) for name in names}
    for name in names:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name, module in before.items():
            if module is absent:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def execute(text: ModuleText, code: CodeType | None = None, presets: Mapping[str, object] | None = None) -> ModuleType:
    """A fresh module made by executing `code` (or `text.source`) with `presets` among its globals.

    `sys.modules` names it while it executes, as dataclasses and pickling expect, and is restored
    afterwards: the interpreter's own users of, say, `heapq` keep theirs.
    """
    if code is None:
        code = compile(text.source, text.filename, "exec", dont_inherit=True)
    module = ModuleType(text.name)
    module.__file__ = text.filename
    package, _, _ = text.name.rpartition(".")
    module.__package__ = package
    module.__dict__.update(presets or {})
    before = sys.modules.get(text.name)
    sys.modules[text.name] = module
    try:
        with _blocked(text.blocked):
            exec(code, module.__dict__)
    finally:
        if before is None:
            sys.modules.pop(text.name, None)
        else:
            sys.modules[text.name] = before
    return module


def compile_with_ticks(text: ModuleText) -> CodeType:
    """The text compiled so that every function entry and loop iteration spends a step.

    Raises:
        SyntaxError: it does not compile.
    """
    tree = ast.fix_missing_locations(with_ticks(text.source, text.filename))
    return compile(tree, text.filename, "exec", dont_inherit=True)


def execute_with_ticks(
    text: ModuleText, counter: StepCounter, code: CodeType | None = None, selector: int = 0
) -> ModuleType:
    """As `execute`, with ticks going to `counter`; `selector` picks the mutant of a metamutant."""
    presets = {TICK: counter.tick, SELECTOR: selector}
    return execute(text, compile_with_ticks(text) if code is None else code, presets)


def resolve(module: ModuleType, dotted: str) -> Any:
    """The class or function `dotted` of `module`.

    Raises:
        SpecError: there is none.
    """
    found: Any = module
    for part in dotted.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise SpecError(
                f"the spec names {dotted!r}, but {module.__file__} has no such class or function; correct the name"
            ) from None
    return found
