"""Warming leaves nothing behind that tests or plug-ins see."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from harness.pytest_suites.warming import warm

TESTS = """
import pytest

@pytest.fixture(autouse=True, scope="session")
def shared():
    raise RuntimeError("nobody asks for it")

def test_first(): pass
def test_second(): pass
"""


class Watching:
    """Warms instead of the tests, and notes the calls of other plug-ins."""

    def __init__(self) -> None:
        self.node_ids: list[str] = []

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self.node_ids.append(item.name)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.node_ids.append(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        before = os.environ.get("PYTEST_CURRENT_TEST")
        warm(session)
        self.failed = session.testsfailed
        self.stack = list(session._setupstate.stack)
        self.forgot = not hasattr(sys, "last_value")
        self.located = ["location" in vars(item) for item in session.items]
        if before is not None:
            os.environ["PYTEST_CURRENT_TEST"] = before
        return True


@pytest.mark.end_to_end
def test_no_fixture_and_no_plug_in_hears_of_it_and_tests_are_located(tmp_path: Path) -> None:
    (tmp_path / "test_two_that_pass.py").write_text(TESTS, encoding="utf-8")
    watching = Watching()
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--import-mode=importlib", "--rootdir", str(tmp_path)]
    pytest.main([*options, str(tmp_path)], plugins=[watching])
    assert watching.node_ids == []
    assert (watching.failed, watching.stack, watching.forgot) == (0, [], True)
    assert watching.located == [True, True]


@pytest.mark.end_to_end
def test_no_failure_is_laid_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[object] = []
    monkeypatch.setattr(pytest.Item, "repr_failure", lambda item, excinfo: laid_out.append(item) or "")
    (tmp_path / "test_one.py").write_text("def test_first(): pass\n", encoding="utf-8")
    watching = Watching()
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--import-mode=importlib", "--rootdir", str(tmp_path)]
    pytest.main([*options, str(tmp_path)], plugins=[watching])
    assert watching.located == [True]
    assert laid_out == []
