"""A pytest plugin that measures the CPU seconds of each test and of the processes that it started and waited for."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
from collections import Counter
from collections.abc import Generator
from pathlib import PurePosixPath

import pytest

MOST_ROWS = 30
PROPERTY = "cpu_seconds"
UNBOUNDED = {"document", "end_to_end", "slow", "sweep"}
"""Marks of tests that may take longer than the limit."""
_BEGIN = pytest.StashKey[float]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of this plugin."""
    group = parser.getgroup("CPU seconds")
    group.addoption("--cpu-seconds", action="store_true", help="print the slowest tests and the time by folder")
    group.addoption(
        "--cpu-limit",
        type=float,
        metavar="SECONDS",
        help="fail if a test takes longer that has no mark of expensive ones",
    )
    group.addoption("--cpu-file", metavar="FILE", help="write the CPU seconds of each test, a tab and its name to FILE")


def pytest_configure(config: pytest.Config) -> None:
    """Collect the seconds in the process that prints the report, not in the workers of pytest-xdist."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(CpuSeconds(config), "CPU seconds of the session")


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its ended children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Start the count of a test before its set-up, and do not charge it for processes of earlier tests."""
    subprocess._cleanup()  # type: ignore[attr-defined]
    multiprocessing.active_children()
    item.stash[_BEGIN] = cpu_seconds()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest) -> Generator[None]:
    """Count the set-up of a fixture that tests share by itself, not for the test that happens to ask first."""
    begin = cpu_seconds()
    try:
        return (yield)
    finally:
        if fixturedef.scope != "function":
            spent = cpu_seconds() - begin
            request._pyfuncitem.stash[_BEGIN] += spent
            request._pyfuncitem.user_properties.append(
                (PROPERTY, (f"{fixturedef.baseid or 'pytest'}, {fixturedef.argname}", spent))
            )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Put the count into the report of the tear-down, which is the last one of a test."""
    report = yield
    if report.when == "teardown":
        report.user_properties.append((PROPERTY, (item.nodeid, cpu_seconds() - item.stash[_BEGIN])))
    return report


class CpuSeconds:
    """The CPU seconds of all tests of a session, by name."""

    def __init__(self, config: pytest.Config) -> None:
        self._limit: float | None = config.getoption("--cpu-limit")
        self._is_asked_for: bool = config.getoption("--cpu-seconds")
        self._file: str | None = config.getoption("--cpu-file")
        self._seconds: Counter[str] = Counter()
        self._too_slow: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the count of a test, and of the fixtures that were set up for it and others."""
        if report.when != "teardown":
            return
        for name, value in report.user_properties:
            if name == PROPERTY:
                counted, seconds = value
                self._seconds[counted] += seconds
        if (
            self._limit is not None
            and self._seconds[report.nodeid] > self._limit
            and not UNBOUNDED & {*report.keywords}
        ):
            self._too_slow.append(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write the file, and fail the session if a test took too long."""
        if self._file:
            with open(self._file, "w", encoding="utf-8") as file:
                file.writelines(f"{value:.2f}\t{name}\n" for name, value in self._seconds.most_common())
        if self._too_slow and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the slowest tests, the time by folder, and the tests that took too long."""
        if self._is_asked_for:
            terminalreporter.section(f"{MOST_ROWS} slowest tests, in CPU seconds")
            for name, value in self._seconds.most_common(MOST_ROWS):
                terminalreporter.line(f"{value:9.2f}  {name}")
            terminalreporter.section("CPU seconds by folder")
            for folder, value in self._by_folder().most_common():
                terminalreporter.line(f"{value:9.2f}  {folder}")
            terminalreporter.line(f"{self._seconds.total():9.2f}  in all")
        for name in sorted(self._too_slow):
            terminalreporter.line(
                f"{name} took {self._seconds[name]:.1f} CPU seconds. A test without a mark may take "
                f"{self._limit:g}. Make it cheaper, or mark it.",
                red=True,
            )

    def _by_folder(self) -> Counter[str]:
        folders: Counter[str] = Counter()
        for name, value in self._seconds.items():
            folders[str(PurePosixPath(name.partition("::")[0]).parent)] += value
        return folders
