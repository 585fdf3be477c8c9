"""Code coverage of suites of pytest, held against coverage.py as people call it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.forged_store import opened
from support.own_project import own_project

from harness import api
from harness.analysis.run_summary import summary_rows
from harness.model.coverage import CoverageCounts
from harness.runner.pytest_runs.facts import function_lines
from harness.runner.run import run_experiment
from harness.store import RunStore

CORE = """\
class Meter:
    def __init__(self, value):
        self._value = value

    @property
    def value(self):
        if self._value < 0:
            return 0
        return self._value

    @value.setter
    def value(self, given):
        if given > 100:
            given = 100
        self._value = given


def registered(function):
    if function is None:
        raise ValueError
    return function


@registered
def halved(number):
    if number % 2:
        return None
    return number // 2


def never(number):
    while number > 3:
        number -= 1
    return number
"""
TESTS = """\
import os
import sys

import pytest

from till.core import Meter, halved, never


def test_meter():
    meter = Meter(3)
    meter.value = 7
    assert meter.value == 7


def test_halved():
    assert halved(4) == 2


@pytest.mark.skip
def test_skipped():
    assert never(9) == 3
"""
STUBBORN = """

def test_fails():
    assert never(9) == 4
"""
ENDING = """

def test_ends_where_coverage_is_measured():
    if "coverage" in sys.modules and sys.modules["coverage"].Coverage.current():  # plug-ins import it, too
        os._exit(3)
    assert halved(4) == 2
"""


def covered(folder: Path, core: str = CORE, tests: str = TESTS, **settings: object) -> dict[str, CoverageCounts]:
    project = own_project(folder / "own", "flat", core, tests)
    experiment = api.pytest_experiment("till.core", ["tests"], folder=project, original_runs=1, **settings)
    run_experiment(experiment, folder / "out", 1)
    return stored(folder / "out")


def stored(out: Path) -> dict[str, CoverageCounts]:
    with RunStore.open_existing(out) as store:
        (trial,) = store.trials.all()
        return {found.function: found.counts for found in store.coverage.of(trial.key)}


def by_coverage(project: Path) -> dict[str, CoverageCounts]:
    """Return coverage.py's own counts for the package, run on the command line, by its own regions of functions."""
    own = {**os.environ, "PYTHONPATH": str(project)}
    command = [sys.executable, "-m", "coverage"]
    called = [*command, "run", "--branch", "--include=*/till/core.py", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    subprocess.run([*called, "tests"], cwd=project, env=own, check=True, capture_output=True)
    subprocess.run([*command, "json", "-o", "told.json"], cwd=project, env=own, check=True, capture_output=True)
    (report,) = json.loads((project / "told.json").read_text())["files"].values()
    counts_of: dict[str, CoverageCounts] = {}
    for name, function in report["functions"].items():
        if name:  # else it is what lies in no function
            name = name.partition("@")[0]  # behind it stands the line of a further definition, as of a setter
            summary = function["summary"]
            statements = summary["num_statements"], summary["covered_lines"]
            branches = summary["num_branches"], summary["covered_branches"]
            counts_of[name] = counts_of.get(name, CoverageCounts()) + CoverageCounts(*statements, *branches)
    return counts_of


@pytest.mark.slow
def test_counts_are_those_of_coverage_as_people_call_it(tmp_path):
    counts_of = covered(tmp_path)
    assert counts_of == by_coverage(tmp_path / "own")
    assert counts_of["never"].statements_executed == 0
    assert counts_of["registered"] == CoverageCounts(3, 2, 2, 1), "a decorator runs while the module is loaded"


@pytest.mark.slow
def test_counts_of_a_package_with_every_kind_of_function_are_those_of_coverage(tmp_path):
    project = own_project(tmp_path / "own", "flat")
    run_experiment(api.pytest_experiment("till.core", ["tests"], folder=project, original_runs=1), tmp_path / "out", 1)
    counts_of = {name.replace("<locals>.", ""): counts for name, counts in stored(tmp_path / "out").items()}
    assert counts_of == by_coverage(project)


def test_a_getter_and_its_setter_are_counted_together():
    lines = function_lines(CORE)
    assert lines["Meter.value"] == frozenset({7, 8, 9, 13, 14, 15})


@pytest.mark.slow
def test_what_tests_cover_that_are_left_out_does_not_count(tmp_path):
    counts_of = covered(tmp_path, tests=TESTS + STUBBORN, flaky="exclude")
    assert counts_of["never"].statements_executed == 0


@pytest.mark.slow
def test_a_test_that_ends_its_process_when_it_is_measured_leaves_the_verdicts_without_coverage(tmp_path, capsys):
    assert covered(tmp_path, tests=TESTS + ENDING) == {}
    message = capsys.readouterr().err
    assert "till.core: coverage is not measured, as under coverage.py" in message
    assert "test_ends_where_coverage_is_measured ends its process" in message
    with RunStore.open_existing(tmp_path / "out") as store:
        assert len(store.finished.keys()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("is_stored", [False, True])
def test_a_run_that_goes_on_measures_what_is_not_stored_yet_and_nothing_else(tmp_path, is_stored):
    covered(tmp_path)
    with opened(tmp_path / "out") as connection:
        for rows in ("finish", "timing", *["coverage"] * (not is_stored)):
            connection.execute(f"DELETE FROM {rows}")
    experiment = api.pytest_experiment("till.core", ["tests"], folder=tmp_path / "own", original_runs=1)
    run_experiment(experiment, tmp_path / "out", 1)
    with RunStore.open_existing(tmp_path / "out") as store:
        (trial,) = store.trials.all()
        assert ("coverage" in {timing.what for timing in store.timings.of(trial.key)}) is not is_stored
    assert stored(tmp_path / "out") == by_coverage(tmp_path / "own")


@pytest.mark.slow
def test_the_tables_of_a_run_show_what_its_suite_covers(tmp_path):
    covered(tmp_path)
    table = api.tables(folder=tmp_path / "out", table="scopes")["scopes"]
    (record,) = table.records()
    assert (record["statements [%]"], record["branches [%]"]) == (56.25, 40.0)
    assert not {"scope", "candidates", "pre-states", "spec st. [%]", "spec br. [%]"} & record.keys()
    assert not {"scope", "explored", "states"} & summary_rows(tmp_path / "out")[0].keys()
    assert "Coverage is of target and helper methods (of suites of pytest: of all functions)." in table.caption
