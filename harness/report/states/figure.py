"""Draws states as a figure: each is a graph of boxes and arrows in its own frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path as Curve

from harness.analysis.figure_page import STYLE
from harness.analysis.plots import COVERAGE_COLOUR, KILLED_COLOUR
from harness.errors import UsageError
from harness.report.states.graph import GraphNode, Link, NumberedState, StateGraph
from harness.report.states.layout import LINE, PADDING, Box, BoxLayout, Style, text_lines

LARGEST = 300.0
"""Inches either way: more is no picture, and more than a PNG file can hold."""

_WIDEST = 13.0
"""Inches of a row of pictures, unless one alone is wider."""
_MARGIN = 0.2
_TITLE = 0.3
_GAP = 0.16

_PLAIN: Any = {"parse_math": False}
"""Texts of the program, in which a dollar is a dollar."""
_FRAME: Any = {"facecolor": "white", "edgecolor": "#d8dde3", "linewidth": 0.8}
_ROOT: Any = {"facecolor": "#dbe8f4", "edgecolor": COVERAGE_COLOUR, "linewidth": 1.3}
_OBJECT: Any = {"facecolor": "#f5f9fc", "edgecolor": COVERAGE_COLOUR, "linewidth": 0.9}
_LIST: Any = {"facecolor": "#f4f2ec", "edgecolor": "#8a8272", "linewidth": 0.9}
_BRANCH: Any = {"color": "#33475b", "linewidth": 1.0, "arrowstyle": "-|>", "mutation_scale": 8}
_OTHER: Any = {"color": KILLED_COLOUR, "linewidth": 0.8, "linestyle": (0, (4, 2)), "mutation_scale": 7}


def draw_states(states: Sequence[NumberedState], title: str) -> Figure:
    """Draw the states in rows, under `title`. Solid arrows lead to objects found first, dashed ones back to others.

    Raises:
        UsageError: they do not fit into a picture.
    """
    style = Style.of(state.graph for state in states)
    pictures = [style.lay_out(state.graph) for state in states]
    rows = _rows(pictures)
    width = max(sum(_outer(pictures[at])[0] + _GAP for at in row) for row in rows) + _GAP
    height = sum(max(_outer(pictures[at])[1] for at in row) + _GAP for row in rows) + _GAP + 0.4
    if max(width, height) > LARGEST:
        raise UsageError(f"a picture of {len(states)} such states is larger than {LARGEST:g} inches; show fewer")
    width = max(width, 0.085 * len(title) + 2 * _GAP)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, height))
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, width)
        axes.set_ylim(height, 0)  # downwards, as it is laid out
        axes.set_axis_off()
        axes.text(_GAP, 0.22, title, fontsize=11, fontweight="bold", va="center", **_PLAIN)
        down = 0.4
        for row in rows:
            right = _GAP
            tallest = max(_outer(pictures[at])[1] for at in row)
            for at in row:
                across, _ = _outer(pictures[at])
                axes.add_patch(_rounded(right + across / 2, down + tallest / 2, across, tallest, _FRAME))
                axes.text(right + 0.1, down + 0.16, states[at].title, fontsize=8, color="#6b7280", va="center")
                _draw(axes, states[at].graph, pictures[at], right + _MARGIN, down + _TITLE)
                right += across + _GAP
            down += tallest + _GAP
    return figure


def _outer(picture: BoxLayout) -> tuple[float, float]:
    """Return the width and height of a picture with its frame."""
    return max(picture.width + 2 * _MARGIN, 1.2), picture.height + _TITLE + _MARGIN


def _rows(pictures: Sequence[BoxLayout]) -> list[list[int]]:
    rows: list[list[int]] = []
    room = 0.0
    for at, picture in enumerate(pictures):
        needed = _outer(picture)[0] + _GAP
        if not rows or needed > room:
            rows.append([])
            room = _WIDEST
        rows[-1].append(at)
        room -= needed
    return rows


def _draw(axes: Axes, graph: StateGraph, picture: BoxLayout, right: float, down: float) -> None:
    boxes = {number: box.moved(right, down) for number, box in picture.boxes.items()}
    patches = {number: axes.add_patch(_box(graph, graph.nodes[number], box)) for number, box in boxes.items()}
    for number, node in graph.nodes.items():
        _write(axes, node, boxes[number])
        for link in node.links:
            start, end = boxes[number], boxes[link.target]
            if link.first:
                _branch(axes, link, start, end)
            elif link.target == number:
                _to_itself(axes, link, start, number_of(node, link))
            else:
                distance = ((start.x - end.x) ** 2 + (start.y - end.y) ** 2) ** 0.5
                bend = 0.35 + 0.55 / distance + 0.12 * number_of(node, link)  # past the names of other arrows
                arrow = FancyArrowPatch(
                    (start.x, start.y), (end.x, end.y), patchA=patches[number], patchB=patches[link.target],
                    connectionstyle=f"arc3,rad={bend}", arrowstyle="->", zorder=3, **_OTHER,
                )  # fmt: skip
                axes.add_patch(arrow)
                _name(axes, link.label, *_on_arc(start, end, bend), KILLED_COLOUR)


def number_of(node: GraphNode, link: Link) -> int:
    """Return the number, from 0, of a link among the object's links back. Parallel links are drawn apart by it."""
    return [other for other in node.links if not other.first].index(link)


def _box(graph: StateGraph, node: GraphNode, box: Box) -> FancyBboxPatch:
    look = _ROOT if node is graph.root else _LIST if node.is_container else _OBJECT
    return _rounded(box.x, box.y, box.width, box.height, look)


def _rounded(x: float, y: float, width: float, height: float, look: Any) -> FancyBboxPatch:
    corner = (x - width / 2, y - height / 2)
    return FancyBboxPatch(corner, width, height, boxstyle="round,pad=0,rounding_size=0.06", **look)


def _write(axes: Axes, node: GraphNode, box: Box) -> None:
    top = box.y - box.height / 2 + PADDING / 2 + LINE / 2
    left = box.x - box.width / 2 + PADDING
    name, *values = text_lines(node)
    axes.text(box.x, top, name, fontsize=8.5, fontweight="bold", ha="center", va="center_baseline", zorder=5, **_PLAIN)
    for number, value in enumerate(values, start=1):
        down = top + number * LINE
        axes.text(left, down, value, fontsize=8.5, family="DejaVu Sans Mono", va="center_baseline", zorder=5, **_PLAIN)


def _branch(axes: Axes, link: Link, start: Box, end: Box) -> None:
    tail, head = (start.x, start.y + start.height / 2), (end.x, end.y - end.height / 2)
    where = (tail[0] + 0.6 * (head[0] - tail[0]), tail[1] + 0.6 * (head[1] - tail[1]))
    axes.add_patch(FancyArrowPatch(tail, head, shrinkA=0, shrinkB=0, zorder=2, **_BRANCH))
    _name(axes, link.label, *where, "#33475b")


def _to_itself(axes: Axes, link: Link, box: Box, number: int) -> None:
    """Draw a loop above the box's right corner; for the next loop, above the left one, and so on."""
    side = 1 if number % 2 == 0 else -1
    top, corner = box.y - box.height / 2, box.x + side * box.width * 0.3
    _curve(axes, [(corner, top), (corner + side * 0.05, top - 0.38), (box.x + side * 0.05, top - 0.38),
                  (box.x + side * 0.06, top)])  # fmt: skip
    _name(axes, link.label, box.x + side * max(box.width * 0.2, 0.25), top - 0.3, KILLED_COLOUR)


def _curve(axes: Axes, points: Sequence[tuple[float, float]]) -> None:
    path = Curve(points, [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4])
    axes.add_patch(FancyArrowPatch(path=path, arrowstyle="->", zorder=3, **_OTHER))


def _on_arc(start: Box, end: Box, bend: float) -> tuple[float, float]:
    """Return the middle of matplotlib's arc3 between two centres; its sign is that of axes that go downwards."""
    across, down = end.x - start.x, end.y - start.y
    return (start.x + end.x) / 2 - bend / 2 * down, (start.y + end.y) / 2 + bend / 2 * across


def _name(axes: Axes, label: str, x: float, y: float, colour: str) -> None:
    behind = {"boxstyle": "square,pad=0.08", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
    axes.text(x, y, label, fontsize=7, color=colour, ha="center", va="center", bbox=behind, zorder=4, **_PLAIN)
