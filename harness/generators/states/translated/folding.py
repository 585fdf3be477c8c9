"""Evaluates constants that are written as expressions: `10**6`, `-math.inf`, `float("inf")`."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from math import inf
from typing import Any

from harness.generators.states.translated.program import LARGEST_INT, MISSING, SMALLEST_INT

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
}
_LARGEST_EXPONENT = 64


def folded(node: ast.expr, static: Callable[[ast.expr], Any]) -> Any:
    """Return the integer or infinity that an expression of constants evaluates to; MISSING for others, or if too large.

    Args:
        static: returns the object of a global name, or of an attribute of a module or class, or MISSING.
    """
    match node:
        case ast.Constant(value=value):
            return value if type(value) is int else MISSING
        case ast.Name() | ast.Attribute():
            value = static(node)
            return value if type(value) is int or (type(value) is float and value in (inf, -inf)) else MISSING
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            value = folded(operand, static)
            return MISSING if value is MISSING else -value
        case ast.Call(func=func, args=[ast.Constant(value=str(text))], keywords=[]) if static(func) is float:
            return float(text) if text.strip().lower() in ("inf", "-inf", "+inf", "infinity", "-infinity") else MISSING
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _combined(_OPERATORS[type(op)], folded(left, static), folded(right, static))
    return MISSING


def _combined(combine: Callable[[int, int], int], left: Any, right: Any) -> Any:
    if type(left) is not int or type(right) is not int:
        return MISSING
    limited = combine not in (operator.pow, operator.lshift) or 0 <= right <= _LARGEST_EXPONENT
    if not limited or (right == 0 and combine in (operator.floordiv, operator.mod)):
        return MISSING
    result = combine(left, right)
    return result if SMALLEST_INT <= result <= LARGEST_INT else MISSING
