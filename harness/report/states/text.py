"""Writes states as trees of the objects below the root, as text and as data, and sequences with those around them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from harness.report.states.graph import GraphNode, NumberedState, StateGraph
from harness.report.states.reached_states import LastCall

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


def states_as_data(states: Sequence[NumberedState]) -> list[dict[str, Any]]:
    """Return the states for JSON: the range of their numbers in the suite, from 1, and each as lines of text."""
    return [{"first": one.first, "last": one.last, "lines": state_lines(one.graph)} for one in states]


def printable_sequences(sequences: Sequence[str], calls: Sequence[LastCall], total: int) -> str:
    """Return the first of `total` sequences, numbered from 1, each with the states around its last call below."""
    width = len(str(len(sequences)))
    lines: list[str] = []
    for number, (text, call) in enumerate(zip(sequences, calls, strict=True), start=1):
        lines.append(f"{number:>{width}}  {text}")
        lines.extend(f"{'':{width}}  {line}" for line in _around(call))
    more = total - len(sequences)
    return "\n".join([*lines, *([f"\n... and {more:,} sequences more"] if more else [])])


def _around(call: LastCall) -> list[str]:
    """Return the lines of the state before the last call, the exception that it raises, and the state after it."""
    lines = [] if call.before is None else _headed("before: ", state_lines(call.before))
    if call.raised:
        lines.append(f"raises: {call.raised}")
    if call.after is not None:
        lines += _headed("after:  ", ["the same"] if call.after == call.before else state_lines(call.after))
    return lines


def _headed(head: str, lines: Sequence[str]) -> list[str]:
    return [(head if not number else " " * len(head)) + line for number, line in enumerate(lines)]


def last_calls_as_data(calls: Sequence[LastCall]) -> list[dict[str, Any]]:
    """Return the calls for JSON: states as lines of text or None, and the type of the exception or an empty text."""
    return [
        {
            "before": None if call.before is None else state_lines(call.before),
            "after": None if call.after is None else state_lines(call.after),
            "raised": call.raised,
        }
        for call in calls
    ]


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
