"""Writes states as trees of the objects below the root, as text and as data, and sequences with those around them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from harness.difference.result import Difference, InvariantDifference
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization
from harness.report.states.first_inputs import LastCall
from harness.report.states.graph import GraphNode, NumberedState, StateGraph, StateReader

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
    rows = fitting([max(map(len, block)) + _GAP for block in blocks], width + _GAP)
    tables = "\n\n".join("\n".join(_joined_columns([blocks[at] for at in row])) for row in rows)
    more = total - states[-1].last
    ending = f"\n\n... and {more:,} states more" if more else ""
    return f"{LEGEND}\n\n{tables}{ending}"


def fitting(widths: Sequence[float], most: float) -> list[list[int]]:
    """Return the numbers of things of these widths in rows that are at most so wide, unless one alone is wider."""
    rows: list[list[int]] = []
    room = 0.0
    for number, width in enumerate(widths):
        if not rows or width > room:
            rows.append([])
            room = most
        rows[-1].append(number)
        room -= width
    return rows


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


def sides(difference: Difference | InvariantDifference, finitization: Finitization) -> dict[str, list[NumberedState]]:
    """Return the stored states that satisfy only `invariant`, and only `rep_ok`, the smallest first; no empty side."""
    reader = StateReader(StateSpace(finitization))
    if isinstance(difference, Difference):
        vectors_of = {"rep_ok": tuple(one.vector for one in difference.of_rep_ok)}
    else:
        vectors_of = {"invariant": difference.of_invariant, "rep_ok": difference.of_rep_ok}
    return {
        side: [NumberedState(number, number, reader.read(vector)) for number, vector in enumerate(vectors, start=1)]
        for side, vectors in vectors_of.items()
        if vectors
    }


def sides_text(
    difference: Difference | InvariantDifference, states_of_sides: dict[str, list[NumberedState]], width: int
) -> str:
    """Return the whole comparison as text."""
    counts = _counts(difference)
    parts = [
        f"of {side} alone:\n{states_text(states, counts[side], width)}" for side, states in states_of_sides.items()
    ]
    return "\n\n".join([difference.as_text(), *parts])


def draw_sides(
    difference: Difference | InvariantDifference, states_of_sides: dict[str, list[NumberedState]], folder: Path
) -> list[Path]:
    """Draw the states of each side into a file in `folder`; return their paths.

    Raises:
        UsageError: the picture would be too large.
        StoreError: the file cannot be written.
    """
    from harness.analysis.drawing import save_figure
    from harness.report.states.figure import draw_states

    paths = []
    for side, states in states_of_sides.items():
        path = folder / f"{difference.subject.replace('/', '_')}_scope{difference.scope}_{side}_only.svg"
        count = _counts(difference)[side]
        title = f"{difference.subject}, scope {difference.scope}: of {side} alone, {len(states)} of {count:,}"
        save_figure(draw_states(states, title), path)
        paths.append(path)
    return paths


def _counts(difference: Difference | InvariantDifference) -> dict[str, int]:
    """Return the number of states by side; of those of rep_ok, only the ones that no larger scope explains if any."""
    if isinstance(difference, Difference):
        return {"rep_ok": difference.unexplained or difference.rep_ok_only}
    return {"invariant": difference.invariant_only, "rep_ok": difference.rep_ok_only}
