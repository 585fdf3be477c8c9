"""Represents the requests to compare an API, or a declarative invariant, with rep_ok, and the results."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from harness.kernel.program.loader import SubjectRequest

FURTHER = 2
"""The number of larger scopes that are tried if the API lacks structures."""
ATTEMPTS = 200_000
"""Sequences that are executed at each of them at the most."""
WITNESSES = 3
"""Structures of either side that are shown."""


@dataclass(frozen=True)
class DifferenceRequest(SubjectRequest):
    """Compare the structures of an API with those of rep_ok; `subject` is the subject's name."""

    subject: str
    attempts: int = ATTEMPTS


@dataclass(frozen=True)
class InvariantRequest(SubjectRequest):
    """Compare the instances of a declarative invariant with the states of rep_ok."""

    subject: str


class StructureRelation(Enum):
    """The relation between the structures of the API, A, and those of rep_ok, R (beapi2023, section 4.3)."""

    EQUAL = "equal"
    """A is R."""
    SCOPE = "equal but for the scope"
    """A is part of R, and a larger scope lets the API make the rest."""
    UNDER = "under"
    """A is part of R: rep_ok is too weak, or the API makes a part of the valid structures only."""
    OVER = "over"
    """R, but for what a larger scope explains or may explain, is part of A: rep_ok is too strong, or the API makes
    invalid ones."""
    ERROR = "error"
    """Each has what the other lacks."""
    OPEN = "open"
    """A is part of R; whether a larger scope lets the API make the rest is not known, as its exploration was ended."""


@dataclass(frozen=True)
class LargerScope:
    """The API explored further: what is still missing of the structures that rep_ok alone has."""

    scope: int
    structures: int
    explored: int
    missing: int
    whole: bool
    """Whether the exploration ended only because all structures were found, or there were no new ones."""


@dataclass(frozen=True)
class OfApi:
    """A structure that the API alone makes, by the shortest sequence that was found."""

    sequence: str
    objects: int


@dataclass(frozen=True)
class OfRepOk:
    """A structure that rep_ok alone has, as a candidate vector of the finitization at the scope."""

    vector: tuple[int, ...]
    objects: int


@dataclass(frozen=True)
class Difference:
    """A, the structures that the API makes, and R, those that satisfy rep_ok, compared by canonical form.

    Attributes:
        api: |A|.
        rep_ok: |R|.
        api_only: |A - R|.
        rep_ok_only: |R - A|.
        larger: the structures of R - A that the API makes at larger scopes; empty if R - A is empty.
        only_set_by_api: fields, as `Class.field`, that objects of A have and those of R lack.
        only_in_finitization: fields that objects of R have and those of A lack.
        of_api: the structures of A - R with the shortest sequences.
        of_rep_ok: the smallest structures of R - A, those that no larger scope explains first.
        left_out: targets of the finitization that the derived sequences do not call.
    """

    subject: str
    scope: int
    api: int
    rep_ok: int
    api_only: int
    rep_ok_only: int
    explored_by_api: int
    explored_by_rep_ok: int
    larger: tuple[LargerScope, ...]
    only_set_by_api: tuple[str, ...]
    only_in_finitization: tuple[str, ...]
    of_api: tuple[OfApi, ...]
    of_rep_ok: tuple[OfRepOk, ...]
    left_out: tuple[str, ...] = ()

    @property
    def unexplained(self) -> int:
        """The number of structures of R - A that no larger scope explains."""
        return self.larger[-1].missing if self.larger else self.rep_ok_only

    @property
    def relation(self) -> StructureRelation:
        """The relation between A and R."""
        if self.api_only:
            return StructureRelation.ERROR if self.unexplained and not self._is_open else StructureRelation.OVER
        if self.unexplained:
            return StructureRelation.OPEN if self._is_open else StructureRelation.UNDER
        return StructureRelation.SCOPE if self.rep_ok_only else StructureRelation.EQUAL

    @property
    def is_finding(self) -> bool:
        """Whether there is something to be settled."""
        return self.relation in (StructureRelation.UNDER, StructureRelation.OVER, StructureRelation.ERROR)

    @property
    def _is_open(self) -> bool:
        """Whether the exploration of each larger scope was ended before it was known what the API makes there."""
        return bool(self.larger) and not any(one.whole for one in self.larger)

    @property
    def _meaning(self) -> str:
        meaning = _MEANING[self.relation]
        if self.relation is StructureRelation.OVER and self.unexplained:
            return f"{meaning}; whether the API lacks some of rep_ok's is open, as larger scopes were ended before"
        return meaning

    def as_dict(self) -> dict[str, Any]:
        """Return the result for JSON."""
        return {**asdict(self), "relation": self.relation.value, "unexplained": self.unexplained}

    def as_text(self) -> str:
        """Return the numbers and the relation as text for people; the witnesses are drawn elsewhere."""
        lines = [
            f"{self.subject} scope {self.scope}: the API makes {self.api:,} structures ({self.explored_by_api:,} "
            f"sequences), rep_ok has {self.rep_ok:,} ({self.explored_by_rep_ok:,} candidates)",
            f"of the API alone {self.api_only:,}, of rep_ok alone {self.rep_ok_only:,}: {self._meaning}",
        ]
        for larger in self.larger:
            left = f"{larger.missing:,} are still missing" if larger.missing else "none is missing any more"
            bound = "" if larger.whole else ", where it was ended"
            lines.append(
                f"at scope {larger.scope}, of those of rep_ok alone, {left} "
                f"({larger.structures:,} structures by {larger.explored:,} sequences{bound})"
            )
        if self.only_set_by_api:
            lines.append(f"fields that calls set and the finitization does not: {', '.join(self.only_set_by_api)}")
        if self.left_out:
            lines.append(
                f"targets that derived sequences do not call: {', '.join(self.left_out)}; write sequences(scope)"
            )
        if self.only_in_finitization:
            lines.append(f"fields of the finitization that calls do not set: {', '.join(self.only_in_finitization)}")
        for one in self.of_api:
            lines.append(f"of the API alone, {_objects(one.objects)}: {one.sequence}")
        return "\n".join(lines)


def _objects(count: int) -> str:
    return f"{count} object{'s' * (count != 1)}"


_MEANING = {
    StructureRelation.EQUAL: "equal",
    StructureRelation.SCOPE: "equal but for the scope, as the API needs a larger one for the rest",
    StructureRelation.UNDER: "rep_ok is under-specified, or the API makes only a part of the valid structures",
    StructureRelation.OVER: "rep_ok is over-specified, or the API makes invalid structures",
    StructureRelation.OPEN: (
        "open, as larger scopes were ended before it was known whether the API makes the rest there"
    ),
    StructureRelation.ERROR: "each has what the other lacks: an error in rep_ok, in the API, or in both",
}


@dataclass(frozen=True)
class InvariantDifference:
    """D, the instances of `invariant`, and R, the states that satisfy rep_ok, compared by canonical form.

    Attributes:
        invariant: |D|.
        rep_ok: |R|.
        explored: candidates on which rep_ok was executed.
        invariant_only: |D - R|.
        rep_ok_only: |R - D|.
        extension_of_invariant: pairs of objects and values that Algorithm 1 finds feasible.
        extension_of_rep_ok: the pairs of the states of R, numbered breadth-first.
        pairs_of_one_alone: the number of pairs in only one of the two extensions.
        of_invariant: the smallest states of D - R, as candidate vectors of the finitization at the scope.
        of_rep_ok: the smallest states of R - D.
    """

    subject: str
    scope: int
    solver: str
    invariant: int
    rep_ok: int
    explored: int
    invariant_only: int
    rep_ok_only: int
    extension_of_invariant: int
    extension_of_rep_ok: int
    pairs_of_one_alone: int
    of_invariant: tuple[tuple[int, ...], ...]
    of_rep_ok: tuple[tuple[int, ...], ...]

    @property
    def is_finding(self) -> bool:
        """Whether they disagree, on states or on pairs."""
        return bool(self.invariant_only or self.rep_ok_only or self.pairs_of_one_alone)

    def as_dict(self) -> dict[str, Any]:
        """Return the result for JSON."""
        return {**asdict(self), "equal": not self.is_finding}

    def as_text(self) -> str:
        """Return the numbers as text for people; the witnesses are drawn elsewhere."""
        counts = (
            f"of invariant alone {self.invariant_only:,}, of rep_ok alone {self.rep_ok_only:,}: "
            if self.invariant_only or self.rep_ok_only
            else ""
        )
        pairs = (
            f"{self.extension_of_rep_ok:,} of the states of rep_ok, {self.pairs_of_one_alone:,} of one of them alone"
            if self.pairs_of_one_alone
            else "the same of the states of rep_ok"
        )
        return "\n".join(
            [
                f"{self.subject} scope {self.scope}: {self.invariant:,} instances of invariant ({self.solver}), "
                f"{self.rep_ok:,} states of rep_ok ({self.explored:,} candidates)",
                f"{counts}{_MEANING_OF_INVARIANT[bool(self.invariant_only), bool(self.rep_ok_only)]}",
                f"extension: {self.extension_of_invariant:,} pairs by Algorithm 1, {pairs}",
            ]
        )


_MEANING_OF_INVARIANT = {
    (False, False): "equal, state by state",
    (True, False): "invariant is too weak, or rep_ok too strong",
    (False, True): "invariant is too strong, or rep_ok too weak",
    (True, True): "each has what the other lacks: an error in one of them, or in both",
}
