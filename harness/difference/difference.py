"""Compares the structures that a subject's API makes with those that its rep_ok describes, in the sandbox.

The comparison is that of beapi2023, section 4.3.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from harness.difference.result import ATTEMPTS, Difference, DifferenceRequest, InvariantDifference, InvariantRequest
from harness.errors import EndlessSpecError, SpecError
from harness.kernel.program.loader import SubjectRequest
from harness.model.subject import Subject
from harness.sandbox.ask import Question, hear
from harness.sandbox.process import NoProgress, WorkerDied

Answer = TypeVar("Answer", Difference, InvariantDifference)


def difference(subject: Subject, scope: int, *, attempts: int = ATTEMPTS) -> Difference:
    """Compare the two sets of structures at `scope` by canonical form.

    Args:
        attempts: the greatest number of sequences that are executed at each larger scope.

    Raises:
        SpecError: the spec has no rep_ok or finitization, its bounds are unusable, a call fails, or the process died of
            the executed code.
        EndlessSpecError: the executed code did not end.
        SourceError: the implementation does not load.
    """
    request = DifferenceRequest.of(subject, scope, subject=subject.name, attempts=attempts)
    return _compared(request, subject.name, Difference)


def invariant_difference(subject: Subject, scope: int) -> InvariantDifference:
    """Compare the instances of the spec's `invariant` with the states of its rep_ok, and their extensions.

    Raises:
        UsageError: the spec has no invariant, or python-sat is not installed.
        MutascopeError: as `difference`.
    """
    request = InvariantRequest.of(subject, scope, subject=subject.name)
    return _compared(request, subject.name, InvariantDifference)


def _compared(request: SubjectRequest, name: str, answer: type[Answer]) -> Answer:
    work = f"{name}: comparing it at scope {request.scope}"
    question = Question(
        process="harness.difference.process", request=request, answer=answer, work=work, error=SpecError
    )
    try:
        return hear(question)
    except NoProgress as death:
        raise replace(question, error=EndlessSpecError).died(death) from None
    except WorkerDied as death:
        raise question.died(death) from None
