"""An interrupted generation of instances says how many it has found, and by which name they are made."""

from __future__ import annotations

import logging
import re
from contextlib import redirect_stderr
from dataclasses import replace

import pytest
from support.terminals import Terminal

from harness.command_line.main import main
from harness.ending import ending
from harness.model.experiment import Trial
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite

pytestmark = pytest.mark.end_to_end

EXPLORED = re.compile(r"([1-9]\d*) explored")
NAME = "field_search_tree"


@pytest.fixture(autouse=True)
def shown_each_fifth_of_a_second(monkeypatch, tmp_path):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("MUTASCOPE_CANDIDATE_SECONDS", "0.2")


def interrupt(text):
    """Interrupt, as a user does who sees that something was explored."""
    if EXPLORED.search(text):
        raise KeyboardInterrupt


def instances_shown(terminal):
    """Return the number of instances that was shown last."""
    return EXPLORED.findall(terminal.getvalue())[-1]


@pytest.mark.parametrize(
    ("generator", "told"),
    [
        ("field-exhaustive:part=90,reduce=minimal", "field-exhaustive:reduce=minimal,instances={} makes them"),
        ("sat-exhaustive:solver=minisat22", "sat-exhaustive:solver=minisat22,instances={} makes them"),
        ("korat", ""),
    ],
)
def test_what_an_interrupted_generation_has_found_can_be_made(generator, told, monkeypatch, caplog):
    monkeypatch.setattr(logging.getLogger("mutascope"), "propagate", True)
    caplog.set_level(logging.INFO, "mutascope")
    with redirect_stderr(Terminal(on_text=interrupt)) as terminal, pytest.raises(KeyboardInterrupt) as interruption:
        ensure_suite(load_subject(NAME), Trial(NAME, generator, 6, 0))
    for text in (caplog.text, ending(interruption.value, keeps=True)[0]):
        assert told.format(instances_shown(terminal)) in text
        assert (f"{instances_shown(terminal)} instances were found" in text) == bool(told)


def test_a_generation_shows_what_it_is_at_until_something_is_explored():
    subject = load_subject(NAME)
    slow = subject.spec_source.replace("    edges =", "    __import__('time').sleep(1)\n    edges =")
    with redirect_stderr(Terminal()) as terminal:
        ensure_suite(replace(subject, spec_source=slow), Trial(NAME, "sat-exhaustive", 2, 0))
    assert re.search(r"scope 2, (executing rep_ok|writing the formula) of ", terminal.getvalue())
    assert " 0 explored" not in terminal.getvalue()


def test_an_interrupted_run_says_at_the_end_what_was_found(tmp_path):
    asked = ["--generator", "sat-exhaustive", "--scope", "6", "--jobs", "1", "--out", str(tmp_path / "run")]
    with redirect_stderr(Terminal(on_text=interrupt)) as terminal:
        assert main(["run", "--subject", NAME, *asked]) == 130
    last = terminal.getvalue().splitlines()[-1]
    number = instances_shown(terminal)
    words = f"{number} instances were found; --generator sat-exhaustive:instances={number} makes them"
    assert "mutascope: interrupted; what was finished is kept, the same command goes on; " in last
    assert last.endswith(words)
    assert words in (tmp_path / "run" / "run.log").read_text()
