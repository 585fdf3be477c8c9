"""How a search asks for the candidate sequences of a target and tells what came of each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from harness.generators.influence.candidate import CandidateSequence


class PartialOrder(StrEnum):
    """What is kept of candidates that differ in the order of their calls alone."""

    NO = "no"
    """All of them."""
    YES = "yes"
    """Of those that swaps of neighbours which commute make of each other, exactly one; of all others, all."""
    PRINTED = "printed"
    """What the rule of section 4.3.4 keeps: a call goes before one that it does not influence only with a number that
    is no higher. It asks one way only, so it may lose what no other candidate has."""


@dataclass(frozen=True, slots=True)
class Switches:
    """What is left out of the enumeration, and its order (jtestcraft2010, sections 4.3.3, 4.3.4 and 4.4.3).

    Attributes:
        data_flow: leave out candidates whose calls are not all linked by objects, or by variables of the module.
        partial_order: what is kept of candidates that differ in the order of their calls alone.
        grouped: give those of one length that begin with the same calls one behind the other.
    """

    data_flow: bool = True
    partial_order: PartialOrder = PartialOrder.YES
    grouped: bool = True


@dataclass(frozen=True, slots=True)
class Feedback:
    """What came of a candidate that was executed.

    Attributes:
        paths: feasible paths of the whole candidate that were found.
        influences: pairs of positions (earlier, later) such that on some path the earlier call influenced the later.
        impassable: how many of its first calls have no path to go on from, whatever follows; None: there is one
            through all but the last, or it is not known. Candidates that begin with the same calls are not given out
            any more.
    """

    candidate: CandidateSequence
    paths: int
    influences: frozenset[tuple[int, int]] = frozenset()
    impassable: int | None = None


class Candidates(Protocol):
    """The candidates of a target, by length from the shortest, made as they are asked for; never one twice.

    An endless iterator where neither `most_calls` nor the static influence ends it.

    Attributes:
        surprises: pairs of names such that the first routine influenced the second in an execution, which the texts
            do not tell: candidates may be missing.
    """

    surprises: set[tuple[str, str]]

    def __iter__(self) -> Candidates:
        """Itself."""

    def __next__(self) -> CandidateSequence:
        """The next candidate that can be executed.

        Raises:
            StopIteration: there is none.
        """

    def tell(self, feedback: Feedback) -> None:
        """Takes what came of a candidate that was given out; may be called for each, before the next is asked for."""
