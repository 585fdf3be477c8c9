"""Computes where the objects of a state are drawn: as a tree from above."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.report.states.graph import GraphNode, StateGraph

LINE = 0.185
"""Inches from line to line; a character is CHARACTER wide."""
CHARACTER = 0.078
LONGEST = 60
"""Characters of a line; what is longer is cut."""
PADDING = 0.11
TREE_GAP = 0.2
"""The space between neighbouring trees."""
LEVEL_GAP = 0.46
"""Between an object and those below it, for the field's name."""
MISSING = 0.3
"""The room of a branch that is None, so that left is left and right is right."""


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

    boxes: Mapping[int, Box]
    width: float
    height: float


def text_lines(node: GraphNode) -> list[str]:
    """Return the lines in an object's box: its name, then a line for each value."""
    values = [f"{label} = {value}" for label, value in node.fields]
    lines = (line for line in (node.name, *values, node.contents) if line)
    return [line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..." for line in lines]


@dataclass(frozen=True)
class Style:
    """The layout of all states of a figure: by class, the fields that lead to objects found first, in their order."""

    branches: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, graphs: Iterable[StateGraph]) -> Style:
        """Return the style that fits all of these states."""
        labels: dict[str, tuple[str, ...]] = {}
        branch_labels: dict[str, set[str]] = defaultdict(set)
        for graph in graphs:
            for node in graph.nodes.values():
                labels[node.kind] = max(labels.get(node.kind, ()), node.labels, key=len)
                branch_labels[node.kind].update(link.label for link in node.branches)
        return cls(
            {
                kind: [label for label in labels[kind] if label in used_labels]
                for kind, used_labels in branch_labels.items()
            }
        )

    def lay_out(self, graph: StateGraph) -> BoxLayout:
        """Return the picture of a state."""
        return _tree(graph, self.branches)


def _size(node: GraphNode) -> tuple[float, float]:
    lines = text_lines(node)
    return max(map(len, lines)) * CHARACTER + 2 * PADDING, len(lines) * LINE + PADDING


def _tree(graph: StateGraph, labels: Mapping[str, Sequence[str]]) -> BoxLayout:
    depths = graph.depths()
    sizes = {number: _size(node) for number, node in graph.nodes.items()}
    tops, top = [], 0.0
    for depth in range(max(depths.values()) + 1):
        tops.append(top)
        top += max(sizes[number][1] for number in depths if depths[number] == depth) + LEVEL_GAP
    parts: dict[int, tuple[dict[int, Box], float]] = {}
    for number in reversed(graph.nodes):  # what is below comes first
        node = graph.nodes[number]
        below: dict[int, Box] = {}
        right = 0.0
        ends: list[float] = []
        targets = {link.label: link.target for link in node.branches}
        absent = node.absent if targets else ()
        for label in labels[node.kind]:
            if label not in targets and label not in absent:
                continue
            if label in targets:
                boxes, width = parts.pop(targets[label])
                below.update({n: box.moved(right, 0) for n, box in boxes.items()})
                ends.append(right + boxes[targets[label]].x)
            else:
                width = MISSING
                ends.append(right + width / 2)
            right += max(width, len(label) * CHARACTER) + TREE_GAP
        width, height = sizes[number]
        middle = (ends[0] + ends[-1]) / 2 if ends else width / 2
        shift = max(0.0, width / 2 - middle)
        below = {n: box.moved(shift, 0) for n, box in below.items()}
        below[number] = Box(middle + shift, tops[depths[number]] + height / 2, width, height)
        parts[number] = below, max(box.x + box.width / 2 for box in below.values())
    boxes, width = parts[graph.root.number]
    return BoxLayout(boxes, width + 0.1, top - LEVEL_GAP)
