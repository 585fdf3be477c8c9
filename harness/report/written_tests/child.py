"""The process that carries out sequences on the original and tells them as the sources of tests.

`main` is called by `kernel.process.containment.launch` with JOB, MODULE, NUMBERS and the pipe ends ORDERS and FACTS.
"""

from __future__ import annotations

import json
import signal
from pathlib import Path

from harness.errors import BaselineError, MutascopeError
from harness.kernel.process.confinement import end_with_parent
from harness.kernel.process.telling import Beats, Teller, telling
from harness.kernel.program.recursion import limit_recursion
from harness.kernel.running.job import RunJob
from harness.report.written_tests.naming import test_names
from harness.report.written_tests.recording import Record, Recorder
from harness.report.written_tests.statements import TestWriter
from harness.report.written_tests.waiting import Standstill

BATCH = 500


def main(arguments: list[str]) -> int:
    """Tells `{"tests": [source, ...]}` in batches, at last `{"imports": {module: [name, ...]}, "raises": bool,
    "waiting": [observer, ...]}`.

    Args:
        arguments: the job's file, the name by which tests import the implementation, and a file of JSON with the
            numbers of the inputs to be written; the numbers of the pipes.
    """
    end_with_parent(signal.SIGKILL)
    job_path, module, numbers_path, _, facts_end = arguments

    def work(teller: Teller, beats: Beats) -> None:
        job = RunJob.read(Path(job_path))
        standstill = Standstill()
        recorder = Recorder(job, teller, module, standstill)
        beats.looks = standstill.look
        limit_recursion()
        teller.begins(f"executing {job.implementation.filename} on its suite")
        records: list[Record] = []
        beats.reached = lambda: len(records)
        for number in json.loads(Path(numbers_path).read_text(encoding="utf-8")):
            records.append(_record(recorder, number))
        writer = TestWriter(records, recorder.changing, recorder.unsteady)
        sources = [writer.write(name, record) for name, record in zip(test_names(records), records, strict=True)]
        for first in range(0, len(sources), BATCH):
            teller.tell({"tests": sources[first : first + BATCH]})
        raises = any(call.raised for record in records for call in record.outcomes)
        imports = {name: sorted(names) for name, names in sorted(recorder.imports.items())}
        teller.tell({"imports": imports, "raises": raises, "waiting": recorder.waiting})

    return telling(facts_end, work)


def _record(recorder: Recorder, number: int) -> Record:
    try:
        return recorder.record(number)
    except MutascopeError:
        raise
    except Exception as error:
        raise BaselineError(
            f"the original fails on input {number}: telling what it did raised {type(error).__name__}: {error}; "
            "correct the implementation or the spec"
        ) from None
