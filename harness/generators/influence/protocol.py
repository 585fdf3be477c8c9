"""Defines how a search requests the candidate sequences of a target and reports the outcome of each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from harness.generators.influence.candidate import CandidateSequence


class PartialOrder(StrEnum):
    """The rules by which candidates are kept that differ only in the order of their calls."""

    NO = "no"
    """Keep all of them."""
    YES = "yes"
    """Keep exactly one of those that differ by swaps of commuting neighbours, and all others."""
    PRINTED = "printed"
    """Keep the candidates that the rule of section 4.3.4 keeps. A call precedes one that it does not influence only if
    its number is no higher. The rule tests influence in one direction only, so it may lose candidates without an
    equivalent one.
    """


@dataclass(frozen=True, slots=True)
class Switches:
    """Options that restrict and order the enumeration (jtestcraft2010, sections 4.3.3, 4.3.4 and 4.4.3).

    Attributes:
        data_flow: leave out candidates whose calls are not all linked by objects, or by variables of the module.
        partial_order: which candidates are kept of those that differ only in the order of their calls.
        grouped: yield candidates of one length that begin with the same calls one after the other.
    """

    data_flow: bool = True
    partial_order: PartialOrder = PartialOrder.YES
    grouped: bool = True


@dataclass(frozen=True, slots=True)
class Feedback:
    """The outcome of executing a candidate.

    Attributes:
        paths: the number of feasible paths of the whole candidate that were found.
        influences: pairs of positions (earlier, later) such that on some path the earlier call influenced the later.
        impassable: the number of its first calls that have no path to continue from, whatever follows. None means
            that there is a path through all but the last, or that it is not known. Candidates that begin with the
            same calls are no longer yielded.
    """

    candidate: CandidateSequence
    paths: int
    influences: frozenset[tuple[int, int]] = frozenset()
    impassable: int | None = None


class Candidates(Protocol):
    """The candidates of a target, by length from the shortest, made on demand; none is made twice.

    The iterator is endless unless `most_calls` or the static influence ends it.

    Attributes:
        surprises: pairs of names such that the first routine influenced the second in an execution, although the
            source does not show it, so candidates may be missing.
    """

    surprises: set[tuple[str, str]]

    def __iter__(self) -> Candidates:
        """Return the iterator itself."""

    def __next__(self) -> CandidateSequence:
        """Return the next candidate that can be executed.

        Raises:
            StopIteration: there is none.
        """

    def add_feedback(self, feedback: Feedback) -> None:
        """Take the outcome of a candidate that was yielded, before the next one is requested."""
