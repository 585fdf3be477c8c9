"""An interrupted generation of instances says how many it has found, and by which name they are made."""

from __future__ import annotations

import logging

import pytest

from harness.model.experiment import Trial
from harness.runner import suites
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite


class Interrupted:
    """Hears of seven instances, and then of the user."""

    at = "executing rep_ok"

    def __init__(self, child, patience):
        self._facts = [{"progress": {"explored": 7, "states": 0, "inputs": 0}}]

    def fact(self):
        if not self._facts:
            raise KeyboardInterrupt
        return self._facts.pop()


@pytest.mark.parametrize(
    ("generator", "told"),
    [
        ("field-exhaustive:part=90,reduce=minimal", "field-exhaustive:reduce=minimal,instances=7 makes them"),
        ("sat-exhaustive:solver=minisat22", "sat-exhaustive:solver=minisat22,instances=7 makes them"),
        ("korat", ""),
    ],
)
def test_what_an_interrupted_generation_has_found_can_be_made(generator, told, monkeypatch, tmp_path, caplog):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path))
    monkeypatch.setattr(suites, "Listener", Interrupted)
    monkeypatch.setattr(logging.getLogger("mutascope"), "propagate", True)
    with pytest.raises(KeyboardInterrupt):
        ensure_suite(load_subject("field_search_tree"), Trial("field_search_tree", generator, 3, 0))
    assert told in caplog.text
    assert ("7 instances were found" in caplog.text) == bool(told)
