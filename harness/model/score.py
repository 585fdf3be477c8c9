"""Score policies: named rules from facts to a score (laws 1 and 7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from harness.model.outcome import MutantResult, Verdict


class ScorePolicy(Enum):
    """The rule for which mutants count in the denominator."""

    ALL_VIABLE = "killed / all viable mutants"
    """The paper's rate: stillborn mutants never count, and equivalent mutants count like others."""
    WITHOUT_PROVEN = "killed / viable mutants not proven equivalent"


@dataclass(frozen=True)
class MutationScore:
    """The counts of a score; `ratio` is None if no mutant counts."""

    killed: int
    counted: int
    policy: ScorePolicy

    @property
    def ratio(self) -> Fraction | None:
        """Killed / counted, exactly."""
        return Fraction(self.killed, self.counted) if self.counted else None


def mutation_score(
    results: Iterable[MutantResult],
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE,
    proven_equivalent: frozenset[str] = frozenset(),
) -> MutationScore:
    """Return the score of `results` under `policy`.

    Raises:
        ValueError: an INCONCLUSIVE result (the harness is at fault) blocks scoring, and so does a
            killed mutant that is said to be proven equivalent.
    """
    killed = counted = 0
    for result in results:
        if result.verdict is Verdict.INCONCLUSIVE:
            raise ValueError(f"{result.mutant} is inconclusive ({result.detail}); no score without it")
        if result.verdict is Verdict.STILLBORN:
            continue
        if result.mutant in proven_equivalent:
            if result.verdict is Verdict.KILLED:
                raise ValueError(f"{result.mutant} was killed, so it cannot be equivalent; correct its argument")
            if policy is ScorePolicy.WITHOUT_PROVEN:
                continue
        counted += 1
        killed += result.verdict is Verdict.KILLED
    return MutationScore(killed, counted, policy)
