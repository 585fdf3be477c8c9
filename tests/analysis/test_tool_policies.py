"""Scores under the rules of other tools are those of a naive imitation of each, mutant by mutant."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.analysis.tool_policies import TOOL_POLICIES, ToolOutcome, count_outcomes
from harness.errors import StoreError
from harness.model.outcome import KillReason, Location, Mutant, MutantResult, MutantStatus, Phase, Verdict

Case = tuple[MutantStatus, KillReason | None, Phase | None, int | None, bool]
"""Of a mutant: status, reason and phase of its kill, how many inputs reach it, whether it is proven equivalent."""

LIMITS = (KillReason.STEP_LIMIT, KillReason.WALL_LIMIT)
killed = st.tuples(st.sampled_from(KillReason), st.sampled_from([Phase.LOAD, Phase.CALL]))
viable = st.one_of(
    killed.map(lambda kill: (MutantStatus.VIABLE, *kill, 3, False)),
    st.tuples(st.sampled_from([None, 0, 3]), st.booleans()).map(lambda told: (MutantStatus.VIABLE, None, None, *told)),
)
unrun = st.sampled_from([MutantStatus.STILLBORN, MutantStatus.EQUIVALENT]).map(lambda s: (s, None, None, None, False))
cases = st.lists(st.tuples(st.one_of(viable, viable, unrun), st.integers(0, 2)), max_size=12)


def instances(cases: Sequence[tuple[Case, int]]):
    """Return the mutants, each followed by its duplicates, each of the one before; their results; the proven
    mutants.
    """
    mutants, results, proven = [], {}, set()
    for number, ((status, reason, phase, reached, equivalent), copies) in enumerate(cases):
        name = f"M{number}"
        mutants.append(mutant(name, status))
        mutants += [
            mutant(f"{name}.{copy}", MutantStatus.DUPLICATE, f"{name}.{copy - 1}" if copy else name)
            for copy in range(copies)
        ]
        if status is MutantStatus.VIABLE:
            verdict = Verdict.KILLED if reason else Verdict.SURVIVED
            results[name] = MutantResult(name, verdict, 5, 9, reason, phase, 0 if reason else None, reached=reached)
        if equivalent:
            proven.add(name)
    return mutants, results, frozenset(proven)


def mutant(name: str, status: MutantStatus, same_as: str | None = None) -> Mutant:
    return Mutant(name, "ROR", "f", Location(1, 0, 1, 1), "a", name, "0" * 64, status, same_as)


def kill_reason(case: Case) -> KillReason | None:
    """The reason for which pytest ends as tests do that fail: a test that is skipped does not."""
    return None if case[1] is KillReason.SKIPPED else case[1]


def exit_status(case: Case) -> int | None:
    """Return the exit status by which mutmut 3.8.1 classifies its pytest run; None for mutants that it does not
    make.
    """
    status, _, phase, reached, _ = case
    reason = kill_reason(case)
    if status is MutantStatus.STILLBORN:
        return None
    if reason is None:
        return 33 if reached == 0 else 0
    if reason in LIMITS:
        return -24
    if reason is KillReason.CRASH:
        return -11
    return 2 if phase is Phase.LOAD and reason is not KillReason.MEMORY_LIMIT else 1


def mutmut(population: Sequence[Case]) -> Fraction | None:
    """Return mutmut's badge: the share of killed and timed-out mutants among those that are not skipped."""
    codes = [code for code in map(exit_status, population) if code is not None]
    return Fraction(sum(code in (1, 3, -24) for code in codes), len(codes)) if codes else None


def cosmic_ray(population: Sequence[Case]) -> Fraction | None:
    """Return one minus cosmic-ray's survival rate: every exit status but 0 counts as killed, a timeout too."""
    passes = [case[0] is not MutantStatus.STILLBORN and kill_reason(case) is None for case in population]
    return 1 - Fraction(sum(passes), len(passes)) if passes else None


def stryker_status(case: Case) -> str:
    status, _, phase, reached, _ = case
    reason = kill_reason(case)
    if status is MutantStatus.STILLBORN:
        return "CompileError"
    if reason in LIMITS:
        return "Timeout"
    if reason in (KillReason.CRASH, KillReason.MEMORY_LIMIT) or (reason and phase is Phase.LOAD):
        return "RuntimeError"
    return "Killed" if reason else "NoCoverage" if reached == 0 and not case[4] else "Survived"


def stryker(population: Sequence[Case], covered: bool) -> Fraction | None:
    statuses = [stryker_status(case) for case in population]
    counted = [
        one for one in statuses if one in ("Killed", "Timeout", "Survived") or (one == "NoCoverage" and not covered)
    ]
    return Fraction(sum(one in ("Killed", "Timeout") for one in counted), len(counted)) if counted else None


def pitest(population: Sequence[Case], strength: bool) -> Fraction | None:
    """KILLED, TIMED_OUT, MEMORY_ERROR, RUN_ERROR and NON_VIABLE are detected; strength leaves out NO_COVERAGE."""
    counted = [case for case in population if not (strength and stryker_status(case) == "NoCoverage")]
    detected = [case for case in counted if kill_reason(case) is not None or case[0] is MutantStatus.STILLBORN]
    return Fraction(len(detected), len(counted)) if counted else None


def mujava(population: Sequence[Case]) -> Fraction | None:
    """Return the share of killed mutants among those that compile and that nobody marked as equivalent."""
    counted = [case for case in population if case[0] is MutantStatus.VIABLE and not case[4]]
    return Fraction(sum(kill_reason(case) is not None for case in counted), len(counted)) if counted else None


@given(cases)
def test_each_score_is_that_of_the_tool_imitated_naively(cases):
    counts = count_outcomes(*instances(cases))
    population = [case for case, copies in cases for _ in range(copies + 1)]
    once = [case for case, _ in cases if case[0] is MutantStatus.VIABLE]
    assert {policy.tool: policy.score(counts) for policy in TOOL_POLICIES} == {
        "mutascope": Fraction(sum(case[1] is not None for case in once), len(once)) if once else None,
        "mutmut": mutmut(population),
        "cosmic-ray": cosmic_ray(population),
        "Stryker": stryker(population, False),
        "Stryker, covered": stryker(population, True),
        "Pitest": pitest(population, False),
        "Pitest, strength": pitest(population, True),
        "muJava": mujava(population),
    }
    assert sum(counts.all.values()) == len(population)


def test_no_rule_counts_an_outcome_as_both_detected_and_not():
    for policy in TOOL_POLICIES:
        assert not policy.detected & policy.undetected
        assert policy.detected >= {ToolOutcome.DIFFERENCE, ToolOutcome.TIMEOUT}
        assert ToolOutcome.SURVIVED in policy.undetected


def test_a_mutant_without_verdict_blocks_the_scores():
    lost = MutantResult("M", Verdict.INCONCLUSIVE, 0, None, detail="the worker died")
    for results in ({}, {"M": lost}):
        with pytest.raises(StoreError, match="M has no verdict"):
            count_outcomes([mutant("M", MutantStatus.VIABLE)], results, frozenset())


def test_a_killed_mutant_cannot_be_proven_equivalent():
    result = MutantResult("M", Verdict.KILLED, 5, 9, KillReason.STATE, Phase.EQUALITY, 0)
    with pytest.raises(StoreError, match="M was killed, so it cannot be equivalent"):
        count_outcomes([mutant("M", MutantStatus.VIABLE)], {"M": result}, frozenset({"M"}))


def test_a_duplicate_of_nothing_is_told():
    with pytest.raises(StoreError, match="M equals N, which is none of the mutants"):
        count_outcomes([mutant("M", MutantStatus.DUPLICATE, "N")], {}, frozenset())
