"""Tables and figures of a run of one's own, whatever it is of."""

import json
from pathlib import Path

import pytest
from support.report_samples import stored_run

from harness import api, resources
from harness.command_line.main import main
from harness.errors import StoreError
from harness.model.experiment import ExecutionMode
from harness.store import RunStore
from harness.tables.render import render
from harness.tables.table import MISSING, Unit


@pytest.fixture
def run(tmp_path):
    return stored_run(tmp_path / "run")


def test_every_scope_has_its_coverage_and_score(run):
    records = api.tables(folder=run, table="scopes")["scopes"].records()
    assert [(record["subject"], record["generator"], record["scope"]) for record in records] == [
        ("SearchTree", "korat", "2"),
        ("SearchTree", "korat", "3"),
    ]
    assert [record["statements [%]"] for record in records] == [60.0, 65.0]
    assert [record["branches [%]"] for record in records] == [70.0, 80.0]
    assert [(record["killed"], record["mutants"], record["killed [%]"]) for record in records] == [(5, 6, 83.33)] * 2
    assert records[0]["spec st. [%]"] is None


def test_tables_of_pytest_suites_have_no_columns_of_scopes_states_and_specs():
    frozen = resources.shipped("results/frozen/real_suites")
    table = api.tables(folder=frozen, table="scopes")["scopes"]
    assert table.title == "By suite"
    assert table.labels == ("subject", "generator")
    names = [column.name for column in table.columns]
    assert names == ["inputs", "statements [%]", "branches [%]", "killed", "mutants", "killed [%]"]


def test_mutants_are_counted_by_operator_function_and_reason_at_the_largest_scope(run):
    tables = api.tables(folder=run)
    assert list(tables) == ["scopes", "operators", "functions", "reasons"]
    assert {record["operator"]: (record["killed"], record["mutants"]) for record in tables["operators"].records()} == {
        "CRP": (1, 1),
        "FRR": (2, 2),
        "ROR": (1, 2),
        "VRR": (1, 1),
    }
    (function,) = tables["functions"].records()
    assert (function["function"], function["scope"], function["killed"]) == ("SearchTree.add", "3", 5)
    reasons = {record["reason"]: record["kills"] for record in tables["reasons"].records()}
    assert reasons == dict.fromkeys(["output", "crash", "memory_limit", "step_limit", "wall_limit"], 1)


@pytest.mark.parametrize("name", ["scopes", "operators", "functions", "reasons", "policies"])
def test_a_generator_that_draws_nothing_has_no_seed(name, tmp_path):
    folder = stored_run(tmp_path / "run", (2,))
    for seed in (0, 1):
        stored_run(folder, (2,), generator="random:90", seed=seed)
    table = api.tables(folder=folder, table=name)[name]
    at = table.labels.index("seed")
    assert {(row.labels[1], row.labels[at]) for row in table.rows} == {
        ("korat", MISSING),
        ("random:90", "0"),
        ("random:90", "1"),
    }
    assert {record["seed"] for record in table.records() if record["generator"] == "korat"} == {None}
    assert MISSING not in render(table, "csv")
    stored_run(folder, (2,), seed=7)
    seeds = {row.labels[at] for row in api.tables(folder=folder, table=name)[name].rows if row.labels[1] == "korat"}
    assert seeds == {"0", "7"}, "seeds tell rows apart"


def test_numbers_that_a_generator_reports_are_numbers_in_its_table(tmp_path):
    folder = stored_run(tmp_path / "run", (2,), details={"own.yielded": 40, "own.kind": "edges"})
    table = api.tables(folder=folder, table="scopes")["scopes"]
    units = {column.name: column.unit for column in table.columns}
    assert (units["own.yielded"], units["own.kind"]) == (Unit.COUNT, Unit.TEXT)
    assert table.records()[0]["own.yielded"] == 40


@pytest.mark.parametrize(
    ("table", "message"), [("oracles", 'say oracles = ["differential", "postcondition"] in the experiment')]
)
def test_a_table_that_the_run_cannot_have_says_which_run_it_needs(table, message, run, capsys):
    assert main(["tables", str(run), "--table", table]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


@pytest.mark.slow
def test_the_figures_go_to_the_runs_folder_and_the_output_says_so(run, monkeypatch, capsys):
    monkeypatch.chdir(run.parent)
    assert main(["figures", "run"]) == 0
    lines = capsys.readouterr().out.split()
    assert lines == ["run/scopes.png", "run/scopes.svg", "run/growth.png", "run/growth.svg"]
    assert all(Path(path).stat().st_size > 1000 for path in lines)
    assert main(["figures", "--from", "run", "--out", "there"]) == 0
    assert {path.name for path in Path("there").iterdir()} == {Path(path).name for path in lines}


def test_a_run_that_generates_only_has_its_growth(tmp_path):
    folder = stored_run(tmp_path / "run", mutants=[], results=[], covered=None, mode=ExecutionMode.GENERATE)
    record = api.tables(folder=folder, table="scopes")["scopes"].records()[0]
    assert (record["inputs"], record["killed"], record["mutants"]) == (90, None, None)
    assert {path.stem for path in api.figures(folder=folder)} == {"growth"}


@pytest.mark.slow
def test_figures_of_a_frozen_run_go_to_the_folder_one_stands_in(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    frozen = resources.shipped("results/frozen") / "exhaustive2003"
    before = {path: path.stat().st_mtime_ns for path in frozen.iterdir()}
    assert main(["figures", "exhaustive2003", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["figures"]) == {path.name for path in tmp_path.iterdir()}
    assert {path.stem for path in api.figures(folder=frozen)} == {"scopes", "growth"}
    assert {path: path.stat().st_mtime_ns for path in frozen.iterdir()} == before


def test_an_unfinished_trial_has_no_score_yet(tmp_path):
    folder = stored_run(tmp_path / "run", (2,), finish=False)
    table = api.tables(folder=folder, table="scopes")["scopes"]
    assert table.records()[0]["killed [%]"] is None
    assert any("not finished" in reason for reason in table.footnotes)
    assert api.tables(folder=folder, table="operators")["operators"].rows == ()


def test_an_empty_run_says_what_to_do(tmp_path):
    RunStore.open(tmp_path).close()
    for make in (api.tables, api.figures):
        with pytest.raises(StoreError, match="run the experiment first"):
            make(folder=tmp_path)


def test_tables_of_some_subjects_and_generators_have_their_rows_only(run, capsys):
    stored_run(run, (2,), subject="mine", title="Mine")
    stored_run(run, (2,), generator="beapi")
    assert main(["tables", str(run), "--subject", "SearchTree", "--generator", "korat", "--json"]) == 0
    by_name = json.loads(capsys.readouterr().out)
    del by_name["captions"]
    assert list(by_name) == ["scopes", "operators", "functions", "reasons"]
    assert {(row["subject"], row["generator"]) for rows in by_name.values() for row in rows} == {
        ("SearchTree", "korat")
    }
    (policies,) = api.tables(folder=run, table="policies", subjects=["mine"])["policies"].records()
    assert policies["subject"] == "Mine"
