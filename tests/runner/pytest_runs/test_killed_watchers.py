"""A watcher of pytest that is killed twice confirms no verdict: it ends `verify` with an error."""

from __future__ import annotations

import os
import signal

import pytest
from support.own_project import own_project
from support.own_runs import run_on

from harness import api
from harness.errors import MutascopeError
from harness.sandbox.process import SandboxedProcess

CORE = "def more(value):\n    return value + 1\n"
TESTS = "from till.core import more\n\n\ndef test_more():\n    assert more(1) == 2\n"


@pytest.mark.end_to_end
def test_a_watcher_that_is_killed_twice_ends_verify_with_an_error(tmp_path, monkeypatch):
    run_on(own_project(tmp_path / "own", core=CORE, tests=TESTS), tmp_path / "out", original_runs=1)
    orchestrator, run_plainly = os.getpid(), SandboxedProcess.fact_of_running

    def killed_in_workers(process, seconds):
        if os.getpid() != orchestrator:
            os.kill(os.getpid(), signal.SIGKILL)
        return run_plainly(process, seconds)

    monkeypatch.setattr(SandboxedProcess, "fact_of_running", killed_in_workers)
    with pytest.raises(MutascopeError, match="the process that watches pytest was killed twice; run verify again"):
        api.verify(tmp_path / "out", sample=1, jobs=1)
