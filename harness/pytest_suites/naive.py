"""The second implementation for `verify`: pytest itself, in a new process, on a project copy with the mutated file."""

from __future__ import annotations

import importlib.util
import os
import random
import sys
from collections.abc import Collection, Generator, Sequence
from typing import Any, NoReturn

import pytest

from harness.codec.codec import codec_of
from harness.kernel.process.talk import FactWriter
from harness.pytest_suites.importing import hide_tool
from harness.pytest_suites.job import PlainRequest
from harness.pytest_suites.outcomes import failure_of, is_xfailed
from harness.pytest_suites.reports import PlainRun
from harness.pytest_suites.session import LeftOut
from harness.pytest_suites.switched_off import SteadyHypothesis, SwitchedOff


class _Failing:
    """Leaves tests out by their whole node ids, and notes how others end that do not pass, as pytest reports it."""

    def __init__(self, excluded: Collection[str], tests: Sequence[str]) -> None:
        self._excluded = frozenset(excluded)
        self.missing = list(tests)
        self.xfailed: list[str] = []
        self.nodes: list[str] = []
        self.skipped: list[str] = []
        self.status: int | None = None
        """The exit status before the end of the session, whose hooks are not judged."""
        self.failures: dict[str, tuple[str, str]] = {}
        """The first failure of each failing test in its last run: the reason and the words of a run."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid not in self._excluded]
        there = {item.nodeid for item in items}
        self.missing = [node for node in self.missing if node not in there]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[Any]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        if call.when == "setup":  # perhaps for another time
            self.failures.pop(item.nodeid, None)
        report = yield
        if report.failed and report.nodeid not in self.failures:
            failure = failure_of(call.excinfo.value if call.excinfo else None, call.when)
            self.failures[report.nodeid] = (failure.reason.value, failure.detail)
        if is_xfailed(report, call):
            self.xfailed.append(report.nodeid)
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and report.nodeid not in self.nodes:
            self.nodes.append(report.nodeid)
        if report.skipped and not hasattr(report, "wasxfail"):
            self.skipped.append(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        self.status = int(exitstatus)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.skipped.append(report.nodeid)


def run_once(request: PlainRequest, teller: FactWriter) -> NoReturn:
    """Run pytest, report a PlainRun, and end the process with everything that the program has left running."""
    hide_tool()
    os.chdir(request.folder)
    sys.path[:0] = [request.folder, *request.roots]
    for name in request.blocked:
        sys.modules[name] = None  # type: ignore[assignment]
    if request.installed:
        _install_module(*request.installed)
    random.seed(request.seed)
    failing = _Failing(request.excluded, request.tests)
    plugins = [failing, LeftOut(request.excluded), SwitchedOff(), SteadyHypothesis()]
    try:
        status = int(pytest.main([*request.arguments], plugins=plugins))
    except BaseException:
        if failing.status is None:
            raise
    if failing.status is not None:
        status = failing.status
    run = PlainRun(
        status=status,
        failing=tuple(failing.nodes),
        failures=failing.failures,
        skipped=tuple(failing.skipped),
        xfailed=tuple(failing.xfailed),
        missing=tuple(failing.missing),
    )
    teller.write(codec_of(PlainRun).to_data(run))
    os._exit(0)


def _install_module(name: str, file: str) -> None:
    """Load an installed module from a file. Modules that pytest itself has imported before are not changed."""
    package = name.rpartition(".")[0]
    if package:
        importlib.import_module(package)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    if package:
        setattr(sys.modules[package], name.rpartition(".")[2], module)
