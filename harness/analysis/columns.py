"""The columns of the frames of a run, which are those of the CSV files of a frozen run, with their types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import pandas as pd

from harness.model.experiment import Approach, ExecutionMode
from harness.model.outcome import KillReason, MutantStatus, Phase, Verdict
from harness.store import CoverageKind
from harness.store.facts import DETAIL_COLUMNS, FIELDS, LATER

Dtype: TypeAlias = Any
"""An argument of `Series.astype`: a name or a CategoricalDtype."""


def _names(members: Iterable[Any]) -> pd.CategoricalDtype:
    return pd.CategoricalDtype([member.value for member in members])


_DTYPES: dict[Any, Dtype] = {
    int: "int64",
    int | None: "Int64",
    bool: "bool",
    ExecutionMode: _names(ExecutionMode),
    Approach: _names(Approach),
}
"""The types of columns by the type of a trial's field; columns of other types contain texts."""
_WITHOUT_COLUMN = frozenset({"suite_digest", "inputs_by_target"})


def _of_field(name: str, kind: Any) -> dict[str, Dtype]:
    """Return the columns of a field of a trial: one for each, and several for the details."""
    if name == "details":
        return dict.fromkeys(DETAIL_COLUMNS.values(), "Int64")
    return {} if name in _WITHOUT_COLUMN else {name: _DTYPES.get(kind, "string")}


_OF_FIELDS = {column: dtype for name, kind in FIELDS.items() for column, dtype in _of_field(name, kind).items()}
TRIALS: dict[str, Dtype] = {"trial": "string"} | _OF_FIELDS
TRIALS |= {"finished": "bool", "version": TRIALS.pop("version")}
"""The columns of `RunFrames.trials`. Behind them are those of the details that some trial has, by their names."""
RESULTS: dict[str, Dtype] = {
    "trial": "string",
    "mutant": "string",
    "operator": "string",
    "function": "string",
    "status": _names(MutantStatus),
    "verdict": _names(Verdict),
    "reason": _names(KillReason),
    "phase": _names(Phase),
    "input": "Int64",
    "inputs_run": "int64",
    "steps": "Int64",
    "executed": "Int64",
    "reached": "Int64",
    "infected": "Int64",
}
COVERAGE: dict[str, Dtype] = {
    "trial": "string",
    "kind": _names(CoverageKind),
    "function": "string",
    "statements": "int64",
    "statements_executed": "int64",
    "branches": "int64",
    "branches_executed": "int64",
}
TIMINGS: dict[str, Dtype] = {"trial": "string", "what": "string", "seconds": "float64", "origin": "string"}
FAILURES: dict[str, Dtype] = {
    "subject": "string",
    "title": "string",
    "generator": "string",
    "scope": "int64",
    "seed": "int64",
    "reason": "string",
}
SAMPLES: dict[str, Dtype] = {
    "trial": "string",
    "size": "int64",
    "killed_before": "int64",
    "expected": "Float64",
    "seed": "int64",
    "killed": "int64",
}
CRITERIA: dict[str, Dtype] = {
    "trial": "string",
    "mix": "string",
    "criterion": "string",
    "classes": "Int64",
    "size": "int64",
    "whole": "bool",
    "kills": "Int64",
    "seeds": "int64",
    "random": "Int64",
    "worse": "Int64",
    "equal": "Int64",
    "better": "Int64",
    "drawn": "Int64",
}
EVALUATED: dict[str, Dtype] = {
    "trial": "string",
    "basis": "string",
    "limit": "float64",
    "taken": "string",
    "suites": "int64",
    "size": "float64",
    "calls": "float64",
    "outcomes": "int64",
    "reached_median": "float64",
    "mutants": "Int64",
    "killed_median": "Float64",
    "alone": "Int64",
}

FRAMES: dict[str, tuple[dict[str, Dtype], list[str]]] = {
    "trials": (TRIALS, ["trial"]),
    "results": (RESULTS, ["trial", "mutant"]),
    "coverage": (COVERAGE, ["trial", "kind", "function"]),
    "timings": (TIMINGS, ["trial", "what"]),
    "samples": (SAMPLES, ["trial", "seed"]),
    "criteria": (CRITERIA, ["trial", "mix", "criterion", "size", "whole"]),
    "evaluated": (EVALUATED, ["trial", "basis", "limit"]),
    "failures": (FAILURES, ["subject", "generator", "scope", "seed"]),
}
"""The columns of each frame, and those that distinguish its rows."""

NOT_IN_ALL_FROZEN = (*LATER, *DETAIL_COLUMNS.values(), "origin", "expected")
"""Columns that frozen runs may lack. Such runs are older than the column, or have no sequences, only the differential
oracle, no suite that covers field extensions, no generator that reports its stop reason, no named suite, or no suite
that was made before the run.
"""

OPTIONAL = frozenset({
    *NOT_IN_ALL_FROZEN, "original_steps", "original_raised",
    "reason", "phase", "input", "steps", "executed", "reached", "infected",
    "classes", "kills", "random", "worse", "equal", "better", "drawn", "mutants", "killed_median", "alone", "taken",
})  # fmt: skip
"""Columns in which a missing value is a fact: a survivor has no reason, and not every run counts what was reached."""
