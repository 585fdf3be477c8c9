"""A pytest plugin: the CPU seconds of each test with all processes that it started and waited for."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import PurePosixPath

import pytest

KEY = pytest.StashKey[float]()
SHOWN = 30


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two options of this plugin."""
    group = parser.getgroup("CPU seconds")
    group.addoption("--cpu-seconds", action="store_true", help=f"print the {SHOWN} slowest tests and the time by folder")
    group.addoption("--cpu-limit", type=float, metavar="SECONDS", help="fail where a test takes more CPU seconds")
    group.addoption("--cpu-file", metavar="FILE", help="write each test's CPU seconds to a CSV file")


def pytest_configure(config: pytest.Config) -> None:
    """Collect seconds where tests are reported: in the controller of pytest-xdist, or in the only process."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(CpuSeconds(config), "cpu seconds of the session")


def spent() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logstart() -> None:
    """Nothing is known before the first phase."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item):  # noqa: ANN201
    """Note the seconds before a test's set-up."""
    item.stash[KEY] = spent()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):  # noqa: ANN201
    """Put the seconds since the set-up began into the report of the tear-down, the last one."""
    report = yield
    if call.when == "teardown":
        report.user_properties.append(("cpu_seconds", spent() - item.stash[KEY]))
    return report


class CpuSeconds:
    """The seconds of a session, and what is said of them at its end."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.seconds: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what the report of a tear-down says."""
        for name, value in report.user_properties:
            if name == "cpu_seconds" and report.when == "teardown":
                self.seconds[report.nodeid] = value

    def pytest_sessionfinish(self) -> None:
        name = self.config.getoption("--cpu-file")
        if name:
            with open(name, "w", encoding="utf-8") as file:
                for test, value in sorted(self.seconds.items(), key=lambda row: -row[1]):
                    file.write(f"{value:.2f}\t{test}\n")
