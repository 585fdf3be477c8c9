"""Builders of a subject, found in the sandbox."""

from __future__ import annotations

import logging

from harness.errors import MutascopeError
from harness.generators.requests import BuildersRequest, Interim, Notice
from harness.generators.sequences.builder_search import BuilderSearchResult
from harness.model.subject import Subject
from harness.runner.progress import progress_count
from harness.sandbox.ask import Question, ask
from harness.sandbox.folders import locked_folder

LOGGER = logging.getLogger(__name__)


def builders_of(subject: Subject, scope: int) -> BuilderSearchResult:
    """Return the routines that suffice to build all states of a scope.

    Raises:
        SpecError: what the spec declares for sequences is not possible, or a call fails or does not return.
        MutascopeError: the process died.
    """
    with locked_folder() as folder, progress_count(f"builders of {subject.name}") as show_progress:

        def show(fact: Interim, at: str) -> None:
            if isinstance(fact, Notice):
                LOGGER.warning("builders of %s: %s", subject.name, fact.text)
            else:
                show_progress(f"{fact.explored:,} sequences")

        return ask(
            Question(
                process="harness.generators.process",
                request=BuildersRequest.by("beapi", subject, scope, 0, folder / "made"),
                answer=BuilderSearchResult,
                work=f"finding builders of {subject.name}",
                interim=Interim,
                error=MutascopeError,
            ),
            show,
        )
