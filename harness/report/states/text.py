"""Writes states as text: each is a tree of the objects below the root, with as many side by side as fit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from harness.report.states.graph import GraphNode, NumberedState, StateGraph

LEGEND = "An object is shown where it is met first, and named elsewhere; where it could refer to one, None is left out."
_GAP = 4


def state_lines(graph: StateGraph) -> list[str]:
    """Return the lines of a state as a tree: `Node0(info=1, parent=Node1)`, below it the objects of its other links."""
    drawn: list[str] = []
    agenda: list[tuple[str, str, GraphNode]] = [("", "", graph.root)]
    while agenda:
        head, indent, node = agenda.pop()
        drawn.append(head + _node_text(node, graph))
        below: list[tuple[str, str, GraphNode]] = []
        for position, link in enumerate(node.branches, start=1):
            is_last = position == len(node.branches)
            branch = "└─ " if is_last else "├─ "
            further = "   " if is_last else "│  "
            below.append((f"{indent}{branch}{link.label}: ", indent + further, graph.nodes[link.target]))
        agenda.extend(reversed(below))
    return drawn


def states_text(states: Sequence[NumberedState], total: int, width: int) -> str:
    """Return the first states of a suite of `total`, in lines of at most `width` characters if they fit."""
    blocks = [[state.title, *state_lines(state.graph)] for state in states]
    rows: list[list[list[str]]] = []
    room = 0
    for block in blocks:
        needed = max(map(len, block))
        if not rows or needed + _GAP > room:
            rows.append([])
            room = width + _GAP
        rows[-1].append(block)
        room -= needed + _GAP
    tables = "\n\n".join("\n".join(_joined_columns(row)) for row in rows)
    more = total - states[-1].last
    ending = f"\n\n... and {more:,} states more" if more else ""
    return f"{LEGEND}\n\n{tables}{ending}"


def _joined_columns(blocks: Sequence[list[str]]) -> list[str]:
    widths = [max(map(len, block)) + _GAP for block in blocks]
    return [
        "".join(text.ljust(width) for text, width in zip(texts, widths, strict=True)).rstrip()
        for texts in zip_longest(*blocks, fillvalue="")
    ]


def _node_text(node: GraphNode, graph: StateGraph) -> str:
    named = [f"{link.label}={graph.nodes[link.target].name}" for link in node.links if not link.first]
    values = [f"{label}={value}" for label, value in node.fields]
    arguments = f"({', '.join([*values, *named])})" if values or named or not node.contents else ""
    if node.is_container and node.links and not values and not named:
        return f"{node.name} of {len(node.links)}"
    return f"{node.name}{arguments} {node.contents}".strip()
