"""Failures that nobody reads are not laid out, and whoever reads them sees what pytest makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from _pytest.nodes import Node

from harness.pytest_suites.lazy_failure_text import Unread, is_plain
from harness.pytest_suites.outcomes import FAILED, OutcomePlugin


class Own(Exception):
    """An exception of a program under test."""


class Named(AssertionError):
    """An assertion error of a program under test."""


def _behind_another() -> BaseException:
    try:
        try:
            raise Own
        except Own:
            raise AssertionError("second")  # noqa: B904
    except AssertionError as error:
        return error


def _missing(holder: object) -> BaseException:
    try:
        holder.absent  # type: ignore[attr-defined]  # noqa: B018
    except AttributeError as error:
        return error
    raise AssertionError


def _noted() -> BaseException:
    error = KeyError("key")
    error.add_note("note")
    return error


@pytest.mark.parametrize(
    "error", [AssertionError("no"), AssertionError(), KeyError(3), ValueError(None), _missing(None)]
)
def test_errors_of_the_interpreter_with_plain_arguments_are_plain(error: BaseException) -> None:
    assert is_plain(error)


@pytest.mark.parametrize(
    "error",
    [Own(), Named(), KeyError(object()), RecursionError(), MemoryError(), _behind_another(), _missing(Own()), _noted()],
)
def test_errors_of_which_telling_may_execute_the_program_are_not(error: BaseException) -> None:
    assert not is_plain(error)


class LaidOut:
    lines = 3

    def __str__(self) -> str:
        return "laid out"


def test_it_is_laid_out_once_where_it_is_read() -> None:
    layouts: list[LaidOut] = []

    def make() -> LaidOut:
        layouts.append(LaidOut())
        return layouts[-1]

    unread = Unread(make)
    assert not layouts
    assert (unread.lines, str(unread)) == (3, "laid out")
    unread.forget()
    assert str(unread) == "laid out"
    assert len(layouts) == 1


def test_behind_its_test_it_is_empty() -> None:
    unread = Unread(LaidOut)
    unread.forget()
    assert str(unread) == ""


TESTS = """
def test_fails():
    assert [1] == [2]
"""


@pytest.mark.end_to_end
@pytest.mark.parametrize("reads", [True, False])
def test_pytest_lays_out_what_a_plug_in_reads_alone(
    reads: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run a session of pytest in this process, under the plug-in that notes outcomes."""
    outcomes = OutcomePlugin()
    reports: list[str] = []
    laid_out: list[str] = []
    plain = Node._repr_failure_py

    class Reader:
        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.failed and reads:
                reports.append(report.longreprtext)

        def pytest_runtest_logfinish(self) -> None:
            outcomes.end()  # as whoever runs tests one by one does; the summary comes later

    def noted(node: Node, *arguments: object, **named: object) -> object:
        laid_out.append(node.name)
        return plain(node, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Node, "_repr_failure_py", noted)
    (tmp_path / "test_one_that_fails.py").write_text(TESTS, encoding="utf-8")
    options = [
        "-q",
        "--tb=no",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--import-mode=importlib",
        "--rootdir",
        str(tmp_path),
    ]
    pytest.main([*options, str(tmp_path)], plugins=[outcomes, Reader()])
    assert outcomes.outcome == FAILED
    assert len(laid_out) == reads
    assert ["assert [1] == [2]" in text for text in reports] == [True] * reads
