"""Concolic execution: the values of an input answer each question, and the solver records what the answer implies.

A constraint tree has the paths of a call after one path of the calls before it (jtestcraft2010, section 3.3). Each way
from the root to a leaf is a path. Inner nodes are decisions of the program on symbolic values. The root chooses the
objects and the values that are not symbolic among the call's arguments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from harness.generators.sequences.structures import CallChoice
from harness.generators.symbolic.formulas import Coefficients, Slot, Unknown
from harness.generators.symbolic.systems import Answer, System
from harness.generators.symbolic.values import MOST_FORKS, Abandoned, ConcreteRun, EndlessPath, PathLimit


class LeafMark(Enum):
    """The state of a leaf."""

    UNEXPLORED = "unexplored"
    """The leaf was not solved, or solved but not executed, so inputs may reach it or not."""
    TERMINAL = "terminal"
    """An input ends there."""
    INFEASIBLE = "infeasible"
    """No input reaches it."""
    TIMED_OUT = "timed out"
    """The solver reached its limit, so it is unknown whether an input reaches the leaf."""
    OUTSIDE = "outside"
    """No values of the domains reach it."""
    ENDLESS = "endless"
    """Inputs that reach it use up their steps or forks."""
    UNMET = "unmet"
    """The precondition of the call does not hold there."""


class Leaf:
    """A leaf or a former leaf: once an execution continues from it, it has children.

    Attributes:
        choice: the arguments of the call.
        answers: the answers of the decisions from the root, including those that follow from earlier ones.
        system: the constraints there; None if the leaf is infeasible or timed out.
        children: those of a decision, for no and for yes.
    """

    __slots__ = ("answers", "children", "choice", "mark", "system")

    def __init__(self, choice: CallChoice, answers: bytes, system: System | None, mark: LeafMark) -> None:
        self.choice = choice
        self.answers = answers
        self.system = system
        self.mark: LeafMark | None = mark
        self.children: tuple[Leaf, ...] = ()

    def decided(self, answer: bool, pair: tuple[Answer, Answer]) -> Leaf:
        """Turn the leaf into a decision; return its child for `answer`.

        Args:
            pair: the systems for yes and for no, as a system decides.
        """
        yes, no = (_child(self, one, told) for one, told in zip(pair, (b"\1", b"\0"), strict=True))
        self.children = (no, yes)
        self.mark = self.system = None
        return yes if answer else no

    def leaves(self) -> Iterable[Leaf]:
        """Yield the leaves below this node, or itself if it is a leaf, in the order of their answers."""
        work = [self]
        while work:
            node = work.pop()
            if node.mark is not None:
                yield node
            work += reversed(node.children)


def _child(parent: Leaf, answer: Answer, new_answers: bytes) -> Leaf:
    if isinstance(answer, System):
        return Leaf(parent.choice, parent.answers + new_answers, answer, LeafMark.UNEXPLORED)
    mark = LeafMark.TIMED_OUT if isinstance(answer, Unknown) else LeafMark.INFEASIBLE
    return Leaf(parent.choice, parent.answers + new_answers, None, mark)


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of the program on one input: its answer, and the systems for yes and for no."""

    answer: bool
    pair: tuple[Answer, Answer]


class ConstraintTree:
    """The tree of one call.

    Attributes:
        roots: one leaf for each choice, which becomes the root of the paths with that choice.
    """

    def __init__(self, choices: Iterable[tuple[CallChoice, System]]) -> None:
        self.roots = [Leaf(choice, b"", system, LeafMark.UNEXPLORED) for choice, system in choices]
        self._open = self.roots[::-1]

    def next_unexplored(self) -> Leaf | None:
        """Return the next leaf to solve and execute: of the first choice, the one found last; None if none is left."""
        return self._open.pop() if self._open else None

    def close(self, leaf: Leaf, mark: LeafMark) -> None:
        """Mark a leaf that could not be solved; the listing in section 4.4.2 marks the path before it instead."""
        leaf.mark, leaf.system = mark, None

    def grow(self, leaf: Leaf, decisions: Iterable[Decision], mark: LeafMark) -> Leaf:
        """Add an executed path to the tree, from the leaf that it was solved for.

        Returns:
            The leaf at the end of the path, which gets the mark.
        """
        unexplored = []
        for decision in decisions:
            begun, leaf = leaf, leaf.decided(decision.answer, decision.pair)
            unexplored += [one for one in begun.children if one is not leaf and one.mark is LeafMark.UNEXPLORED]
        leaf.mark = mark
        self._open += unexplored
        return leaf

    def counts(self) -> Counter[LeafMark]:
        """Return the number of leaves by mark."""
        return Counter(leaf.mark for root in self.roots for leaf in root.leaves() if leaf.mark is not None)


class WrongPath(Abandoned):
    """An input takes another path than the one that it was solved for, or an infeasible one."""


class ConcolicRun(ConcreteRun):
    """An execution on the values of an input, which must follow a known path first.

    Args:
        path_answers: the answers up to the leaf that the input was solved for.
        system: the constraints at that leaf.
        most_forks: the largest number of forks of one path after that leaf.

    Attributes:
        system: the constraints that hold now; before the leaf is reached, those that hold at the leaf.
        decisions: the decisions after the leaf.
        notices: the reasons why values were pinned after the leaf.
    """

    def __init__(self, path_answers: bytes, system: System, most_forks: int = MOST_FORKS) -> None:
        super().__init__()
        self.system = system
        self.decisions: list[Decision] = []
        self.notices: list[str] = []
        self._path_answers = path_answers
        self._left = most_forks

    def at_most(self, x: int, y: int, c: int) -> bool:
        answer = super().at_most(x, y, c)
        if not self._is_known():
            self._decide(answer, self.system.at_most(x, y, c))
        return answer

    def equal(self, x: int, y: int, d: int) -> bool:
        answer = super().equal(x, y, d)
        if not self._is_known():
            self._decide(answer, self.system.equal(x, y, d))
        return answer

    def linear(self, relation: str, coefficients: Coefficients, constant: int) -> bool:
        answer = super().linear(relation, coefficients, constant)
        if not self._is_known():
            self._decide(answer, self.system.linear(relation, coefficients, constant))
        return answer

    def defined(self, operation: str, parts: tuple[Slot, ...]) -> int:
        variable = super().defined(operation, parts)
        if len(self.trace) >= len(self._path_answers):
            self.system, named = self.system.defined(operation, parts)
            if named != variable:
                raise WrongPath("a value is another one than the solver's")
        return variable

    def pinned(self, slot: Slot, reason: str) -> int:
        x, added = slot
        chosen = self.values[x]
        if x and len(self.trace) >= len(self._path_answers):
            yes, no = self.system.equal(x, 0, chosen)
            if no is not None:
                self.system = self._system(yes)
                self.notices.append(reason)
        return chosen + added

    def is_short(self) -> bool:
        """Return whether the execution gave fewer answers than are known."""
        return len(self.trace) < len(self._path_answers)

    def _is_known(self) -> bool:
        """Return whether the last answer is among the known ones; if so, check that it equals the known one."""
        at = len(self.trace) - 1
        if at >= len(self._path_answers):
            return False
        if self.trace[at] != self._path_answers[at]:
            raise WrongPath("takes another path than the one that it was solved for")
        return True

    def _decide(self, answer: bool, pair: tuple[Answer, Answer]) -> None:
        chosen = pair[0] if answer else pair[1]
        if None not in pair:
            if not self._left:
                raise EndlessPath
            self._left -= 1
        self.decisions.append(Decision(answer, pair))
        self.system = self._system(chosen)

    def _system(self, answer: Answer) -> System:
        if answer is None:
            raise WrongPath("takes a path that the solver holds to be infeasible")
        if not isinstance(answer, System):
            raise PathLimit
        return answer
