"""Append-only store of a run: facts and provenance in one SQLite file."""

from harness.store.facts import (
    CoverageKind,
    FunctionCoverage,
    InstrumentProof,
    KillRow,
    ProbeRow,
    StoredTrial,
    Timing,
    mutant_set_hash,
)
from harness.store.run_store import RunStore, export_facts

__all__ = [
    "CoverageKind",
    "FunctionCoverage",
    "InstrumentProof",
    "KillRow",
    "ProbeRow",
    "RunStore",
    "StoredTrial",
    "Timing",
    "export_facts",
    "mutant_set_hash",
]
