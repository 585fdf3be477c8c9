"""An interrupted generation of instances says how many it has found, and by which name they are made."""

import logging
from contextlib import nullcontext

import pytest

from harness.command_line.main import main
from harness.generators.requests import GenerationProgress
from harness.interruption import exit_report
from harness.model.experiment import Trial
from harness.runner import suites
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite

LOADING = "searching for impossible references: 3 of 9 looked at"


def interrupted(question, on_interim):
    """Report seven instances, and then an interrupt by the user."""
    on_interim(GenerationProgress(7), "executing rep_ok")
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("generator", "message"),
    [
        ("field-exhaustive:part=90,reduce=minimal", "field-exhaustive:reduce=minimal,instances=7 makes them"),
        ("sat-exhaustive:solver=minisat22", "sat-exhaustive:solver=minisat22,instances=7 makes them"),
        ("korat", ""),
    ],
)
def test_what_an_interrupted_generation_has_found_can_be_made(generator, message, monkeypatch, tmp_path, caplog):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path))
    monkeypatch.setattr(suites, "hear", interrupted)
    caplog.set_level(logging.INFO, "mutascope")
    with pytest.raises(KeyboardInterrupt) as interruption:
        ensure_suite(load_subject("field_search_tree"), Trial("field_search_tree", generator, 3, 0))
    for text in (caplog.text, exit_report(interruption.value, keeps=True)[0]):
        assert message in text
        assert ("7 instances were found" in text) == bool(message)


def test_an_interrupted_run_says_at_the_end_what_was_found(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(suites, "hear", interrupted)
    arguments = ["--generator", "sat-exhaustive", "--scope", "3", "--jobs", "1", "--out", str(tmp_path / "run")]
    assert main(["run", "--subject", "field_search_tree", *arguments]) == 130
    message = "7 instances were found; --generator sat-exhaustive:instances=7 makes them"
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("mutascope: interrupted; what was finished is kept, the same command goes on; ")
    assert last.endswith(message)
    assert message in (tmp_path / "run" / "run.log").read_text()


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
