"""Instruments a program so that it reports its reads and writes of fields, elements and whole containers.

A loop, a comparison or a truth test uses a container as a whole. A call of an unknown function uses and changes the
containers among its arguments. An imported function may read and write its arguments without a report.
"""

from __future__ import annotations

import ast
from typing import Any

from harness.generators.symbolic.rewriting import (
    ARRAY,
    CAUGHT,
    KIND,
    KIND_OF,
    LEAVE,
    SAME,
    OutsideAnnotations,
    call_of,
    decidable,
)
from harness.kernel.program.builtin_effects import (
    BUILTINS,
    REFLECTIVE_ATTRIBUTES,
    REFLECTIVE_BUILTINS,
    CallEffects,
    named,
)
from harness.kernel.program.loader import TICK, ModuleText

LOAD, OWNER = "__mutascope_load__", "__mutascope_owner__"
CONSUMED, PASSED, GIVEN_AWAY = "__mutascope_consumed__", "__mutascope_passed__", "__mutascope_given_away__"
IS_A = "__mutascope_is_a__"
NUMBER, IN_PLACE = "__mutascope_number__", "__mutascope_in_place__"
_OURS = frozenset(
    {TICK, ARRAY, CAUGHT, KIND, KIND_OF, LEAVE, LOAD, OWNER, IN_PLACE, CONSUMED, PASSED, GIVEN_AWAY, SAME, IS_A, NUMBER}
)
_NUMBERS = {"__hash__": "a hash", "__len__": "a length", "__index__": "an index or a function in C"}
"""Methods whose results Python uses as numbers without a question, with the words for them in a notice."""

_READING = named(BUILTINS, has=CallEffects.NOTHING, lacks=CallEffects.CHANGES | CallEffects.LENDS)
"""Built-in functions that change none of their arguments, and by whose results the program cannot change them."""
_MEDDLING = named(REFLECTIVE_BUILTINS, CallEffects.TAKES_FIELD_NAME) | named(
    REFLECTIVE_BUILTINS, CallEffects.SETS_FIELDS
)
"""Built-in functions that read or write fields of their arguments."""
_MEDDLING_METHODS = named(REFLECTIVE_ATTRIBUTES, CallEffects.TAKES_FIELD_NAME)
"""Methods of `object` that read or write fields."""
_USED_WHOLE: dict[type[ast.AST], tuple[str, ...]] = {
    ast.For: ("iter",),
    ast.comprehension: ("iter", "ifs"),
    ast.BinOp: ("left", "right"),
    ast.BoolOp: ("values",),
    ast.UnaryOp: ("operand",),
    **dict.fromkeys((ast.If, ast.While, ast.IfExp, ast.Assert), ("test",)),
    **dict.fromkeys((ast.YieldFrom, ast.FormattedValue), ("value",)),
}
"""The parts of operations that are read as a whole where they are containers."""


def watched(text: ModuleText) -> Any:
    """Return the code of a module with counted steps, decidable accesses, and reports of all accesses.

    Raises:
        SyntaxError: the module does not parse.
    """
    tree = decidable(text)
    tree = _Telling(_imported(tree)).visit(tree)
    return compile(ast.fix_missing_locations(tree), text.filename, "exec", dont_inherit=True)


def _imported(tree: ast.Module) -> frozenset[str]:
    """Return the names of imported modules and of objects imported from modules, whose code is not watched."""
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return frozenset((one.asname or one.name).partition(".")[0] for node in imports for one in node.names)


class _Telling(OutsideAnnotations):
    """Puts calls of `WatchedFunctions` around the owners of fields and around values that are used as a whole."""

    def __init__(self, foreign: frozenset[str]) -> None:
        self._foreign = foreign
        self._reason: str | None = None

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Report the parts of an operation that it uses as a whole."""
        super().generic_visit(node)
        for field in _USED_WHOLE.get(type(node), ()):
            held = getattr(node, field)
            setattr(node, field, [_with_report(one) for one in held] if isinstance(held, list) else _with_report(held))
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        before, self._reason = self._reason, _NUMBERS.get(node.name)
        super().visit_FunctionDef(node)
        self._reason = before
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if self._reason is not None and node.value is not None:
            node.value = call_of(NUMBER, node.value, ast.Constant(self._reason))
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        mangled = node.attr.startswith("__") and not node.attr.endswith("__")
        if isinstance(node.ctx, ast.Load) and not mangled:
            return call_of(LOAD, node.value, ast.Constant(node.attr), at=node)
        node.value = call_of(OWNER, node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.id if isinstance(node.func, ast.Name) else None
        how = self._taking(node.func)
        self.generic_visit(node)
        if name == "isinstance" and len(node.args) == 2 and not node.keywords:
            return call_of(IS_A, *node.args, at=node)
        if name == KIND:
            node.args[1] = _with_report(node.args[1])
        elif name not in _OURS:
            node.args = [one if isinstance(one, ast.Starred) else _with_report(one, how) for one in node.args]
            for keyword in node.keywords:
                keyword.value = _with_report(keyword.value, how if keyword.arg else CONSUMED)
        return node

    def _taking(self, function: ast.expr) -> str:
        """Return the name of the report for the arguments of a function."""
        if isinstance(function, ast.Call) and isinstance(function.func, ast.Name) and function.func.id == LEAVE:
            function = function.args[0]
        if isinstance(function, ast.Name):
            if function.id in _READING:
                return CONSUMED
            return GIVEN_AWAY if function.id in _MEDDLING | self._foreign else PASSED
        if isinstance(function, ast.Attribute) and function.attr in _MEDDLING_METHODS:
            return GIVEN_AWAY
        owner = function
        while isinstance(owner, ast.Attribute):
            owner = owner.value
        return GIVEN_AWAY if isinstance(owner, ast.Name) and owner.id in self._foreign else PASSED

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            same = call_of(SAME, node.left, node.comparators[0])
            return same if isinstance(node.ops[0], ast.Is) else ast.UnaryOp(ast.Not(), same)
        if not any(isinstance(one, (ast.Is, ast.IsNot)) for one in node.ops):
            node.left = _with_report(node.left)
            node.comparators = [_with_report(one) for one in node.comparators]
        return node

    def visit_With(self, node: ast.With) -> ast.AST:
        self.generic_visit(node)
        for item in node.items:
            item.context_expr = _with_report(item.context_expr)
        return node

    def visit_Starred(self, node: ast.Starred) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Store):
            node.value = _with_report(node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        if any(isinstance(one, (ast.Tuple, ast.List)) for one in node.targets):
            node.value = _with_report(node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Report the target of an augmented assignment, which may be a container that is changed in place."""
        self.generic_visit(node)
        node.value = _with_report(node.value)
        if _is_number(node.value) and not isinstance(node.op, ast.Mult):
            return node
        if isinstance(node.target, ast.Name):
            return [
                ast.copy_location(ast.Expr(call_of(PASSED, ast.Name(node.target.id, ast.Load()), at=node)), node),
                node,
            ]
        node.target.value = call_of(IN_PLACE, node.target.value)
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        """Report the matched value as given away; patterns stay as they are."""
        node.subject = call_of(GIVEN_AWAY, self.visit(node.subject))
        for case in node.cases:
            case.guard = None if case.guard is None else self.visit(case.guard)
            case.body = [made for one in case.body for made in _several(self.visit(one))]
        return node


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _several(nodes: Any) -> list[Any]:
    return nodes if isinstance(nodes, list) else [nodes]


def _with_report(node: ast.expr, how: str = CONSUMED) -> ast.expr:
    """Return the expression within a report; one that cannot be a container of a state is returned unchanged."""
    if isinstance(node, (ast.Constant, ast.Compare, ast.UnaryOp, ast.BinOp, ast.JoinedStr, ast.Lambda)):
        return node
    return call_of(how, node)
