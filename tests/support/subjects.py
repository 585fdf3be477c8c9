"""A subject with its spec loaded in the tests' own process, which the orchestrator never does."""

from __future__ import annotations

from harness.kernel.specs.spec import Spec, load_spec
from harness.model.subject import Subject
from harness.runner import subjects


def load_subject(name: str) -> tuple[Subject, Spec]:
    """A subject, by name or path, and its functions."""
    subject = subjects.load_subject(name)
    return subject, load_spec(subject.spec_source, str(subject.spec_path))
