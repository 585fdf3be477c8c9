"""Each fact of a finished trial is under a checksum; a fact that is overwritten is reported with its trial."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from support.forged_store import NO_EVIDENCE, columns, forge, opened, overwrite
from support.older_stores import make_older
from support.store_samples import COVERAGE, CRASHED, FAULTY, MUTANTS, PROVENANCE, RESULTS, SURVIVED, trial

from harness.analysis.frames import load_run
from harness.command_line.main import main
from harness.errors import StoreError
from harness.model.outcome import KillReason, Phase
from harness.model.pytest_suite import PYTEST, Evidence, PytestSuite, SuiteRecord, SuiteTest
from harness.store import InstrumentProof, KillRow, ProbeRow, RunStore, export_facts

PROOF = InstrumentProof(20, KillReason.EXCEPTION, Phase.CALL, 20, 99)


def fill(folder: Path, *, scopes: tuple[int, ...] = (2,)) -> None:
    """Finished trials of a suite of pytest, with at least a row in each table."""
    with RunStore.open(folder) as store:
        store.sessions.add(PROVENANCE)
        mutant_set = store.mutants.add(MUTANTS)
        for scope in scopes:
            key = store.trials.add(trial(mutant_set, scope, generator=PYTEST, notices=("cut",), ended="nothing new"))
            store.suites.add(key, SuiteRecord(PytestSuite("tree", ("tests",), "/own"), "x = 1\n", (SuiteTest("t", 3),)))
            store.instruments.add(key, PROOF)
            store.results.add(key, FAULTY)
            for result in RESULTS:
                store.results.add(
                    key,
                    result,
                    kill_row=KillRow.of_kills(result.mutant, 20, [2]),
                    probe_row=ProbeRow(result.mutant, b"\x01", b"\x01"),
                    seconds=0.5,
                    evidence=Evidence(result.mutant, 1, 2),
                )
            store.coverage.add(key, COVERAGE)
            store.finished.add(key)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filled") / "run"
    fill(folder)
    return folder


def copied(filled: Path, folder: Path) -> Path:
    shutil.copytree(filled, folder / "run")
    return folder / "run"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "column" in metafunc.fixturenames:
        with TemporaryDirectory() as folder:
            RunStore.open(Path(folder)).close()
            metafunc.parametrize(("table", "column"), columns(Path(folder)))


def test_a_store_that_nobody_changed_has_no_changes(filled: Path) -> None:
    with RunStore.open_existing(filled) as store:
        assert store.finished.changes() == []
        assert store.finished.unsealed() == 0
        store.finished.check_unchanged()


@pytest.mark.sweep
def test_verify_names_the_trial_and_the_table_of_an_overwritten_column(
    filled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], table: str, column: str
) -> None:
    folder = copied(filled, tmp_path)
    overwrite(folder, table, column)
    assert main(["verify", str(folder)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith(("tree", "trial ")) and f", {table}: " in line]
    assert lines[-1].endswith("of the lines above name facts that were changed")
    with RunStore.open_existing(folder) as store, pytest.raises(StoreError, match="; run again into another folder"):
        store.finished.check_unchanged()


def test_tables_that_are_no_evidence_are_left_out_with_a_reason(filled: Path) -> None:
    connection = sqlite3.connect(filled / "run.sqlite")
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    connection.close()
    assert {table for table, _ in NO_EVIDENCE} <= tables
    assert {table for table, _ in columns(filled)} == tables - {table for table, _ in NO_EVIDENCE}
    assert all(NO_EVIDENCE.values())


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("mutant", "function = 'Tree.add'"),
        ("coverage", "function = 'Tree.add'"),
        ("mutant_result", "verdict = 'survived'"),
        ("kill_row", "inputs = 20"),
        ("instrument", "no_op_inputs = 20"),
    ],
)
def test_deleted_rows_are_a_change(filled: Path, tmp_path: Path, table: str, rows: str) -> None:
    folder = copied(filled, tmp_path)
    with opened(folder) as connection:
        assert connection.execute(f"DELETE FROM {table} WHERE {rows}").rowcount
    with RunStore.open_existing(folder) as store:
        assert table in {change.table for change in store.finished.changes()}


def test_a_change_is_of_its_trial_alone(tmp_path: Path) -> None:
    fill(tmp_path, scopes=(2, 3))
    with opened(tmp_path) as connection:
        connection.execute(
            "UPDATE coverage SET statements_executed = 0 WHERE function = 'Tree.add' AND trial = "
            "(SELECT key FROM trial WHERE scope = 3)"
        )
    with RunStore.open_existing(tmp_path) as store:
        assert [str(change) for change in store.finished.changes()] == [
            "tree pytest tests scope 3, coverage: changed in the store since the trial finished"
        ]


def test_checksums_do_not_depend_on_the_order_of_results(tmp_path: Path) -> None:
    checksums = []
    for name, results in (("forwards", RESULTS), ("backwards", RESULTS[::-1])):
        with RunStore.open(tmp_path / name) as store:
            key = store.trials.add(trial(store.mutants.add(MUTANTS)))
            for result in results:
                store.results.add(key, result, kill_row=KillRow.of_kills(result.mutant, 20, [1]))
            store.finished.add(key)
        with opened(tmp_path / name) as connection:
            checksums += [row["checksums"] for row in connection.execute("SELECT checksums FROM finish")]
    assert checksums[0] == checksums[1]
    assert export_facts(tmp_path / "forwards") == export_facts(tmp_path / "backwards")


def test_a_store_of_version_9_is_read_and_gone_on_with(tmp_path: Path) -> None:
    fill(tmp_path)
    before = export_facts(tmp_path)
    make_older(tmp_path, 9)
    with RunStore.open_existing(tmp_path) as store:
        assert (store.finished.changes(), store.finished.unsealed()) == ([], 1)
    assert export_facts(tmp_path) == before
    fill(tmp_path, scopes=(3,))
    with RunStore.open_existing(tmp_path) as store:
        assert (store.finished.changes(), store.finished.unsealed()) == ([], 1)


def test_forged_checksums_hide_a_change_from_the_store_alone(filled: Path, tmp_path: Path) -> None:
    folder = copied(filled, tmp_path)
    forge(folder, "UPDATE mutant_result SET detail = 'other' WHERE mutant = ?", CRASHED.mutant)
    with RunStore.open_existing(folder) as store:
        assert store.finished.changes() == []


def test_a_report_is_not_made_of_changed_facts(filled: Path, tmp_path: Path) -> None:
    folder = copied(filled, tmp_path)
    assert len(load_run(folder).results) == len(RESULTS)
    with opened(folder) as connection:
        connection.execute("UPDATE mutant_result SET inputs_run = 7 WHERE mutant = ?", (SURVIVED.mutant,))
    with pytest.raises(StoreError, match=r"tree pytest tests scope 2, mutant_result: changed in the store since"):
        load_run(folder)


def test_a_run_into_a_folder_with_changed_facts_is_refused_before_any_work(
    filled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(filled, tmp_path)
    with opened(folder) as connection:
        connection.execute("UPDATE mutant_result SET inputs_run = 7 WHERE mutant = ?", (SURVIVED.mutant,))
    arguments = ["run", "--subject", "search_tree", "--generator", "korat", "--scope", "1", "--out", str(folder)]
    assert main(arguments) == 2
    message = capsys.readouterr().err
    assert (
        "tree pytest tests scope 2, mutant_result: changed in the store since the trial finished; run again" in message
    )
    with RunStore.open_existing(folder) as store:
        assert (len(store.sessions.all()), len(store.trials.all())) == (1, 1), "nothing was begun"
