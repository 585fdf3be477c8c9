"""Every bad use is answered by one line that says what happened, where, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from bad_uses import BAD_USES, BadUse, wrong

from harness.cli import main

pytestmark = pytest.mark.end_to_end


@pytest.mark.parametrize(
    "use",
    [pytest.param(use, id=use.name, marks=[pytest.mark.slow] if use.slow else []) for use in BAD_USES],
)
def test_a_bad_use_is_answered_in_one_line(
    use: BadUse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    use.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    for name, value in use.environment.items():
        monkeypatch.setenv(name, value)
    status = main(use.arguments)
    assert wrong(use, status, *capfd.readouterr()) is None
