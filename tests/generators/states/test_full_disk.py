"""What ends the making of a suite, and is no fault of the program's: a disk without room."""

from __future__ import annotations

import errno
import json
import os

import pytest

from harness.generators.child import reported
from harness.generators.job import GenerationJob
from harness.kernel.process.telling import Teller
from harness.runner.subjects import load_subject


@pytest.fixture
def ended(tmp_path):
    """The exit status and the told error, where the work raises an OSError of that number."""
    job = GenerationJob.of(load_subject("field_search_tree"), "sat-exhaustive", 3, 0, tmp_path / "own/made/suite", 1)

    def attempt(number):
        def work():
            raise OSError(number, os.strerror(number))

        reading, writing = os.pipe()
        try:
            status = reported(job, Teller(writing), work)
        finally:
            os.close(writing)
            told = os.fdopen(reading, encoding="utf-8").read()
        return status, json.loads(told)["error"]

    return attempt


def test_a_disk_that_is_full_while_a_suite_is_made_is_told_as_such(ended, tmp_path):
    status, error = ended(errno.ENOSPC)
    assert (status, error["kind"]) == (1, "StoreError")
    assert error["message"] == (
        f"{tmp_path}: no room for the suite of sat-exhaustive at scope 3 (No space left on device); make room, or set "
        "MUTASCOPE_CACHE to a folder with more"
    )


def test_other_failures_of_the_system_are_not_told_as_a_full_disk(ended):
    with pytest.raises(OSError, match="Input/output error"):
        ended(errno.EIO)
