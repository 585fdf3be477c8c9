"""Stores as older versions of Mutascope have left them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from harness.store.connect import FILE_NAME

COLUMNS = {
    5: ("trial.oracle", "trial.extension"),
    7: ("trial.ended", "trial.notices"),
    8: ("timing.origin",),
    9: ("suite_record.files",),
    10: ("finish.checksums",),
    11: ("trial.details",),
}
"""By version of the schema, the columns that it has brought."""
TABLES = {6: ("suite_record", "evidence"), 12: ("failure",), 13: ("renewal",)}
"""By version of the schema, the tables that it has brought."""


def make_older(folder: Path, version: int) -> None:
    """Make the store of a folder one of an older version of the schema, which lacks what came later."""
    with sqlite3.connect(folder / FILE_NAME) as store:
        for column in (one for later, names in COLUMNS.items() if later > version for one in names):
            table, _, name = column.partition(".")
            store.execute(f"ALTER TABLE {table} DROP COLUMN {name}")
        for table in (one for later, names in TABLES.items() if later > version for one in names):
            store.execute(f"DROP TABLE {table}")
        store.execute(f"PRAGMA user_version = {version}")
    store.close()
