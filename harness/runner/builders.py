"""Builders of a subject, found in the sandbox."""

from __future__ import annotations

import logging

from harness.errors import MutascopeError
from harness.generators.job import GenerationJob, patience
from harness.generators.sequences.found_builders import FoundBuilders
from harness.model.subject import Subject
from harness.runner.progress import progress_count
from harness.sandbox.folders import own_folder
from harness.sandbox.listening import Listener, death_remedy
from harness.sandbox.process import SandboxedProcess, WorkerDied

LOGGER = logging.getLogger(__name__)


def builders_of(subject: Subject, scope: int) -> FoundBuilders:
    """The routines that are enough to make all structures of a scope.

    Raises:
        SpecError: what the spec says of sequences cannot be done, or a call fails or does not return.
        MutascopeError: the process died.
    """
    with own_folder() as folder:
        path = folder / "job.json"
        path.write_text(GenerationJob.of(subject, "beapi", scope, 0, folder / "made").to_json(), encoding="utf-8")
        try:
            with (
                SandboxedProcess("harness.generators.builders_child", str(path), readable=[path]) as child,
                progress_count(f"builders of {subject.name}") as shown,
            ):
                listener = Listener(child, patience())
                while "done" not in (fact := listener.fact()):
                    if "notice" in fact:
                        LOGGER.warning("builders of %s: %s", subject.name, fact["notice"])
                    elif "progress" in fact:
                        shown(f"{fact['progress']['explored']:,} sequences")
        except WorkerDied as death:
            how = " ".join(death.how.split())
            raise MutascopeError(f"finding builders of {subject.name} failed {how}; {death_remedy(death)}") from None
    return FoundBuilders.of_data(fact["done"])
