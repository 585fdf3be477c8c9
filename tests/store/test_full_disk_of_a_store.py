"""A disk without room, as the store reports it."""

import os
import sqlite3
from pathlib import Path

import pytest

from harness.errors import StoreError
from harness.store import database
from harness.store.database import reported

NO_ROOM = r"run.sqlite: no room on its disk \(.*\); make room: what was finished is kept, the same command goes on"


def test_a_full_database_asks_for_room_and_not_for_another_file(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "run.sqlite")
    connection.execute("PRAGMA max_page_count = 2")
    connection.execute("CREATE TABLE t (x)")
    with pytest.raises(StoreError, match=NO_ROOM), reported(tmp_path / "run.sqlite"):
        connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
    connection.close()


@pytest.mark.parametrize(("free", "message"), [(0, NO_ROOM), (1 << 20, "disk I/O error; the file was left as it is")])
def test_a_failure_of_the_disk_is_want_of_room_where_there_is_none(
    free: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    fields = list(os.statvfs(tmp_path))
    fields[1], fields[4] = 1, free
    monkeypatch.setattr(database.os, "statvfs", lambda folder: os.statvfs_result(fields))
    with pytest.raises(StoreError, match=message), reported(tmp_path / "run.sqlite"):
        raise error
