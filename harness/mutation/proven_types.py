"""Proves types from annotations, and types of a local from all values that its function gives it.

A type profile covers the inputs that were run, and other inputs may bring other types. So the equality of two mutants,
which must hold for all inputs, is decided without a profile.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from harness.mutation.bindings import bound_names, parameter_names
from harness.mutation.declared_types import NONE, UNKNOWN, DeclaredTypes
from harness.mutation.profile import TypeProfile, Types
from harness.mutation.program import Function, FunctionNode, Program

_INT: Types = frozenset({"int"})
_OF_INTEGERS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor)
"""Operators that make an integer of two integers. A power may be a fraction."""
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_KEEP_THE_RESULT = frozenset({"staticmethod", "classmethod"})

_TypesByName = Mapping[str, Types | None]
"""Types of variables; None where they are unknown, and the empty set as long as no binding has been read."""


class ProvenTypes(DeclaredTypes):
    """Types of variables and fields of one program; UNKNOWN if its source does not determine them."""

    def __init__(self, program: Program) -> None:
        super().__init__(program, TypeProfile())
        self._proven: dict[str, dict[str, Types]] = {}
        self._named = frozenset(name for name, _ in _bindings(program.tree))

    def variables(self, function: str) -> Mapping[str, Types]:
        """Return the types of parameters and locals: annotated types, else those of all values assigned to a local.

        The types are UNKNOWN for a name that a comprehension, a lambda or a function within `function` binds, because
        it is another variable there.
        """
        if function not in self._proven:
            node = self.program.functions[function].node
            self._proven[function] = self._variables_of(node, super().variables(function))
        return self._proven[function]

    def _variables_of(self, node: FunctionNode, declared: Mapping[str, Types]) -> dict[str, Types]:
        """Find the smallest types that agree with all bindings."""
        variables: dict[str, Types | None] = dict.fromkeys(bound_names(node) - set(parameter_names(node.args)), UNKNOWN)
        variables |= declared
        variables |= dict.fromkeys(_names_of_inner_scopes(node))
        bindings = [(name, value) for name, value in _bindings(node) if name in variables and name not in declared]
        changed = True
        while changed:
            changed = False
            for name, value in bindings:
                before = variables[name]
                if before is not None:
                    variables[name] = _either([before, None if value is None else self._types(value, variables)])
                    changed = changed or variables[name] != before
        return {name: types or UNKNOWN for name, types in variables.items()}

    def _types(self, node: ast.expr, variables: _TypesByName) -> Types | None:  # noqa: C901 (a case for each expression)
        """Return the types of an expression; None if they are unknown."""
        match node:
            case ast.Constant(value=value):
                return frozenset({type(value).__name__})
            case ast.Name(id=name):
                return variables.get(name)
            case ast.NamedExpr(value=value):
                return self._types(value, variables)
            case ast.Attribute(value=receiver, attr=name):
                return self._field(self._types(receiver, variables), name)
            case ast.IfExp(body=one, orelse=other):
                return _either([self._types(one, variables), self._types(other, variables)])
            case ast.BoolOp(values=values):
                return _either([self._types(value, variables) for value in values])
            case ast.UnaryOp(op=ast.UAdd() | ast.USub() | ast.Invert(), operand=operand):
                return _of_integers([self._types(operand, variables)])
            case ast.BinOp(left=left, op=operator, right=right) if isinstance(operator, _OF_INTEGERS):
                return _of_integers([self._types(left, variables), self._types(right, variables)])
            case ast.Subscript(value=ast.Call(func=ast.Name(id="range"))) if self._is_builtin("range", variables):
                return _INT
            case ast.Subscript(value=ast.Attribute(value=receiver, attr=name), slice=index):
                position = _of_integers([self._types(index, variables)])
                return position and self._item(self._types(receiver, variables), name)
            case ast.Call(func=called):
                return self._result(called, variables)
        return None

    def _field(self, owners: Types | None, name: str) -> Types | None:
        if owners is None:
            return None
        return _either([self.fields(owner).get(name) or None for owner in sorted(owners - {NONE})])

    def _item(self, owners: Types | None, name: str) -> Types | None:
        """Return the types of an item of a field that all of its owners annotate as a list."""
        types: list[Types | None] = [None] if owners is None else []
        for owner in sorted((owners or UNKNOWN) - {NONE}):
            annotations = (above.fields[name] for above in self.program.lineage(owner) if name in above.fields)
            match next(annotations, None):
                case ast.Subscript(value=ast.Name(id="list"), slice=item):
                    types.append(self.annotated(item) or None)
                case _:
                    types.append(None)
        return _either(types)

    def _result(self, called: ast.expr, variables: _TypesByName) -> Types | None:
        match called:
            case ast.Name(id="len") if self._is_builtin("len", variables):
                return _INT
            case ast.Name(id=name) if name not in variables and name not in self._named:
                if name in self.program.classes:
                    return frozenset({name})
                return self._returned(self.program.functions.get(name))
            case ast.Attribute(value=receiver, attr=name):
                owners = self._types(receiver, variables)
                methods = [self.program.method(owner, name) for owner in sorted((owners or UNKNOWN) - {NONE})]
                return None if owners is None else _either([self._returned(method) for method in methods])
        return None

    def _is_builtin(self, name: str, variables: _TypesByName) -> bool:
        namespaces = (variables, self._named, self.program.functions, self.program.classes)
        return "*" not in self._named and not any(name in names for names in namespaces)

    def _returned(self, function: Function | None) -> Types | None:
        if function is None or isinstance(function.node, ast.AsyncFunctionDef):
            return None
        decorators = [getattr(decorator, "id", "") for decorator in function.node.decorator_list]
        return (self.result(function) or None) if _KEEP_THE_RESULT.issuperset(decorators) else None


def _either(operands: Sequence[Types | None]) -> Types | None:
    """Return the union of types; None if any are unknown."""
    sets = [types for types in operands if types is not None]
    return frozenset[str]().union(*sets) if len(sets) == len(operands) else None


def _of_integers(operands: Sequence[Types | None]) -> Types | None:
    """Return the types of an operation that makes an integer of integers, and may make anything of anything else."""
    union = _either(operands)
    if union is None or not union <= _INT:
        return None
    return union if all(operands) else UNKNOWN


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:  # noqa: C901 (a case for each statement)
    """Yield all bindings of names below a node, definitions left out, with the value; None if no expression is it."""
    paired: set[int] = set()
    for inner in ast.walk(node):
        match inner:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _paired(target, value, paired)
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                yield from _paired(target, value, paired)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=operator, value=value):
                paired.add(id(target))
                yield name, ast.BinOp(ast.Name(name, ast.Load()), operator, value)
            case ast.For(target=target, iter=walked):
                yield from _paired(target, ast.Subscript(walked, ast.Constant(0), ast.Load()), paired)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if id(inner) not in paired:
                yield name, None
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name, None
            case ast.MatchMapping(rest=str(name)):
                yield name, None
            case ast.alias(name=name, asname=other):
                yield other or name.partition(".")[0], None
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from ((name, None) for name in names)


def _paired(target: ast.expr, value: ast.expr, paired: set[int]) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names of a target that surely get a value, with that value, and add their nodes to `paired`."""
    match target, value:
        case ast.Name(id=name), _:
            paired.add(id(target))
            yield name, value
        case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), (ast.Tuple(elts=values) | ast.List(elts=values))):
            starred = any(isinstance(node, ast.Starred) for node in (*targets, *values))
            if len(targets) == len(values) and not starred:
                for one, part in zip(targets, values, strict=True):
                    yield from _paired(one, part, paired)


def _names_of_inner_scopes(function: FunctionNode) -> frozenset[str]:
    """Return the names of, and within, the comprehensions, lambdas, functions and classes of a function."""
    names: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.comprehension):
            names.update(inner.id for inner in ast.walk(node.target) if isinstance(inner, ast.Name))
        elif isinstance(node, _SCOPES) and node is not function:
            names |= bound_names(node)
        if isinstance(node, _DEFINITIONS) and node is not function:
            names.add(node.name)
    return frozenset(names)
