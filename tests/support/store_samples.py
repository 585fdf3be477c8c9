"""Made-up trials and results for the tests of the store; no number here was measured."""

from harness.model.coverage import CoverageCounts
from harness.model.experiment import Approach, ExecutionMode, Provenance
from harness.model.outcome import KillReason, Location, Mutant, MutantResult, MutantStatus, Phase, Verdict
from harness.store import CoverageKind, FunctionCoverage, StoredTrial

MUTANTS = [
    Mutant("ROR:3:8:<=", "ROR", "Tree.add", Location(3, 8, 3, 9), "<", "<=", "5" * 64),
    Mutant("AOR:2:8:-", "AOR", "Tree.add", Location(2, 8, 2, 9), "+", "-", "5" * 64),
    Mutant("VRR:4:0:b", "VRR", "Tree.remove", Location(4, 0, 4, 1), "a", "b", "5" * 64),
    Mutant("VRR:5:0:b", "VRR", "Tree.remove", Location(5, 0, 5, 1), "a", "b", "5" * 64, MutantStatus.DUPLICATE, "x"),
]
KILLED = MutantResult("ROR:3:8:<=", Verdict.KILLED, 3, 17, KillReason.OUTPUT, Phase.CALL, 2, "returned False, not True")
CRASHED = MutantResult("AOR:2:8:-", Verdict.KILLED, 1, None, KillReason.CRASH, Phase.CALL, 0, "SIGSEGV")
SURVIVED = MutantResult("VRR:4:0:b", Verdict.SURVIVED, 20, 100)
FAULTY = MutantResult("VRR:4:0:b", Verdict.INCONCLUSIVE, 0, None, detail="the worker could not start")
RESULTS = [KILLED, CRASHED, SURVIVED]
COVERAGE = [
    FunctionCoverage(CoverageKind.CODE, "Tree.add", CoverageCounts(10, 9, 4, 3)),
    FunctionCoverage(CoverageKind.CODE, "Tree.remove", CoverageCounts(20, 20, 8, 8)),
    FunctionCoverage(CoverageKind.SPEC, "rep_ok", CoverageCounts(5, 5, 0, 0)),
]
PROVENANCE = Provenance("0.1.0", "3.11", "Linux", "x86_64", 2, None, ("run", "demo"), {"pandas": "2"}, "2026-01-01")


def trial(mutant_set: str, scope: int = 2, **changes: object) -> StoredTrial:
    """Return a trial of the subject `tree` with 20 inputs."""
    fields: dict[str, object] = {
        "subject": "tree",
        "title": "Tree",
        "generator": "korat",
        "generator_version": "1",
        "scope": scope,
        "seed": 0,
        "subject_hash": "1" * 64,
        "source_hash": "5" * 64,
        "suite_digest": "d" * 64,
        "inputs": 20,
        "states": 5,
        "explored": 31,
        "inputs_by_target": {"remove": 10, "add": 10},
        "operator_set": "ferastrau",
        "mutant_set": mutant_set,
        "mode": ExecutionMode.FIRST_KILL,
        "approach": Approach.SEPARATE,
        "concrete": False,
        "original_steps": 99,
        "original_raised": 1,
    }
    return StoredTrial(**(fields | changes))  # type: ignore[arg-type]
