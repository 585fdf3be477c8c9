"""The process that executes specs for the orchestrator.

Its arguments are REQUEST, the file of a `DescriptionRequest`, and the pipe ends ORDERS and FACTS. It tells the
descriptions of each spec in turn. An error ends it, unless it is of the bounds of sequences.
"""

from __future__ import annotations

import json
import resource
from pathlib import Path

from harness.codec.codec import codec_of
from harness.errors import SpecError
from harness.kernel.process.fact_writer import FactWriter, Heartbeats, telling
from harness.kernel.specs.described_sequences import DescribedSequences
from harness.kernel.specs.describing import describe
from harness.kernel.specs.requests import DescriptionRequest

LONGEST_FACT = 1 << 24
"""Bytes of one described finitization at the most."""

MEMORY = 1 << 32
"""Bytes of address space, so that an endless list ends as an error."""


def main(arguments: list[str]) -> int:
    """Tell all descriptions; errors of the user's making are told, too. Return the exit status."""
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ValueError, OSError):
        pass  # a lower limit is set already, or the system has none
    job_path, _, facts_end = arguments
    request = codec_of(DescriptionRequest).of_json(Path(job_path).read_bytes())

    def work(teller: FactWriter, _beats: Heartbeats) -> None:
        for spec in request.specs:
            for description in describe(spec):
                if isinstance(description, SpecError):
                    teller.fail(description)
                    continue
                data = codec_of(type(description)).to_data(description)
                if len(json.dumps(data)) <= LONGEST_FACT:
                    teller.write(data)
                    continue
                error = SpecError(f"{spec.filename}: its bounds are too large to be told; lower the scope")
                if not isinstance(description, DescribedSequences):
                    raise error
                teller.fail(error)

    return telling(facts_end, work, beating=False)
