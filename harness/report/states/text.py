"""Writes states as text: each is a tree of the objects below the root, with as many side by side as fit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from harness.report.states.graph import NumberedState, StateGraph, Thing

LEGEND = "An object is shown where it is met first, and named elsewhere; where it could refer to one, None is left out."
_GAP = 4


class Lines(NamedTuple):
    """The characters that draw branches."""

    more: str
    last: str
    below: str


DRAWN = Lines("├─ ", "└─ ", "│  ")
ASCII = Lines("|- ", "`- ", "|  ")


def state_lines(graph: StateGraph, lines: Lines = DRAWN) -> list[str]:
    """Return the lines of a state as a tree: `Node0(info=1, parent=Node1)`, below it the objects of its other links."""
    drawn: list[str] = []
    agenda: list[tuple[str, str, Thing]] = [("", "", graph.root)]
    while agenda:
        head, indent, graph_node = agenda.pop()
        drawn.append(head + _shown(graph_node, graph))
        below: list[tuple[str, str, Thing]] = []
        for position, link in enumerate(graph_node.branches, start=1):
            is_last = position == len(graph_node.branches)
            branch = lines.last if is_last else lines.more
            further = " " * len(lines.below) if is_last else lines.below
            below.append((f"{indent}{branch}{link.label}: ", indent + further, graph.things[link.target]))
        agenda.extend(reversed(below))
    return drawn


def states_text(states: Sequence[NumberedState], total: int, width: int, lines: Lines = DRAWN) -> str:
    """Return the first states of a suite of `total`, in lines of at most `width` characters if they fit."""
    blocks = [[state.title, *state_lines(state.graph, lines)] for state in states]
    rows: list[list[list[str]]] = []
    room = 0
    for block in blocks:
        needed = max(map(len, block))
        if not rows or needed + _GAP > room:
            rows.append([])
            room = width + _GAP
        rows[-1].append(block)
        room -= needed + _GAP
    tables = "\n\n".join("\n".join(_beside(row)) for row in rows)
    more = total - states[-1].last
    ending = f"\n\n... and {more:,} states more" if more else ""
    return f"{LEGEND}\n\n{tables}{ending}"


def _beside(blocks: Sequence[list[str]]) -> list[str]:
    widths = [max(map(len, block)) + _GAP for block in blocks]
    return [
        "".join(text.ljust(width) for text, width in zip(texts, widths, strict=True)).rstrip()
        for texts in zip_longest(*blocks, fillvalue="")
    ]


def _shown(thing: Thing, graph: StateGraph) -> str:
    named = [f"{link.label}={graph.things[link.target].name}" for link in thing.links if not link.first]
    values = [f"{label}={value}" for label, value in thing.fields]
    arguments = f"({', '.join([*values, *named])})" if values or named or not thing.contents else ""
    return f"{thing.name}{arguments} {thing.contents}".strip()
