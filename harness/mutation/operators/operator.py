"""MutationOperator: a code, a sentence, a function from nodes to replacements, and examples that tests execute."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import libcst as cst

from harness.mutation.context import MutationContext

Mutate = Callable[[Any, MutationContext], Iterable[cst.CSTNode]]


@dataclass(frozen=True)
class Example:
    """A program, and the text that each mutant puts into it: `(original, replacement)` in source order."""

    before: str
    changes: tuple[tuple[str, str], ...]


def becoming(original: str, *replacements: str) -> tuple[tuple[str, str], ...]:
    """Return the changes of an example that replace one text, each by another."""
    return tuple((original, replacement) for replacement in replacements)


@dataclass(frozen=True)
class MutationOperator:
    """One kind of fault (exhaustive2003, section 7.1).

    `mutate(node, context)` yields the nodes that replace `node`, an instance of one of `nodes`;
    it need not care for parentheses. `code` is unique within an operator set and part of every mutant's id.
    `source` names where it is described, if not in that paper.
    """

    code: str
    summary: str
    nodes: tuple[type[cst.CSTNode], ...]
    mutate: Mutate
    examples: tuple[Example, ...]
    source: str = ""
