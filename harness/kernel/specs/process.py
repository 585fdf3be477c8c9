"""The process that executes specs for the orchestrator.

Its arguments are REQUEST, the file of a `DescriptionRequest`, and the pipe ends ORDERS and FACTS. For each spec it
reports `{"spec": constants}`. Then it reports `{"finitization": data}` for each scope, or `{"interface": data}` if the
spec has sequences only. `{"sequences": data}` follows for each scope at which sequences are wanted. An error ends it.
"""

from __future__ import annotations

import json
import os
import resource
from pathlib import Path
from typing import Any

from harness.codec.codec import codec_of
from harness.errors import MutascopeError, SpecError
from harness.kernel.process.reported import ReportedError
from harness.kernel.specs.describing import describe
from harness.kernel.specs.requests import DescriptionRequest

LONGEST_FACT = 1 << 24
"""Bytes of one described finitization at the most."""

MEMORY = 1 << 32
"""Bytes of address space, so that an endless list ends as an error."""


def main(arguments: list[str]) -> int:
    """Tells all facts; errors of the user's making go out as facts."""
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ValueError, OSError):
        pass  # a lower limit is set already, or the system has none
    job_path, _, facts_end = arguments
    os.set_inheritable(int(facts_end), False)
    with os.fdopen(int(facts_end), "w", encoding="utf-8") as out:

        def tell(fact: dict[str, Any], filename: str) -> None:
            line = json.dumps(fact)
            if len(line) > LONGEST_FACT:
                raise SpecError(f"{filename}: its bounds are too large to be told; lower the scope")
            out.write(line + "\n")
            out.flush()

        try:
            for spec in codec_of(DescriptionRequest).of_json(Path(job_path).read_bytes()).specs:
                for fact in describe(spec):
                    tell(fact, spec.filename)
        except MutascopeError as error:
            tell({"error": codec_of(ReportedError).to_data(ReportedError.of(error))}, "")
            return error.exit_status
    return 0
