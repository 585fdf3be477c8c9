"""Compares how tightly expressions bind, so that replacements get parentheses only where they need them.

The levels are those of the Python Language Reference, section 6.17.
"""

from __future__ import annotations

import libcst as cst

_TEST, _OR, _AND, _NOT, _COMPARISON, _OPERAND, _UNARY, _POWER, _AWAIT, _ATOM = 2, 3, 4, 5, 6, 7, 13, 14, 15, 16

_BINARY: dict[type[cst.BaseBinaryOp], int] = {
    cst.BitOr: 7,
    cst.BitXor: 8,
    cst.BitAnd: 9,
    cst.LeftShift: 10,
    cst.RightShift: 10,
    cst.Add: 11,
    cst.Subtract: 11,
    cst.Multiply: 12,
    cst.MatrixMultiply: 12,
    cst.Divide: 12,
    cst.FloorDivide: 12,
    cst.Modulo: 12,
    cst.Power: _POWER,
}


def binding(node: cst.BaseExpression) -> int:
    """Return how tightly `node` binds; parentheses of its own make it an atom."""
    if node.lpar:
        return _ATOM
    match node:
        case cst.BinaryOperation(operator=operator):
            return _BINARY[type(operator)]
        case cst.BooleanOperation(operator=operator):
            return _OR if isinstance(operator, cst.Or) else _AND
        case cst.UnaryOperation(operator=operator):
            return _NOT if isinstance(operator, cst.Not) else _UNARY
        case cst.Comparison():
            return _COMPARISON
        case cst.Await():
            return _AWAIT
        case cst.IfExp() | cst.Lambda():
            return _TEST - 1
        case cst.NamedExpr() | cst.Yield() | cst.Tuple():
            return 0
    return _ATOM


def demanded(parent: cst.CSTNode, child: cst.CSTNode) -> int:  # noqa: C901 (a case for each expression)
    """Return the least binding that the position of `child` below `parent` takes without parentheses."""
    match parent:
        case cst.BinaryOperation(left=left, operator=operator):
            level = _BINARY[type(operator)]
            if isinstance(operator, cst.Power):
                return _AWAIT if left is child else _UNARY
            return level if left is child else level + 1
        case cst.BooleanOperation(left=left, operator=operator):
            level = _OR if isinstance(operator, cst.Or) else _AND
            return level if left is child else level + 1
        case cst.UnaryOperation(operator=operator):
            return _NOT if isinstance(operator, cst.Not) else _UNARY
        case cst.Comparison() | cst.ComparisonTarget():
            return _OPERAND
        case cst.Attribute() | cst.Call() | cst.Subscript() | cst.Await():
            return _ATOM
        case cst.IfExp(test=test, body=body):
            return _OR if child in (test, body) else _TEST - 1
        case cst.CompFor() | cst.CompIf():
            return _OR
        case cst.Arg(star=star):
            return _OPERAND if star == "*" else 1
        case cst.StarredElement() | cst.StarredDictElement():
            return _OPERAND
    return 1


def fitted(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return `node` with parentheses around those of its operands that bind too loosely for its operator."""
    match node:
        case cst.BinaryOperation(left=left, right=right) | cst.BooleanOperation(left=left, right=right):
            return node.with_changes(left=_fit(left, node), right=_fit(right, node))
        case cst.UnaryOperation(expression=expression):
            return node.with_changes(expression=_fit(expression, node))
        case cst.Comparison(left=left):
            return node.with_changes(left=_fit(left, node))
    return node


def _fit(child: cst.BaseExpression, parent: cst.BaseExpression) -> cst.BaseExpression:
    return child if binding(child) >= demanded(parent, child) else parenthesised(child)


def parenthesised(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return `node` within one more pair of parentheses."""
    return node.with_changes(lpar=[cst.LeftParen(), *node.lpar], rpar=[*node.rpar, cst.RightParen()])
