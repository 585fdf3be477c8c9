"""Reports about suites that ended early, with the reasons; trials are chosen by names of subjects and generators."""

import pytest

from harness.errors import UsageError
from harness.model.experiment import EVERY_TRIAL, TrialFilter
from harness.model.stop_reason import StopReason, reason, requested_inputs, suite_remarks


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
