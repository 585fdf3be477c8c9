"""Makes tests by Hypothesis deterministic: drawn with one seed, with no clock, and no database of earlier runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

PROFILE = "mutascope"
_SEED = 0
_NAME = b"hypothesis"


class SteadyHypothesis:
    """A plug-in that changes the default settings of Hypothesis, once, before a file is collected that names it.

    The user's own profile stays except for the deadline, the check that drawing is not too slow, and the database.
    Settings that a test makes by `@settings` stay, and so does a seed that the user gives.
    """

    def __init__(self) -> None:
        self._done = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        """Change the settings before a file is imported that may use Hypothesis."""
        if not self._done and isinstance(collector, pytest.File) and _may_use(collector.path):
            self._done = True
            _settle()


def _may_use(path: Path) -> bool:
    try:
        return _NAME.decode() in sys.modules or _NAME in path.read_bytes()
    except OSError:
        return False  # pytest says so


def _settle() -> None:
    try:
        from hypothesis import HealthCheck, core, settings
    except ImportError:
        return  # the file says so, if it needs it
    default = settings()
    suppressed = [*default.suppress_health_check, HealthCheck.too_slow]
    settings.register_profile(PROFILE, default, deadline=None, database=None, suppress_health_check=suppressed)
    settings.load_profile(PROFILE)
    if core.global_force_seed is None:
        core.global_force_seed = _SEED  # type: ignore[assignment]
