"""Tables are made of one operator set's trials."""

from dataclasses import replace

import pytest
from support.run_samples import frames_of_rows, result_rows, trial_row

from harness.analysis.measures import coverage_ratios, saturation, scores


def run(*sets: str):
    trials = [trial_row("t", "Tree", 1, trial=name, operator_set=name) for name in sets]
    results = [row for at, name in enumerate(sets) for row in result_rows(name, 1 + at, 2)]
    return frames_of_rows(trials, results)


@pytest.mark.parametrize(
    ("sets", "chosen"),
    [(["extended", "ferastrau"], "ferastrau"), (["ferastrau", "extended"], "ferastrau"), (["extended"], "extended")],
)
def test_the_default_sets_trials_are_taken_where_there_are_any(sets, chosen):
    frames = run(*sets).of_one_operator_set()
    assert set(frames.trials["trial"]) == set(frames.results["trial"]) == {chosen}


def test_every_score_is_told_with_its_operator_set():
    frames = run("ferastrau", "extended")
    score_rows = scores(frames)
    assert dict(zip(score_rows["operator_set"], score_rows["killed"], strict=True)) == {"ferastrau": 1, "extended": 2}
    rows = saturation(score_rows, coverage_ratios(frames))
    assert list(rows["operator_set"]) == ["ferastrau", "extended"]


def test_a_run_without_trials_stays_as_it_is():
    frames = run("ferastrau")
    empty = replace(frames, trials=frames.trials.iloc[:0], results=frames.results.iloc[:0])
    assert empty.of_one_operator_set().trials.empty
