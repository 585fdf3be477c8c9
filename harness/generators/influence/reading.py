"""Finds the locations that the body of one function reads and writes, and the functions that it may run."""

from __future__ import annotations

import ast

from harness.generators.influence import library_effects
from harness.generators.influence.call_reading import CallReader
from harness.generators.influence.findings import Function, MentionReach, Names, Reading, is_constant
from harness.generators.influence.library_effects import CallEffect

_OPERATORS = {
    "div": "truediv",
    "mult": "mul",
    "bitand": "and",
    "bitor": "or",
    "bitxor": "xor",
    "matmult": "matmul",
}
"""The parts of special methods' names, for nodes whose name differs from them."""
_WITHOUT_DEFAULTS = frozenset({"ChainMap", "Counter", "OrderedDict", "UserDict", "UserList", "deque", "namedtuple"})
"""The classes of the module `collections` other than defaultdict."""


def read_function(function: Function, names: Names, owner: str = "") -> Reading:
    """Return the effects of a function and of all functions within it; `owner` is its class, if it is a method."""
    reader = _Reader(function, names, owner)
    if any(not is_constant(default) for default in (*function.args.defaults, *function.args.kw_defaults)):
        reader.reading.shared.add("default values")  # all calls share them
    if isinstance(function, ast.Lambda):
        reader.visit(function.body)
        reader.visit(function.args)
    else:
        reader.visit_FunctionDef(function)
    return reader.reading


class _Reader(CallReader):
    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self._decorator(decorator, node.name)
        self.visit(node.args)
        self.visit_all(node.body)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def _decorator(self, decorator: ast.expr, decorated: str) -> None:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if name == "cached_property":
            self.reading.writes.add(decorated)
        elif name in self.names.defined:
            self.mention(MentionReach.NAMED, self.names.defined[name])
        elif name not in library_effects.SILENT_DECORATORS:
            self.reading.anything()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.visit_all([*node.bases, *node.body])

    def visit_arguments(self, node: ast.arguments) -> None:
        """Visit the defaults, but no annotations."""
        self.visit_all([*node.defaults, *(value for value in node.kw_defaults if value is not None)])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.target)
        if node.value is not None:
            self.visit(node.value)

    # -- names and elements ----------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> None:
        name = node.id
        if name in self.local or name in self.inner:
            return
        is_foreign = name in self.imports and library_effects.of_module(self.imports[name]) is CallEffect.ANYTHING
        if name in self.names.variables or name in self.globals or is_foreign:
            at = self._variable(name)
            (self.reading.reads if isinstance(node.ctx, ast.Load) else self.reading.writes).add(at)
            self.reading.shared.add(at)
        elif name in self.names.defined:
            self.mention(MentionReach.NAMED, self.names.defined[name])

    def _variable(self, name: str) -> str:
        return f"variable {self.names.variables.get(name, name)}"

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.reads_elements("__getitem__", "__setitem__", "__delitem__", "__missing__", *library_effects.COMPARING)
        if self._has_defaults() or not isinstance(node.ctx, ast.Load):
            self.changes_elements()
        self.generic_visit(node)

    def _has_defaults(self) -> bool:
        """Return whether the module can make a defaultdict, which adds a key when it is read."""
        names = {name for name, module in self.imports.items() if module == "collections" or name == "collections"}
        return not names <= _WITHOUT_DEFAULTS

    def visit_Assign(self, node: ast.Assign) -> None:
        unpacks = any(isinstance(target, ast.Tuple | ast.List) for target in node.targets)
        if unpacks and not isinstance(node.value, ast.Tuple | ast.List):
            self.iterates(node.value)
        self.generic_visit(node)

    # -- operations ------------------------------------------------------------------------------

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            if isinstance(operator, ast.In | ast.NotIn):
                self.special(*library_effects.COMPARING)
                self.iterates(right)
            elif not isinstance(operator, ast.Is | ast.IsNot):
                self.special(*library_effects.COMPARING)
                if not isinstance(left, ast.Constant) and not isinstance(right, ast.Constant):
                    self.reads_elements()
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self._arithmetic(node.op)
        is_new = isinstance(node.op, ast.Mult) and (_is_display(node.left) or _is_display(node.right))
        if not (is_new or _is_number(node.left) or _is_number(node.right)):
            self.reads_elements()
        if isinstance(node.op, ast.Mod) and not _is_number(node.right):
            self.special(*library_effects.SHOWING)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._arithmetic(node.op)
        if not _is_number(node.value) or isinstance(node.op, ast.Mult):
            self.changes_elements()  # lists and sets are changed in place
        target = node.target
        if isinstance(target, ast.Attribute):
            self.reading.reads.add(target.attr)
        elif isinstance(target, ast.Name) and target.id not in self.local:
            self.reading.reads.add(self._variable(target.id))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._truth(node.operand)
        self.special("__neg__", "__pos__", "__invert__")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for operand in node.values:
            self._truth(operand)
        self.generic_visit(node)

    def _arithmetic(self, operator: ast.operator) -> None:
        node_name = type(operator).__name__.lower()
        name = _OPERATORS.get(node_name, node_name)
        self.special(f"__{name}__", f"__r{name}__", f"__i{name}__")

    # -- tests and loops -------------------------------------------------------------------------

    def _truth(self, test: ast.expr) -> None:
        """Add that a truth test may read elements, because a collection is true if it is not empty."""
        if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant):
            self.reads_elements(*library_effects.TRUTH)

    def visit_If(self, node: ast.If) -> None:
        self._truth(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._truth(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._truth(node.test)
        self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        self._truth(node.test)
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        self.iterates(node.iter)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self.iterates(node.iter)
        for test in node.ifs:
            self._truth(test)
        self.generic_visit(node)

    def visit_Starred(self, node: ast.Starred) -> None:
        self.iterates(node.value)
        self.generic_visit(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> None:
        self.iterates(node.value)
        self.generic_visit(node)

    def visit_With(self, node: ast.With) -> None:
        self.special("__enter__", "__exit__")
        self.generic_visit(node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> None:
        self.reads_elements(*library_effects.SHOWING)
        self.generic_visit(node)

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        self.reading.reads.update(node.kwd_attrs)
        if node.patterns:
            self.reading.anything()
        self.generic_visit(node)

    def visit_MatchSequence(self, node: ast.MatchSequence) -> None:
        self.reads_elements(*library_effects.ITERATING)
        self.generic_visit(node)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self.reads_elements(*library_effects.COMPARING)
        self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        """Visit the body without the class of exceptions, because no object of it is made."""
        self.visit_all(node.body)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _is_display(node: ast.expr) -> bool:
    """Return whether the node is a list or tuple display: `[None] * 5` reads no other object."""
    return isinstance(node, ast.List | ast.Tuple)
