"""Files that are no store, and disks without room, are reported in one line; files are left as they are."""

import os
import sqlite3
import time
from pathlib import Path

import pytest
from support.store_samples import KILLED, MUTANTS, trial

from harness.errors import StoreError
from harness.store import RunStore, database, export_facts
from harness.store.database import APPLICATION_ID, FILE_NAME, SCHEMA_VERSION, reported


def refused(folder: Path) -> str:
    """Both ways of opening fail with one line, and no byte of the file changes."""
    path = folder / FILE_NAME
    before = path.read_bytes()
    lines = set()
    for opening in (RunStore.open, RunStore.open_existing, export_facts):
        with pytest.raises(StoreError) as caught:
            opening(folder)
        lines.add(str(caught.value))
    assert path.read_bytes() == before
    assert all("\n" not in line and str(path) in line for line in lines)
    return " ".join(sorted(lines))


def test_a_file_that_is_not_sqlite_is_refused(tmp_path):
    (tmp_path / FILE_NAME).write_text("my notes\n" * 1000)
    assert "not SQLite" in refused(tmp_path)


def test_another_programs_database_is_refused(tmp_path):
    with sqlite3.connect(tmp_path / FILE_NAME) as foreign:
        foreign.execute("CREATE TABLE bookmarks (url TEXT)")
    foreign.close()
    assert "another program" in refused(tmp_path)


def test_another_schema_version_is_refused(tmp_path):
    RunStore.open(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE_NAME) as ours:
        ours.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    ours.close()
    assert f"schema version {SCHEMA_VERSION + 1}" in refused(tmp_path)


@pytest.mark.parametrize("keep", [20, 100, 5000, 20000])
def test_a_truncated_store_is_refused(tmp_path, keep):
    with RunStore.open(tmp_path) as store:
        store.trials.add(trial(store.mutants.add(MUTANTS)))
    path = tmp_path / FILE_NAME
    path.write_bytes(path.read_bytes()[:keep])
    assert "left as it is" in refused(tmp_path)


def test_a_folder_without_a_run_is_reported_and_not_created(tmp_path):
    with pytest.raises(StoreError, match="no run is stored there"):
        RunStore.open_existing(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


def test_an_empty_file_left_by_a_kill_becomes_a_store(tmp_path):
    (tmp_path / FILE_NAME).touch()
    RunStore.open(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE_NAME) as raw:
        assert raw.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    raw.close()


def test_a_store_is_read_while_it_is_written(tmp_path):
    with RunStore.open(tmp_path) as store:
        key = store.trials.add(trial(store.mutants.add(MUTANTS)))
        with RunStore.open_existing(tmp_path) as reader:
            store.results.add(key, KILLED)
            assert reader.results.of(key) == [KILLED]


def test_closing_does_not_wait_for_readers(tmp_path):
    store = RunStore.open(tmp_path)
    key = store.trials.add(trial(store.mutants.add(MUTANTS)))
    reader = sqlite3.connect(tmp_path / FILE_NAME)
    reader.execute("BEGIN")
    before = reader.execute("SELECT * FROM trial").fetchall()
    began = time.monotonic()
    store.close()
    assert time.monotonic() - began < 5
    assert reader.execute("SELECT * FROM trial").fetchall() == before != []
    reader.close()
    with RunStore.open_existing(tmp_path) as reader:
        assert reader.trials.has(key)


NO_ROOM = r"run.sqlite: no room on its disk \(.*\); make room: what was finished is kept, the same command goes on"


def test_a_full_database_asks_for_room_and_not_for_another_file(tmp_path):
    connection = sqlite3.connect(tmp_path / "run.sqlite")
    connection.execute("PRAGMA max_page_count = 2")
    connection.execute("CREATE TABLE t (x)")
    with pytest.raises(StoreError, match=NO_ROOM), reported(tmp_path / "run.sqlite"):
        connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
    connection.close()


@pytest.mark.parametrize(("free", "message"), [(0, NO_ROOM), (1 << 20, "disk I/O error; the file was left as it is")])
def test_a_failure_of_the_disk_is_want_of_room_where_there_is_none(free, message, tmp_path, monkeypatch):
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    fields = list(os.statvfs(tmp_path))
    fields[1], fields[4] = 1, free
    monkeypatch.setattr(database.os, "statvfs", lambda folder: os.statvfs_result(fields))
    with pytest.raises(StoreError, match=message), reported(tmp_path / "run.sqlite"):
        raise error
