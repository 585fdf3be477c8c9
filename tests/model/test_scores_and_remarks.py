"""Facts become scores under named policies, exactly; suites that ended early are told with the reasons.

Trials are chosen by names of subjects and generators.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from harness.did_you_mean import named_in
from harness.errors import UsageError
from harness.kernel.judging.oracle import Oracle
from harness.kernel.naive.oracle import Oracle as NaiveOracle
from harness.model.coverage import CoverageCounts
from harness.model.experiment import EVERY_TRIAL, TrialFilter
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
from harness.model.stop_reason import StopReason, reason, requested_inputs, suite_remarks


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


@pytest.mark.parametrize(
    ("generator", "count"),
    [
        ("random:5000", 5000),
        ("random:10000,calls=50,seconds=2", 10000),
        ("hypothesis-stateful:7", 7),
        ("random", None),
        ("random:calls=50", None),
        ("hypothesis:500", None),  # of states
        ("rostra:500", None),
        ("korat", None),
    ],
)
def test_names_tell_how_many_inputs_they_ask_for(generator, count):
    assert requested_inputs(generator) == count


def test_a_suite_that_has_all_that_was_asked_for_gets_no_remark():
    assert suite_remarks("random:5", 5, StopReason.INPUTS) == []
    assert suite_remarks("hypothesis:5", 50, StopReason.STATES) == []
    assert suite_remarks("korat", 50, None) == []
    assert suite_remarks("random:5", 5, None) == []


def test_a_suite_that_ended_before_is_told_with_the_reason():
    assert suite_remarks("random:1000,calls=9", 37, StopReason.CALLS) == [
        "37 of 1,000 inputs, ended by the limit of calls"
    ]
    remarks = suite_remarks("hypothesis:500", 1414, StopReason.NOTHING_NEW)
    assert remarks == ["1,414 inputs, ended as the last attempts made nothing new"]


def test_a_short_suite_of_a_run_that_kept_no_reason_is_told_by_its_number():
    assert suite_remarks("random:1000000", 661694, None) == [
        "661,694 of 1,000,000 inputs, and what ended it was not stored"
    ]


def test_every_early_end_has_its_words_and_a_plug_in_has_its_own():
    early = [ended for ended in StopReason if ended not in (StopReason.INPUTS, StopReason.STATES)]
    assert not any(reason(ended).endswith(f": {ended}") for ended in early)
    assert suite_remarks("mine", 3, "full moon") == ["3 inputs, ended by: full moon"]


def test_notices_stand_behind_the_end():
    assert suite_remarks("css", 3, None, ["cut: 1", "pinned: 2"]) == ["cut: 1", "pinned: 2"]
    assert suite_remarks("random:4", 3, StopReason.ATTEMPTS, ["cut: 1"])[1:] == ["cut: 1"]


RUN = [
    ("search_tree", "SearchTree", "korat"),
    ("search_tree", "SearchTree", "random:500"),
    ("sorted_list", "SortedList", "korat"),
]


def test_a_filter_without_names_takes_every_trial():
    EVERY_TRIAL.check(RUN)
    assert all(EVERY_TRIAL.takes(*names) for names in RUN)


def test_names_of_both_kinds_choose_the_trials_that_have_both():
    chosen = TrialFilter(("search_tree",), ("korat", "random:500"))
    chosen.check(RUN)
    assert [names for names in RUN if chosen.takes(*names)] == RUN[:2]


def test_a_subject_is_chosen_by_its_title_too():
    chosen = TrialFilter(("SortedList",))
    chosen.check(RUN)
    assert [names for names in RUN if chosen.takes(*names)] == RUN[2:]


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (TrialFilter(("SearchTrees",)), "no trial of the subject 'SearchTrees'; did you mean 'search_tree'?"),
        (TrialFilter((), ("korat", "nope")), "no trial of the generator 'nope'; there are korat, random:500"),
        (TrialFilter(("sorted_list",), ("random:500",)), "no trial of random:500 on sorted_list; leave --subject or"),
    ],
)
def test_a_name_that_chooses_nothing_is_refused_in_one_line(chosen, message):
    with pytest.raises(UsageError) as error:
        chosen.check(RUN)
    assert message in str(error.value)
