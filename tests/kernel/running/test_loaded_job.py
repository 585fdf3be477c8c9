"""A job that is loaded once serves all its mutants."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.counter import job

from harness.kernel.running.job import RunJob
from harness.kernel.running.loaded_job import LoadedJob


def test_the_text_of_an_input_is_made_once_for_all_mutants_that_it_kills(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = LoadedJob(RunJob.read(job(tmp_path)), lambda: None)
    texts = [loaded.show(number) for number in (0, 1)]
    assert texts == [loaded.kind.show(loaded.programs.original, number) for number in (0, 1)]
    monkeypatch.setattr(loaded.kind, "show", None)
    assert [loaded.show(number) for number in (0, 1)] == texts
