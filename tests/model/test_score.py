"""Facts become scores under named policies, exactly."""

from fractions import Fraction

import pytest

from harness.did_you_mean import named_in
from harness.kernel.judging.oracle import Oracle
from harness.kernel.naive.oracle import Oracle as NaiveOracle
from harness.model.coverage import CoverageCounts
from harness.model.outcome import (
    ORACLES,
    KillReason,
    MutantResult,
    OracleName,
    Phase,
    ScorePolicy,
    Verdict,
    mutation_score,
)


def killed(name: str) -> MutantResult:
    return MutantResult(name, Verdict.KILLED, 1, 1, KillReason.OUTPUT, Phase.CALL, 0)


def survived(name: str) -> MutantResult:
    return MutantResult(name, Verdict.SURVIVED, 5, 9)


def test_the_score_is_killed_over_counted_under_its_policy():
    results = [killed("a"), killed("b"), survived("c"), MutantResult("d", Verdict.STILLBORN, 0, None)]
    assert mutation_score(results).ratio == Fraction(2, 3)
    proven = frozenset({"c"})
    assert mutation_score(results, ScorePolicy.ALL_VIABLE, proven).ratio == Fraction(2, 3)
    assert mutation_score(results, ScorePolicy.WITHOUT_PROVEN, proven).ratio == 1


def test_nothing_counted_is_no_score():
    assert mutation_score([]).ratio is None


def test_an_inconclusive_result_blocks_scoring():
    with pytest.raises(ValueError, match="inconclusive"):
        mutation_score([killed("a"), MutantResult("b", Verdict.INCONCLUSIVE, 0, None)])


def test_a_killed_mutant_cannot_be_proven_equivalent():
    with pytest.raises(ValueError, match="cannot be equivalent"):
        mutation_score([killed("a")], proven_equivalent=frozenset({"a"}))


def test_a_result_says_why_it_kills_and_on_how_much_it_survives():
    with pytest.raises(ValueError, match="names its reason"):
        MutantResult("a", Verdict.KILLED, 1, 1)
    with pytest.raises(ValueError, match="only a kill"):
        MutantResult("a", Verdict.SURVIVED, 1, 1, KillReason.OUTPUT)
    with pytest.raises(ValueError, match="nothing was survived"):
        MutantResult("a", Verdict.SURVIVED, 0, 0)


def test_coverage_counts_add_and_ratios_are_exact():
    total = CoverageCounts(3, 1, 4, 2) + CoverageCounts(3, 1, 0, 0)
    assert total.statement_coverage == Fraction(1, 3)
    assert total.branch_coverage == Fraction(1, 2)
    assert CoverageCounts(1, 1).branch_coverage is None
    assert CoverageCounts(2, 2, 2, 2).complete
    assert not CoverageCounts(2, 2, 2, 1).complete


def test_more_executed_than_there_is_is_refused():
    with pytest.raises(ValueError, match="exceeds"):
        CoverageCounts(1, 2)


@pytest.mark.parametrize("name", OracleName)
def test_each_oracle_is_implemented_for_runs_and_for_verify(name):
    kind = ORACLES[name]
    assert issubclass(named_in("harness.kernel.judging", kind.judging), Oracle)
    assert issubclass(named_in("harness.kernel.naive", kind.naive), NaiveOracle)
