"""Applies the score rules of other tools to Mutascope's results; docs/policies.md has the source of each rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from harness.errors import StoreError
from harness.model.outcome import KillReason, Mutant, MutantResult, MutantStatus, Phase, Verdict


class ToolOutcome(Enum):
    """The outcome of a mutant, in the finest distinctions that any of the tools makes."""

    DIFFERENCE = "killed by a test"
    """Killed by an assertion, another outcome or state, or an exception."""
    UNFINISHED = "not finished within 10 times the steps of the original"
    """Killed by the step budget. Plain pytest may let such a mutant pass: it may end later."""
    TIMEOUT = "killed by a limit of time"
    MEMORY = "killed by the limit of memory"
    CRASH = "ended its process"
    LOADING = "killed while it was loaded"
    SKIPPED = "killed as tests are skipped"
    """Tests that pass on the original are skipped. Pytest ends as if they passed, so other tools see a survivor."""
    SURVIVED = "survived"
    UNREACHED = "survived, reached by no test"
    PROVEN = "survived, proven equivalent"
    EQUIVALENT = "not run, trivially equivalent"
    STILLBORN = "does not compile"


_BY_REASON = {
    KillReason.STEP_LIMIT: ToolOutcome.UNFINISHED,
    KillReason.WALL_LIMIT: ToolOutcome.TIMEOUT,
    KillReason.MEMORY_LIMIT: ToolOutcome.MEMORY,
    KillReason.CRASH: ToolOutcome.CRASH,
    KillReason.SKIPPED: ToolOutcome.SKIPPED,
}
_DISTINGUISHED = frozenset({ToolOutcome.DIFFERENCE})
_LATE = frozenset({ToolOutcome.UNFINISHED, ToolOutcome.TIMEOUT})
_LOST = _LATE | {ToolOutcome.MEMORY, ToolOutcome.CRASH, ToolOutcome.LOADING}
_SKIPPED = frozenset({ToolOutcome.SKIPPED})
_LIVING = frozenset({ToolOutcome.SURVIVED, ToolOutcome.UNREACHED, ToolOutcome.PROVEN})
_PASSING = _LIVING | _SKIPPED
"""Outcomes that end with a status of pytest by which no test fails."""
_EQUIVALENT = frozenset({ToolOutcome.EQUIVALENT})
_STILLBORN = frozenset({ToolOutcome.STILLBORN})
_UNREACHED = frozenset({ToolOutcome.UNREACHED})


@dataclass(frozen=True)
class ToolPolicy:
    """A rule from outcomes to a score, detected / (detected + undetected); other outcomes do not count.

    `duplicates` says whether a mutant that equals an earlier one counts again, as in tools that do not detect
    duplicates.
    """

    tool: str
    detected: frozenset[ToolOutcome]
    undetected: frozenset[ToolOutcome]
    duplicates: bool = True

    def score(self, counts: OutcomeCounts) -> Fraction | None:
        """Return the score, None if no mutant counts."""
        detected, counted = self.counted(counts)
        return Fraction(detected, counted) if counted else None

    def counted(self, counts: OutcomeCounts) -> tuple[int, int]:
        """Return the number of detected mutants, and of mutants that count."""
        numbers = counts.all if self.duplicates else counts.distinct
        detected, undetected = (sum(numbers[one] for one in group) for group in (self.detected, self.undetected))
        return detected, detected + undetected


TOOL_POLICIES = (
    ToolPolicy("mutascope", _DISTINGUISHED | _LOST | _SKIPPED, _LIVING, duplicates=False),
    ToolPolicy(
        "mutmut",
        _DISTINGUISHED | _LATE | {ToolOutcome.MEMORY},
        _PASSING | _EQUIVALENT | {ToolOutcome.CRASH, ToolOutcome.LOADING},
    ),
    ToolPolicy("cosmic-ray", _DISTINGUISHED | _LOST | _STILLBORN, _PASSING | _EQUIVALENT),
    ToolPolicy("Stryker", _DISTINGUISHED | _LATE, _PASSING | _EQUIVALENT),
    ToolPolicy("Stryker, covered", _DISTINGUISHED | _LATE, (_PASSING | _EQUIVALENT) - _UNREACHED),
    ToolPolicy("Pitest", _DISTINGUISHED | _LOST | _STILLBORN, _PASSING | _EQUIVALENT),
    ToolPolicy("Pitest, strength", _DISTINGUISHED | _LOST | _STILLBORN, (_PASSING | _EQUIVALENT) - _UNREACHED),
    ToolPolicy("muJava", _DISTINGUISHED | _LOST, _PASSING - {ToolOutcome.PROVEN}),
)
"""The policies of the versions that docs/policies.md names."""


@dataclass(frozen=True)
class OutcomeCounts:
    """The numbers of mutants by outcome: of all mutants, and of those without duplicates."""

    all: Mapping[ToolOutcome, int]
    distinct: Mapping[ToolOutcome, int]


def count_outcomes(
    mutants: Iterable[Mutant], results: Mapping[str, MutantResult], proven: frozenset[str]
) -> OutcomeCounts:
    """Count the outcomes of a finished trial; a duplicate has that of the mutant that it equals.

    Args:
        proven: ids of mutants that are proven equivalent.

    Raises:
        StoreError: a mutant has no verdict, or was killed and is said to be equivalent.
    """
    outcome_of: dict[str, ToolOutcome] = {}
    named = {mutant.id: mutant for mutant in mutants}
    for mutant in named.values():
        outcome_of[mutant.id] = _outcome(_first_of(mutant, named), results, proven)
    distinct = (outcome_of[mutant.id] for mutant in named.values() if mutant.status is not MutantStatus.DUPLICATE)
    return OutcomeCounts(Counter(outcome_of.values()), Counter(distinct))


def unseen_by_pytest(results: Iterable[MutantResult]) -> list[str]:
    """Return a sentence for each kind of kill in a pytest suite that plain pytest may not notice, with its number."""
    reasons = Counter(result.reason for result in results if result.reason is not None)
    words = {
        KillReason.STEP_LIMIT: f"{ToolOutcome.UNFINISHED.value}; plain pytest may let such a mutant pass",
        KillReason.SKIPPED: f"{ToolOutcome.SKIPPED.value}; plain pytest lets such a mutant pass",
    }
    kills = reasons.total()
    return [f"{reasons[reason]} of {kills} kills: {said}" for reason, said in words.items() if reasons[reason]]


def _first_of(mutant: Mutant, named: Mapping[str, Mutant]) -> Mutant:
    while mutant.status is MutantStatus.DUPLICATE:
        if mutant.same_as is None or mutant.same_as not in named:
            raise StoreError(
                f"{mutant.id} equals {mutant.same_as}, which is none of the mutants; run it again elsewhere"
            )
        mutant = named[mutant.same_as]
    return mutant


def _outcome(mutant: Mutant, results: Mapping[str, MutantResult], proven: frozenset[str]) -> ToolOutcome:
    if mutant.status is not MutantStatus.VIABLE:
        return ToolOutcome.STILLBORN if mutant.status is MutantStatus.STILLBORN else ToolOutcome.EQUIVALENT
    result = results.get(mutant.id)
    if result is None or result.verdict is Verdict.INCONCLUSIVE:
        raise StoreError(f"{mutant.id} has no verdict; run the experiment again to go on")
    if result.verdict is Verdict.STILLBORN:
        return ToolOutcome.STILLBORN
    if result.verdict is Verdict.KILLED:
        if mutant.id in proven:
            raise StoreError(f"{mutant.id} was killed, so it cannot be equivalent; correct its argument")
        default = ToolOutcome.LOADING if result.phase is Phase.LOAD else ToolOutcome.DIFFERENCE
        return _BY_REASON.get(result.reason, default) if result.reason else default
    if mutant.id in proven:
        return ToolOutcome.PROVEN
    return ToolOutcome.UNREACHED if result.reached == 0 else ToolOutcome.SURVIVED
