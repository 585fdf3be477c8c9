"""Checks a subject against its spec in the sandbox (exhaustive2003, section 6)."""

from __future__ import annotations

import os
import time
from pathlib import Path

from harness.checking.process import MODES
from harness.checking.result import Checked, CheckRequest, CheckResult
from harness.did_you_mean import suggestion
from harness.errors import SpecError, UsageError
from harness.model.subject import Subject
from harness.runner.subjects import has_finitization
from harness.sandbox.ask import Question, ask


def check(subject: Subject, scope: int, mode: str = "black-box") -> CheckResult:
    """Check every property of `subject` on all inputs within `scope`.

    Raises:
        UsageError: unknown mode.
        SpecError: spec or finitization is unusable, a property names no target, or a predicate by dedicated generators
            does not accept the same states as the predicate that it replaces.
        SourceError: the implementation does not load.
        BaselineError: the process died during the execution, or was stuck.
    """
    if mode not in MODES:
        raise UsageError(f"unknown mode {mode!r}; {suggestion(mode, MODES)}")
    if not has_finitization(subject):
        raise SpecError(
            f"{subject.spec_path} has no function finitization, which bounds what properties are checked on; define it "
            "(docs/tutorial.md shows how)"
        )
    started = time.perf_counter()
    checked = ask(
        Question(
            process="harness.checking.process",
            request=CheckRequest.of(subject, scope, folder=_relative_path(subject.spec_path.parent), mode=mode),
            answer=Checked,
            work=f"{subject.name}: checking it at scope {scope}",
        )
    )
    seconds = time.perf_counter() - started
    return CheckResult(subject.name, scope, mode, seconds, checked.properties, checked.predicates)


def _relative_path(folder: Path) -> str:
    """Return the folder relative to the working directory if it lies below that, else unchanged."""
    relative = os.path.relpath(folder)
    return str(folder) if relative.startswith(os.pardir) else Path(relative).as_posix()
