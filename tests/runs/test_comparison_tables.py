"""Compares generators side by side: tables, figures and the command, from a small run written by hand."""

import json

import pytest
from support.compared_samples import FIRST, SECOND, THIRD, write_run

from harness import api
from harness.command_line.main import main
from harness.errors import StoreError, UsageError
from harness.runs import generators_of_run
from harness.store import RunStore


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("comparison"))


def compare(capsys, *arguments):
    status = main(["compare", *map(str, arguments)])
    output = capsys.readouterr()
    return status, output.out, output.err


def test_scores_stand_beside_each_other_by_number_of_inputs(run, capsys):
    status, out, _ = compare(capsys, run, "--sizes", "4,30", "--json")
    assert status == 0
    rows = {(row["scope"], row["inputs"], row["generator"]): row for row in json.loads(out)["sizes"]}
    assert list(rows) == [
        ("2", "4", "beapi"), ("2", "4", "korat"), ("2", "4", "random"), ("2", "30", "random"),
        ("2", "all", "beapi"), ("2", "all", "korat"), ("2", "all", "random"),
        ("3", "4", "korat"), ("3", "30", "korat"), ("3", "all", "korat"),
    ]  # fmt: skip
    at = rows["2", "4", "random"]
    # Three of ten suites kill one of three mutants.
    assert [at[f"killed [%], {part}"] for part in ("median", "least", "most")] == [0, 0, 33.33]
    assert (at["suites"], at["taken"]) == (10, "first inputs")
    # One of 20 inputs kills one of three mutants: a draw of 4 has it with a chance of 1/5.
    assert rows["2", "4", "korat"]["killed [%], median"] == 6.67
    assert (rows["2", "4", "korat"]["suites"], rows["2", "4", "korat"]["taken"]) == (1, "drawn at random")
    assert (rows["2", "all", "random"]["suites"], rows["2", "all", "random"]["inputs, median"]) == (10, 30)


def test_captions_name_the_oracle(run, capsys):
    for table in ("sizes", "pairs", "mutants"):
        assert "oracle differential" in compare(capsys, run, "--table", table)[1]


def test_captions_at_equal_seconds_say_which_suites_another_run_made(tmp_path, capsys):
    run = write_run(tmp_path)
    with RunStore.open(run) as store:
        korat = next(trial for trial in store.trials.all() if trial.generator == "korat")
        store.timings.add(korat.key, "generate_cpu", 0.25, "X, 2 jobs, 2026-11-24")
    remark = "not in this run, of korat: X, 2 jobs, 2026-11-24."
    assert remark in compare(capsys, run, "--at", "seconds", "--table", "sizes")[1]
    assert remark not in compare(capsys, run, "--table", "sizes")[1]


def test_captions_have_a_line_for_each_domain_that_one_generator_varies_and_another_fixes(run, monkeypatch, capsys):
    monkeypatch.setattr(generators_of_run, "fixed_domains", lambda compared: [f"scope {compared.scope}: unfair"])
    for table in ("sizes", "pairs", "mutants"):
        lines = compare(capsys, run, "--table", table)[1].splitlines()
        assert [line for line in lines if "unfair" in line] == ["scope 2: unfair", "scope 3: unfair"]


def test_equal_seconds_are_asked_for_and_parts_of_inputs_refused(run, capsys):
    status, out, _ = compare(capsys, run, "--at", "seconds", "--sizes", "0.5", "--json", "--table", "sizes")
    assert status == 0
    assert {row["seconds"] for row in json.loads(out)["sizes"]} == {"all"}  # no seconds were measured
    status, _, err = compare(capsys, run, "--at", "calls", "--sizes", "0.5")
    assert (status, err.count("\n")) == (2, 1)


def test_pairs_count_what_one_kills_and_the_other_does_not(run, capsys):
    _, out, _ = compare(capsys, run, "--json", "--table", "pairs")
    rows = {row["generator"]: row for row in json.loads(out)["pairs"] if row["scope"] == "2"}
    assert {name: (row["suites"], row["killed by any suite"]) for name, row in rows.items()} == {
        "korat": (1, 1), "random": (10, 1), "beapi": (1, 2),
    }  # fmt: skip
    assert {name: row["killed"] for name, row in rows.items()} == {"korat": 1, "random": 1, "beapi": 2}
    assert [rows["beapi"][f"not by {other}"] for other in ("korat", "random", "beapi")] == [1, 2, 0]
    assert [rows["random"][f"not by {other}"] for other in ("korat", "random", "beapi")] == [1, 0, 1]


def test_mutants_on_which_generators_differ_are_named_with_their_place(run, capsys):
    _, out, _ = compare(capsys, run, "--json", "--table", "mutants")
    rows = {row["mutant"]: row for row in json.loads(out)["mutants"]}
    assert list(rows) == [SECOND, FIRST, THIRD]
    assert rows[FIRST] | {"subject": ""} == {
        "subject": "", "scope": "2", "mutant": FIRST, "place": "Tree.add 3:8", "change": "< -> <=",
        "korat": "1/1", "random": "0/10", "beapi": "1/1",
    }  # fmt: skip


@pytest.mark.end_to_end
def test_every_format_is_printed_and_figures_are_drawn(run, capsys, tmp_path):
    for form in ("md", "csv", "latex", "html"):
        status, out, _ = compare(capsys, run, "--sizes", "4", "--format", form, "--figures", tmp_path)
        assert status == 0
        assert "random" in out
        assert str(tmp_path / "generators_killed.png") in out
    assert (tmp_path / "generators_killed.png").read_bytes().startswith(b"\x89PNG")


def test_an_unknown_table_and_wrong_sizes_are_wrong_use(run, capsys):
    status, _, err = compare(capsys, run, "--table", "scopes")
    assert status == 2
    assert "there are sizes, pairs, mutants" in err
    for wrong in ("0", "ten", "1,,2"):
        status, _, err = compare(capsys, run, "--sizes", wrong)
        assert status == 2
        assert err.count("\n") == 1


def test_without_a_run_it_says_how_to_make_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="mutascope run generators"):
        api.compare()


def test_a_kill_matrix_is_that_of_the_generator_and_seed_that_are_asked_for(run):
    loaded = api.load(run)
    assert [loaded.matrix("tree", 2, generator="random", seed=at).kills(SECOND) for at in (3, 8)] == [[3], [8]]
    with pytest.raises(UsageError) as refused:
        loaded.matrix("tree", 2)
    message = str(refused.value)
    assert "has 12 kill matrices at scope 2 (beapi seed 0, korat seed 0, random seed 1, random seed 2, " in message
    assert "\n" not in message
    with pytest.raises(StoreError, match="tree, generator rostra has no complete kill matrix at scope 2"):
        loaded.matrix("tree", 2, generator="rostra")
