"""Checksums of the facts of finished trials, by table, which show that a store was changed by hand.

If somebody changes the checksums together with the facts, `mutascope verify` detects it: it derives, measures and
executes again.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from harness.store.rows import trial_of
from harness.store.schema import FACT_TABLES

_FINISH = "finish"
_TABLES = (*(table for table in FACT_TABLES if table != _FINISH), "suite_record")
_OF_SET = "= (SELECT mutant_set FROM trial WHERE key = ?)"
_OF_TRIAL = {"trial": "key = ?", "mutant_set": f"hash {_OF_SET}", "mutant": f"mutant_set {_OF_SET}"}
"""The rows of a trial in tables that have no column `trial`."""
_ENCODE = json.JSONEncoder(sort_keys=True).encode


@dataclass(frozen=True)
class ChangedFacts:
    """Facts that are not those of when their trial finished: the trial in words, and their table."""

    trial: str
    table: str
    how: str = "changed in the store since the trial finished"

    def __str__(self) -> str:
        return f"{self.trial}, {self.table}: {self.how}"


def checksums_of(connection: sqlite3.Connection, trial: str) -> str:
    """Return JSON with a checksum by table over the facts of a trial, which do not depend on their order.

    NULL counts as no column, so facts keep their checksum when a table gets a further column.
    """
    return json.dumps(_checksums(connection, trial, {}))


def changes_of(
    connection: sqlite3.Connection, finished: Iterable[Mapping[str, Any]] | None = None
) -> Iterator[ChangedFacts]:
    """Yield the changes in the facts of finished trials, and facts that belong to no trial any more.

    Args:
        finished: rows as in the table `finish` (default: those of this table).
    """
    of_sets: dict[str, str] = {}
    if finished is None:
        finished = map(dict, connection.execute("SELECT * FROM finish ORDER BY trial").fetchall())
    for finish in finished:
        yield from _changed(connection, finish, of_sets)
    for table in _there(connection):
        if table in _OF_TRIAL:
            continue
        lost = f"SELECT DISTINCT trial FROM {table} WHERE trial NOT IN (SELECT key FROM trial) ORDER BY trial"  # noqa: S608
        for (trial,) in connection.execute(lost).fetchall():
            yield ChangedFacts(f"trial {trial}", table, "the store has no such trial any more")


def unsealed(connection: sqlite3.Connection) -> int:
    """Return how many trials finished before a store had checksums."""
    return sum(dict(row).get("checksums") is None for row in connection.execute("SELECT * FROM finish").fetchall())


def _changed(
    connection: sqlite3.Connection, finish: Mapping[str, Any], of_sets: dict[str, str]
) -> Iterator[ChangedFacts]:
    trial = finish["trial"]
    name = _name(connection, trial)
    (results,) = connection.execute("SELECT count(*) FROM mutant_result WHERE trial = ?", (trial,)).fetchone()
    if finish["results"] != results:
        yield ChangedFacts(name, _FINISH, f"{finish['results']} results, but {results} are stored")
    checksums = finish.get("checksums")
    if checksums is None:
        return
    try:
        stored = json.loads(checksums)
        names = stored.keys()
    except (ValueError, TypeError, AttributeError):
        yield ChangedFacts(name, _FINISH, "its checksums cannot be read")
        return
    now = _checksums(connection, trial, of_sets)
    for table in [table for table in now if stored.get(table) != now[table]] + sorted(names - now.keys()):
        yield ChangedFacts(name, table)


def _checksums(connection: sqlite3.Connection, trial: str, of_sets: dict[str, str]) -> dict[str, str]:
    """Return a checksum by table; `of_sets` keeps those of mutants by their set, which many trials share."""
    checksums = {}
    for table in _there(connection):
        if table != "mutant":
            checksums[table] = _of_rows(_rows(connection, table, trial))
            continue
        (mutant_set,) = connection.execute("SELECT max(mutant_set) FROM trial WHERE key = ?", (trial,)).fetchone()
        if mutant_set not in of_sets:
            of_sets[mutant_set] = _of_rows(_rows(connection, table, trial))
        checksums[table] = of_sets[mutant_set]
    return checksums


def _there(connection: sqlite3.Connection) -> list[str]:
    """Return the tables that the store has: a read-only store of an older version has no tables of pytest suites."""
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return [table for table in _TABLES if table in names]


def _rows(connection: sqlite3.Connection, table: str, trial: str) -> Iterator[dict[str, Any]]:
    query = f"SELECT * FROM {table} WHERE {_OF_TRIAL.get(table, 'trial = ?')}"  # noqa: S608 (names are our own)
    return (dict(row) for row in connection.execute(query, (trial,)))


def _of_rows(rows: Iterable[Mapping[str, Any]]) -> str:
    digests = sorted(hashlib.sha256(_text(row).encode()).digest() for row in rows)
    return hashlib.sha256(b"".join(digests)).hexdigest()[:32]


def _text(row: Mapping[str, Any]) -> str:
    return _ENCODE(
        {
            name: hashlib.sha256(value).hexdigest() if isinstance(value, bytes) else value
            for name, value in row.items()
            if value is not None
        }
    )


def _name(connection: sqlite3.Connection, trial: str) -> str:
    for row in _rows(connection, "trial", trial):
        records = list(_rows(connection, "suite_record", trial)) if "suite_record" in _there(connection) else []
        try:
            return str(trial_of(row | {"suite": records[0]["suite"] if records else None}))
        except (ValueError, TypeError, KeyError):  # some column says what none can
            return f"{row['subject']} {row['generator']} scope {row['scope']}"
    return f"trial {trial}"
