"""Compiles without optimisation, as searches take moments only."""

import os
import shutil

import pytest

from harness.generators.states.native import build


@pytest.fixture(autouse=True, scope="session")
def _compile_quickly(tmp_path_factory):
    """Puts a compiler on the path that calls the one of this machine with an option more."""
    compiler = tmp_path_factory.mktemp("quick") / "cc"
    compiler.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo quick\nexec {shutil.which("cc")} "$@" -O0\n')
    compiler.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        if shutil.which("cc"):
            patch.setenv("PATH", f"{compiler.parent}{os.pathsep}{os.environ['PATH']}")
        build.compiler.cache_clear()
        yield
    build.compiler.cache_clear()
