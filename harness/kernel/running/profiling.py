"""Observes the types in an original that runs on its suite."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial

from harness.codec.codec import codec_of
from harness.kernel.judging.prepared import PreparedInput, run_whole
from harness.kernel.process.talk import Headway
from harness.kernel.running.job import InputsObserved, RunJob, TypeObservation
from harness.kernel.running.loaded_suite import LoadedSuite
from harness.kernel.running.type_profile import profile
from harness.kernel.specs.spec import exception_summary

MOST_INPUTS = 5_000
"""The greatest number of inputs observed; of a larger suite a pseudo-random sample, always the same one."""
_TOLD_EVERY = 100
_LONGEST = 120


def observe_types(job: RunJob, headway: Headway) -> TypeObservation:
    """Run the original on the inputs of its suite, or on a sample of them, and observe types.

    Raises:
        MutascopeError: the spec cannot be used, or the implementation does not load.
    """
    loaded = LoadedSuite.of(job, headway.begins)
    suite, inputs = loaded.suite, loaded.inputs
    executions_seen = 0
    chosen = random.Random(0).sample(range(len(suite)), min(MOST_INPUTS, len(suite)))
    refused: dict[str, str] = {}
    accepted: set[str] = set()
    progress = codec_of(InputsObserved)

    def executions() -> Iterator[Callable[[], object]]:
        nonlocal executions_seen
        for number in chosen:
            prepared = inputs.prepare(number)
            target = suite.header.targets[suite.calls[suite.input(number)[1]].target]
            yield partial(_invoke, prepared, target, accepted, refused)
            executions_seen += 1
            if executions_seen % _TOLD_EVERY == 0:
                headway.teller.report(progress.to_data(InputsObserved(executions_seen, len(chosen))))

    headway.begins(f"executing {job.implementation.filename} on its suite", lambda: executions_seen)
    types = profile(executions(), loaded.module)
    return TypeObservation(types, {name: said for name, said in refused.items() if name not in accepted})


def _invoke(prepared: PreparedInput, target: str, accepted: set[str], refused: dict[str, str]) -> None:
    raised = run_whole(prepared).raised
    if isinstance(raised, TypeError):
        refused.setdefault(target, exception_summary(raised)[:_LONGEST])
    else:
        accepted.add(target)
