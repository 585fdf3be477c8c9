"""Checks a subject against its spec in the sandbox (exhaustive2003, section 6)."""

from __future__ import annotations

import os
import time
from pathlib import Path

from harness.checking.job import CheckJob
from harness.checking.modes import MODES
from harness.checking.result import CheckResult, ComparedPredicate, Counterexample, PropertyResult
from harness.errors import BaselineError, SpecError, UsageError
from harness.generators.job import patience
from harness.kernel.program.loader import ModuleText
from harness.model.subject import Subject
from harness.names import meant
from harness.runner.subjects import has_finitization
from harness.sandbox.folders import own_folder
from harness.sandbox.listening import Listener, death_remedy
from harness.sandbox.process import SandboxedProcess, WorkerDied


def check(subject: Subject, scope: int, mode: str = "black-box") -> CheckResult:
    """Checks every property of `subject` on all inputs within `scope`.

    Raises:
        UsageError: unknown mode.
        SpecError: spec or finitization is unusable, a property names no target, or a predicate by dedicated generators
            does not accept the same states as the one that it stands for.
        SourceError: the implementation does not load.
        BaselineError: the process died of what it executed, or was stuck in it.
    """
    if mode not in MODES:
        raise UsageError(f"unknown mode {mode!r}; {meant(mode, MODES)}")
    if not has_finitization(subject):
        raise SpecError(
            f"{subject.spec_path} has no function finitization, which bounds what properties are checked on; define it "
            "(docs/tutorial.md shows how)"
        )
    job = CheckJob(
        implementation=ModuleText.of(subject),
        spec_source=subject.spec_source,
        spec_filename=str(subject.spec_path),
        folder=_shown(subject.spec_path.parent),
        scope=scope,
        mode=mode,
    )
    started = time.perf_counter()
    with own_folder() as folder:
        path = folder / "job.json"
        job.write(path)
        try:
            with SandboxedProcess("harness.checking.child", str(path), readable=[path]) as child:
                fact = Listener(child, patience()).fact()
        except WorkerDied as death:
            how, remedy = " ".join(death.how.split()), death_remedy(death)
            raise BaselineError(f"{subject.name}: checking it at scope {scope} failed {how}; {remedy}") from None
    found = tuple(_result(fields) for fields in fact["properties"])
    predicates = tuple(ComparedPredicate(**fields) for fields in fact["predicates"])
    return CheckResult(subject.name, scope, mode, time.perf_counter() - started, found, predicates)


def _result(fields: dict[str, object]) -> PropertyResult:
    example = fields.pop("counterexample")
    made = Counterexample(**example) if isinstance(example, dict) else None
    return PropertyResult(counterexample=made, **fields)  # type: ignore[arg-type]


def _shown(folder: Path) -> str:
    """Relative to where one stands, where it lies below."""
    relative = os.path.relpath(folder)
    return str(folder) if relative.startswith(os.pardir) else Path(relative).as_posix()
