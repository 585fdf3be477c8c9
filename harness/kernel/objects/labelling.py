"""Certificates of graphs: equal if and only if the graphs are isomorphic.

The method is refinement of colours and individualisation (McKay, Practical graph isomorphism, 1981), for the small
graphs that canonical bytes of sets need: plain lists, no tuning.
"""

from __future__ import annotations

import marshal
from dataclasses import dataclass, field

MOST_VISITS = 5_000_000
"""The limit on visits of nodes and edges: some seconds; forty objects that all refer to each other take fewer."""
_FORMAT = 2

Colours = list[int]


class TooSymmetric(Exception):
    """Raised if more than MOST_VISITS do not put the nodes in order."""


@dataclass
class Graph:
    """Nodes by number: labels, and the numbers of children in order and of those without an order."""

    labels: list[bytes] = field(default_factory=list)
    ordered: list[list[int]] = field(default_factory=list)
    unordered: list[list[int]] = field(default_factory=list)

    def node(self, label: bytes) -> int:
        """Add a node without children. Return its number."""
        self.labels.append(label)
        self.ordered.append([])
        self.unordered.append([])
        return len(self.labels) - 1


def certificate(graph: Graph) -> bytes:
    """Return the least description of the graph in an order of its nodes that refinement allows.

    Raises:
        TooSymmetric: the search for it takes too long.
    """
    return min(_Search(graph).below([0] * len(graph.labels)).descriptions)


@dataclass
class _Below:
    """The results of a part of the search: descriptions, each with an order of nodes that gives it; symmetries."""

    descriptions: dict[bytes, list[int]]
    symmetries: list[list[tuple[int, int]]]

    def add(self, other: _Below) -> None:
        self.descriptions |= other.descriptions
        self.symmetries += other.symmetries

    def images(self, node: int) -> set[int]:
        """Return the images of a node under the symmetries, itself included."""
        images, work = {node}, [node]
        while work:
            reached = work.pop()
            for symmetry in self.symmetries:
                for pair in symmetry:
                    if reached in pair:
                        new = {*pair} - images
                        images |= new
                        work += new
        return images


class _Search:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._size = len(graph.labels) + sum(map(len, graph.ordered)) + sum(map(len, graph.unordered))
        self._visits = 0
        self._chosen = False
        self._parents: list[list[tuple[int, int]]] = [[] for _ in graph.labels]
        for parent, children in enumerate(graph.ordered):
            for position, child in enumerate(children):
                self._parents[child].append((position, parent))
        for parent, children in enumerate(graph.unordered):
            for child in children:
                self._parents[child].append((-1, parent))

    def below(self, colours: Colours) -> _Below:
        """Return all descriptions below these colours.

        Two orders of the same description are a symmetry, which keeps the nodes that were individualised before both:
        below a node that is another one's image there is nothing new.
        """
        colours = self._refined(colours)
        cell = _first_cell(colours)
        if not cell:
            return _Below(dict([self._leaf(colours)]), [])
        results = _Below({}, [])
        explored: set[int] = set()
        for node in cell:
            if not explored.isdisjoint(results.images(node)):
                continue
            self._chosen = True
            individual = _individualised(colours, node)
            if explored:
                description, order = self._first_leaf(individual)
                if description in results.descriptions:
                    results.symmetries.append(_moved(results.descriptions[description], order))
                    continue
            results.add(self.below(individual))
            explored.add(node)
        return results

    def _first_leaf(self, colours: Colours) -> tuple[bytes, list[int]]:
        while cell := _first_cell(colours := self._refined(colours)):
            colours = _individualised(colours, cell[0])
        return self._leaf(colours)

    def _refined(self, colours: Colours) -> Colours:
        """Return the coarsest colours, finer than these, by which nodes of a colour have like children and parents."""
        graph, count = self._graph, 0
        while True:
            seen = [
                (
                    colours[node],
                    graph.labels[node],
                    [colours[child] for child in graph.ordered[node]],
                    sorted(colours[child] for child in graph.unordered[node]),
                    sorted((position, colours[parent]) for position, parent in self._parents[node]),
                )
                for node in range(len(colours))
            ]
            refined, colour, previous = [0] * len(seen), -1, None
            for node in sorted(range(len(seen)), key=seen.__getitem__):
                if seen[node] != previous:
                    previous, colour = seen[node], colour + 1
                refined[node] = colour
            if colour + 1 == count:
                return refined
            self._visits += self._size * self._chosen
            if self._visits > MOST_VISITS:
                raise TooSymmetric
            colours, count = refined, colour + 1

    def _leaf(self, colours: Colours) -> tuple[bytes, list[int]]:
        """Return the graph with its nodes in the order of their colours, which are all different; and this order."""
        graph = self._graph
        order = sorted(range(len(colours)), key=colours.__getitem__)
        description = marshal.dumps(
            tuple(
                (
                    graph.labels[node],
                    tuple(colours[child] for child in graph.ordered[node]),
                    tuple(sorted(colours[child] for child in graph.unordered[node])),
                )
                for node in order
            ),
            _FORMAT,
        )
        return description, order


def _first_cell(colours: Colours) -> list[int]:
    """Return the nodes of the first colour that several have."""
    cells: dict[int, list[int]] = {}
    for node, colour in enumerate(colours):
        cells.setdefault(colour, []).append(node)
    shared = [colour for colour, nodes in cells.items() if len(nodes) > 1]
    return cells[min(shared)] if shared else []


def _moved(order: list[int], image: list[int]) -> list[tuple[int, int]]:
    """Return the symmetry between two orders, without the nodes that it keeps."""
    return [(node, other) for node, other in zip(order, image, strict=True) if node != other]


def _individualised(colours: Colours, node: int) -> Colours:
    """Return colours that put `node` before all others of its colour."""
    split = [2 * colour + 1 for colour in colours]
    split[node] -= 1
    return split
