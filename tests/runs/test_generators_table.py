"""The table of generators has one row per generator and scope, with all seeds together."""

from pathlib import Path

import pytest
from support.report_samples import MUTANTS, RESULTS, stored_run

from harness import api
from harness.model.coverage import CoverageCounts
from harness.model.outcome import MutantResult, Verdict
from harness.store import RunStore
from harness.store.facts import FailedTrial
from harness.tables.table import Table

SURVIVORS = {3: 0, 5: 2, 8: 4}
"""By seed, how many of the five kills of `RESULTS` are missing."""


def run_of_seeds(folder: Path, generator: str = "random:90") -> Path:
    """Make a run of one generator at scope 2, with a seed of five, of three and of one kill of six mutants."""
    for seed, missing in SURVIVORS.items():
        survived = [MutantResult(one.mutant, Verdict.SURVIVED, 90, 267) for one in RESULTS[:missing]]
        stored_run(
            folder,
            (2,),
            results=[*survived, *RESULTS[missing:]],
            covered=lambda scope, executed=seed: CoverageCounts(20, 10, 10, executed),
            seed=seed,
            generator=generator,
            inputs=90 + seed,
        )
    return folder


def table_of(folder: Path) -> Table:
    return api.tables(folder=folder, table="generators")["generators"]


def test_means_and_intervals_are_over_the_seeds_of_a_row(tmp_path):
    (row,) = table_of(run_of_seeds(tmp_path)).records()
    assert row == {
        "subject": "SearchTree",
        "generator": "random:90",
        "scope": "2",
        "seeds": 3,
        "inputs": pytest.approx(90 + 16 / 3),
        "branches [%]": 53.33,
        "branches [%], low": 30.0,
        "branches [%], high": 80.0,
        "mutants": 6,
        "killed": 3,
        "killed [%]": 50.0,
        "killed [%], low": 16.67,
        "killed [%], high": 83.33,
    }


def test_each_generator_and_scope_has_a_row(tmp_path):
    stored_run(run_of_seeds(tmp_path))
    rows = [row.labels[1:] for row in table_of(tmp_path).rows]
    assert rows == [("korat", "2"), ("korat", "3"), ("random:90", "2")]
    assert [record["seeds"] for record in table_of(tmp_path).records()] == [None, None, 3], "korat uses no seed"


def test_seeds_on_another_mutant_set_have_a_row_of_their_own_and_the_caption_says_so(tmp_path):
    stored_run(run_of_seeds(tmp_path), (2,), mutants=MUTANTS[:-1], seed=9, generator="random:90")
    table = table_of(tmp_path)
    assert [row["seeds"] for row in table.records()] == [3, 1]
    assert "NOT COMPARABLE" in table.caption


def test_means_are_missing_until_each_seed_is_finished(tmp_path):
    stored_run(run_of_seeds(tmp_path), (2,), seed=9, generator="random:90", finish=False)
    table = table_of(tmp_path)
    (row,) = table.records()
    assert (row["seeds"], row["killed"], row["mutants"]) == (4, None, None)
    assert any("not finished" in reason for reason in table.footnotes)


def test_seeds_that_failed_for_one_reason_have_one_row(tmp_path):
    with RunStore.open(run_of_seeds(tmp_path)) as store:
        for seed in (11, 12):
            store.failures.add(FailedTrial("search_tree", "SearchTree", "bad.py:draw", 2, seed, "bad.py:6: no input"))
    table = table_of(tmp_path)
    assert [row.labels[1] for row in table.rows] == ["random:90", "bad.py:draw"]
    assert table.records()[1]["failed"] == "bad.py:6: no input"


def test_a_run_of_one_seed_prints_it_only_when_asked(tmp_path):
    one = stored_run(tmp_path / "one")
    assert "generators" not in api.tables(folder=one)
    assert [row["killed"] for row in table_of(one).records()] == [5, 5]
    assert "generators" in api.tables(folder=run_of_seeds(tmp_path / "several"))
