"""Keeps plug-ins from starting processes, measuring, shuffling and prompting, even if a configuration says so."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata

import pytest

_SWITCHES = {
    "xdist": ("--numprocesses=0",),
    "pytest_cov": ("--no-cov",),
    "pytest_randomly": ("-p", "no:randomly"),
}
"""The options that switch off a plug-in, by its module. This harness itself starts processes, records reach and
shuffles.
"""
_OPTIONS = {
    "xdist": {"--numprocesses": "store"},
    "pytest_cov": {"--no-cov": "store_true"},
    "randomly": {
        "--randomly-seed": "store",
        "--randomly-dont-reset-seed": "store_true",
        "--randomly-dont-reorganize": "store_true",
    },
}
_SETTINGS = {"faulthandler": ("faulthandler_timeout", "faulthandler_exit_on_timeout"), "cacheprovider": ("cache_dir",)}
_HELP = "of a plug-in that is switched off"


def switches() -> Iterator[str]:
    """Yield options for pytest that switch off those of these plug-ins that are installed."""
    installed = {entry.module.partition(".")[0] for entry in metadata.entry_points(group="pytest11")}
    for name, options in _SWITCHES.items():
        if name in installed:
            yield from options


class SwitchedOff:
    """A plug-in that knows the options of plug-ins that are not there, by our doing or the user's, and heeds none."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self, early_config: pytest.Config, parser: pytest.Parser) -> None:
        """Add the options of missing plug-ins: all plug-ins are loaded now, and no unknown option is refused yet."""
        manager = early_config.pluginmanager
        for plugin, options in _OPTIONS.items():
            for option, action in () if manager.hasplugin(plugin) else options.items():
                parser.addoption(option, action=action, help=_HELP)
        for plugin, settings in _SETTINGS.items():
            for setting in () if manager.hasplugin(plugin) else settings:
                parser.addini(setting, _HELP)

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Switch off --pdb and --trace: a sandbox has no user for a debugger."""
        config.option.usepdb = config.option.trace = False
