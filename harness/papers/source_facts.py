"""What Table 1 of exhaustive2003 says of a benchmark, measured from its source text."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass

from harness.errors import SourceError

_NOT_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}  # fmt: skip
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class SubjectFacts:
    """One row of Table 1: names without the class of the first target; counts over all functions named.

    `ncnb_lines` are lines that are neither comment (or docstring) nor blank; `branches` are
    branching statements, half as many as their outcomes, which coverage counts; `mutants` is the
    size of the pinned set.
    """

    title: str
    targets: tuple[str, ...]
    helpers: tuple[str, ...]
    ncnb_lines: int
    branches: int
    mutants: int


def subject_facts(
    title: str, source: str, targets: Sequence[str], helpers: Sequence[str], mutants: int
) -> SubjectFacts:
    """Facts of the functions with these qualified names (`SearchTree.add`) in `source`.

    Raises:
        SourceError: the source does not parse, or has no such function.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise SourceError(f"{title}: line {error.lineno}: {error.msg}; correct the implementation") from None
    known = _functions(tree)
    wanted = [*targets, *helpers]
    for name in wanted:
        if name not in known:
            raise SourceError(f"{title}: the implementation has no function {name}; correct the spec")
    nodes = [known[name] for name in wanted]
    within = {line for node in nodes for line in _lines(node)}
    branching = {node for function in nodes for node in ast.walk(function) if _branches(node)}
    prefix = targets[0].rpartition(".")[0] + "." if targets else "."
    return SubjectFacts(
        title,
        tuple(name.removeprefix(prefix) for name in targets),
        tuple(name.removeprefix(prefix) for name in helpers),
        len(within & _code_lines(source) - _docstring_lines(tree)),
        len(branching),
        mutants,
    )


def _functions(tree: ast.Module) -> dict[str, _Function]:
    found: dict[str, _Function] = {}

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, _Function):
                found.setdefault(prefix + child.name, child)
                visit(child, f"{prefix}{child.name}.<locals>.")
            elif isinstance(child, ast.ClassDef):
                visit(child, f"{prefix}{child.name}.")
            else:
                visit(child, prefix)

    visit(tree, "")
    return found


def _lines(node: _Function) -> range:
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return range(first, (node.end_lineno or first) + 1)


def _branches(node: ast.AST) -> bool:
    """As coverage.py: a `while` over a constant does not branch, nor do conditional expressions."""
    if isinstance(node, (ast.If, ast.While)):
        return not isinstance(node.test, ast.Constant)
    return isinstance(node, (ast.For, ast.AsyncFor))


def _code_lines(source: str) -> set[int]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {line for t in tokens if t.type not in _NOT_CODE for line in range(t.start[0], t.end[0] + 1)}


def _docstring_lines(tree: ast.Module) -> set[int]:
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (_Function, ast.ClassDef)) and ast.get_docstring(node, clean=False) is not None:
            docstring = node.body[0]
            lines.update(range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1))
    return lines
