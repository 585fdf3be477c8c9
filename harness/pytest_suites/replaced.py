"""Finds functions and classes of a module that C code replaces when it is loaded, as by importing an accelerator."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import ModuleType

_HEAP_TYPE = 1 << 9
"""`Py_TPFLAGS_HEAPTYPE`: all classes written in Python have it, and some of C."""
_IMMUTABLE_TYPE = 1 << 8
"""The flag of classes whose attributes cannot be set. C code may make classes with both flags (3.13: defaultdict)."""


def replaced(module: ModuleType, source: str) -> dict[str, str]:
    """Return the names in the text's top level that are C code once it is loaded, each with the module of that code.

    Args:
        module: the module once it is loaded.
        source: its text.
    """
    defined = set(_defined(ast.parse(source)))
    return {name: str(vars(module)[name].__module__) for name in sorted(defined) if _is_c(vars(module).get(name))}


def _defined(node: ast.AST) -> Iterator[str]:
    """Yield the names of functions and classes, in branches too, but not those within others."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield inner.name
        else:
            yield from _defined(inner)


def _is_c(value: object) -> bool:
    if isinstance(value, type):
        return not value.__flags__ & _HEAP_TYPE or bool(value.__flags__ & _IMMUTABLE_TYPE)
    return inspect.isbuiltin(value)
