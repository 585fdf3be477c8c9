"""How deep code may be nested that is walked recursively: one limit, the same whoever walks and from wherever."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from harness.errors import SourceError
from harness.model.subject import Subject

DEEPEST = 400
"""Levels of the syntax tree; a sum of so many terms is as deep."""

_FRAMES = 10_000
"""Frames that walking such a tree may take; libcst takes about seven for each level."""


@contextmanager
def room_for(subject: Subject) -> Iterator[None]:
    """Within the block, the implementation's tree may be walked recursively.

    Raises:
        SourceError: it is nested deeper than DEEPEST; names the line where it is deepest.
    """
    line, depth = deepest(subject.source)
    if depth > DEEPEST:
        raise SourceError(
            f"{subject.source_path}:{line}: expressions or statements are nested {depth} deep, {DEEPEST} at the most "
            "can be mutated; split them"
        )
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def deepest(source: str) -> tuple[int, int]:
    """The first line of the statement in which the tree is deepest, and how deep it is there; 0 if it does not parse.

    That it does not parse is for others to tell.
    """
    line, most = 1, 0
    try:
        left: list[tuple[ast.AST, int, int]] = [(ast.parse(source), 1, 0)]
    except (SyntaxError, RecursionError, MemoryError):
        return line, most
    while left:
        node, statement, depth = left.pop()
        if isinstance(node, ast.stmt):
            statement = node.lineno
        if depth > most:
            line, most = statement, depth
        left.extend((child, statement, depth + 1) for child in ast.iter_child_nodes(node))
    return line, most
