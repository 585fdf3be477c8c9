"""Whole runs of a suite of pytest on a small package, in the sandbox."""

import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

import pytest
from support.own_project import digest_of, own_project
from support.own_runs import DRAWS_WHAT_ENDS, SHORT, SHORT_TESTS, judged, results_of, run_on, verified

from harness import api
from harness.errors import StoreError
from harness.model.outcome import KillReason, MutantStatus, Verdict
from harness.runner.pytest_runs.facts import NOT_REACHED
from harness.runner.pytest_runs.finished_requests import FILE
from harness.runner.run import run_experiment
from harness.store import RunStore
from harness.store.run_store import export_facts


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run of everything in a src layout, with doctests; the folder of the run, and of the project with its digest."""
    project = own_project(tmp_path_factory.mktemp("whole") / "own", "src")
    before = digest_of(project)
    out = project.parent / "out"
    run_experiment(api.pytest_experiment("till.core", ["tests", "src/till/core.py"], folder=project), out, 2)
    return out, project, before


def test_every_kind_of_function_is_mutated_and_killed_for_what_its_test_saw(whole):
    _, results = results_of(whole[0])
    killed = {mutant.function for mutant, result in results if result.verdict is Verdict.KILLED}
    assert killed == {
        "_smallest", "Till.__rounded", "Till.add", "Till.doubled", "Point.moved", "adder", "countdown", "waited",
        "kind",
    }  # fmt: skip
    assert {result.reason for _, result in results} == {None, KillReason.ASSERTION, KillReason.STEP_LIMIT}


def test_each_verdict_that_was_run_has_evidence_that_the_mutant_s_code_was_executed(whole):
    trial, results = results_of(whole[0])
    with RunStore.open_existing(whole[0]) as store:
        evidence = {found.mutant: found for found in store.results.evidence(trial.key)}
    assert set(evidence) == {mutant.id for mutant, result in results if result.executed}
    assert all(found.loaded and found.entered for found in evidence.values())


def test_the_suite_has_all_tests_but_skipped_ones_with_the_lines_where_they_begin(whole):
    trial, _ = results_of(whole[0])
    with RunStore.open_existing(whole[0]) as store:
        record = store.suites.of(trial.key)
    assert record is not None
    assert (trial.inputs, trial.explored) == (11, 12)
    assert dict(record.excluded) == {"tests/test_core.py::test_left_out": "is skipped"}
    lines = {test.node_id: test.line for test in record.tests}
    assert "src/till/core.py::till.core.Till" in lines
    text = (whole[1] / "tests" / "test_core.py").read_text().split("\n")
    assert text[lines["tests/test_core.py::test_shared"] - 1] == "def test_shared(shared):"
    assert text[lines["tests/test_core.py::TestMore::test_moved"] - 1].strip() == "def test_moved(self):"


def test_which_tests_reach_a_mutant_is_known_in_a_run_up_to_first_kills_too(whole):
    trial, results = results_of(whole[0])
    with RunStore.open_existing(whole[0]) as store:
        rows = {row.mutant: row for row in store.results.probe_rows(trial.key)}
        assert not store.results.kill_rows(trial.key)
    assert {mutant.id: int.from_bytes(rows[mutant.id].reached, "little").bit_count() for mutant, _ in results} == {
        mutant.id: result.reached for mutant, result in results
    }
    # What runs on import is reached by all tests.
    on_import = ("_smallest", "Till.__rounded")
    assert {result.reached for mutant, result in results if mutant.function in on_import} == {trial.inputs}
    unreached = [(mutant.function, result) for mutant, result in results if result.detail == NOT_REACHED]
    assert {function for function, _ in unreached} == {"unused"}
    assert {(result.verdict, result.executed, result.reached) for _, result in unreached} == {(Verdict.SURVIVED, 0, 0)}


def test_mutants_that_are_not_run_are_stored_with_what_is_known_of_them(whole):
    trial, results = results_of(whole[0])
    with RunStore.open_existing(whole[0]) as store:
        listed = store.mutants.of(trial.mutant_set)
    viable = {mutant.id for mutant in listed if mutant.status is MutantStatus.VIABLE}
    assert viable == {mutant.id for mutant, _ in results}
    assert {mutant.status for mutant in listed} == {
        MutantStatus.VIABLE,
        MutantStatus.EQUIVALENT,
        MutantStatus.DUPLICATE,
    }


def test_the_instrument_was_proven(whole):
    with RunStore.open_existing(whole[0]) as store:
        proof = store.instruments.of(store.trials.all()[0].key)
    assert (proof.planted_reason, proof.no_op_inputs) == (KillReason.EXCEPTION, 11)


@pytest.mark.slow
def test_verdicts_are_those_of_plain_pytest_and_the_project_is_left_as_it_was(whole):
    assert verified(whole[0], 3, 0, 2) == (3, [])
    assert digest_of(whole[1]) == whole[2]


@pytest.mark.slow
def test_a_rerun_with_nothing_to_do_executes_no_test(tmp_path):
    tests = SHORT_TESTS
    folder = own_project(tmp_path / "own", core=SHORT, tests=tests)
    out = tmp_path / "out"
    run_on(folder, out, original_runs=1)
    log = (out / "run.log").read_text()
    with mock.patch("harness.runner.pytest_runs.run.suite_work", side_effect=AssertionError("a process was started")):
        run_on(folder, out, original_runs=1)
        (folder / "tests" / "test_core.py").write_text(f"{tests}\n\ndef test_more():\n    pass\n")
        with pytest.raises(AssertionError, match="a process was started"):
            run_on(folder, out, original_runs=1)
    (out / FILE).write_text("no JSON")
    (folder / "tests" / "test_core.py").write_text(tests)
    run_on(folder, out, original_runs=1)
    assert log.count("nothing has changed since") == 0
    assert (out / "run.log").read_text().count("nothing has changed since") == 1
    with RunStore.open_existing(out) as store:
        assert len(store.trials.all()) == 1


@pytest.mark.slow
def test_a_rerun_executes_the_tests_if_a_package_was_installed_again_in_the_same_version(tmp_path, monkeypatch):
    folder, out = own_project(tmp_path / "own", core=SHORT, tests=SHORT_TESTS), tmp_path / "out"
    record = tmp_path / "site" / "rates-1.0.dist-info" / "RECORD"
    record.parent.mkdir(parents=True)
    (tmp_path / "site" / "old-1.0.dist-info").mkdir()
    record.write_text("rates.py,sha256=one,30\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    run_on(folder, out, original_runs=1)
    with mock.patch("harness.runner.pytest_runs.run.suite_work", side_effect=AssertionError("a process was started")):
        run_on(folder, out, original_runs=1)
        record.write_text("rates.py,sha256=two,30\n")
        with pytest.raises(AssertionError, match="a process was started"):
            run_on(folder, out, original_runs=1)


@pytest.mark.slow
def test_a_target_below_a_folder_of_pytest_s_setting_pythonpath_is_judged_and_verified(tmp_path):
    folder = own_project(tmp_path / "own", core=SHORT, tests=SHORT_TESTS)
    (folder / "lib").mkdir()
    (folder / "till").rename(folder / "lib" / "till")
    (folder / "pytest.ini").write_text("[pytest]\npythonpath = lib\n")
    run_on(folder, tmp_path / "out")
    _, results = results_of(tmp_path / "out")
    assert Verdict.KILLED in {result.verdict for _, result in results}
    assert verified(tmp_path / "out", 2, DRAWS_WHAT_ENDS, 1) == (2, [])


@pytest.mark.slow
def test_verify_runs_a_suite_in_one_process_whatever_its_configuration_asks_for(tmp_path):
    folder = own_project(tmp_path / "own", core=SHORT, tests=SHORT_TESTS)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -n 2 --lf\n")
    run_on(folder, tmp_path / "out")
    assert verified(tmp_path / "out", 1, DRAWS_WHAT_ENDS, 1) == (1, [])


@pytest.mark.slow
def test_functions_that_c_code_stands_for_are_named_with_the_module_to_block(tmp_path, capfd):
    core = "def heappush(heap, item):\n    heap.append(item + 0)\n\n\n" + SHORT
    core += "\n\ntry:\n    from _heapq import heappush\nexcept ImportError:\n    pass\n"
    tests = (
        "from till.core import heappush\n"
        + SHORT_TESTS
        + "    heap = []\n    heappush(heap, 3)\n    assert heap == [3]\n"
    )
    folder = own_project(tmp_path / "own", core=core, tests=tests)
    run_on(folder, tmp_path / "out")
    assert "C code stands for heappush (of _heapq) once the module is loaded" in capfd.readouterr().err
    run_on(folder, tmp_path / "blocked", blocked=["_heapq"])
    assert "stands for" not in capfd.readouterr().err


@pytest.mark.slow
def test_first_kills_and_whole_rows_give_the_same_verdicts_for_any_number_of_processes(tmp_path):
    folder = own_project(tmp_path / "own")
    run_on(folder, tmp_path / "one", jobs=1)
    run_on(folder, tmp_path / "two", jobs=2)
    run_on(folder, tmp_path / "rows", jobs=2, matrix=True)
    assert export_facts(tmp_path / "one") == export_facts(tmp_path / "two")
    first = {mutant.id: result.verdict for mutant, result in results_of(tmp_path / "one")[1]}
    assert first == {mutant.id: result.verdict for mutant, result in results_of(tmp_path / "rows")[1]}
    with RunStore.open_existing(tmp_path / "rows") as store:
        rows = {row.mutant: row for row in store.results.kill_rows(store.trials.all()[0].key)}
    assert {mutant for mutant, row in rows.items() if any(row.bits)} == {
        mutant for mutant, verdict in first.items() if verdict is Verdict.KILLED
    }


@pytest.mark.slow
def test_a_run_that_is_killed_at_any_moment_goes_on_where_it_was_and_leaves_the_project_alone(tmp_path):
    folder = own_project(tmp_path / "own", core=SHORT, tests=SHORT_TESTS)
    before = digest_of(folder)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "harness", "run", "--target", "till.core", "--tests", "tests"]
    numbers_of_results = [0]
    for minimum in (-1, 0, 1, 4):  # before anything is stored, then with so many results
        started = subprocess.Popen([*command, "--out", str(out), "--jobs", "1"], cwd=folder, start_new_session=True)
        while started.poll() is None and not reached(out, minimum):
            time.sleep(0.01)
        started.kill()
        started.wait()
        numbers_of_results.append(finished(out))
        assert digest_of(folder) == before
    assert numbers_of_results == sorted(numbers_of_results)
    run_on(folder, out)
    run_on(folder, tmp_path / "whole")
    assert numbers_of_results[-1] >= 4
    assert export_facts(out) == export_facts(tmp_path / "whole")
    assert digest_of(folder) == before


def reached(out: Path, minimum: int) -> bool:
    """Return whether a run has come so far: begun, its store made, or so many results in it."""
    if minimum < 0:
        return out.exists()
    return (out / "run.sqlite").exists() and finished(out) >= minimum


def finished(out: Path) -> int:
    """Mutants with a stored result; none while the store is being made."""
    try:
        with RunStore.open_existing(out) as store:
            return sum(len(store.results.finished_mutants(trial.key)) for trial in store.trials.all())
    except StoreError:
        return 0


@pytest.mark.slow
def test_verify_leaves_out_a_test_by_its_whole_name(tmp_path):
    core = "def more(value):\n    return value + 1\n"
    tests = (
        "import pytest\nfrom till.core import more\n\n\n@pytest.mark.skip\ndef test_more():\n    pass\n\n\n"
        "def test_more_by_one():\n    assert more(1) == 2\n"
    )
    judged(tmp_path, core, tests)
    assert verified(tmp_path / "out", None, 0, 1)[1] == []


@pytest.mark.slow
def test_tests_may_be_named_by_their_whole_path(tmp_path):
    folder = own_project(tmp_path / "own", core=SHORT, tests=SHORT_TESTS)
    run_on(folder, tmp_path / "out", tests=str(folder / "tests" / "test_core.py") + "::test_bounded")
    assert results_of(tmp_path / "out")[1]
