"""A session of pytest, up to where tests would be run."""

from __future__ import annotations

from types import SimpleNamespace

from harness.kernel.program.loader import ModuleText, plainly
from harness.pytest_suites.importing import TargetFinder
from harness.pytest_suites.session import Session


def test_no_failure_is_told_with_sources_that_are_parsed_for_it(tmp_path, monkeypatch):
    text = ModuleText("till_of_text", "", str(tmp_path / "till_of_text.py"))
    session = Session(TargetFinder(text, plainly(text), {}), (), tmp_path, ())
    seen = []
    monkeypatch.setattr(session, "_work", lambda of_pytest: seen.append(of_pytest.config.option.tbstyle))
    option = SimpleNamespace(tbstyle="auto")
    session.pytest_runtestloop(SimpleNamespace(items=["test"], config=SimpleNamespace(option=option)))
    assert seen == ["value"]
