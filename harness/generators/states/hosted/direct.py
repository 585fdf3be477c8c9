"""Rewrites a predicate, for the time of a search, so that it reads elements of observed lists without calls.

`values[index]` becomes `values[index] if (item := cells[index]) is UNREAD else item`. If `values` is an observed list,
`cells` is the list that holds its elements; otherwise `cells` is `values` itself. So the rewritten code behaves the
same on all objects. Other operations (methods, nested functions, comprehensions, slices, iteration) use the observed
list's own methods.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import CodeType, FunctionType, TracebackType
from typing import Any

from harness.generators.states.hosted.rewriting import code_of, functions_reached, is_watched, text_of
from harness.generators.states.reference.observed_list import UNREAD, ObservedList

_STAND_INS: dict[str, Any] = {"\0type": type, "\0list": ObservedList, "\0unread": UNREAD}
"""Constants for the compiler, which are replaced in the code by objects that the compiler does not accept."""
_SCOPES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


class DirectReads:
    """Gives the functions of rep_ok other code within `with`; functions that it is not sure of keep theirs.

    All functions keep their code while a debugger or coverage watches them run. Such tools use code as keys of dicts,
    and the rewritten code cannot be a key, because UNREAD is among its constants and cannot be hashed.
    """

    def __init__(self, rep_ok: Callable[..., Any]) -> None:
        self._codes: list[tuple[FunctionType, CodeType, CodeType]] = []
        for function in [] if is_watched() else functions_reached(rep_ok):
            code = rewritten(function)
            if code is not None:
                self._codes.append((function, function.__code__, code))

    def __enter__(self) -> None:
        for function, _, code in self._codes:
            function.__code__ = code

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for function, former, _ in self._codes:
            function.__code__ = former


def rewritten(function: FunctionType) -> CodeType | None:
    """Return code for `function` that reads directly, or None if that would change nothing, or too much."""
    return _rewritten(function.__code__, function, "len" not in function.__globals__)


@lru_cache(maxsize=64)
def _rewritten(code: CodeType, function: FunctionType, len_is_builtin: bool) -> CodeType | None:
    node = text_of(function)
    return direct_code(node, function) if node is not None and read_directly(node, function) else None


def read_directly(node: ast.FunctionDef, function: FunctionType) -> bool:
    """Change the source of `function` to read directly; return whether that changes anything."""
    return _Rewriter(function.__code__, "len" not in function.__globals__).rewrite(node)


def direct_code(node: ast.FunctionDef, function: FunctionType) -> CodeType:
    """Return the compiled code of a source that reads directly."""
    code = code_of(node, function.__code__)
    constants = tuple(_STAND_INS.get(part, part) if isinstance(part, str) else part for part in code.co_consts)
    return code.replace(co_consts=constants)


class _Rewriter(ast.NodeTransformer):
    """Rewrites the body of one function; `values cells` is a name that no source can contain."""

    def __init__(self, code: CodeType, len_is_builtin: bool) -> None:
        self._locals = frozenset(code.co_varnames) - frozenset(code.co_cellvars)
        self._len = len_is_builtin and "len" not in code.co_varnames + code.co_cellvars
        self._names: frozenset[str] = frozenset()
        self._count = 0

    def rewrite(self, node: ast.FunctionDef) -> bool:
        """Rewrite the function, and return whether anything was changed."""
        statements = [part for statement in node.body for part in _own(statement)]
        indexed = {self._indexed(part) for part in statements}
        self._names = (self._locals & indexed) - _bound_otherwise(statements)
        body = [made for statement in node.body for made in _listed(self.visit(statement))]
        signature = node.args
        parameters = [
            a.arg for a in (*signature.posonlyargs, *signature.args, *signature.kwonlyargs) if a.arg in self._names
        ]
        first = node.body[min(1, len(node.body) - 1)] if ast.get_docstring(node) is not None else node.body[0]
        node.body = [*self._hoisted(parameters, first), *body]
        return bool(self._count)

    def visit(self, node: ast.AST) -> Any:
        """Leave nested scopes unchanged."""
        return node if isinstance(node, _SCOPES) else super().visit(node)

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        """Bind the cells of a name wherever the name is bound."""
        self.generic_visit(node)
        return [node, *self._hoisted([name for target in node.targets for name in _targets(target)], node)]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        """Rewrite it like an assignment."""
        self.generic_visit(node)
        return [node, *self._hoisted(_targets(node.target) if node.value else [], node)]

    def visit_For(self, node: ast.For) -> ast.stmt:
        """Bind the target's cells at the beginning of the body."""
        names = _targets(node.target)
        self.generic_visit(node)
        node.body = [*self._hoisted(names, node.body[0]), *node.body]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Rewrite loads of one element."""
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, ast.Slice):
            return node
        if isinstance(node.value, ast.Name) and node.value.id in self._names:
            cells: ast.expr = _load(_cells(node.value.id))
            again: ast.expr = node.value
        elif isinstance(node.value, ast.Attribute | ast.Subscript | ast.IfExp):
            again = _load(self._temporary())
            cells = _cells_of(again, ast.NamedExpr(_store(again.id), node.value))
        else:
            return node
        index: ast.expr = node.slice
        if not isinstance(index, ast.Name | ast.Constant):
            index = _load(self._temporary())
            node.slice = ast.NamedExpr(_store(index.id), node.slice)
        item = self._temporary()
        self._count += 1
        read = ast.NamedExpr(_store(item), ast.Subscript(cells, node.slice, ast.Load()))
        is_unread = ast.Compare(read, [ast.Is()], [ast.Constant("\0unread")])
        choice = ast.IfExp(is_unread, ast.Subscript(again, index, ast.Load()), _load(item))
        return ast.copy_location(choice, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Rewrite `len(values)`."""
        self.generic_visit(node)
        name = self._len_of(node)
        if name is not None and name in self._names:
            self._count += 1
            node.args = [ast.copy_location(_load(_cells(name)), node)]
        return node

    def _len_of(self, node: ast.AST) -> str | None:
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)], keywords=[]) if self._len:
                return name
        return None

    def _indexed(self, node: ast.AST) -> str | None:
        match node:
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Load()):
                return name
        return self._len_of(node)

    def _hoisted(self, names: list[str], near: ast.stmt) -> list[ast.stmt]:
        return [
            ast.copy_location(ast.Assign([_store(_cells(name))], _cells_of(_load(name), _load(name))), near)
            for name in names
            if name in self._names
        ]

    def _temporary(self) -> str:
        self._count += 1
        return f"item {self._count}"


def _cells_of(name: ast.Name, first: ast.expr) -> ast.expr:
    """Return an expression for the cells of the value that `name` has once `first` is evaluated."""
    is_observed = ast.Compare(ast.Call(ast.Constant("\0type"), [first], []), [ast.Is()], [ast.Constant("\0list")])
    return ast.IfExp(is_observed, ast.Attribute(name, "direct", ast.Load()), name)


def _cells(name: str) -> str:
    return f"{name} cells"


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _store(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def _listed(statements: Any) -> list[ast.stmt]:
    return statements if isinstance(statements, list) else [statements]


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below `node` (itself included) that belong to the same scope."""
    yield node
    if not isinstance(node, _SCOPES):
        for child in ast.iter_child_nodes(node):
            yield from _own(child)


def _targets(target: ast.expr) -> list[str]:
    """Return the names bound by an assignment."""
    if isinstance(target, ast.Tuple | ast.List):
        return [name for part in target.elts for name in _targets(part)]
    if isinstance(target, ast.Starred):
        return _targets(target.value)
    return [target.id] if isinstance(target, ast.Name) else []


def _bound_otherwise(nodes: list[ast.AST]) -> set[str]:
    """Return the names that are deleted, or bound other than by a plain assignment or a loop."""
    plain: list[ast.expr] = []
    for node in nodes:
        if isinstance(node, ast.Assign):
            plain += node.targets
        elif isinstance(node, ast.For) or (isinstance(node, ast.AnnAssign) and node.value is not None):
            plain.append(node.target)
    allowed = {id(part) for target in plain for part in ast.walk(target)}
    names: set[str] = set()
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if id(node) not in allowed:
                names.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                names.add(name)
            case ast.MatchMapping(rest=str(name)):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.alias(name=name, asname=alias):
                names.add((alias or name).partition(".")[0])
    return names
