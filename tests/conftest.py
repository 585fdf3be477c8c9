"""What every test starts from."""

from __future__ import annotations

import compileall
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["support.affected", "support.cpu_seconds", "support.order", "support.sampling"]

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


def pytest_configure(config: pytest.Config) -> None:
    """Let SIGHUP end tests, and compile what sandboxed processes import.

    A test run under nohup ignores SIGHUP, and so would all that it starts. Sandboxed processes write no bytecode, so
    each of them would compile again what no other process imports.
    """
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(Path(__file__).parents[1] / "harness", quiet=2)
