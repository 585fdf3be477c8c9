"""Converts model objects to database rows and back: the only module that knows both column and field names."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

from harness.model.coverage import CoverageCounts
from harness.model.experiment import Approach, ExecutionMode
from harness.model.mutant import Location, Mutant, MutantStatus
from harness.model.outcome import KillReason, MutantResult, OracleName, Phase, Verdict
from harness.model.pytest_suite import Evidence, PytestSuite, SuiteRecord, SuiteTest
from harness.model.sequence import Observation
from harness.store.facts import (
    DETAIL_COLUMNS,
    CoverageKind,
    FunctionCoverage,
    InstrumentProof,
    KillRow,
    ProbeRow,
    StoredTrial,
    Timing,
    is_absent,
    plain,
)

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


def mutant_row(mutant_set: str, mutant: Mutant) -> Row:
    return {
        "mutant_set": mutant_set,
        "id": mutant.id,
        "operator": mutant.operator,
        "function": mutant.function,
        "line": mutant.location.line,
        "column_": mutant.location.column,
        "end_line": mutant.location.end_line,
        "end_column": mutant.location.end_column,
        "original": mutant.original,
        "replacement": mutant.replacement,
        "source_hash": mutant.source_hash,
        "status": mutant.status.value,
        "same_as": mutant.same_as,
    }


def mutant_of(row: sqlite3.Row) -> Mutant:
    return Mutant(
        row["id"],
        row["operator"],
        row["function"],
        Location(row["line"], row["column_"], row["end_line"], row["end_column"]),
        row["original"],
        row["replacement"],
        row["source_hash"],
        MutantStatus(row["status"]),
        row["same_as"],
    )


def instrument_row(trial: str, proof: InstrumentProof) -> Row:
    return {"trial": trial} | vars(proof) | {
        "planted_reason": proof.planted_reason.value,
        "planted_phase": proof.planted_phase.value,
    }  # fmt: skip


def instrument_of(row: sqlite3.Row) -> InstrumentProof:
    return InstrumentProof(
        row["original_inputs"],
        KillReason(row["planted_reason"]),
        Phase(row["planted_phase"]),
        row["no_op_inputs"],
        row["no_op_steps"],
    )


def result_row(trial: str, result: MutantResult) -> Row:
    return {"trial": trial} | vars(result) | {
        "verdict": result.verdict.value,
        "reason": result.reason and result.reason.value,
        "phase": result.phase and result.phase.value,
    }  # fmt: skip


def fault_row(trial: str, result: MutantResult) -> Row:
    columns = ("trial", "mutant", "inputs_run", "steps", "phase", "input", "detail")
    row = result_row(trial, result)
    return {column: row[column] for column in columns}


def result_of(row: sqlite3.Row) -> MutantResult:
    fields = dict(row)
    return MutantResult(
        row["mutant"],
        Verdict(fields.get("verdict", Verdict.INCONCLUSIVE.value)),
        row["inputs_run"],
        row["steps"],
        KillReason(fields["reason"]) if fields.get("reason") else None,
        Phase(row["phase"]) if row["phase"] else None,
        row["input"],
        row["detail"],
        fields.get("executed"),
        fields.get("reached"),
        fields.get("infected"),
    )


def coverage_row(trial: str, coverage: FunctionCoverage) -> Row:
    return {"trial": trial, "kind": coverage.kind.value, "function": coverage.function} | vars(coverage.counts)


def coverage_of(row: sqlite3.Row) -> FunctionCoverage:
    counts = CoverageCounts(row["statements"], row["statements_executed"], row["branches"], row["branches_executed"])
    return FunctionCoverage(CoverageKind(row["kind"]), row["function"], counts)


def kill_row_row(trial: str, row: KillRow) -> Row:
    return {"trial": trial} | vars(row)


def kill_row_of(row: sqlite3.Row) -> KillRow:
    return KillRow(row["mutant"], row["inputs"], row["bits"])


def probe_row_row(trial: str, row: ProbeRow) -> Row:
    return {"trial": trial} | vars(row)


def probe_row_of(row: sqlite3.Row) -> ProbeRow:
    return ProbeRow(row["mutant"], row["reached"], row["infected"])


def evidence_of(row: sqlite3.Row) -> Evidence:
    return Evidence(row["mutant"], row["loaded"], row["entered"])


def timing_of(row: sqlite3.Row) -> Timing:
    return Timing(row["what"], row["seconds"], row["origin"])


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
