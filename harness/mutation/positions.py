"""Converts positions of the standard library's trees to locations whose columns count characters."""

from __future__ import annotations

import ast
from itertools import pairwise

from harness.kernel.program.splice import line_starts
from harness.model.mutant import Location

PositionedNode = ast.expr | ast.stmt


class Positions:
    """Locations of `ast` nodes of one source text; `ast` counts columns in UTF-8 bytes."""

    def __init__(self, source: str) -> None:
        starts = [*line_starts(source), len(source)]
        self._lines = [source[start:end] for start, end in pairwise(starts)]
        self._ascii = [line.isascii() for line in self._lines]

    def location(self, node: PositionedNode) -> Location:
        """Return the node's span, without parentheses around it."""
        end_line = node.end_lineno or node.lineno
        return Location(
            node.lineno,
            self._column(node.lineno, node.col_offset),
            end_line,
            self._column(end_line, node.end_col_offset or 0),
        )

    def _column(self, line: int, offset: int) -> int:
        if self._ascii[line - 1]:
            return offset
        return len(self._lines[line - 1].encode()[:offset].decode())


def contains(outer: Location, inner: Location) -> bool:
    """Return whether `inner` lies within `outer`."""
    return (outer.line, outer.column) <= (inner.line, inner.column) and (inner.end_line, inner.end_column) <= (
        outer.end_line,
        outer.end_column,
    )
