"""Brings integer expressions into normal form: sums of products, and comparisons with zero.

Equal forms have equal values. Parts that may raise stay in the form in their order of evaluation, so that expressions
of equal form also raise alike.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator
from math import gcd
from typing import TypeAlias

Form: TypeAlias = Hashable
Monomial: TypeAlias = tuple[tuple[str, Form], ...]
"""Atoms, each as its dump and its form, in the order of their dumps; the empty one stands for 1."""

_OPPOSITE = {"==": "!=", "!=": "=="}
_SYMBOLS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_LENGTH = "length"


class MonomialSum:
    """A sum of integer multiples of monomials, and the evaluated parts of it that may raise, in order."""

    def __init__(self, terms: dict[Monomial, int], evaluated: tuple[Form, ...] = ()) -> None:
        self.terms = {monomial: factor for monomial, factor in terms.items() if factor}
        self.evaluated = tuple(dict.fromkeys(evaluated))

    @classmethod
    def number(cls, value: int) -> MonomialSum:
        """Return the sum that is a constant."""
        return cls({(): value})

    @classmethod
    def atom(cls, form: Form, evaluated: tuple[Form, ...] = (), *, raises: bool = False) -> MonomialSum:
        """Return the sum that is one value, known only to be an integer."""
        return cls({((repr(form), form),): 1}, (*evaluated, form) if raises else evaluated)

    @property
    def constant(self) -> int | None:
        """The sum's value if that is always the same, else None."""
        return self.terms.get((), 0) if set(self.terms) <= {()} else None

    @property
    def form(self) -> Form:
        """The form, which is equal for sums of equal value that raise alike."""
        return ("sum", tuple(sorted(self.terms.items())), self.evaluated)

    def times(self, other: MonomialSum) -> MonomialSum:
        """Return the product; `other` is evaluated later."""
        terms: dict[Monomial, int] = {}
        for one, factor in self.terms.items():
            for two, by in other.terms.items():
                product = tuple(sorted((*one, *two)))
                terms[product] = terms.get(product, 0) + factor * by
        return MonomialSum(terms, (*self.evaluated, *other.evaluated))

    def plus(self, other: MonomialSum, by: int = 1) -> MonomialSum:
        """Return the sum with `by` times `other`, which is evaluated later."""
        terms = dict(self.terms)
        for monomial, factor in other.terms.items():
            terms[monomial] = terms.get(monomial, 0) + by * factor
        return MonomialSum(terms, (*self.evaluated, *other.evaluated))

    def divided(self, other: MonomialSum, operator: str) -> MonomialSum:
        """Return `self // other` or `self % other`."""
        evaluated = (*self.evaluated, *other.evaluated)
        by, value = other.constant, self.constant
        if by in (1, -1):
            return MonomialSum(
                {m: by * factor for m, factor in self.terms.items()} if operator == "//" else {}, evaluated
            )
        if by and value is not None:
            return MonomialSum({(): value // by if operator == "//" else value % by}, evaluated)
        return MonomialSum.atom((operator, self.form, other.form), evaluated, raises=not by)


def compared(left: MonomialSum, operator: type[ast.cmpop], right: MonomialSum) -> Form | None:
    """Return the form of a comparison of two integers, or None for an operator that does not compare values.

    The form compares the difference with zero by `<=`, `==` or `!=`, or is a truth value.
    """
    if operator not in _SYMBOLS:
        return None
    symbol = _SYMBOLS[operator]
    difference = left.plus(right, -1)
    if symbol in (">", ">="):
        difference = MonomialSum({m: -factor for m, factor in difference.terms.items()}, difference.evaluated)
    if symbol in ("<", ">"):
        difference = difference.plus(MonomialSum.number(1))
    return _form("<=" if symbol[0] in "<>" else symbol, difference.terms, difference.evaluated)


def negated(form: Form) -> Form | None:
    """Return the form of `not` before a comparison of that form, or None if the form is not a comparison."""
    match form:
        case ("compared", "<=", tuple(terms), tuple(evaluated)):
            return _form("<=", _shifted({m: -factor for m, factor in terms}, 1), evaluated)
        case ("compared", ("==" | "!=") as symbol, tuple(terms), tuple(evaluated)):
            return ("compared", _OPPOSITE[symbol], terms, evaluated)
        case ("compared", bool(value), tuple(evaluated)):
            return ("compared", not value, evaluated)
    return None


def _shifted(terms: dict[Monomial, int], by: int) -> dict[Monomial, int]:
    return terms | {(): terms.get((), 0) + by}


def _form(symbol: str, terms: dict[Monomial, int], evaluated: tuple[Form, ...]) -> Form:
    """Return the form of `terms symbol 0`, divided by their common factor. Lengths are never negative."""
    constant = terms.get((), 0)
    variable = {m: factor for m, factor in terms.items() if m and factor}
    if not variable:
        value = {"<=": constant <= 0, "==": constant == 0, "!=": constant != 0}[symbol]
        return ("compared", value, evaluated)
    common = gcd(*variable.values())
    if symbol == "<=":
        constant = -(-constant // common)
    elif constant % common:
        return ("compared", symbol == "!=", evaluated)
    else:
        constant //= common
        common *= 1 if variable[min(variable)] > 0 else -1
        constant *= 1 if common > 0 else -1
    variable = {m: factor // common for m, factor in variable.items()}
    ((monomial, factor), *more) = variable.items()
    if not more and len(monomial) == 1 and _is_length(monomial[0][1]) and abs(factor) == 1:
        simplified = _of_length(symbol, factor, constant)
        if isinstance(simplified, bool):
            return ("compared", simplified, evaluated)
        symbol, factor, constant = simplified
        variable = {monomial: factor}
    return ("compared", symbol, tuple(sorted((variable | ({(): constant} if constant else {})).items())), evaluated)


def _is_length(atom: Form) -> bool:
    return isinstance(atom, tuple) and atom[0] == _LENGTH


def _of_length(symbol: str, factor: int, constant: int) -> bool | tuple[str, int, int]:
    """Simplify `factor * length + rest symbol 0`, with a factor of 1 or -1, by the fact that a length is at least 0."""
    if symbol == "<=" and factor == 1:  # length <= -rest
        return False if constant > 0 else ("==", 1, 0) if constant == 0 else (symbol, factor, constant)
    if symbol == "<=":  # length >= rest
        return True if constant <= 0 else ("!=", 1, 0) if constant == 1 else (symbol, factor, constant)
    return symbol == "!=" if constant > 0 else (symbol, factor, constant)


class Normaliser:
    """Forms of the expressions and simple statements of one function.

    `is_integer` returns whether a name, attribute or call of len surely has an integer value and may be evaluated
    without side effects. `may_raise` returns whether evaluating a name or attribute can raise.
    """

    def __init__(self, is_integer: Callable[[ast.expr], bool], may_raise: Callable[[ast.expr], bool]) -> None:
        self._is_integer = is_integer
        self._may_raise = may_raise
        self._sums: dict[ast.expr, MonomialSum | None] = {}

    def form(self, node: ast.AST) -> Form:
        """Return the form of any node, without positions; statements within a statement are left out."""
        self._sums = {}
        return self._form(node)

    def _form(self, node: ast.AST) -> Form:
        if isinstance(node, ast.expr):
            form = self._expression(node)
            if form is not None:
                return form
        if isinstance(node, (ast.Assign, ast.AugAssign)):
            assigned = self._assignment(node)
            if assigned is not None:
                return assigned
        return (type(node).__name__, *self._fields(node))

    def _fields(self, node: ast.AST) -> Iterator[Form]:
        for _, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                yield self._form(value)
            elif isinstance(value, list):
                nodes = (v for v in value if not isinstance(v, ast.stmt))
                yield tuple(self._form(v) if isinstance(v, ast.AST) else repr(v) for v in nodes)
            else:
                yield (type(value).__name__, repr(value))

    def _expression(self, node: ast.expr) -> Form | None:
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = self._sum(node.left), self._sum(node.comparators[0])
            return compared(left, type(node.ops[0]), right) if left is not None and right is not None else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self._form(node.operand)
            return negated(inner) or ("UnaryOp", ("Not",), inner)
        if isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            value = self._sum(node)
            return None if value is None else value.form
        return None

    def _assignment(self, node: ast.Assign | ast.AugAssign) -> Form | None:
        """`n += 1` and `n = n + 1` are one."""
        if isinstance(node, ast.Assign):
            if len(node.targets) != 1:
                return None
            return ("assign", self._form(node.targets[0]), self._form(node.value))
        if not isinstance(node.target, (ast.Name, ast.Attribute)):
            return None
        read = ast.parse(ast.unparse(node.target), mode="eval").body
        value = self._sum(ast.BinOp(read, node.op, node.value))
        return None if value is None else ("assign", self._form(node.target), value.form)

    def _sum(self, node: ast.expr) -> MonomialSum | None:
        """Return the sum for an expression that is surely an integer; None for any other."""
        if node not in self._sums:
            self._sums[node] = self._new_sum(node)
        return self._sums[node]

    def _new_sum(self, node: ast.expr) -> MonomialSum | None:
        match node:
            case ast.Constant(value=int(value)) if type(value) is int:
                return MonomialSum.number(value)
            case ast.Name() | ast.Attribute() if self._is_integer(node):
                return self._read(node)
            case ast.Call(func=ast.Name(id="len"), args=[counted], keywords=[]) if self._is_integer(node):
                return MonomialSum.atom((_LENGTH, self._plain(counted)), self._evaluated(counted), raises=True)
            case ast.UnaryOp(op=operator, operand=operand):
                return self._unary(operator, self._sum(operand))
            case ast.BinOp(left=left, op=operator, right=right):
                return self._binary(self._sum(left), operator, self._sum(right))
        return None

    def _read(self, node: ast.Name | ast.Attribute) -> MonomialSum:
        before = self._evaluated(node.value) if isinstance(node, ast.Attribute) else ()
        return MonomialSum.atom(self._plain(node), before, raises=self._may_raise(node))

    def _evaluated(self, node: ast.expr) -> tuple[Form, ...]:
        before = self._evaluated(node.value) if isinstance(node, ast.Attribute) else ()
        return (*before, self._plain(node)) if self._may_raise(node) else before

    @staticmethod
    def _plain(node: ast.expr) -> Form:
        return ("read", ast.unparse(node))

    @staticmethod
    def _unary(operator: ast.unaryop, operand: MonomialSum | None) -> MonomialSum | None:
        if operand is None or isinstance(operator, ast.Not):
            return None
        if isinstance(operator, ast.UAdd):
            return operand
        minus = MonomialSum({m: -factor for m, factor in operand.terms.items()}, operand.evaluated)
        return minus if isinstance(operator, ast.USub) else minus.plus(MonomialSum.number(-1))

    @staticmethod
    def _binary(left: MonomialSum | None, operator: ast.operator, right: MonomialSum | None) -> MonomialSum | None:
        if left is None or right is None:
            return None
        match operator:
            case ast.Add():
                return left.plus(right)
            case ast.Sub():
                return left.plus(right, -1)
            case ast.Mult():
                return left.times(right)
            case ast.FloorDiv():
                return left.divided(right, "//")
            case ast.Mod():
                return left.divided(right, "%")
        return None
