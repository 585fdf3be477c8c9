"""Makes the paper's tables from a real small run: policies, and the same tables from the frozen run."""

import json

import pytest
from support.own_runs import pinned_run

from harness import api, resources
from harness.command_line.main import main
from harness.errors import UsageError
from harness.model.outcome import ScorePolicy
from harness.papers.exhaustive2003 import TABLES
from harness.runs.frozen_run import freeze
from harness.tables.render import FORMATS, render


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """SearchTree at three scopes, as full kill matrices, in the folder from which it was run."""
    # Some of the sample are equivalent, and argued to be.
    return pinned_run(tmp_path_factory.mktemp("tables"), "search_tree", 30, scopes=[1, 2, 3])


@pytest.fixture
def run_with_pinned_mutants(run, monkeypatch):
    """Enter the folder of the run, where its mutants are pinned."""
    monkeypatch.chdir(run.parent)
    return run


def test_every_table_has_its_measured_cells(run_with_pinned_mutants):
    tables = api.tables("exhaustive2003", run_with_pinned_mutants)
    assert list(tables) == list(TABLES)
    row = next(row for row in tables["table3"].rows if row.labels == ("SearchTree", "3"))
    assert [cell.measured_text(column.unit) for column, cell in zip(tables["table3"].columns, row.cells, strict=True)][
        3:5
    ] == ["20", "100"]
    measured = {row.labels: row.cells[0].measured for row in tables["hypotheses"].rows}
    assert isinstance(measured["randomness", "SearchTree"], str)
    assert all(row.cells[1].measured == "1-3" for row in tables["survivors"].rows)


@pytest.mark.slow
def test_tables_rebuild_from_the_frozen_run_alone(run_with_pinned_mutants, tmp_path, monkeypatch):
    frozen = freeze(api.load(run_with_pinned_mutants), tmp_path / "frozen" / "exhaustive2003")
    assert sum(path.stat().st_size for path in frozen.iterdir()) < 50_000
    for policy in ScorePolicy:
        from_run = api.tables("exhaustive2003", run_with_pinned_mutants, policy=policy)
        from_frozen = api.tables("exhaustive2003", frozen, policy=policy)
        for name in TABLES:
            for form in FORMATS:
                assert render(from_frozen[name], form) == render(from_run[name], form)
    # With no run of one's own, the frozen one that ships is shown.
    monkeypatch.chdir(tmp_path)
    assert api.tables("exhaustive2003", table="table4")["table4"].records()


def test_frozen_with_an_experiment_are_the_trials_that_it_lists_in_its_modes(run_with_pinned_mutants, tmp_path):
    trials = api.load(run_with_pinned_mutants).frames.trials
    first = trials.iloc[0]
    listed = f'[[trials]]\nsubject = "{first["subject"]}"\nscopes = [{first["scope"]}]\n'
    for mode in ("matrix", "generate"):
        file = tmp_path / f"{mode}.toml"
        file.write_text(listed + f'generator = "{first["generator"]}"\nmode = "{mode}"\n')
        frozen = api.load(freeze(api.load(run_with_pinned_mutants), tmp_path / mode, str(file))).frames
        trials_left = list(zip(frozen.trials["subject"], frozen.trials["scope"], strict=True))
        assert trials_left == ([(first["subject"], first["scope"])] if mode == first["mode"] else [])
        assert set(frozen.results["trial"]) == set(frozen.trials["trial"])
    assert len(trials) > 1


def test_without_any_run_the_error_says_how_to_make_one(tmp_path, monkeypatch):
    monkeypatch.setattr(resources, "shipped", lambda folder: tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="mutascope run exhaustive2003"):
        api.tables("exhaustive2003")


def test_the_command_line_takes_a_policy(run_with_pinned_mutants, capsys):
    percents = {}
    for policy in ("all-viable", "without-proven"):
        of_run = ["tables", "exhaustive2003", "--from", str(run_with_pinned_mutants)]
        assert main([*of_run, "--table", "table4", "--policy", policy, "--json"]) == 0
        records = json.loads(capsys.readouterr().out)["table4"]
        percents[policy] = [record["mutants killed [%]"]["measured"] for record in records]
    assert all(without > of_all for of_all, without in zip(*percents.values(), strict=True))
