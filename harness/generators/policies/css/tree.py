"""The constraint tree: the paths of a call behind one path of the calls before it (jtestcraft2010, section 3.3).

Each way from the root to a leaf is a path. Inner nodes are decisions that the program has made of symbolic values; the
root's are which values that are not symbolic, and which objects, the call is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from harness.errors import SpecError
from harness.generators.sequences.calls import Choice
from harness.generators.symbolic.systems import Answer, System, Unknown


class Mark(Enum):
    """What a leaf is."""

    UNEXPLORED = "unexplored"
    """Not tried to be solved, or solved and not carried out: there may be inputs or not."""
    TERMINAL = "terminal"
    """Some input ends there."""
    INFEASIBLE = "infeasible"
    """No input comes there."""
    TIMED_OUT = "timed out"
    """The solver came to its limit, so whether an input comes there is not known."""
    OUTSIDE = "outside"
    """No values of the domains come there."""
    ENDLESS = "endless"
    """Inputs go there, and use up their steps or forks."""
    UNMET = "unmet"
    """What the call requires does not hold there."""


class Leaf:
    """A leaf, or what has been one: once a program has gone on from it, it has children.

    Attributes:
        choice: what the call is given.
        answers: of the decisions from the root, those that follow from the ones before included.
        system: what holds there; None of one that is infeasible or timed out.
    """

    __slots__ = ("_children", "answers", "choice", "mark", "system")

    def __init__(self, choice: Choice, answers: bytes, system: System | None, mark: Mark) -> None:
        self.choice = choice
        self.answers = answers
        self.system = system
        self.mark: Mark | None = mark
        self._children: tuple[Leaf, ...] = ()

    @property
    def children(self) -> tuple[Leaf, ...]:
        """Those of a decision: for no, and for yes."""
        return self._children

    def decided(self, answer: bool, pair: tuple[Answer, Answer]) -> Leaf:
        """Makes the leaf a decision; returns the child where the answer is as told, for which there is a system.

        Args:
            pair: the systems for yes and for no, as a system decides.
        """
        yes, no = (_child(self, one, told) for one, told in zip(pair, (b"\1", b"\0"), strict=True))
        self._children = (no, yes)
        self.mark = self.system = None
        return yes if answer else no

    def leaves(self) -> Iterable[Leaf]:
        """All below it, itself if it is one, in the order of their answers."""
        work = [self]
        while work:
            node = work.pop()
            if node.mark is not None:
                yield node
            work += reversed(node._children)


def _child(parent: Leaf, answer: Answer, told: bytes) -> Leaf:
    if isinstance(answer, System):
        return Leaf(parent.choice, parent.answers + told, answer, Mark.UNEXPLORED)
    mark = Mark.TIMED_OUT if isinstance(answer, Unknown) else Mark.INFEASIBLE
    return Leaf(parent.choice, parent.answers + told, None, mark)


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of the program on one input: its answer, and the systems for yes and for no."""

    answer: bool
    pair: tuple[Answer, Answer]


class ConstraintTree:
    """The tree of one call.

    Attributes:
        roots: one leaf for each choice that there is, which becomes the root of the paths with that choice.
    """

    def __init__(self, choices: Iterable[tuple[Choice, System]]) -> None:
        self.roots = [Leaf(choice, b"", system, Mark.UNEXPLORED) for choice, system in choices]
        self._open = self.roots[::-1]

    def next_unexplored(self) -> Leaf | None:
        """A leaf to be solved and carried out, that which was found last, of the first choice; None: none is left."""
        return self._open.pop() if self._open else None

    def close(self, leaf: Leaf, mark: Mark) -> None:
        """Marks the leaf that could not be solved; the listing in section 4.4.2 marks the path before it instead."""
        _check_unexplored(leaf)
        leaf.mark, leaf.system = mark, None

    def grow(self, leaf: Leaf, decisions: Iterable[Decision], mark: Mark) -> Leaf:
        """Puts a path that was carried out into the tree, from the leaf that it was solved for on.

        Returns:
            The leaf at its end, which gets that mark.

        Raises:
            SpecError: the leaf, or a decision of the path, is known to be infeasible.
        """
        _check_unexplored(leaf)
        found = []
        for decision in decisions:
            begun, leaf = leaf, leaf.decided(decision.answer, decision.pair)
            found += [one for one in begun.children if one is not leaf and one.mark is Mark.UNEXPLORED]
            if leaf.mark is Mark.INFEASIBLE:
                raise SpecError("a path is carried out that the constraint tree holds to be infeasible")
        leaf.mark = mark
        self._open += found
        return leaf

    def counts(self) -> Counter[Mark]:
        """How many leaves there are of each mark."""
        return Counter(leaf.mark for root in self.roots for leaf in root.leaves() if leaf.mark is not None)


def _check_unexplored(leaf: Leaf) -> None:
    """Raises SpecError unless it is still to be explored."""
    if leaf.mark is not Mark.UNEXPLORED:
        mark = "a decision" if leaf.mark is None else leaf.mark.value
        raise SpecError(f"a path is explored that the constraint tree holds to be {mark}")
