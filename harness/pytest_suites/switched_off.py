"""Keeps plug-ins from starting processes, measuring, shuffling, reporting and prompting, and Hypothesis from drawing
other values each time, whatever is configured.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

_OFF: dict[str, object] = {
    # Nobody answers a debugger, and nobody waits for what is only shown.
    "usepdb": False,
    "trace": False,
    "collectonly": False,
    "setuponly": False,
    "setupplan": False,
    "maxfail": 0,
    # Reports.
    "xmlpath": None,
    "log_file": os.devnull,
    "pastebin": None,
    "htmlpath": None,
    "json_report": False,
    "report_log": None,
    "allure_report_dir": None,
    # Processes, measurements, and a choice of tests by what git says.
    "numprocesses": None,
    "dist": "no",
    "tx": [],
    "no_cov": True,
    "benchmark_disable": True,
    "benchmark_enable": False,
    "benchmark_only": False,
    "benchmark_skip": False,
    "picked": None,
    # Tests run alone, and again at once.
    "ignore_unknown_dependency": True,
    "reruns_delay": 0.0,
}
"""The values of options, by their names in `config.option`, with which pytest and its plug-ins do none of this."""
_SETTINGS = {"faulthandler": ("faulthandler_timeout", "faulthandler_exit_on_timeout"), "cacheprovider": ("cache_dir",)}


class SwitchedOff:
    """A plug-in that switches off parts of others. Their fixtures, marks and options stay."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_load_initial_conftests(
        self, early_config: pytest.Config, parser: pytest.Parser
    ) -> Generator[None, None, None]:
        """Act before pytest-cov starts. All plug-ins are loaded now, and no unknown option is refused yet."""
        manager = early_config.pluginmanager
        for plugin, settings in _SETTINGS.items():
            for setting in () if manager.hasplugin(plugin) else settings:
                parser.addini(setting, "of a plug-in that is switched off")
        early_config.known_args_namespace.cov_source = []
        if manager.hasplugin("randomly"):
            manager.unregister(name="randomly")
        reruns = manager.get_plugin("rerunfailures")
        if reruns is not None:
            reruns.HAS_PYTEST_HANDLECRASHITEM = False  # else it counts by a socket
        return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Set the options before any plug-in heeds them."""
        for name, value in _OFF.items():
            if hasattr(config.option, name):
                setattr(config.option, name, value)


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
