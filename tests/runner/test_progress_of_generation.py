"""A generation shows what it is at, and what it has explored."""

from contextlib import nullcontext

import pytest

from harness.generators.requests import GenerationProgress
from harness.model.experiment import Trial
from harness.runner import suites
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite

LOADING = "searching for impossible references: 3 of 9 looked at"


def loading(question, on_interim):
    """Is at something long before anything is explored."""
    on_interim(GenerationProgress(0), LOADING)
    on_interim(GenerationProgress(2), LOADING)
    raise KeyboardInterrupt


def test_a_generation_shows_what_it_is_at_until_something_is_explored(monkeypatch, tmp_path):
    lines = []
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path))
    monkeypatch.setattr(suites, "hear", loading)
    monkeypatch.setattr(suites, "progress_count", lambda what: nullcontext(lines.append))
    with pytest.raises(KeyboardInterrupt):
        ensure_suite(load_subject("field_search_tree"), Trial("field_search_tree", "sat-exhaustive", 3, 0))
    assert lines == [LOADING, "2 candidates, 0 pre-states, 0 inputs, 0.00 GB"]
