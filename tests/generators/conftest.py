"""Compiles without optimisation: the tests' many small predicates are searched for moments only."""

from __future__ import annotations

import pytest

from harness.generators.compiled import build


@pytest.fixture(autouse=True, scope="session")
def _compile_quickly():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "FLAGS", tuple(flag for flag in build.FLAGS if not flag.startswith("-O")))
        yield
