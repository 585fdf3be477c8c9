"""Phase memo: a helper's result is kept while the fields that rep_ok read before it keep their values.

Suppose that rep_ok calls a helper outside of loops, and the helper changes nothing. An execution that is the same up to
the end of that call need not repeat the call, because it would return the same result. That is the case as long as the
field that the search changes lies above the height that the stack had when the call ended.

So rep_ok is rewritten, for the search only. `helper(root)` becomes `results[3] if valid[3] else keep3(helper(root))`,
where 3 is the number of the call in the source. The search provides `keep3` and marks entries as invalid (host.h).
"""

from __future__ import annotations

import ast
import builtins
from collections import deque
from collections.abc import Callable, Sequence
from types import CodeType, FunctionType
from typing import Any

from harness.generators.states.hosted.direct import direct_code, read_directly
from harness.generators.states.hosted.rewriting import code_of, is_watched, text_of
from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.translated.sources import function_tree
from harness.kernel.objects.reading import ATOMS
from harness.kernel.program.builtin_effects import BUILTINS, CallEffects, is_exception, named

_VALID, _RESULTS, _KEEP = "valid phases", "results of phases", "keep phase {}"
"""Names that no source can contain: parameters with defaults."""

_BUILTINS = named(BUILTINS, has=CallEffects.DEPENDS_ON_CONTENT, lacks=CallEffects.CALLS_BACK | CallEffects.CHANGES)
"""Builtins that a helper may call: they call nothing back and advance no iterator."""
_METHODS = frozenset(name for kind in (list, set, dict, deque) for name in vars(kind) if not name.startswith("_"))
"""Methods of containers. They change only the helper's own containers, or observed lists, which is noticed."""
_PLAIN = ATOMS - {bytes}
_STATEMENTS = (
    *(ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.If, ast.While, ast.For, ast.Break, ast.Continue),
    *(ast.Pass, ast.Expr, ast.Raise, ast.Assert, ast.arguments, ast.arg),
)
_EXPRESSIONS = (
    *(ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.keyword, ast.IfExp, ast.Constant, ast.Name),
    *(ast.Attribute, ast.Subscript, ast.Slice, ast.Starred, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.NamedExpr),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension, ast.Yield, ast.YieldFrom),
    *(ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.expr_context),
)
_HARMLESS = frozenset(
    [
        *(
            "__module__",
            "__qualname__",
            "__doc__",
            "__dict__",
            "__weakref__",
            "__slots__",
            "__annotations__",
            "__new__",
        ),
        *("__init__", "__copy__", "__deepcopy__", "__static_attributes__", "__firstlineno__", "__orig_bases__"),
        *("__parameters__", "__class_getitem__", "__init_subclass__", "__annotate__"),
    ]
)
"""Special names in a class that do not affect reading, comparing, printing or iterating its instances."""
_LOOPS = (ast.For, ast.While)
_BINDING = (
    *(ast.Global, ast.Nonlocal, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom),
    *(ast.ExceptHandler, ast.Match),
)
"""Nodes that bind names in other ways than by an expression that is stored to."""
_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


_Bindings = dict[str, list[ast.expr | None]]


class Phases:
    """The rewritten rep_ok; `sites` is the number of calls whose results are kept.

    Use `bound` for a function that a search can call.
    """

    def __init__(self, rep_ok: FunctionType, code: CodeType, sites: int) -> None:
        self._rep_ok = rep_ok
        self._code = code
        self.sites = sites

    def bound(self, valid: bytearray, results: list[Any], keep: Callable[[int], Callable[[Any], Any]]) -> FunctionType:
        """Return a function with the memory of one search: `valid[site]`, `results[site]`, `keep(site)(result)`."""
        defaults = (valid, results, *map(keep, range(self.sites)))
        function = FunctionType(self._code, self._rep_ok.__globals__, self._rep_ok.__name__, defaults)
        function.__doc__ = self._rep_ok.__doc__
        return function


def phases_of(rep_ok: Any, classes: Sequence[type], fields: frozenset[str], *, direct: bool) -> Phases | None:
    """Return the phases of rep_ok, or None if it has none that surely change nothing.

    Args:
        classes: the classes of the state space's objects.
        fields: the names of their fields.
        direct: whether the function should also read lists directly.
    """
    if not isinstance(rep_ok, FunctionType) or is_watched() or any(map(_has_ways_of_its_own, classes)):
        return None
    node, code = text_of(rep_ok), rep_ok.__code__
    if node is None or code.co_argcount != 1 or code.co_kwonlyargcount or node.args.vararg or node.args.kwarg:
        return None
    if any(isinstance(part, _BINDING) for statement in node.body for part in ast.walk(statement)):
        return None
    rewriter = _Rewriter(node, _Purity(rep_ok, classes, fields), fields)
    node.body = [rewriter.visit(statement) for statement in node.body]
    if not rewriter.sites:
        return None
    names = [_VALID, _RESULTS, *map(_KEEP.format, range(rewriter.sites))]
    node.args.args += [ast.arg(name) for name in names]
    node.args.defaults = [ast.Constant(None) for _ in names]
    changed = direct and read_directly(node, rep_ok)
    return Phases(rep_ok, direct_code(node, rep_ok) if changed else code_of(node, code), rewriter.sites)


def _has_ways_of_its_own(cls: type) -> bool:
    """Return whether an operation on its instances may execute code of the class."""
    names = {name for base in cls.__mro__[:-1] for name in vars(base)}
    return any(name.startswith("__") and name.endswith("__") and name not in _HARMLESS for name in names)


class _Purity:
    """Decides which functions change only objects that they have made themselves, or objects whose changes are noticed.

    Their arguments are values of fields: plain ones, and observed objects and lists.
    """

    def __init__(self, rep_ok: FunctionType, classes: Sequence[type], fields: frozenset[str]) -> None:
        self._rep_ok = rep_ok
        self._globals = rep_ok.__globals__
        self._fields = fields
        # A method that only shares its name with a container's may have any effect.
        self._methods = _METHODS - {name for cls in classes for name in _METHODS if hasattr(cls, name)}

    def helper(self, name: str) -> bool:
        """Return whether this names such a function, judged by its source and those of all functions that it names."""
        helper_function = self._globals.get(name)
        if not isinstance(helper_function, FunctionType):
            return False
        reached = [helper_function]  # grows while it is walked
        return all(self._may_be_called(function) and self._has_pure_text(function, reached) for function in reached)

    def _may_be_called(self, function: FunctionType) -> bool:
        defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
        own = function.__globals__ is self._globals and function is not self._rep_ok
        return own and not function.__code__.co_freevars and all(type(value) in _PLAIN for value in defaults)

    def _has_pure_text(self, function: FunctionType, reached: list[FunctionType]) -> bool:
        try:
            node = function_tree(function)
        except Untranslatable:
            return False
        if not isinstance(node, ast.FunctionDef):
            return False
        parameters = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
        bound = _bindings(node)
        own = parameters | bound.keys()
        bound = {name: values for name, values in bound.items() if name not in parameters}
        parts = [part for statement in node.body for part in ast.walk(statement)]
        methods = {
            id(part.func)
            for part in parts
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and self._is_method(part.func, bound)
        }
        argument_classes = {
            id(cls)
            for part in parts
            if isinstance(part, ast.Call)
            and isinstance(part.func, ast.Name)
            and part.func.id == "isinstance" not in own
            for cls in (ast.walk(part.args[1]) if len(part.args) == 2 else ())
        }
        harmless = own | {
            part.id for part in parts if isinstance(part, ast.Name) and self._is_harmless(part.id, reached)
        }
        return all(self._is_pure_part(part, harmless, methods | argument_classes) for part in parts)

    def _is_method(self, called: ast.Attribute, bound: _Bindings) -> bool:
        """Return whether this is a container's method, and no other's."""
        if called.attr in self._methods:
            return True
        values = bound.get(called.value.id, [None]) if isinstance(called.value, ast.Name) else [None]
        return called.attr in _METHODS and all(map(self._is_container, values))

    def _is_container(self, value: ast.expr | None) -> bool:
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            kind = self._globals.get(value.func.id, _builtin(value.func.id))
            return any(kind is container for container in (list, set, dict, deque))
        return isinstance(value, (ast.List, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp))

    def _is_pure_part(self, part: ast.AST, harmless: set[str], allowed: set[int]) -> bool:
        if isinstance(part, ast.Attribute):
            return isinstance(part.ctx, ast.Load) and (id(part) in allowed or part.attr in self._fields)
        if isinstance(part, ast.Name):
            return part.id in harmless or id(part) in allowed
        return isinstance(part, (*_STATEMENTS, *_EXPRESSIONS))

    def _is_harmless(self, name: str, reached: list[FunctionType]) -> bool:
        if name not in self._globals:
            return name in _BUILTINS or is_exception(name)
        global_value = self._globals[name]
        if isinstance(global_value, FunctionType):
            if global_value not in reached:
                reached.append(global_value)
            return True
        return (
            type(global_value) in _PLAIN
            or global_value is deque
            or (type(global_value) in (tuple, frozenset) and all(type(value) in _PLAIN for value in global_value))
        )


def _builtin(name: str) -> Any:
    return vars(builtins).get(name)


class _Rewriter(ast.NodeTransformer):
    """Rewrites calls of pure helpers with plain arguments that are evaluated at most once per execution."""

    def __init__(self, node: ast.FunctionDef, purity: _Purity, fields: frozenset[str]) -> None:
        self.sites = 0
        self._purity = purity
        self._fields = fields
        self._bound = _bindings(node)
        (root,) = node.args.posonlyargs + node.args.args
        self._bound.setdefault(root.arg, [])  # at first it is the root

    def visit(self, node: ast.AST) -> Any:
        """Leave loops unchanged, and code that other code may execute at any time."""
        return node if isinstance(node, (*_LOOPS, *_SCOPES)) else super().visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Rewrite a call unless the helper's name is a local one."""
        self.generic_visit(node)
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if not isinstance(node.func, ast.Name) or node.func.id in self._bound:
            return node
        if not self._purity.helper(node.func.id) or not all(self._is_plain(value) for value in arguments):
            return node
        site = self.sites
        self.sites += 1
        choice = ast.IfExp(
            ast.Subscript(_load(_VALID), ast.Constant(site), ast.Load()),
            ast.Subscript(_load(_RESULTS), ast.Constant(site), ast.Load()),
            ast.Call(_load(_KEEP.format(site)), [node], []),
        )
        return ast.copy_location(choice, node)

    def _is_plain(self, value: ast.expr | None, plain_names: frozenset[str] = frozenset()) -> bool:
        """Return whether it is a field's value or a constant, which a helper cannot change unnoticed."""
        if isinstance(value, ast.Name):
            known_too = plain_names | {value.id}
            return value.id in plain_names or (
                value.id in self._bound and all(self._is_plain(bound, known_too) for bound in self._bound[value.id])
            )
        if isinstance(value, ast.Attribute):
            return value.attr in self._fields and self._is_plain(value.value, plain_names)
        if isinstance(value, ast.UnaryOp):
            return self._is_plain(value.operand, plain_names)
        return isinstance(value, ast.Constant)


def _bindings(node: ast.FunctionDef) -> _Bindings:
    """Return the values that the source binds to each name, with None for values that are not visible."""
    bound_values: _Bindings = {}
    seen: set[int] = set()

    def bind(target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for one, its in zip(target.elts, value.elts, strict=True):
                bind(one, its)
        elif isinstance(target, ast.Name):
            seen.add(id(target))
            bound_values.setdefault(target.id, []).append(value)

    for part in ast.walk(node):  # a statement comes before its parts
        if isinstance(part, ast.Assign):
            for target in part.targets:
                bind(target, part.value)
        elif isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load) and id(part) not in seen:
            bound_values.setdefault(part.id, []).append(None)
    return bound_values


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())
