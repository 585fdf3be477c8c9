"""Compares what a subject's API makes with what its rep_ok describes, in the sandbox (beapi2023, section 4.3)."""

from __future__ import annotations

from typing import Any

from harness.difference.invariant_result import InvariantDifference
from harness.difference.job import ATTEMPTS, DifferenceJob
from harness.difference.result import Difference, LargerScope, OfApi, OfRepOk
from harness.errors import BaselineError
from harness.kernel.program.loader import ModuleText
from harness.model.subject import Subject
from harness.sandbox.ask import patience
from harness.sandbox.folders import own_folder
from harness.sandbox.listening import Listener, death_remedy
from harness.sandbox.process import SandboxedProcess, WorkerDied


def difference(subject: Subject, scope: int, *, attempts: int = ATTEMPTS) -> Difference:
    """Compares the two sets of structures at `scope` by canonical form.

    Args:
        attempts: sequences that are executed at each larger scope at the most.

    Raises:
        SpecError: the spec has no rep_ok or finitization, its bounds are unusable, or a call fails.
        SourceError: the implementation does not load.
        BaselineError: the process died of what it executed, or was stuck in it.
    """
    return _difference(subject.name, _compared(subject, scope, attempts=attempts))


def invariant_difference(subject: Subject, scope: int) -> InvariantDifference:
    """Compares the instances of the spec's `invariant` with the states of its rep_ok, and their extensions.

    Raises:
        UsageError: the spec has no invariant, or python-sat is not installed.
        MutascopeError: as `difference`.
    """
    fields = _compared(subject, scope, of_invariant=True)
    for side in ("of_invariant", "of_rep_ok"):
        fields[side] = tuple(map(tuple, fields[side]))
    return InvariantDifference(subject=subject.name, **fields)


def _compared(subject: Subject, scope: int, **options: Any) -> dict[str, Any]:
    """What the process says that compares."""
    job = DifferenceJob(
        implementation=ModuleText.of(subject),
        spec_source=subject.spec_source,
        spec_filename=str(subject.spec_path),
        scope=scope,
        **options,
    )
    with own_folder() as folder:
        path = folder / "job.json"
        job.write(path)
        try:
            with SandboxedProcess("harness.difference.child", str(path), readable=[path]) as child:
                fact = Listener(child, patience()).fact()
        except WorkerDied as death:
            how, remedy = " ".join(death.how.split()), death_remedy(death)
            raise BaselineError(f"{subject.name}: comparing it at scope {scope} failed {how}; {remedy}") from None
    found: dict[str, Any] = fact["difference"]
    return found


def _difference(name: str, fields: dict[str, object]) -> Difference:
    parts = {
        "larger": tuple(LargerScope(**one) for one in fields.pop("larger")),  # type: ignore[attr-defined]
        "of_api": tuple(OfApi(**one) for one in fields.pop("of_api")),  # type: ignore[attr-defined]
        "of_rep_ok": tuple(
            OfRepOk(tuple(one["vector"]), one["objects"])
            for one in fields.pop("of_rep_ok")  # type: ignore[attr-defined]
        ),
        "only_set_by_api": tuple(fields.pop("only_set_by_api")),  # type: ignore[arg-type]
        "only_in_finitization": tuple(fields.pop("only_in_finitization")),  # type: ignore[arg-type]
    }
    return Difference(subject=name, **parts, **fields)  # type: ignore[arg-type]
