"""Condition outcomes of a real small run: kept beside it, and shown in tables."""

import pytest
from support.own_runs import pinned_run

from harness import api
from harness.command_line.main import main
from harness.errors import StoreError, UsageError
from harness.measured.condition_outcome_cache import FOLDER, outcomes_at
from harness.model.experiment import ExecutionMode, Experiment, Trial

NAME = "jtc_int_stack"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """IntStack by Rostra at scope 2, with twelve mutants, as a full kill matrix."""
    return pinned_run(tmp_path_factory.mktemp("outcomes"), NAME, 12, "rostra", [2])


@pytest.fixture(scope="module")
def tables(run):
    return api.outcomes(run)


def only_row(tables, table):
    (row,) = tables[table].records()
    return row


def test_outcomes_of_the_class_stand_beside_branches(run, tables):
    row = only_row(tables, "coverage")
    assert (row["outcomes"], row["reached"], row["inputs"]) == (9, 7, 10)
    assert row["reached [%]"] == pytest.approx(700 / 9, abs=0.01)
    assert row["branches [%]"] == pytest.approx(
        float(api.load(run).coverage()["branch_coverage"].iloc[0]) * 100, abs=0.01
    )


def test_outcomes_never_reached_are_named(tables):
    missed = {(row["function"], row["outcome"]) for row in tables["missed"].records()}
    assert missed == {
        ("IntStack.push", "self.size == len(self.store): True"),
        ("IntStack.pop", "self.size * 2 < len(self.store): False"),
    }


def test_rows_are_kept_beside_the_run_and_made_anew_where_they_are_damaged(run, tables):
    (path,) = (run / FOLDER).iterdir()
    text, written = path.read_text(encoding="utf-8"), path.stat()
    assert api.outcomes(run, "coverage")["coverage"].records() == tables["coverage"].records()
    assert path.stat() == written
    path.write_text(text[:-20], encoding="utf-8")
    assert api.outcomes(run, "coverage")["coverage"].records() == tables["coverage"].records()
    assert path.read_text(encoding="utf-8") == text


def test_what_is_not_there_is_told_in_one_line(run, tables, tmp_path):
    with pytest.raises(UsageError, match=r"no table 'x' of condition outcomes; there are coverage, missed"):
        api.outcomes(run, "x")
    with pytest.raises(StoreError, match="no finished trial at scope 3; run it there"):
        outcomes_at(run, NAME, 3)
    assert main(["outcomes", str(tmp_path / "none")]) == 2


@pytest.mark.slow
def test_without_coverage_there_are_no_branches(tmp_path):
    tables = api.outcomes(pinned_run(tmp_path, NAME, 1, "rostra", is_covered=False))
    assert tables["coverage"].records()[0]["branches [%]"] is None


@pytest.mark.slow
def test_rows_name_their_seeds_where_seeds_differ(tmp_path):
    trials = tuple(Trial(NAME, "random:20", 2, seed) for seed in (1, 2))
    experiment = Experiment("seeds", trials, ExecutionMode.GENERATE, without_coverage=frozenset(trials))
    coverage = api.outcomes(api.run(experiment, tmp_path / "run", jobs=1), "coverage")["coverage"]
    assert [(row["generator"], row["seed"]) for row in coverage.records()] == [("random:20", "1"), ("random:20", "2")]
