"""Compiles without optimisation, as searches take moments only; engines that disagree fail the test that sees it."""

from __future__ import annotations

import pytest

from harness.generators.states import engine
from harness.generators.states.native import build
from harness.generators.states.native.untranslatable import Disagreement


@pytest.fixture(autouse=True, scope="session")
def _compile_quickly():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "FLAGS", tuple(flag for flag in build.FLAGS if not flag.startswith("-O")))
        yield


@pytest.fixture(autouse=True)
def _engines_agree(monkeypatch):
    """A disagreement is not handed on to the next engine."""
    monkeypatch.setattr(engine, "HANDED_ON", tuple(cls for cls in engine.HANDED_ON if cls is not Disagreement))
