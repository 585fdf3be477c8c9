"""Tells from the text of a program whether it may keep something outside of its objects: then it is loaded for each
input.

A program keeps nothing if its modules and classes hold functions and values that cannot change, and no function assigns
a global or an attribute of a class or function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from harness.kernel.program.loader import ModuleText

_DECORATORS = frozenset(
    {
        *("property", "staticmethod", "classmethod", "abstractmethod", "setter", "getter", "deleter", "overload"),
        *("dataclass", "total_ordering", "override", "final", "cached_property", "contextmanager", "unique"),
    }
)
"""Decorators that give what they decorate no memory, by the last part of their names."""
_MAKERS = frozenset(
    {
        *("object", "frozenset", "tuple", "int", "float", "str", "bytes", "range", "property", "field", "auto"),
        *("namedtuple", "TypeVar", "NewType", "compile", "getLogger", "itemgetter", "attrgetter"),
    }
)
"""Functions that make values which cannot change, by the last part of their names."""
_INNER = frozenset({"setattr", "delattr", "__setattr__", "__delattr__", "globals", "vars", "exec", "eval", "__dict__"})
"""Names by which a function may assign attributes and globals that it does not name."""


def keeps_state(text: ModuleText) -> bool:
    """Return whether a program may keep something between inputs."""
    return any(_keeps(ast.parse(module.source)) for module in (text, *text.companions))


def _keeps(tree: ast.Module) -> bool:
    parts = list(ast.walk(tree))
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    names |= {part.attr for part in parts if isinstance(part, ast.Attribute)}
    return (
        bool(names & _INNER)
        or any(isinstance(part, ast.Global) for part in parts)
        or not all(map(_is_plain, tree.body))
        or _assigns_to_classes(tree, parts)
    )


def _is_plain(statement: ast.stmt) -> bool:
    """Return whether a statement of a module or class makes only functions, classes and values that cannot change."""
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.FunctionDef(args=arguments) | ast.AsyncFunctionDef(args=arguments):
            defaults = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
            return _are_known(statement.decorator_list) and all(map(_is_constant, defaults))
        case ast.ClassDef():
            return (
                _are_known(statement.decorator_list) and not statement.keywords and all(map(_is_plain, statement.body))
            )
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name.startswith("__") or _is_constant(value)
        case ast.AnnAssign(value=value):
            return value is None or _is_constant(value)
        case ast.If(body=body, orelse=orelse):
            return all(map(_is_plain, (*body, *orelse)))
    return False


def _is_constant(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return _last_name(value.func) in _MAKERS
    if isinstance(value, ast.Constant | ast.Name | ast.Attribute | ast.Lambda | ast.JoinedStr):
        return True
    inner = [part for part in ast.iter_child_nodes(value) if isinstance(part, ast.expr)]
    return isinstance(value, ast.Tuple | ast.UnaryOp | ast.BinOp | ast.Compare | ast.Subscript) and all(
        map(_is_constant, inner)
    )


def _are_known(decorators: Iterable[ast.expr]) -> bool:
    return all(_last_name(each.func if isinstance(each, ast.Call) else each) in _DECORATORS for each in decorators)


def _assigns_to_classes(tree: ast.Module, parts: list[ast.AST]) -> bool:
    """Return whether an attribute of a class or function may be assigned: of a global, or of the type of an object."""
    named = {part.name for part in tree.body if isinstance(part, ast.FunctionDef | ast.ClassDef)} | {"cls"}
    for part in parts:
        if isinstance(part, ast.Assign) and _is_of_class(part.value, named):
            named |= {target.id for target in part.targets if isinstance(target, ast.Name)}
    stored = [part for part in parts if isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load)]
    return any(_is_of_class(part.value, named) for part in stored)


def _is_of_class(value: ast.expr, named: set[str]) -> bool:
    """Return whether a value may be a class or function, or an attribute of one."""
    match value:
        case ast.Name(id=name):
            return name in named
        case ast.Call(func=ast.Name(id="type" | "super")) | ast.Attribute(attr="__class__" | "__func__"):
            return True
        case ast.Attribute(value=inner):
            return _is_of_class(inner, named)
        case ast.IfExp(body=one, orelse=other) | ast.NamedExpr(target=one, value=other):
            return _is_of_class(one, named) or _is_of_class(other, named)
    return False


def _last_name(value: ast.expr) -> str:
    return value.attr if isinstance(value, ast.Attribute) else value.id if isinstance(value, ast.Name) else ""
