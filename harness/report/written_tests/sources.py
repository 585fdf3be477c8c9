"""Executes sequences on the original and sends them as the sources of tests."""

from __future__ import annotations

from harness.errors import BaselineError, MutascopeError
from harness.kernel.process.talk import Headway
from harness.report.written_tests.naming import test_names
from harness.report.written_tests.recording import Record, Recorder
from harness.report.written_tests.requests import TestSources, TestsRequest
from harness.report.written_tests.statements import TestWriter
from harness.report.written_tests.waiting import Standstill


def write(request: TestsRequest, headway: Headway) -> TestSources:
    """Execute sequences on the original, and write each as the source of a test.

    Raises:
        MutascopeError: the spec cannot be used, or the original does not load or fails.
    """
    standstill = Standstill()
    recorder = Recorder(request.job, headway, request.module, standstill)
    headway.beats.looks = standstill.look
    records = [_record(recorder, number) for number in headway.each(request.numbers)]
    writer = TestWriter(records, recorder.changing, recorder.unsteady)
    sources = [writer.write(name, record) for name, record in zip(test_names(records), records, strict=True)]
    return TestSources(
        tests=tuple(sources),
        imports={name: tuple(sorted(names)) for name, names in sorted(recorder.imports.items())},
        raises=any(call.raised for record in records for call in record.outcomes),
        keeps_state=recorder.keeps_state,
        waiting=tuple(recorder.waiting),
    )


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
