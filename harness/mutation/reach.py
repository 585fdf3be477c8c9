"""The functions to mutate and to cover: targets, and the helpers that they reach (exhaustive2003, Table 1)."""

from __future__ import annotations

import ast
import builtins
import io
import tokenize
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from harness.errors import SpecError
from harness.model.interface import Interface
from harness.model.routines import RoutineKind
from harness.mutation.bindings import bound_names
from harness.mutation.program import (
    UNKNOWN,
    Binding,
    DeclaredTypes,
    Function,
    Program,
    TypeProfile,
    Types,
    read_program,
)

_STATEMENTS = (ast.If, ast.While, ast.For, ast.AsyncFor)
_NO_CODE = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT})


@dataclass(frozen=True)
class FunctionExtent:
    """The lines that a function takes, and its size.

    Lines count from 1, `last_line` included; decorators do not count. `code_lines` are non-comment, non-blank lines
    outside docstrings. `branching_points` are `if`, `elif`, `while`, `for`, conditional expressions, the loops and
    filters of comprehensions, and `case` blocks; `and` and `or` are part of the decision that they stand in.
    `branching_statements` are those that are statements: without conditional expressions and comprehensions, whose
    outcomes coverage.py does not count.
    """

    name: str
    first_line: int
    last_line: int
    code_lines: int
    branching_points: int
    branching_statements: int


def target_names(interface: Interface) -> tuple[str, ...]:
    """Return the qualified names of the targets: methods of the root's class, module functions, and constructors."""
    return tuple(
        f"{interface.root}.{called.name}" if called.kind is RoutineKind.METHOD else called.name
        for called in interface.called
    )


def reachable(
    source: str, targets: Iterable[str], helpers: Iterable[str] | None = None, profile: TypeProfile | None = None
) -> dict[str, FunctionExtent]:
    """Return the targets and their helper functions in source order, by qualified name.

    If `helpers` are passed, exactly those are the helpers. Otherwise they are the functions that the targets name,
    directly or through other helpers: module functions, `__new__` and `__init__` of constructed classes, methods and
    properties.

    Methods are those of the receiver's class, as declared or as seen while `profile` was observed, and of its bases and
    subclasses. Bases and subclasses count only if they were entered during the profile (without a profile: all). If the
    receiver's type is unknown, methods of any class count that were entered (without a profile: all). Methods called by
    operators (`__getitem__`) are not named, and are helpers only if the spec lists them.

    A class among the targets stands for the functions that construct its objects. A target that a class inherits from a
    base in C, or from another module, is none of this program's functions.

    Raises:
        SpecError: a target or helper is not a function of the source.
        SourceError: the source does not parse.
    """
    program = read_program(source)
    roots = [function for name in targets for function in _resolve(program, name)]
    if helpers is not None:
        chosen = {function.name for function in (*roots, *(f for name in helpers for f in _resolve(program, name)))}
    else:
        chosen = _Reach(program, profile).from_(roots)
    coded = _code_line_numbers(source)
    return {name: _extent(f, coded) for name, f in program.functions.items() if name in chosen}


def _resolve(program: Program, name: str) -> list[Function]:
    """Return the function of that name, or for a class, the functions that construct its objects.

    The list is empty for a method that is inherited from a class outside the program.

    Raises:
        SpecError: there is none.
    """
    if name in program.functions:
        return [program.functions[name]]
    owner, _, short = name.rpartition(".")
    if owner and (found := program.method(owner, short)) is not None:
        return [found]
    if name in program.classes:
        constructors = (program.method(name, special) for special in ("__new__", "__init__"))
        return [function for function in constructors if function is not None]
    if owner in program.classes and program.inherits_from_elsewhere(owner):
        return []
    raise SpecError(f"the spec names {name!r}, but the implementation defines no such function; correct the name")


class _Reach:
    """Finds the functions of a program that other functions name."""

    def __init__(self, program: Program, profile: TypeProfile | None) -> None:
        self._program = program
        self._profile = profile
        self._declared = DeclaredTypes(program, profile or TypeProfile())
        self._method_names = {name for found in program.classes.values() for name in found.methods}
        self._imported = {
            (alias.asname or alias.name).partition(".")[0]
            for node in ast.walk(program.tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }

    def from_(self, roots: Iterable[Function]) -> set[str]:
        """Return the names of the roots and of all functions that they reach."""
        chosen = set[str]()
        work = list(roots)
        while work:
            function = work.pop()
            if function.name not in chosen:
                chosen.add(function.name)
                work.extend(self._named_in(function))
        return chosen

    def _named_in(self, function: Function) -> Iterator[Function]:
        local = bound_names(function.node)
        for statement in function.node.body:
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and node.id not in local:
                    named = [self._program.functions.get(node.id)]
                    if named == [None] and self._program.class_called(node.id) is not None:
                        named = [self._program.method(node.id, name) for name in ("__new__", "__init__")]
                    yield from (function for function in named if function is not None)
                elif isinstance(node, ast.Attribute) and node.attr in self._method_names:
                    yield from self._methods(node, function, local)

    def _methods(self, node: ast.Attribute, function: Function, local: Container[str]) -> Iterator[Function]:
        classes = self._classes(node.value, function, local)
        entered = None if self._profile is None else self._profile.variables
        if classes is not None and entered is not None:
            sure = [self._program.method(name, node.attr) for name in classes]
            yield from (method for method in sure if method is not None)
        within = (
            self._program.classes
            if classes is None
            else [relative for name in classes for relative in _family(self._program, name)]
        )
        for owner in within:
            method = self._program.classes[owner].methods.get(node.attr)
            if method is not None and (entered is None or method.name in entered):
                yield method

    def _classes(self, receiver: ast.expr, function: Function, local: Container[str]) -> list[str] | None:
        """Return the classes of the program that `receiver` is, or is an object of; None if that is unknown."""
        match receiver:
            case ast.Name(id=name) if name == _own_receiver(function) and function.owner:
                seen = {} if self._profile is None else self._profile.variables.get(function.name, {})
                classes = [kind for kind in sorted(seen.get(name, ())) if kind in self._program.classes]
                return classes or [function.owner]
            case ast.Call(func=ast.Name(id="super")) if function.owner:
                return [classes.name for classes in self._program.lineage(function.owner)][1:]
            case ast.Name(id=name) if name not in local:
                if (known := self._program.class_called(name)) is not None:
                    return [known.name]
                if name in self._imported or hasattr(builtins, name):
                    return []
        types = self._types(receiver, function.name)
        return [name for name in sorted(types) if name in self._program.classes] if types else None

    def _types(self, receiver: ast.expr, function: str) -> Types:
        """Return the types of most receivers, variables and their fields, without libcst, whose import takes long."""
        match receiver:
            case ast.Name(id=name):
                return self._declared.variables(function).get(name, UNKNOWN)
            case ast.Attribute(value=value, attr=name):
                return self._declared.attribute(self._types(value, function), name)
        import libcst

        from harness.mutation.inference import Inference

        inference = Inference(self._program, self._profile or TypeProfile())
        return inference.types(libcst.parse_expression(ast.unparse(receiver)), function)


def _own_receiver(function: Function) -> str | None:
    arguments = [*function.node.args.posonlyargs, *function.node.args.args]
    return arguments[0].arg if function.owner and arguments and function.binding is not Binding.STATIC else None


def _family(program: Program, owner: str) -> list[str]:
    """Return the class, its bases and its subclasses: a call through `self` may reach a method of any of them."""
    above = {found.name for found in program.lineage(owner)}
    return [name for name in program.classes if name in above or owner in {c.name for c in program.lineage(name)}]


def _extent(function: Function, coded: frozenset[int]) -> FunctionExtent:
    node = function.node
    last = node.end_lineno or node.lineno
    lines = set(range(node.lineno, last + 1)) & coded
    for inner in ast.walk(node):
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            lines -= _docstring_lines(inner)
    return FunctionExtent(
        function.name, node.lineno, last, len(lines), branching_points(node), branching_statements(node)
    )


def _docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> set[int]:
    if ast.get_docstring(node) is None:
        return set()
    docstring = node.body[0]
    return set(range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1))


def branching_points(node: ast.AST) -> int:
    """Return the number of decisions below `node`, counted as `FunctionExtent` describes."""
    count = branching_statements(node)
    for inner in ast.walk(node):
        if isinstance(inner, ast.IfExp):
            count += 1
        elif isinstance(inner, ast.comprehension):
            count += 1 + len(inner.ifs)
    return count


def branching_statements(node: ast.AST) -> int:
    """Return the number of deciding statements below `node`; a `case` block counts as one."""
    return sum(isinstance(inner, (*_STATEMENTS, ast.match_case)) for inner in ast.walk(node))


def _code_line_numbers(source: str) -> frozenset[int]:
    """Return the lines that contain a token other than a comment."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return frozenset(lines)
