"""Draws states as a figure, each as a graph of boxes and arrows in its own frame, and field extensions as grids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path as Curve

from harness.analysis.drawing import COVERAGE_COLOUR, KILLED_COLOUR, STYLE, draw_panels, save_figure
from harness.errors import UsageError
from harness.kernel.inputs.suites import SuiteHeader
from harness.report.states.graph import GraphNode, Link, NumberedState, StateGraph
from harness.report.states.suite_summary import Grid
from harness.report.states.text import fitting

LARGEST = 300.0
"""Inches either way: more is no picture, and more than a PNG file can hold."""

_WIDEST = 13.0
"""Inches of a row of pictures, unless one alone is wider."""
_MARGIN = 0.2
_TITLE = 0.3
_GAP = 0.16
_LINE = 0.185
"""Inches from line to line; a character is _CHARACTER wide."""
_CHARACTER = 0.078
_LONGEST = 60
"""Characters of a line; what is longer is cut."""
_PADDING = 0.11
_TREE_GAP = 0.2
"""The space between neighbouring trees."""
_LEVEL_GAP = 0.46
"""Between an object and those below it, for the field's name."""
_MISSING = 0.3
"""The room of a branch that is None, so that left is left and right is right."""
_LABELLED = 16
"""Rows or columns of a grid up to which each has its name."""

_PLAIN: Any = {"parse_math": False}
"""Texts of the program, in which a dollar is a dollar."""
_FRAME: Any = {"facecolor": "white", "edgecolor": "#d8dde3", "linewidth": 0.8}
_ROOT: Any = {"facecolor": "#dbe8f4", "edgecolor": COVERAGE_COLOUR, "linewidth": 1.3}
_OBJECT: Any = {"facecolor": "#f5f9fc", "edgecolor": COVERAGE_COLOUR, "linewidth": 0.9}
_LIST: Any = {"facecolor": "#f4f2ec", "edgecolor": "#8a8272", "linewidth": 0.9}
_BRANCH: Any = {"color": "#33475b", "linewidth": 1.0, "arrowstyle": "-|>", "mutation_scale": 8}
_OTHER: Any = {"color": KILLED_COLOUR, "linewidth": 0.8, "linestyle": (0, (4, 2)), "mutation_scale": 7}
_LOOKS = {"not feasible": "#eef1f4", "feasible, not in the suite": KILLED_COLOUR, "in the suite": COVERAGE_COLOUR}


@dataclass(frozen=True)
class Box:
    """The centre and the size of an object's box, in inches from the upper left corner of its picture."""

    x: float
    y: float
    width: float
    height: float

    def moved(self, right: float, down: float) -> Box:
        """Return the box at another position."""
        return Box(self.x + right, self.y + down, self.width, self.height)


@dataclass(frozen=True)
class BoxLayout:
    """The boxes of a state's objects by number."""

    boxes: dict[int, Box]
    width: float
    height: float


def lay_out(graphs: Sequence[StateGraph]) -> list[BoxLayout]:
    """Return the picture of each state: a tree from above. A branch of any state has room in all, so left is left."""
    branching = {(node.kind, link.label) for graph in graphs for node in graph.nodes for link in node.branches}
    return [_tree(graph, branching) for graph in graphs]


def _tree(graph: StateGraph, branching: set[tuple[str, str]]) -> BoxLayout:
    depths = graph.depths()
    sizes = [_size(node) for node in graph.nodes]
    tops, top = [], 0.0
    for depth in range(max(depths) + 1):
        tops.append(top)
        top += max(height for (_, height), at in zip(sizes, depths, strict=True) if at == depth) + _LEVEL_GAP
    parts: dict[int, tuple[dict[int, Box], float]] = {}
    for number in reversed(range(len(graph.nodes))):  # what is below comes first
        node = graph.nodes[number]
        below: dict[int, Box] = {}
        right = 0.0
        ends: list[float] = []
        targets = {link.label: link.target for link in node.branches}
        for label in node.labels:
            if label in targets:
                boxes, width = parts.pop(targets[label])
                below.update({n: box.moved(right, 0) for n, box in boxes.items()})
                ends.append(right + boxes[targets[label]].x)
            elif targets and label in node.absent and (node.kind, label) in branching:
                width = _MISSING
                ends.append(right + width / 2)
            else:
                continue
            right += max(width, len(label) * _CHARACTER) + _TREE_GAP
        width, height = sizes[number]
        middle = (ends[0] + ends[-1]) / 2 if ends else width / 2
        shift = max(0.0, width / 2 - middle)
        below = {n: box.moved(shift, 0) for n, box in below.items()}
        below[number] = Box(middle + shift, tops[depths[number]] + height / 2, width, height)
        parts[number] = below, max(box.x + box.width / 2 for box in below.values())
    boxes, width = parts[0]
    return BoxLayout(boxes, width + 0.1, top - _LEVEL_GAP)


def _size(node: GraphNode) -> tuple[float, float]:
    lines = _text_lines(node)
    return max(map(len, lines)) * _CHARACTER + 2 * _PADDING, len(lines) * _LINE + _PADDING


def _text_lines(node: GraphNode) -> list[str]:
    """Return the lines in an object's box: its name, then a line for each value."""
    values = [f"{label} = {value}" for label, value in node.fields]
    lines = (line for line in (node.name, *values, node.contents) if line)
    return [line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..." for line in lines]


def draw_into(states: Sequence[NumberedState], header: SuiteHeader, path: Path) -> Path:
    """Draw states of a suite into a file and return its path.

    Raises:
        UsageError: there are none, a suffix that is none of a figure, or the picture would be too large.
        StoreError: the file cannot be written.
    """
    if not states:
        raise UsageError(
            f"--figure: no state is before a call in this suite of {header.subject}; choose a larger scope"
        )
    title = (
        f"{header.subject}, {header.generator}, scope {header.scope}: states 1-{states[-1].last:,} of {header.states:,}"
    )
    save_figure(draw_states(states, title), path)
    return path


def draw_states(states: Sequence[NumberedState], title: str) -> Figure:
    """Draw the states in rows, under `title`. Solid arrows lead to objects found first, dashed ones back to others.

    Raises:
        UsageError: they do not fit into a picture.
    """
    pictures = lay_out([state.graph for state in states])
    rows = fitting([_outer(picture)[0] + _GAP for picture in pictures], _WIDEST)
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


def _draw(axes: Axes, graph: StateGraph, picture: BoxLayout, right: float, down: float) -> None:
    boxes = [picture.boxes[number].moved(right, down) for number in range(len(graph.nodes))]
    patches = []
    for node, box in zip(graph.nodes, boxes, strict=True):
        look = _ROOT if node is graph.root else _LIST if node.is_container else _OBJECT
        patches.append(axes.add_patch(_rounded(box.x, box.y, box.width, box.height, look)))
    for number, node in enumerate(graph.nodes):
        _write(axes, node, boxes[number])
        for link in node.links:
            start, end = boxes[number], boxes[link.target]
            if link.first:
                _branch(axes, link, start, end)
            elif link.target == number:
                _to_itself(axes, link, start, _number_of(node, link))
            else:
                distance = ((start.x - end.x) ** 2 + (start.y - end.y) ** 2) ** 0.5
                bend = 0.35 + 0.55 / distance + 0.12 * _number_of(node, link)  # past the names of other arrows
                arrow = FancyArrowPatch(
                    (start.x, start.y), (end.x, end.y), patchA=patches[number], patchB=patches[link.target],
                    connectionstyle=f"arc3,rad={bend}", arrowstyle="->", zorder=3, **_OTHER,
                )  # fmt: skip
                axes.add_patch(arrow)
                _name(axes, link.label, *_on_arc(start, end, bend), KILLED_COLOUR)


def _number_of(node: GraphNode, link: Link) -> int:
    """Return the number, from 0, of a link among the object's links back. Parallel links are drawn apart by it."""
    return [other for other in node.links if not other.first].index(link)


def _rounded(x: float, y: float, width: float, height: float, look: Any) -> FancyBboxPatch:
    corner = (x - width / 2, y - height / 2)
    return FancyBboxPatch(corner, width, height, boxstyle="round,pad=0,rounding_size=0.06", **look)


def _write(axes: Axes, node: GraphNode, box: Box) -> None:
    top = box.y - box.height / 2 + _PADDING / 2 + _LINE / 2
    left = box.x - box.width / 2 + _PADDING
    name, *values = _text_lines(node)
    axes.text(box.x, top, name, fontsize=8.5, fontweight="bold", ha="center", va="center_baseline", zorder=5, **_PLAIN)
    for number, value in enumerate(values, start=1):
        down = top + number * _LINE
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
    points = [(corner, top), (corner + side * 0.05, top - 0.38), (box.x + side * 0.05, top - 0.38)]
    path = Curve([*points, (box.x + side * 0.06, top)], [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4])
    axes.add_patch(FancyArrowPatch(path=path, arrowstyle="->", zorder=3, **_OTHER))
    _name(axes, link.label, box.x + side * max(box.width * 0.2, 0.25), top - 0.3, KILLED_COLOUR)


def _on_arc(start: Box, end: Box, bend: float) -> tuple[float, float]:
    """Return the middle of matplotlib's arc3 between two centres; its sign is that of axes that go downwards."""
    across, down = end.x - start.x, end.y - start.y
    return (start.x + end.x) / 2 - bend / 2 * down, (start.y + end.y) / 2 + bend / 2 * across


def _name(axes: Axes, label: str, x: float, y: float, colour: str) -> None:
    behind = {"boxstyle": "square,pad=0.08", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
    axes.text(x, y, label, fontsize=7, color=colour, ha="center", va="center", bbox=behind, zorder=4, **_PLAIN)


def draw_extension(grids: Sequence[Grid], header: SuiteHeader, path: Path) -> Path:
    """Draw the extensions beside the states in `path`, into a file of its own; return its path.

    Raises:
        StoreError: the file cannot be written.
    """
    path = path.with_name(f"{path.stem}-extension{path.suffix}")
    save_figure(draw_grids(grids, f"{header.subject}, {header.generator}, scope {header.scope}"), path)
    return path


def draw_grids(grids: Sequence[Grid], note: str) -> Figure:
    """Draw a panel for each grid: the pairs of the suite, by object (downwards) and value (to the right)."""
    return draw_panels([(grid.title, grid) for grid in grids], _draw_grid, note)


def _draw_grid(axes: Axes, grid: Grid) -> None:
    cells = []
    for row in range(len(grid.rows)):
        feasible, covered = grid.marks(row)
        cells.append([(at in feasible) + (at in covered) for at in range(len(grid.columns))])
    axes.pcolormesh(cells, cmap=ListedColormap(list(_LOOKS.values())), vmin=0, vmax=2, edgecolors="white")
    for meaning, colour in _LOOKS.items():
        axes.scatter([], [], color=colour, marker="s", label=meaning)
    axes.invert_yaxis()
    for names, set_ticks, rotation in ((grid.columns, axes.set_xticks, 90), (grid.rows, axes.set_yticks, 0)):
        at = range(0, len(names), -(-len(names) // _LABELLED))
        set_ticks([number + 0.5 for number in at], [names[number] for number in at], rotation=rotation, fontsize=7)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
