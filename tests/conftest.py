"""What every test starts from."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """A test run under nohup ignores SIGHUP, and so would all that it starts."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
