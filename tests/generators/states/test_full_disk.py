"""A disk without room ends the generation of a suite, and is no fault of the program's."""

from __future__ import annotations

import errno
import os

import pytest

from harness.errors import StoreError
from harness.generators.process import errors_for_users
from harness.generators.requests import SuiteRequest
from harness.runner.subjects import load_subject


def end(folder, number: int) -> None:
    """End the making of a suite below the folder by an OSError of that number."""
    job = SuiteRequest.by("sat-exhaustive", load_subject("field_search_tree"), 3, 0, folder / "own/made/suite")
    with errors_for_users(job):
        raise OSError(number, os.strerror(number))


def test_a_disk_that_is_full_while_a_suite_is_made_is_told_as_such(tmp_path):
    with pytest.raises(StoreError) as error:
        end(tmp_path, errno.ENOSPC)
    assert str(error.value) == (
        f"{tmp_path}: no room for the suite of sat-exhaustive at scope 3 (No space left on device); make room, or set "
        "MUTASCOPE_CACHE to a folder with more"
    )


def test_other_failures_of_the_system_are_not_told_as_a_full_disk(tmp_path):
    with pytest.raises(OSError, match="Input/output error"):
        end(tmp_path, errno.EIO)
