"""The text of a program as it is executed on symbolic integers."""

from __future__ import annotations

import ast
from typing import Any

from harness.generators.symbolic.arrays import ARRAY, Accesses, array
from harness.generators.symbolic.swallowing import CAUGHT, Handlers, caught
from harness.kernel.program.loader import ModuleText
from harness.kernel.program.steps import with_ticks

PRESETS: dict[str, object] = {ARRAY: array, CAUGHT: caught}
"""The names that such a text refers to, but that of steps."""


def compiled(text: ModuleText) -> Any:
    """The code of a module with counted steps, and all that symbolic integers ask for.

    Raises:
        SyntaxError: it does not parse.
    """
    return compile(ast.fix_missing_locations(decidable(text)), text.filename, "exec", dont_inherit=True)


def decidable(text: ModuleText) -> ast.Module:
    """The tree of a module with counted steps, and all that symbolic integers ask for, for further changes.

    Raises:
        SyntaxError: it does not parse.
    """
    tree: ast.Module = Accesses().visit(Handlers().visit(with_ticks(text.source, text.filename)))
    return tree
