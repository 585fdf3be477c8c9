"""A disk without room, while the making of a suite is prepared."""

import errno
import os
from pathlib import Path

import pytest

from harness.errors import StoreError
from harness.model.experiment import Trial
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite


def test_a_full_disk_of_the_cache_is_told_with_its_folder(tmp_path, monkeypatch):
    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    subject = load_subject("search_tree")
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path))
    monkeypatch.setattr(Path, "write_text", full)
    message = f"^{tmp_path}/suites: no room for the suite of korat at scope 2 .* make room, or set MUTASCOPE_CACHE"
    with pytest.raises(StoreError, match=message):
        ensure_suite(subject, Trial("search_tree", "korat", 2))
