"""Mutants that stop their own process, as by SIGSTOP, hold up neither a run nor its verification."""

from __future__ import annotations

from time import monotonic

import pytest
from support.own_project import own_project
from support.own_runs import results_of, run_on

from harness.model.outcome import KillReason
from harness.runner.pytest_runs import verify
from harness.runner.pytest_runs.verify import verify_suites

pytestmark = [pytest.mark.end_to_end, pytest.mark.slow]

CORE = """\
import os
import signal


def held(value):
    if value > 5:
        os.kill(os.getpid(), signal.SIGSTOP)
    return value
"""
TESTS = "from till.core import held\n\n\ndef test_held():\n    assert held(5) == 5\n"


def test_mutants_that_stop_themselves_are_verified_without_waiting(tmp_path, monkeypatch):
    monkeypatch.setattr(verify, "PATIENCE_CONSTANT", 10_000.0)
    run_on(own_project(tmp_path / "own", core=CORE, tests=TESTS), tmp_path / "out")
    _, results = results_of(tmp_path / "out")
    assert sum(result.reason is KillReason.WALL_LIMIT for _, result in results) >= 2
    began = monotonic()
    assert verify_suites(tmp_path / "out", None, 0, 1)[1] == []
    assert monotonic() - began < 1000
