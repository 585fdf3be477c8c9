"""Several suites of pytest on one target have a name and a row each, wherever a run is shown."""

import json

import pytest
from support.suite_samples import suite_run

from harness import api
from harness.analysis.compared import comparable_suites
from harness.analysis.frozen import read_frozen, write_frozen
from harness.analysis.run_summary import suite_warnings, summary_rows
from harness.runs.run_figures import RUN_FIGURES
from harness.runs.run_tables import RunFacts
from harness.store import RunStore

KILLED = {"tests": 2, "tests/unit": 6}
"""How many of 8 mutants each suite kills."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("apart")
    for name, killed in KILLED.items():
        suite_run(out, lambda number, most=killed: [number % 5] if number < most else [], name=name)
    return out


def test_the_summary_has_a_row_of_each_suite_over_one_mutant_set(folder):
    rows = summary_rows(folder)
    assert {row["suite"]: row["killed"] for row in rows} == KILLED
    assert rows == json.loads(api.load(folder).summary().to_json(orient="records"))
    assert suite_warnings(folder) == []


@pytest.mark.parametrize("table", ["scopes", "operators", "functions", "reasons", "policies", "outcomes"])
def test_each_table_has_rows_of_each_suite(folder, table):
    suite_table = api.tables(folder=folder, table=table)[table]
    at = suite_table.labels.index("suite")
    assert list(dict.fromkeys(row.labels[at] for row in suite_table.rows)) == list(KILLED)


@pytest.mark.parametrize("figure", ["scopes", "growth"])
def test_each_figure_has_a_panel_of_each_suite(folder, figure):
    drawn = RUN_FIGURES[figure](RunFacts.of(api.load(folder)))
    titles = [axes.get_title() for axes in drawn.axes]
    assert [title for title in titles if title] == ["shop.steps, tests", "shop.steps, tests/unit"]


def test_scores_saturation_and_kill_matrices_name_the_suite(folder):
    run = api.load(folder)
    assert dict(zip(run.scores()["suite"], run.scores()["killed"], strict=True)) == KILLED
    assert list(run.saturation()["suite"]) == list(KILLED)
    killed = {name: int(run.matrix("shop.steps", 1, name).killed_by().sum()) for name in KILLED}
    assert killed == KILLED


def test_the_page_has_a_row_and_a_section_of_each_and_each_has_its_json(folder):
    written = api.report(folder)
    page = written[0].read_text(encoding="utf-8")
    assert [path.name for path in written[1:]] == [
        "mutation-report-shop.steps-pytest-tests.json", "mutation-report-shop.steps-pytest-tests_unit.json",
    ]  # fmt: skip
    assert [json.loads(path.read_text())["config"]["suite"] for path in written[1:]] == list(KILLED)
    for name in KILLED:
        assert f"<td>pytest</td><td>{name}</td>" in page
        assert f"shop.steps (pytest {name})</h2>" in page


def test_names_that_are_equal_in_file_names_are_numbered(tmp_path):
    for name in ("a b", "a_b"):
        suite_run(tmp_path, lambda number: [], name=name)
    assert [path.name for path in api.report(tmp_path)[1:]] == [
        "mutation-report-shop.steps-pytest-a_b.json", "mutation-report-shop.steps-pytest-a_b-2.json",
    ]  # fmt: skip


def test_suites_are_compared_by_their_names(folder):
    (compared,) = comparable_suites(folder)
    killed = {name: int(suites[0].kills.killed_by().sum()) for name, suites in compared.suites.items()}
    assert killed == {f"pytest {name}": count for name, count in KILLED.items()}


def test_a_frozen_run_keeps_both(folder, tmp_path):
    frames = api.load(folder).all_frames
    write_frozen(frames, tmp_path / "frozen")
    again = read_frozen(tmp_path / "frozen")
    assert list(again.trials["suite"]) == list(KILLED)


def test_one_suite_alone_needs_no_name(tmp_path):
    suite_run(tmp_path, lambda number: [])
    assert "suite" not in summary_rows(tmp_path)[0]
    assert "suite" not in api.tables(folder=tmp_path, table="scopes")["scopes"].labels
    assert [path.name for path in api.report(tmp_path)[1:]] == ["mutation-report-shop.steps-pytest.json"]


def test_of_a_suite_that_was_edited_and_run_again_the_latest_trial_is_shown(tmp_path):
    for killed in (2, 3):
        suite_run(tmp_path, lambda number, most=killed: [0] if number < most else [], tests=4 + killed)
    with RunStore.open_existing(tmp_path) as store:
        assert [str(trial) for trial in store.trials.all()] == ["shop.steps pytest tests scope 1"] * 2
    assert [row["killed"] for row in summary_rows(tmp_path)] == [3]
