"""Tables of the rules of other tools, of runs of inputs and of suites of pytest."""

from fractions import Fraction
from pathlib import Path

import pytest
from support.compared_samples import FIRST, SECOND, THIRD, store_matrix
from support.report_samples import stored_run
from support.suite_samples import suite_run

from harness import api, resources
from harness.errors import StoreError, UsageError
from harness.model.experiment import ExecutionMode
from harness.runs.run_figures import scopes_figure
from harness.runs.run_tables import RunFacts
from harness.store import RunStore

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
    assert (record["ended its process"], record["does not compile"], record["not run, trivially equivalent"]) == (
        1,
        1,
        1,
    )


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
