"""Limits how deeply code may be nested that is walked recursively, with one limit for every walk."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from harness.errors import SourceError
from harness.model.subject import Subject

DEEPEST = 400
"""Levels of the syntax tree; a sum of so many terms is as deep."""

_FRAMES = 10_000
"""Frames that walking such a tree may take; libcst takes about seven for each level."""


@contextmanager
def room_for(subject: Subject) -> Iterator[None]:
    """Allow the implementation's tree to be walked recursively within the block.

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


@lru_cache(maxsize=16)  # each trial of a subject asks twice
def deepest(source: str) -> tuple[int, int]:
    """Return the first line of the statement in which the tree is deepest, and its depth there.

    The depth is 0 if the source does not parse, because other code reports that error.
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
