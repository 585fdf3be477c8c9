"""A disk without room, while the making of a suite is prepared."""

import errno
import os
from pathlib import Path

import pytest

from harness.errors import StoreError
from harness.generators.job import SuiteMade
from harness.model.experiment import Trial
from harness.runner import suites
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite
from harness.sandbox.ask import Question


def test_a_full_disk_of_the_cache_is_told_with_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(question: Question[SuiteMade], on_interim: object) -> SuiteMade:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path))
    monkeypatch.setattr(suites, "hear", full)
    told = f"^{tmp_path}/suites: no room for the suite of korat at scope 2 .* make room, or set MUTASCOPE_CACHE"
    with pytest.raises(StoreError, match=told):
        ensure_suite(load_subject("search_tree"), Trial("search_tree", "korat", 2))
