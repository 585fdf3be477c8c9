"""Compares generators side by side: tables and the command, from a small run written by hand."""

import json
from dataclasses import replace

import numpy as np
import pytest
from support.compared_samples import FIRST, SECOND, THIRD, write_run

from harness import api
from harness.command_line.main import main
from harness.errors import StoreError, UsageError
from harness.runs import comparison_tables
from harness.store import RunStore


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("comparison"))


def compare(capsys, *arguments):
    status = main(["compare", *map(str, arguments)])
    output = capsys.readouterr()
    return status, output.out, output.err


def test_scores_stand_beside_each_other_by_number_of_inputs(run, capsys):
    status, out, _ = compare(capsys, run, "--sizes", "4,30", "--at", "inputs", "--json")
    assert status == 0
    rows = {(row["scope"], row["budget"], row["generator"]): row for row in json.loads(out)["sizes"]}
    assert list(rows) == [
        ("2", "4 inputs", "beapi"), ("2", "4 inputs", "korat"), ("2", "4 inputs", "random"),
        ("2", "30 inputs", "beapi"), ("2", "30 inputs", "korat"), ("2", "30 inputs", "random"),
        ("2", "all", "beapi"), ("2", "all", "korat"), ("2", "all", "random"),
        ("3", "4 inputs", "korat"), ("3", "30 inputs", "korat"), ("3", "all", "korat"),
    ]  # fmt: skip
    # One of 30 inputs kills one of three mutants: a draw of 4 has it with a chance of 2/15.
    drawn = rows["2", "4 inputs", "random"]
    assert [drawn[f"killed [%]{part}"] for part in ("", ", low", ", high")] == [4.44, 0, 33.33]
    assert (drawn["suites"], drawn["inputs"], rows["2", "all", "random"]["inputs"]) == (10, 4, 30)
    assert rows["2", "4 inputs", "korat"]["killed [%]"] == 6.67
    assert rows["2", "30 inputs", "korat"]["suites"] is None


def test_first_inputs_are_another_rule_that_the_caption_names(run, capsys):
    first = json.loads(compare(capsys, run, "--sizes", "4", "--take", "first", "--json", "--table", "sizes")[1])[
        "sizes"
    ]
    rows = {row["generator"]: row for row in first if (row["scope"], row["budget"]) == ("2", "4 inputs")}
    # Three of ten suites kill one of three mutants by their first four inputs; those of Korat do so by the first one.
    assert [rows["random"][f"killed [%]{part}"] for part in ("", ", low", ", high")] == [10, 0, 33.33]
    assert [rows["korat"][f"killed [%]{part}"] for part in ("", ", low", ", high")] == [33.33] * 3
    for table in ("sizes", "pairs", "mutants"):
        assert "Rule of all rows: first." in compare(capsys, run, "--take", "first", "--table", table)[1]
        assert "Rule of all rows: drawn." in compare(capsys, run, "--table", table)[1]


def test_inputs_and_calls_are_budgets_side_by_side(run, monkeypatch, capsys):
    def of_three_calls(compared):
        return [one.with_each(lambda suite: replace(suite, calls=np.full(suite.trial.inputs, 3))) for one in compared]

    monkeypatch.setattr(comparison_tables, "with_inputs", of_three_calls)
    rows = json.loads(compare(capsys, run, "--sizes", "2,6", "--json", "--table", "sizes")[1])["sizes"]
    found = {row["budget"]: row for row in rows if (row["scope"], row["generator"]) == ("2", "korat")}
    assert list(found) == ["2 inputs", "6 inputs", "2 calls", "6 calls", "all"]
    assert [found[budget]["calls"] for budget in ("2 inputs", "6 calls")] == [6, 6]
    assert (found["all"]["calls per input"], found["2 calls"]["inputs"]) == (3, None)
    text = compare(capsys, run, "--sizes", "2", "--table", "pairs")[1]
    assert "its first input, or its inputs on average, have more calls than the budget" in text


def test_suites_with_the_same_inputs_in_another_order_are_one_and_a_line_says_so(run, monkeypatch, capsys):
    def all_the_same(compared):
        return [one.with_each(lambda suite: replace(suite, inputs_digest="same")) for one in compared]

    monkeypatch.setattr(comparison_tables, "with_inputs", all_the_same)
    line = "scope 2: the 10 suites of random have the same 30 inputs in several orders, so it has exhausted its space"
    for rule, suites in (("drawn", 1), ("first", 10)):
        rows = json.loads(compare(capsys, run, "--sizes", "4", "--json", "--take", rule)[1])["sizes"]
        assert {row["suites"] for row in rows if row["generator"] == "random" and row["budget"] == "4 inputs"} == {
            suites
        }
        assert line in compare(capsys, run, "--table", "mutants", "--take", rule)[1]


def test_captions_at_equal_seconds_say_which_suites_another_run_made(tmp_path, capsys):
    run = write_run(tmp_path)
    with RunStore.open(run) as store:
        korat = next(trial for trial in store.trials.all() if trial.generator == "korat")
        store.timings.add(korat.key, "generate_cpu", 0.25, "X, 2 jobs, 2026-11-24")
    remark = "not in this run, of korat: X, 2 jobs, 2026-11-24."
    assert remark in compare(capsys, run, "--at", "seconds", "--table", "sizes")[1]
    assert remark not in compare(capsys, run, "--table", "sizes")[1]


def test_captions_have_a_line_for_each_domain_that_one_generator_varies_and_another_fixes(run, monkeypatch, capsys):
    monkeypatch.setattr(comparison_tables, "fixed_domains", lambda compared: [f"scope {compared.scope}: unfair"])
    for table in ("sizes", "pairs", "mutants"):
        lines = compare(capsys, run, "--table", table)[1].splitlines()
        assert [line for line in lines if "unfair" in line] == ["scope 2: unfair", "scope 3: unfair"]


def test_equal_seconds_are_asked_for_and_parts_of_inputs_refused(run, capsys):
    status, out, _ = compare(capsys, run, "--at", "seconds", "--sizes", "0.5", "--json", "--table", "sizes")
    assert status == 0
    rows = json.loads(out)["sizes"]
    assert {row["budget"] for row in rows} == {"0.5 seconds", "all"}
    assert {row["killed [%]"] for row in rows if row["budget"] != "all"} == {None}
    told = compare(capsys, run, "--at", "seconds", "--sizes", "0.5", "--table", "sizes")[1]
    assert "its seconds, or those of its first inputs, were not measured" in told
    status, _, err = compare(capsys, run, "--at", "calls", "--sizes", "0.5")
    assert (status, err.count("\n")) == (2, 1)


def test_pairs_have_the_expected_numbers_of_mutants_at_each_budget(run, capsys):
    _, out, _ = compare(capsys, run, "--json", "--table", "pairs", "--sizes", "10", "--at", "inputs")
    rows = {(row["budget"], row["generator"]): row for row in json.loads(out)["pairs"] if row["scope"] == "2"}
    names = "korat", "random", "beapi"
    assert [rows["all", name]["killed"] for name in names] == [1, 1, 2]
    assert [rows["all", "beapi"][f"not by {other}"] for other in names] == [1, 2, 0]
    assert [rows["all", "random"][f"not by {other}"] for other in names] == [1, 0, 1]
    # A draw of 10 of 20 has the only killing input with a chance of one half; two draws differ by a quarter each.
    assert [rows["10 inputs", name]["killed"] for name in names] == pytest.approx([1 / 2, 1 / 3, 1])
    assert [rows["10 inputs", "beapi"][f"not by {other}"] for other in names] == pytest.approx([3 / 4, 1, 1 / 2])


def test_mutants_on_which_generators_differ_have_their_place_and_the_share_of_suites(run, capsys):
    _, out, _ = compare(capsys, run, "--json", "--table", "mutants", "--at", "inputs", "--sizes", "10,15")
    rows = {(row["budget"], row["mutant"]): row for row in json.loads(out)["mutants"]}
    assert list(rows) == [
        ("10 inputs", FIRST), ("10 inputs", THIRD), ("15 inputs", SECOND), ("15 inputs", FIRST), ("15 inputs", THIRD),
        ("all", SECOND), ("all", FIRST), ("all", THIRD),
    ]  # fmt: skip
    assert rows["15 inputs", FIRST] | {"subject": ""} == {
        "subject": "", "scope": "2", "budget": "15 inputs", "mutant": FIRST, "place": "Tree.add 3:8",
        "change": "< -> <=", "korat [%]": 75, "random [%]": 0, "beapi [%]": 75,
    }  # fmt: skip
    assert rows["15 inputs", SECOND]["random [%]"] == 50


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
