"""Runs of one experiment are combined by the fields that distinguish their trials."""

from dataclasses import replace

import pytest
from support.run_samples import coverage_row, frames_of_rows, result_rows, trial_row

from harness.analysis.frames import checked_frame
from harness.analysis.frozen import read_frozen, write_frozen
from harness.analysis.joined import joined
from harness.errors import StoreError


def run(*trials, killed=2):
    """Return a run with a trial for each (generator, scope)."""
    rows = [trial_row("tree", generator, scope) for generator, scope in trials]
    keys = [row["trial"] for row in rows]
    return frames_of_rows(
        rows,
        [row for key in keys for row in result_rows(key, killed, 3)],
        [coverage_row(key, "code", "T.add", 9, 8, 4, 3) for key in keys],
        [{"trial": key, "what": "baseline", "seconds": 0.5} for key in keys],
    )


def test_trials_of_both_stand_below_each_other_and_the_later_ones_count(tmp_path):
    write_frozen(run(("korat", 1), ("korat", 2)), tmp_path / "earlier")
    both = joined(read_frozen(tmp_path / "earlier"), run(("korat", 2), ("korat", 3), killed=1))
    assert list(both.trials["scope"]) == [1, 2, 3]
    killed = both.results[both.results["verdict"] == "killed"].groupby("scope").size()
    assert dict(killed) == {1: 2, 2: 1, 3: 1}
    assert list(both.coverage["scope"]) == list(both.timings["scope"]) == [1, 2, 3]


def test_a_session_that_was_frozen_before_is_told_once():
    one, again = run(("korat", 1)), run(("korat", 2))
    (session,) = again.sessions
    other = replace(again, sessions=(replace(session, started="2026-02-02T00:00:00"),))
    assert [len(joined(one, later).sessions) for later in (again, other)] == [1, 2]


def test_what_is_put_together_can_be_frozen_and_read(tmp_path):
    write_frozen(run(("korat", 1)), tmp_path / "frozen")
    write_frozen(joined(read_frozen(tmp_path / "frozen"), run(("korat", 2))), tmp_path / "frozen")
    frozen = read_frozen(tmp_path / "frozen")
    assert list(frozen.trials["trial"]) == ["t1", "t2"]
    assert len(frozen.results) == 2 * len(run(("korat", 1)).results)


def test_runs_of_another_source_are_not_put_together():
    one = run(("korat", 1))
    other = run(("korat", 2))
    with pytest.raises(StoreError, match=r"tree is another subject in the later run \(source_hash\)"):
        joined(one, replace(other, trials=other.trials.assign(source_hash="another")))


def evaluated_rows(*rows):
    """Return rows of a class, one for each (trial, basis)."""
    columns = {
        "limit": 0.0,
        "taken": "whole",
        "suites": 1,
        "size": 1.0,
        "calls": 1.0,
        "outcomes": 9,
        "reached_median": 9.0,
    }
    records = [
        {
            "trial": trial,
            "basis": basis,
            **columns,
            "outcomes": 9,
            "reached_median": 9.0,
            "mutants": 3,
            "killed_median": 2.0,
            "alone": 1,
        }
        for trial, basis in rows
    ]
    return checked_frame("evaluated", records)


@pytest.mark.parametrize(("before", "bases"), [("css", ["whole"]), ("korat", ["whole", "all"])])
def test_options_that_are_run_without_the_plain_generator_of_before_stand_beside_no_other(before, bases):
    earlier, later = run(("", 1)), run(("", 2))
    (key,) = later.trials["trial"]
    evaluated = evaluated_rows((key, "whole"), (key, "all"))
    later = replace(later, trials=later.trials.assign(generator="css:grouped=no"), evaluated=evaluated)
    earlier = replace(earlier, trials=earlier.trials.assign(generator=before))
    assert list(joined(earlier, later).evaluated["basis"]) == bases
