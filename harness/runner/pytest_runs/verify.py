"""Re-executes verdicts of suites that people have: pytest itself, once per mutant, with the mutated file in place."""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from harness.errors import StoreError
from harness.kernel.program.splice import mutated_source
from harness.model.experiment import ExecutionMode
from harness.model.mutant import Mutant
from harness.model.outcome import KillReason, MutantResult, Phase, Verdict
from harness.model.own_suite import PYTEST, SuiteRecord
from harness.pytest_suites.skips import is_skipped
from harness.pytest_suites.work_tree import WorkTree
from harness.runner.pytest_runs.project import Project, find_project, suite_digest
from harness.runner.pytest_runs.readable import file_hashes, is_imported, readable
from harness.runner.pytest_runs.settings import settings_above
from harness.runner.verify import Disagreement
from harness.sandbox.folders import own_folder
from harness.sandbox.process import SandboxedProcess, WorkerDied
from harness.store.facts import KillRow, StoredTrial, latest_trials
from harness.store.run_store import RunStore

_FACTOR, _CONSTANT = 20.0, 20.0
_LONGEST_ORIGINAL = 3600.0
_TESTS_RUN = (0, 1)
"""Exit statuses of pytest if no test fails, and if some do."""
_FILES = "files"
"""The name of the copy of the project that all others are made from."""
_IN_TESTS = (KillReason.ASSERTION, KillReason.EXCEPTION, KillReason.SKIPPED)


@dataclass(frozen=True)
class _Claim:
    trial: StoredTrial
    record: SuiteRecord
    mutant: Mutant
    result: MutantResult
    row: KillRow | None


def has_suites(folder: Path) -> tuple[bool, bool]:
    """Whether a run has trials of suites of pytest, and whether it has others."""
    with RunStore.open_existing(folder) as store:
        found = [trial.generator == PYTEST for trial in store.all_trials()]
    return any(found), not all(found)


def verify_suites(folder: Path, sample: int | None, seed: int, jobs: int) -> tuple[int, list[Disagreement]]:
    """How many verdicts of suites of pytest were re-executed, and those that are others.

    Raises:
        StoreError: nothing is stored, or the project is no longer the one that was run.
    """
    with RunStore.open_existing(folder) as store:
        claims = [claim for trial in latest_trials(store.all_trials()) for claim in _claims(store, trial)]
    drawn = sorted(claims, key=lambda claim: _rank(claim, seed))[:sample]
    if not drawn:
        raise StoreError(f"{folder}: no verdict is stored yet, so there is none to check; run it first")
    found: list[Disagreement] = []
    for key in dict.fromkeys(claim.trial.key for claim in drawn):
        found += _verify_trial([claim for claim in drawn if claim.trial.key == key], jobs)
    return len(drawn), sorted(found, key=lambda found: (found.trial, found.mutant))


def _rank(claim: _Claim, seed: int) -> str:
    return hashlib.sha256(f"{seed}:{claim.trial.key}:{claim.mutant.id}".encode()).hexdigest()


def _claims(store: RunStore, trial: StoredTrial) -> list[_Claim]:
    record = store.suite(trial.key) if trial.generator == PYTEST else None
    if record is None:
        return []
    mutants = {mutant.id: mutant for mutant in store.mutants(trial.mutant_set)}
    rows = {row.mutant: row for row in store.kill_rows(trial.key)}
    conclusive = [result for result in store.results(trial.key) if result.verdict is not Verdict.INCONCLUSIVE]
    return [_Claim(trial, record, mutants[r.mutant], r, rows.get(r.mutant)) for r in conclusive]


def _verify_trial(claims: list[_Claim], jobs: int) -> list[Disagreement]:
    trial, record = claims[0].trial, claims[0].record
    project = find_project(record.suite)
    if project.subject.source_hash != trial.source_hash:
        raise StoreError(f"{project.subject.source_path} was changed since {trial} was run; run it again")
    with own_folder() as folder:
        digest = project.copy(folder / _FILES)
        if suite_digest(record.suite, digest, [test.node_id for test in record.tests]) != trial.suite_digest:
            _make_as_run(project, folder / _FILES, claims[0])
        began = monotonic()
        seen = _run(project, record, record.source, folder / "original", _LONGEST_ORIGINAL)
        if seen["status"] != 0:
            raise StoreError(f"{trial}: plain pytest does not pass on the original ({seen}); run it again")
        patience = _FACTOR * (monotonic() - began) + _CONSTANT

        def checked(numbered: tuple[int, _Claim]) -> Disagreement | None:
            number, claim = numbered
            mutated = mutated_source(record.source, claim.mutant)
            return _compared(claim, _run(project, record, mutated, folder / str(number), patience))

        with ThreadPoolExecutor(jobs) as threads:
            return [found for found in threads.map(checked, enumerate(claims)) if found is not None]


def _make_as_run(project: Project, copied: Path, claim: _Claim) -> None:
    """Removes from the copied files those that were not there when the suite was run.

    Raises:
        StoreError: a file that the tests or the target can read is another one, or the run has not kept its files.
    """
    before, now = claim.record.files, file_hashes(copied)
    if not before:
        raise StoreError(f"{project.root}: files were changed since {claim.trial} was run; run it again")
    for path in sorted(readable(copied, {*before, *now})):
        told = "added" if path not in before else "changed" if path in now else "removed"
        if now.get(path) != before.get(path) and (told != "added" or is_imported(path)):
            raise StoreError(f"{project.root / path} was {told} since {claim.trial} was run; run it again")
    for path in now.keys() - before.keys():
        (copied / path).unlink()


def _run(project: Project, record: SuiteRecord, source: str, folder: Path, patience: float) -> dict[str, Any]:
    """What pytest says of a text of the target; its end, where it ends without a word."""
    folder.mkdir()
    tree = WorkTree(folder.parent / _FILES, folder / "tree").path
    file = tree / project.filename if project.is_own else folder / "target" / Path(project.filename).name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(source, encoding="utf-8")
    job = folder / "job.json"
    told = {
        "folder": str((tree / project.folder).resolve()),
        "roots": [str(tree / root) for root in project.roots],
        "arguments": list(project.arguments),
        "excluded": list(record.excluded),
        "installed": None if project.is_own else [project.subject.module, str(file)],
        "blocked": list(record.suite.blocked),
        "seed": record.suite.seed,
    }
    job.write_text(json.dumps(told), encoding="utf-8")
    readable = [folder, *settings_above(folder), *([] if project.is_own else [project.subject.source_path.parent])]
    try:
        with SandboxedProcess(
            "harness.pytest_suites.naive", str(job), below=folder, readable=readable, writable=[folder]
        ) as child:
            return child.fact(patience)
    except WorkerDied as death:
        return {"status": -1, "failing": [], "skipped": [], "how": death.how}


def _compared(claim: _Claim, seen: dict[str, Any]) -> Disagreement | None:
    result = claim.result
    tests = [test.node_id for test in claim.record.tests]
    skipped = {node for node in tests if is_skipped(node, seen["skipped"])}
    killed = seen["status"] != 0 or bool(skipped)
    slow = result.reason is KillReason.STEP_LIMIT and seen["status"] == 0  # it ends, but behind its budget
    agrees = slow or killed == (result.verdict is Verdict.KILLED)
    in_tests = seen["status"] in _TESTS_RUN and result.phase is Phase.CALL and result.reason in _IN_TESTS
    if agrees and in_tests and claim.row is not None and claim.trial.mode is ExecutionMode.MATRIX:
        bits = int.from_bytes(claim.row.bits, "little")
        kills = {node for number, node in enumerate(tests) if bits >> number & 1}
        agrees = kills == skipped.union(seen["failing"])
    if agrees:
        return None
    stored = f"{result.verdict.value} {result.reason.value if result.reason else ''} {result.detail}".strip()
    words = seen.get("how") or f"exit status {seen['status']}, failing: {', '.join(seen['failing']) or 'none'}"
    words += f", skipped: {', '.join(sorted(skipped))}" * bool(skipped)
    return Disagreement(str(claim.trial), claim.mutant.id, stored, words)
