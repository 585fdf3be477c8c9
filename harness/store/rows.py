"""Converts model objects to database rows and back: the only module that knows both column and field names."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from enum import EnumType
from functools import cache
from typing import Any, TypeVar, cast, get_args, get_type_hints

from harness.model.experiment import Approach, ExecutionMode
from harness.model.outcome import OracleName
from harness.model.pytest_suite import PytestSuite, SuiteRecord, SuiteTest
from harness.model.sequence import Observation
from harness.store.facts import DETAIL_COLUMNS, StoredTrial, is_absent, plain

T = TypeVar("T")
Row = dict[str, Any]

_READERS: Mapping[str, Callable[[Any], Any]] = {
    "suite": lambda text: PytestSuite.of_json(text).name,
    "inputs_by_target": json.loads,
    "mode": ExecutionMode,
    "approach": Approach,
    "concrete": bool,
    "observed": Observation,
    "oracle": OracleName,
    "details": json.loads,
    "notices": lambda text: tuple(json.loads(text)),
}
"""The functions that make a trial's field of its column, if the column stores something else."""


def trial_row(trial: StoredTrial) -> Row:
    """Return the columns of a trial, except for the name of its suite, which its record has."""
    generator_details = {name: value for name, value in trial.details.items() if name not in DETAIL_COLUMNS}
    fields = {name: value for name, value in vars(trial).items() if name != "suite"} | {"details": generator_details}
    row = {name: None if is_absent(name, value) else _cell(plain(value)) for name, value in fields.items()}
    return {"key": trial.key} | row | {column: trial.details.get(name) for name, column in DETAIL_COLUMNS.items()}


def trial_of(row: sqlite3.Row | Row) -> StoredTrial:
    """Return the trial of a row, which has the suite of its record, if there is one, in a column of that name."""
    cells = {name: value for name, value in dict(row).items() if value is not None and name not in ("number", "key")}
    details = {name: cells.pop(column) for name, column in DETAIL_COLUMNS.items() if column in cells}
    fields = {name: _READERS[name](value) if name in _READERS else value for name, value in cells.items()}
    return StoredTrial(**fields | {"details": details | fields.get("details", {})})


def _cell(value: Any) -> Any:
    """Return a value as SQLite keeps it: texts and numbers, and JSON of everything else."""
    if isinstance(value, bool):
        return int(value)
    return json.dumps(value, sort_keys=True) if isinstance(value, dict | tuple) else value


_COLUMNS = {"column": "column_"}
"""Columns whose fields have another name, which is a word of SQL."""


def row_of(fact: Any) -> Row:
    """Return the columns of a fact: its fields, and those of a record in it."""
    row: Row = {}
    for name, value in vars(fact).items():
        row |= row_of(value) if is_dataclass(value) else {_COLUMNS.get(name, name): plain(value)}
    return row


@cache
def reader_of(kind: type[T]) -> Callable[[sqlite3.Row | Row], T]:
    """Return the function that makes a fact of its columns; a field without a column has its default."""
    readers: dict[str, Callable[[Any], Any]] = {}
    records: dict[str, Callable[[Any], Any]] = {}
    for name, hint in get_type_hints(kind).items():
        enums = [one for one in (hint, *get_args(hint)) if isinstance(one, EnumType)]
        readers[name] = enums[0] if enums else lambda value: value
        if is_dataclass(hint):
            records[name] = reader_of(cast(Any, hint))

    def read(row: sqlite3.Row | Row) -> T:
        cells = dict(row)
        fields = {name: record(cells) for name, record in records.items()}
        for name, make in readers.items():
            if (column := _COLUMNS.get(name, name)) in cells:
                fields[name] = None if cells[column] is None else make(cells[column])
        return kind(**fields)

    return read


def suite_row(trial: str, record: SuiteRecord) -> Row:
    return {
        "trial": trial,
        "suite": record.suite.to_json(),
        "source": record.source,
        "tests": json.dumps([[test.node_id, test.steps, test.line] for test in record.tests]),
        "excluded": json.dumps(dict(record.excluded), sort_keys=True),
        "files": json.dumps(dict(record.files), sort_keys=True),
    }


def suite_of(row: sqlite3.Row) -> SuiteRecord:
    tests = tuple(SuiteTest(*test) for test in json.loads(row["tests"]))
    files = json.loads(row["files"])
    return SuiteRecord(PytestSuite.of_json(row["suite"]), row["source"], tests, json.loads(row["excluded"]), files)
