"""Rewrites the source of a program for execution on symbolic integers."""

from __future__ import annotations

import ast
from typing import Any

from harness.generators.symbolic.arrays import ARRAY, ArrayAccesses, array
from harness.generators.symbolic.foreign_calls import LEAVE, Calls, ForeignCalls, imports_foreign, own_names
from harness.generators.symbolic.handler_guards import CAUGHT, Handlers, caught
from harness.generators.symbolic.identity import KIND, KIND_OF, SAME, Identities, kind, kind_of, same
from harness.kernel.program.loader import ModuleText
from harness.kernel.program.steps import with_ticks


def presets(text: ModuleText) -> dict[str, object]:
    """Return the names that rewritten source refers to, except that of the step counter."""
    return {
        ARRAY: array,
        CAUGHT: caught,
        KIND: kind,
        KIND_OF: kind_of,
        LEAVE: ForeignCalls(own_names(text)),
        SAME: same,
    }


def compiled(text: ModuleText) -> Any:
    """Return the code of a module with counted steps, rewritten for symbolic integers.

    Raises:
        SyntaxError: it does not parse.
    """
    return compile(ast.fix_missing_locations(decidable(text)), text.filename, "exec", dont_inherit=True)


def decidable(text: ModuleText) -> ast.Module:
    """Return the tree of a module with counted steps, rewritten for symbolic integers, for further changes.

    Raises:
        SyntaxError: it does not parse.
    """
    tree: ast.Module = with_ticks(text.source, text.filename)
    is_left = imports_foreign(tree, own_names(text))
    tree = _Asking().visit(tree)
    return Calls().visit(tree) if is_left else tree


class _Asking(ArrayAccesses, Handlers, Identities):
    """Rewrites a program for all purposes in one walk: each base class changes nodes of its own kinds, parts first."""
