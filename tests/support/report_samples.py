"""A made-up run of SearchTree, stored as the runner would; no number in it was measured."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from support import store_samples
from support.subjects import load_subject

from harness.model.coverage import CoverageCounts
from harness.model.experiment import Provenance
from harness.model.outcome import KillReason, Location, Mutant, MutantResult, MutantStatus, Phase, Verdict
from harness.store import CoverageKind, FunctionCoverage, InstrumentProof, RunStore, StoredTrial

PROVENANCE = Provenance("0.1.0", "3.11", "Linux", "machine", 2, None, ("run", "demo"), {"pandas": "2"}, "2026-01-01")
SUBJECT, _ = load_subject("search_tree")


def mutant(line: str, original: str, replacement: str, operator: str = "ROR", **fields: Any) -> Mutant:
    """Return the mutant of the first `original` on the first line of SearchTree with the text `line`."""
    lines = SUBJECT.source.split("\n")
    row = next(number for number, text in enumerate(lines, 1) if line in text)
    column = lines[row - 1].index(original)
    location = Location(row, column, row, column + len(original))
    identity = f"{operator}:{row}:{column}:{''.join(replacement.split())}"
    values = {"function": "SearchTree.add", "source_hash": SUBJECT.source_hash} | fields
    return Mutant(identity, operator, location=location, original=original, replacement=replacement, **values)


OUTPUT = mutant("if info < current.info", "info < current.info", "info > current.info")
CRASH = mutant("parent = current", "current", "parent", "VRR")
MEMORY = mutant("return False", "False", "True", "CRP")
STEPS = mutant("current = current.left", "current.left", "current", "FRR")
WALL = mutant("current = current.right", "current.right", "current", "FRR")
SURVIVOR = mutant("elif info > current.info", "info > current.info", "info != current.info")
STILLBORN = mutant("self.size += 1", "self.size += 1", "1 = 1", "ASR", status=MutantStatus.STILLBORN)
DUPLICATE = mutant("parent.left = node", "left", "right", "FRR", status=MutantStatus.DUPLICATE, same_as=OUTPUT.id)
EQUIVALENT = mutant("return True", "True", "1 == 1", "CRP", status=MutantStatus.EQUIVALENT)
MUTANTS = [OUTPUT, CRASH, MEMORY, STEPS, WALL, SURVIVOR, STILLBORN, DUPLICATE, EQUIVALENT]


def killed(mutant: Mutant, reason: KillReason, detail: str, phase: Phase = Phase.CALL, number: int = 3) -> MutantResult:
    return MutantResult(mutant.id, Verdict.KILLED, number + 1, 10, reason, phase, number, detail)


RESULTS = [
    killed(OUTPUT, KillReason.OUTPUT, "SearchTree(...).add(1): returned another value"),
    killed(CRASH, KillReason.CRASH, "SIGSEGV", number=7),
    killed(MEMORY, KillReason.MEMORY_LIMIT, "raised MemoryError"),
    killed(STEPS, KillReason.STEP_LIMIT, "more than 100 steps"),
    killed(WALL, KillReason.WALL_LIMIT, "wall clock"),
    MutantResult(SURVIVOR.id, Verdict.SURVIVED, 90, 267),
]


def trial(mutant_set: str, scope: int, **changes: Any) -> StoredTrial:
    fields = {
        "subject": "search_tree", "title": "SearchTree", "subject_hash": SUBJECT.content_hash,
        "source_hash": SUBJECT.source_hash, "inputs": 90, "states": 15, "explored": 178,
        "inputs_by_target": {"add": 45, "remove": 45}, "original_steps": 267, "original_raised": 0,
    }  # fmt: skip
    return store_samples.trial(mutant_set, scope, **fields | changes)


def stored_run(
    folder: Path,
    scopes: tuple[int, ...] = (2, 3),
    mutants: list[Mutant] = MUTANTS,
    results: list[MutantResult] = RESULTS,
    finish: bool = True,
    prove: bool = True,
    covered: Callable[[int], CoverageCounts] | None = lambda scope: CoverageCounts(20, 10 + scope, 10, 5 + scope),
    **changes: Any,
) -> Path:
    """Make a run of one trial per scope, with `changes` to its trials.

    `covered` gives the counts at a scope; with None no coverage is stored.
    """
    with RunStore.open(folder) as store:
        store.sessions.add(PROVENANCE)
        mutant_set = store.mutants.add(mutants)
        for scope in scopes:
            key = store.trials.add(trial(mutant_set, scope, **changes))
            if prove:
                store.instruments.add(key, InstrumentProof(90, KillReason.EXCEPTION, Phase.CALL, 90, 267))
            if covered is not None:
                store.coverage.add(key, [FunctionCoverage(CoverageKind.CODE, "SearchTree.add", covered(scope))])
            for result in results:
                store.results.add(key, result, seconds=0.125)
            if finish:
                store.finished.add(key)
    return folder
