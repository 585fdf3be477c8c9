"""The outcome of each test: passed, skipped or failed, and the reason of a failure."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import pytest

from harness.kernel.program.loader import StepLimit
from harness.model.outcome import KillReason
from harness.pytest_suites import reports

PASSED, FAILED, SKIPPED, XFAILED = "passed", "failed", "skipped", "xfailed"
"""XFAILED is a test that calls `pytest.xfail`; one that fails as its mark expects has PASSED."""

_MOST_WORDS = 200
"""Characters of what a failing test raised."""

_ASSERTING = ("Failed", "DoctestFailure", "MultipleDoctestFailures")
"""Names of exceptions, besides AssertionError, by which a test says that something is not as it should be."""


@dataclass(frozen=True)
class TestFailure:
    """The reason why a test failed, with deterministic words about it."""

    reason: KillReason
    detail: str


SKIPPED_TEST = TestFailure(KillReason.SKIPPED, reports.SKIPPED)
XFAILED_TEST = TestFailure(KillReason.SKIPPED, reports.XFAILED)
MISSING_TEST = TestFailure(KillReason.SKIPPED, reports.MISSING)
"""The failures of tests that pass on the original, but are skipped, xfail or are missing with a mutant."""


def failure_of(error: BaseException | None, when: str) -> TestFailure:
    """Return the failure by an exception in the phase `when` of a test; `error` is None if pytest itself made it fail.

    An AssertionError that the program raises is an assertion, too: it cannot be distinguished from one of the test.
    """
    where = "" if when == "call" else f"in {when}: "
    if error is None:
        return TestFailure(KillReason.ASSERTION, f"{where}failed")
    name = type(error).__name__
    if isinstance(error, StepLimit):
        return TestFailure(KillReason.STEP_LIMIT, f"{where}step limit")
    if isinstance(error, MemoryError):
        return TestFailure(KillReason.MEMORY_LIMIT, f"{where}MemoryError")
    if isinstance(error, AssertionError) or name in _ASSERTING:
        return TestFailure(KillReason.ASSERTION, f"{where}{name}")
    inner = getattr(error, "exc_info", None)  # of an exception in a doctest
    if isinstance(inner, tuple) and len(inner) == 3 and isinstance(inner[1], BaseException):
        return failure_of(inner[1], when)
    return TestFailure(KillReason.EXCEPTION, f"{where}{name}")


def is_xfailed(report: pytest.TestReport, call: pytest.CallInfo[Any]) -> bool:
    """Return True if a test was stopped by `pytest.xfail`, and does not fail as its mark expects."""
    called = call.excinfo is not None and isinstance(call.excinfo.value, pytest.xfail.Exception)
    return called and report.skipped and hasattr(report, "wasxfail")


def words_of(error: BaseException) -> str:
    """Return the first line of an error as pytest shows it, cut if it is long. Executes code of the exception."""
    try:
        lines = str(error).strip().splitlines()
    except Exception:
        lines = []
    words = f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
    return words if len(words) <= _MOST_WORDS else f"{words[: _MOST_WORDS - 3]}..."


class OutcomePlugin:
    """A plug-in that notes the outcome of each test, as all other plug-ins leave it."""

    def __init__(self) -> None:
        self.outcome = ""
        self.failure: TestFailure | None = None
        self.error: BaseException | None = None
        """The exception that made the test fail, until it has ended; None if pytest itself made it fail."""

    def begin(self) -> None:
        """Forget the outcome of the last test, as another one begins."""
        self.outcome, self.failure, self.error = "", None, None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[Any]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Record a test's outcome as the outermost wrapper: plug-ins that expect failures change the report before.

        Of a test that a plug-in runs again, the last run counts.
        """
        if call.when == "setup":
            self.begin()
        report = yield
        if report.failed and self.failure is None:
            self.error = call.excinfo.value if call.excinfo else None
            self.failure = failure_of(self.error, call.when)
        if report.failed:
            self.outcome = FAILED
        elif report.skipped and self.outcome != FAILED:
            self.outcome = XFAILED if is_xfailed(report, call) else PASSED if hasattr(report, "wasxfail") else SKIPPED
        elif report.when == "call" and self.outcome != FAILED:
            self.outcome = PASSED  # whatever subtests were skipped
        return report
