"""Killers on the page and in JSON are those that the store holds, read again in the plainest way."""

import base64
import json
import random
import re
import sqlite3
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.report_samples import stored_run
from support.suite_samples import suite_run
from test_mutation_report import REPORT

from harness.model.experiment import ExecutionMode
from harness.report.pages.page import write_report
from harness.report.pages.trials import MOST_TESTS, Killers, numbers, reported_trials
from harness.store import KillRow, RunStore

TESTS, MUTANTS = 21, 60


def kills(mutant: int) -> list[int]:
    """Return no killing tests for every third mutant, one for many, several for others."""
    draw = random.Random(mutant)
    return [] if mutant % 3 == 0 or mutant % 10 == 9 else draw.sample(range(TESTS), draw.choice([1, 1, 2, 9]))


def bits_of(packed: bytes) -> list[int]:
    return [8 * at + bit for at, byte in enumerate(packed) for bit in range(8) if byte & (1 << bit)]


def stored(folder: Path) -> dict[str, tuple[list[int], list[int], int | None]]:
    """Return, by mutant, its killing tests, its reaching tests and its first killer, read from the database itself."""
    with sqlite3.connect(folder / "run.sqlite") as connection:
        killing = dict(connection.execute("SELECT mutant, bits FROM kill_row"))
        reaching = dict(connection.execute("SELECT mutant, reached FROM probe_row"))
        first = dict(connection.execute("SELECT mutant, input FROM mutant_result"))
    return {name: (bits_of(killing.get(name, b"")), bits_of(reaching[name]), first[name]) for name in first}


def report_data(folder: Path) -> dict[str, Any]:
    """Return the data that the page holds for its script."""
    (text,) = re.findall(
        r'<script type="application/json" class="trial">(.*?)</script>',
        (folder / "report.html").read_text(encoding="utf-8"),
    )
    data = json.loads(text)
    data["mutants"] = [dict(zip(data["fields"], row, strict=True)) for row in data["mutants"]]
    return data


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = suite_run(tmp_path_factory.mktemp("whole"), kills, mutants=MUTANTS, tests=TESTS, functions=20)
    write_report(folder)
    return folder


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    folder = tmp_path_factory.mktemp("first")
    suite_run(folder, kills, mutants=MUTANTS, tests=TESTS, functions=20, mode=ExecutionMode.FIRST_KILL)
    write_report(folder)
    return folder


def report_of(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "mutation-report-shop.steps-pytest.json").read_text(encoding="utf-8"))


def mutants_of(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {mutant["id"]: mutant for mutant in report["files"]["shop/steps.py"]["mutants"]}


def test_json_has_all_tests_that_kill_and_cover_each_mutant(whole):
    report = report_of(whole)
    jsonschema.validate(report, REPORT)
    mutants = mutants_of(report)
    assert report["config"]["killers"] == "all"
    for name, (killing, reaching, _) in stored(whole).items():
        assert mutants[name].get("killedBy", []) == [str(number) for number in killing]
        assert mutants[name]["coveredBy"] == [str(number) for number in reaching]
    assert any(len(mutant.get("killedBy", [])) > 1 for mutant in mutants.values())


def test_the_summary_of_pytest_suites_has_no_columns_of_scopes_and_states(whole):
    page = (whole / "report.html").read_text(encoding="utf-8")
    (heads,) = re.findall(r'id="summary".*?<thead>(.*?)</thead>', page, re.DOTALL)
    (cells,) = re.findall(r'id="summary".*?<tbody>(.*?)</tbody>', page, re.DOTALL)
    names = re.findall(r"<th[^>]*>(.*?)</th>", heads)
    assert names == [
        "subject", "generator", "operators", "tests", "statement coverage %", "branch coverage %", "mutation score %",
    ]  # fmt: skip
    assert cells.count("<td") == len(names)


def test_json_has_each_test_once_in_its_file_with_its_name_and_place(whole):
    files = report_of(whole)["testFiles"]
    assert list(files) == ["tests/test_a.py", "tests/test_b.py"]
    assert files["tests/test_a.py"]["tests"][1] == {
        "id": "2",
        "name": "test_2[<2>]",
        "location": {"start": {"line": 15, "column": 1}},
    }
    assert sorted(int(test["id"]) for file in files.values() for test in file["tests"]) == list(range(TESTS))


def test_a_survivor_that_no_test_reaches_has_no_coverage(whole):
    unreached = {name for name, (_, reaching, _) in stored(whole).items() if not reaching}
    mutants = mutants_of(report_of(whole))
    assert unreached
    assert {name for name, mutant in mutants.items() if mutant["status"] == "NoCoverage"} == unreached
    assert {mutants[name]["statusReason"] for name in unreached} == {"no test reaches it"}
    assert any(mutant["statusReason"] == "survived the test that reaches it" for mutant in mutants.values())


def test_a_run_up_to_first_kills_knows_one_killer_and_says_so(first):
    report = report_of(first)
    jsonschema.validate(report, REPORT)
    assert report["config"]["killers"] == "first"
    mutants = mutants_of(report)
    for name, (_, reaching, killer) in stored(first).items():
        assert mutants[name].get("killedBy", []) == ([] if killer is None else [str(killer)])
        assert mutants[name]["coveredBy"] == [str(number) for number in reaching]
    page = (first / "report.html").read_text(encoding="utf-8")
    assert "Of each mutant one killer is known." in page
    assert {row[2] for row in report_data(first)["tests"]} == {None}, "what a test alone kills is not known"


def test_the_page_has_the_killers_of_each_mutant_and_what_each_test_alone_kills(whole):
    data, facts = report_data(whole), stored(whole)
    assert {mutant["id"] for mutant in data["mutants"]} == set(facts)
    for mutant in data["mutants"]:
        killing, reaching, killer = facts[mutant["id"]]
        assert bits_of(base64.b64decode(mutant["killers"])) == killing
        assert bits_of(base64.b64decode(mutant["reached"])) == reaching
        assert (mutant["count"], mutant["first"]) == (len(killing), killer)
    for number, (_, did_kill, kills_alone, reached) in enumerate(data["tests"]):
        assert did_kill == sum(number in killing for killing, _, _ in facts.values())
        assert kills_alone == sum(killing == [number] for killing, _, _ in facts.values())
        assert reached == sum(number in reaching for _, reaching, _ in facts.values())
    with_one = {killing[0] for killing, _, _ in facts.values() if len(killing) == 1}
    idle = set(range(TESTS)).difference(*(killing for killing, _, _ in facts.values()))
    page = (whole / "report.html").read_text(encoding="utf-8")
    assert f"{len(with_one)} of {TESTS} tests kill a mutant that no other test kills; {len(idle)} kill none." in page
    assert "Of each mutant one killer is known." not in page
    assert "scope 1" not in page, "suites that people have know none"


def test_names_of_tests_are_never_markup(whole):
    page = (whole / "report.html").read_text(encoding="utf-8")
    assert "<1>" not in page
    assert "test_1[\\u003c1>]" in page


def test_inputs_of_a_full_matrix_are_counted_with_what_each_alone_kills(tmp_path):
    folder = stored_run(tmp_path, (2,), finish=False, mode=ExecutionMode.MATRIX)
    with RunStore.open(folder) as store:
        (trial,) = store.trials.all()
        for result, killing in zip(store.results.of(trial.key), ([3], [3, 4], [89], [3], [], [7, 8, 9]), strict=True):
            store.results.add(trial.key, result, kill_row=KillRow.of_kills(result.mutant, 90, killing))
        (reported,) = reported_trials(store)
    did = reported.killers.by_test()
    assert (did[3].kills, did[3].sole_kills, did[3].reached) == (3, 2, None)
    assert (did[89].kills, did[89].sole_kills) == (1, 1)
    assert [reported.killers.counts[name] for name in sorted(reported.results)] == [1, 2, 1, 1, 0, 3]


def test_killers_of_very_many_tests_are_counted_and_not_named(tmp_path):
    whole = suite_run(tmp_path, kills, mutants=MUTANTS, tests=MOST_TESTS + 1, functions=20)
    with RunStore.open_existing(whole) as store:
        (reported,) = reported_trials(store)
    killers = reported.killers
    assert (killers.kills, killers.reached, killers.by_test()) == ({}, {}, [])
    facts = stored(whole)
    assert killers.counts == {name: len(killing) for name, (killing, _, _) in facts.items()}
    assert killers.sole_killers == {name: killing[0] for name, (killing, _, _) in facts.items() if len(killing) == 1}
    write_report(whole)
    data = report_data(whole)
    assert data["tests"][3] == ["tests/test_b.py::test_3[<3>]", None, None, None]
    assert {mutant["id"]: mutant["count"] for mutant in data["mutants"]} == killers.counts
    assert {(mutant["killers"], mutant["reached"]) for mutant in data["mutants"]} == {("", "")}


@given(st.dictionaries(st.text(max_size=3), st.sets(st.integers(0, 30)), max_size=9))
def test_tests_are_counted_as_by_hand(killing):
    sets = {name: sum(1 << test for test in tests) for name, tests in killing.items()}
    assert {name: set(numbers(tests)) for name, tests in sets.items()} == killing
    killed_alone = {name: min(tests) for name, tests in killing.items() if len(tests) == 1}
    did = Killers(31, True, sets, sets, {}, killed_alone).by_test()
    assert [one.kills for one in did] == [sum(test in tests for tests in killing.values()) for test in range(31)]
    assert [one.sole_kills for one in did] == [sum(tests == {test} for tests in killing.values()) for test in range(31)]
