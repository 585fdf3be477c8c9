"""Finds out what a user's generator makes for the subject of a suite."""

from __future__ import annotations

from harness.errors import UsageError
from harness.generators.generation import Generation
from harness.generators.policies.own.generator import OwnGenerator, SequencesChosen, StatesChosen
from harness.generators.policies.own.subject import SubjectOfGenerator
from harness.generators.watchdog import EndlessCandidate, endless, executed


def chosen(generator: OwnGenerator, generation: Generation) -> SequencesChosen | StatesChosen:
    """Return the generator of states or of sequences for the suite to be made.

    Raises:
        UsageError: making the first input raises, or does not end.
        SpecError: the bounds of the spec are unusable.
    """
    generation.begins(f"executing {generator.file}")
    spec, text = generation.spec, generation.text
    try:
        with generation.watched(lambda: (0, 0, 0), generation.spec_file, text.filename, generator.file):
            subject = SubjectOfGenerator.of(spec, generation.module, generation.scope, text.source)
            return generator.on(subject, generation.scope, generation.seed)
    except EndlessCandidate as ended:
        where = executed(ended, generator.file) or "what it asks the spec for"
        raise UsageError(endless(f"{generator.file}: {where} gave no new input", ended)) from None
