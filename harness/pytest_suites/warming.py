"""Warms a process before it is forked: executes once the code of pytest that runs around each test."""

from __future__ import annotations

from typing import Any

import pytest

_OWN = ("runner", "capturemanager", "logging-plugin", "warnings", "unraisableexception", "threadexception", "skipping")
"""Pytest's own plug-ins whose hooks leave no state; plug-ins that count, report or store tests are not among them."""
_ROUNDS = 12
"""The number of calls after which Python has optimized code: otherwise each child would do it again, in its own memory.
"""


def warm(session: pytest.Session) -> None:
    """Run tests that do not belong to the suite, under pytest's hooks alone, and compute the location of each test."""
    hooks = _Hooks(session.config.pluginmanager)
    for _ in range(_ROUNDS):
        for kind in (_Failing, _Passing):  # after a passing test, pytest forgets the last failure
            item: Any = kind.from_parent(session, name="warming")
            item.hooks = hooks
            hooks.pytest_runtest_protocol(item=item, nextitem=None)
    for item in session.items:
        item.location  # noqa: B018 - pytest keeps it


class _Passing(pytest.Item):
    hooks: _Hooks

    @property
    def ihook(self) -> Any:
        """The hooks that are called of this test."""
        return self.hooks

    def runtest(self) -> None:
        """Pass."""


class _Failing(_Passing):
    def runtest(self) -> None:
        """Fails."""
        raise AssertionError

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        """Return no text, as failures are not read here: pytest would parse whole files for it."""
        return ""


class _Hooks:
    """Hooks of a session, of which only some plug-ins are called."""

    def __init__(self, manager: pytest.PytestPluginManager) -> None:
        self._manager = manager
        kept_plugins = {id(manager.get_plugin(name)) for name in _OWN}
        self._plugins = [plugin for plugin in manager.get_plugins() if id(plugin) not in kept_plugins]

    def __getattr__(self, name: str) -> Any:
        hook = self._manager.subset_hook_caller(name, self._plugins)
        setattr(self, name, hook)
        return hook
