"""What every test starts from."""

from __future__ import annotations

import signal

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

LONGEST_FIRST = (
    "tests/e2e/test_audit.py",
    "tests/containment/test_hostile.py",
    "tests/e2e/test_determinism.py",
    "tests/e2e/test_interruption.py",
    "tests/docs/test_documents.py",
    "tests/checking/test_properties_against_mutants.py",
    "tests/e2e/test_wheel.py",
    "tests/runner/test_execution.py",
    "tests/runner/test_trial.py",
)
"""Files with tests that take longest: they begin first, so that no worker is left alone with one at the end."""


def pytest_configure() -> None:
    """A test run under nohup ignores SIGHUP, and so would all that it starts."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the files of LONGEST_FIRST first; all else stays in its order."""
    places = {name: number for number, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: places.get(item.nodeid.partition("::")[0], len(places)))
