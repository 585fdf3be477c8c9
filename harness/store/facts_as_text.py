"""A run's facts as text that two runs can be compared by, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness.store.connect import FILE_NAME, connect_for_reading, reported
from harness.store.schema import FACT_TABLES, LATER_COLUMNS, ORDER


def export_facts(folder: Path) -> str:
    """JSON lines, one per fact, in an order that does not depend on that of insertion.

    Without seconds, faults and provenance: the same sources and seeds give the same text (law 5).

    Raises:
        StoreError: see `RunStore.open_existing`.
    """
    connection = connect_for_reading(folder)
    lines = []
    try:
        with reported(folder / FILE_NAME):
            connection.execute("BEGIN")  # One snapshot of all tables, also while a run writes.
            for table in FACT_TABLES:
                cursor = connection.execute(f"SELECT * FROM {table} ORDER BY {ORDER[table]}")  # noqa: S608 (our names)
                names = [column[0] for column in cursor.description]
                for row in cursor:
                    fact = {"table": table} | {n: _plain(value) for n, value in zip(names, row, strict=True)}
                    fact.pop("number", None)  # The order of insertion is no fact.
                    for name in LATER_COLUMNS:
                        if fact.get(name, "") is None:
                            del fact[name]
                    lines.append(json.dumps(fact, sort_keys=True))
    finally:
        connection.close()
    return "".join(f"{line}\n" for line in lines)


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value
