"""Trials are chosen by the names of their subjects and generators."""

from __future__ import annotations

import pytest

from harness.errors import UsageError
from harness.model.trial_filter import EVERY_TRIAL, TrialFilter

RUN = [
    ("search_tree", "SearchTree", "korat"),
    ("search_tree", "SearchTree", "random:500"),
    ("sorted_list", "SortedList", "korat"),
]


def test_a_filter_without_names_takes_every_trial() -> None:
    EVERY_TRIAL.check(RUN)
    assert all(EVERY_TRIAL.takes(*names) for names in RUN)


def test_names_of_both_kinds_choose_the_trials_that_have_both() -> None:
    chosen = TrialFilter(("search_tree",), ("korat", "random:500"))
    chosen.check(RUN)
    assert [names for names in RUN if chosen.takes(*names)] == RUN[:2]


def test_a_subject_is_chosen_by_its_title_too() -> None:
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
def test_a_name_that_chooses_nothing_is_refused_in_one_line(chosen: TrialFilter, message: str) -> None:
    with pytest.raises(UsageError) as error:
        chosen.check(RUN)
    assert message in str(error.value)
