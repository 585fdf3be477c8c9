"""Fixtures and settings that every test starts from."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

pytest_plugins = ["support.sampling"]

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


def pytest_configure() -> None:
    """Let SIGHUP end tests and their child processes: a test run under nohup ignores that signal."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
