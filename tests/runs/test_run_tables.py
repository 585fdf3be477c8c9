"""Tables of a run: by generator, under the rules of other tools, and of one suite under several conditions."""

from fractions import Fraction
from pathlib import Path

import pytest
from support.compared_samples import FIRST, SECOND, THIRD, store_matrix
from support.report_samples import MUTANTS, RESULTS, stored_run
from support.suite_samples import suite_run

from harness import api, resources
from harness.analysis.measures import summary
from harness.analysis.run_summary import summary_rows
from harness.errors import StoreError, UsageError
from harness.model.coverage import CoverageCounts
from harness.model.experiment import ExecutionMode
from harness.model.outcome import MutantResult, Verdict
from harness.model.sequence import ON_MUTANT, Observation
from harness.runs.run_figures import scopes_figure
from harness.runs.run_tables import RunFacts
from harness.store import RunStore
from harness.store.facts import FailedTrial
from harness.tables.figures import trials_apart
from harness.tables.table import Table

TOOLS = ("mutascope", "mutmut", "cosmic-ray", "Stryker", "Stryker, covered", "Pitest", "Pitest, strength", "muJava")


def scores(folder: Path) -> list[dict[str, float | None]]:
    table = api.tables(folder=folder, table="policies")["policies"]
    return [{tool: record[f"{tool} [%]"] for tool in TOOLS} for record in table.records()]


def percent(part: int, whole: int) -> float:
    return float(round(Fraction(100 * part, whole), 2))


def test_a_run_of_inputs_is_scored_under_each_rule(tmp_path):
    folder = stored_run(tmp_path)
    (row,) = scores(folder)
    # Told: 1, and a duplicate of it; limits of steps and time: 2; crash, memory; survivor; equivalent; stillborn.
    assert row == {
        "mutascope": percent(5, 6),
        "mutmut": percent(5, 8),
        "cosmic-ray": percent(7, 9),
        "Stryker": percent(4, 6),
        "Stryker, covered": percent(4, 6),
        "Pitest": percent(7, 9),
        "Pitest, strength": percent(7, 9),
        "muJava": percent(6, 7),
    }
    (record,) = api.tables(folder=folder, table="outcomes")["outcomes"].records()
    assert (record["mutants"], record["killed by a test"], record["killed by a limit of time"]) == (9, 2, 1)
    assert record["not finished within 10 times the steps of the original"] == 1
    (record,) = api.tables(folder=folder, table="policies")["policies"].records()
    assert (record["not finished"], record["skipped"]) == (1, 0)
    (record,) = api.tables(folder=folder, table="outcomes")["outcomes"].records()
    names = ("ended its process", "does not compile", "not run, trivially equivalent")
    assert [record[name] for name in names] == [1, 1, 1]


def test_each_seed_has_a_row_and_a_figure_has_the_median_of_all(tmp_path):
    killing = {1: [FIRST, SECOND, THIRD], 2: [FIRST], 3: []}
    with RunStore.open(tmp_path) as store:
        for seed, killed in killing.items():
            kills = {mutant: [0] for mutant in killed}
            store_matrix(store, 20, kills, generator="random", seed=seed, suite_digest=f"r{seed}")
    records = api.tables(folder=tmp_path, table="policies")["policies"].records()
    assert {record["seed"]: record["mutascope [%]"] for record in records} == {"1": 100, "2": percent(1, 3), "3": 0}
    figure = scopes_figure(RunFacts.of(api.load(tmp_path)))
    assert figure.axes[0].get_title() == "Tree"
    assert any("Medians of up to 3 seeds." in text.get_text().replace("\n", " ") for text in figure.texts)
    drawn = [line.get_ydata()[0] for line in figure.axes[0].get_lines() if len(line.get_ydata())]
    assert drawn == [percent(1, 3)]


def test_a_suite_of_pytest_is_scored_with_and_without_what_no_test_reaches(tmp_path):
    folder = suite_run(tmp_path, lambda mutant: [mutant % 5] if mutant % 2 and mutant % 10 != 9 else [], mutants=20)
    (row,) = scores(folder)
    assert {row[tool] for tool in TOOLS if tool not in ("Stryker, covered", "Pitest, strength")} == {percent(8, 20)}
    assert row["Stryker, covered"] == row["Pitest, strength"] == percent(8, 18)


def test_they_are_made_only_if_asked_for_by_name(tmp_path):
    folder = suite_run(tmp_path, lambda mutant: [0])
    assert not {"policies", "outcomes"} & set(api.tables(folder=folder))
    with pytest.raises(UsageError, match="policies, outcomes"):
        api.tables(folder=folder, table="xyz")


def test_a_trial_that_is_not_finished_has_no_score(tmp_path):
    folder = suite_run(tmp_path / "begun", lambda mutant: [0], finish=False)
    assert scores(folder) == [dict.fromkeys(TOOLS)]
    folder = stored_run(tmp_path / "generated", (2,), mutants=[], results=[], mode=ExecutionMode.GENERATE)
    assert scores(folder) == [dict.fromkeys(TOOLS)]


def test_a_frozen_run_is_refused_in_one_line():
    frozen = resources.shipped("results/frozen") / "exhaustive2003"
    with pytest.raises(StoreError, match="run the experiment, and give its folder") as error_info:
        api.tables(folder=frozen, table="policies")
    assert "\n" not in str(error_info.value)


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


CALLS = {"generator": "beapi", "sequences": ON_MUTANT, "observed": Observation.END, "suite_digest": "one", "seed": 1}


@pytest.fixture
def run(tmp_path):
    """One suite on the mutants of two operator sets, with the mutants' states, by structure and in two modes."""
    with RunStore.open(tmp_path) as store:
        store_matrix(store, 20, {FIRST: [0]}, **CALLS)
        store_matrix(store, 20, {SECOND: [0]}, concrete=True, **CALLS)
        store_matrix(store, 20, {}, ExecutionMode.FIRST_KILL, concrete=True, **CALLS)
        store_matrix(store, 20, {}, concrete=True, operator_set="mujava", **CALLS)
    return tmp_path


@pytest.mark.parametrize("name", ["scopes", "operators", "functions", "generators"])
def test_no_two_rows_of_a_table_have_the_same_labels(run, name):
    table = api.tables(folder=run, table=name)[name]
    labels = [tuple(row[label] for label in table.labels) for row in table.records()]
    assert {"operator_set", "concrete", "mode"} <= set(table.labels)
    assert len(set(labels)) == len(labels) >= 4


def test_the_largest_scope_is_that_of_each_condition(run):
    with RunStore.open(run) as store:
        store_matrix(store, 20, {}, scope=3, concrete=True, **(CALLS | {"suite_digest": "two"}))
    rows = api.tables(folder=run, table="operators")["operators"].records()
    assert {(row["operator_set"], row["concrete"], row["scope"]) for row in rows} == {
        ("ferastrau", "False", "2"), ("ferastrau", "True", "3"), ("mujava", "True", "2"),
    }  # fmt: skip


def test_a_curve_is_of_trials_under_one_condition(run):
    assert [title for title, _ in trials_apart(api.load(run).frames)] == [
        "Tree, ferastrau, concrete False", "Tree, ferastrau, concrete True", "Tree, mujava, concrete True",
    ]  # fmt: skip


def test_summaries_say_the_mode_too(run):
    rows = summary_rows(run)
    assert [row["mode"] for row in rows] == ["matrix", "matrix", "first-kill", "matrix"]
    assert list(summary(api.load(run).all_frames)) == list(rows[0])
