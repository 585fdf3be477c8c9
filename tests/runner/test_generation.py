"""What a suite's generation in the sandbox takes from its surroundings: the compiler, and nothing that shows."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from support.subjects import load_subject

from harness.model.experiment import Trial
from harness.runner.suites import ensure_suite

SUBJECT, _ = load_subject("search_tree")
TRIAL = Trial("search_tree", "korat", 6)


def test_the_compiler_is_looked_for_on_the_users_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "compiled"))
        expected = ensure_suite(SUBJECT, TRIAL).header
        assert caplog.text == ""
        broken = tmp_path / "cc"
        broken.write_text("#!/bin/sh\necho out of order >&2\nexit 1\n")
        broken.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "not compiled"))
        found = ensure_suite(SUBJECT, TRIAL).header
    assert f"{broken} --version fails: out of order; install another C compiler" in caplog.text
    assert (found.digest, found.explored) == (expected.digest, expected.explored)
