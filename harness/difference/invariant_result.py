"""Represents the result of comparing a declarative invariant with an operational one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


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
                f"{counts}{_MEANING[bool(self.invariant_only), bool(self.rep_ok_only)]}",
                f"extension: {self.extension_of_invariant:,} pairs by Algorithm 1, {pairs}",
            ]
        )


_MEANING = {
    (False, False): "equal, state by state",
    (True, False): "invariant is too weak, or rep_ok too strong",
    (False, True): "invariant is too strong, or rep_ok too weak",
    (True, True): "each has what the other lacks: an error in one of them, or in both",
}
