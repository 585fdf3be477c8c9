"""The functions to mutate and to cover: targets, and helpers that they reach by name (exhaustive2003, Table 1)."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from harness.errors import SpecError
from harness.model.finitization import CallKind, Finitization
from harness.mutation.bindings import bound_names
from harness.mutation.program import Binding, Function, Program, read_program

_STATEMENTS = (ast.If, ast.While, ast.For, ast.AsyncFor)
_NO_CODE = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT})


@dataclass(frozen=True)
class FunctionExtent:
    """Where a function stands and how large it is.

    Lines count from 1, `last_line` included; decorators do not count. `code_lines` are non-comment,
    non-blank lines outside docstrings. `branching_points` are `if`, `elif`, `while`, `for`,
    conditional expressions, the loops and filters of comprehensions, and `case` blocks; `and` and
    `or` are not told apart from the decision they stand in. `branching_statements` are those that are
    statements: without conditional expressions and comprehensions, whose outcomes coverage.py does not count.
    """

    name: str
    first_line: int
    last_line: int
    code_lines: int
    branching_points: int
    branching_statements: int


def target_names(finitization: Finitization) -> tuple[str, ...]:
    """Qualified names of a finitization's targets: methods of the root's class, or module functions."""
    root = finitization.domains[0].class_name
    return tuple(
        f"{root}.{target.name}" if target.kind is CallKind.METHOD else target.name for target in finitization.targets
    )


def reachable(source: str, targets: Iterable[str], helpers: Iterable[str] | None = None) -> dict[str, FunctionExtent]:
    """The targets and their helper functions in source order, by qualified name.

    With `helpers` given, exactly those; else whatever the targets name, and so on: module functions,
    methods and properties (of its own class through `self`, of any class through other receivers),
    and `__init__` of constructed classes.

    Raises:
        SpecError: a target or helper is not a function of the source.
        SourceError: the source does not parse.
    """
    program = read_program(source)
    roots = [_resolve(program, name) for name in targets]
    if helpers is not None:
        chosen = {function.name for function in (*roots, *(_resolve(program, name) for name in helpers))}
    else:
        chosen = set[str]()
        work = roots
        while work:
            function = work.pop()
            if function.name not in chosen:
                chosen.add(function.name)
                work.extend(_named_in(function, program))
    coded = _code_line_numbers(source)
    return {name: _extent(f, coded) for name, f in program.functions.items() if name in chosen}


def _resolve(program: Program, name: str) -> Function:
    found = program.functions.get(name)
    if found is None:
        owner, _, short = name.rpartition(".")
        found = program.method(owner, short) if owner else None
    if found is None:
        raise SpecError(f"the spec names {name!r}, but the implementation defines no such function; correct the name")
    return found


def _named_in(function: Function, program: Program) -> Iterator[Function]:
    """Functions of the program that the body of `function` names."""
    local = bound_names(function.node)
    arguments = [*function.node.args.posonlyargs, *function.node.args.args]
    receiver = arguments[0].arg if function.owner and arguments and function.binding is not Binding.STATIC else None
    for statement in function.node.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and node.id not in local:
                named = program.functions.get(node.id)
                if named is None and program.class_called(node.id) is not None:
                    named = program.method(node.id, "__init__")
                if named is not None:
                    yield named
            elif isinstance(node, ast.Attribute):
                if isinstance(node.value, ast.Name) and node.value.id == receiver and function.owner:
                    family = _family(program, function.owner)
                else:
                    family = list(program.classes)
                for owner in family:
                    if node.attr in program.classes[owner].methods:
                        yield program.classes[owner].methods[node.attr]


def _family(program: Program, owner: str) -> list[str]:
    """The class, its bases and its subclasses: where a call through `self` may land."""
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
    """Decisions below `node`, counted as `FunctionExtent` says."""
    count = branching_statements(node)
    for inner in ast.walk(node):
        if isinstance(inner, ast.IfExp):
            count += 1
        elif isinstance(inner, ast.comprehension):
            count += 1 + len(inner.ifs)
    return count


def branching_statements(node: ast.AST) -> int:
    """Statements that decide below `node`, a `case` block counting as one."""
    return sum(isinstance(inner, (*_STATEMENTS, ast.match_case)) for inner in ast.walk(node))


def _code_line_numbers(source: str) -> frozenset[int]:
    """Lines on which a token other than a comment stands."""
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            found.update(range(token.start[0], token.end[0] + 1))
    return frozenset(found)
