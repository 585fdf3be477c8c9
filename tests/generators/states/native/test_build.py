"""Compilers fail in several ways: the reference engine makes the suite, and the user is told."""

import os
import platform

import pytest
from support.compiled_samples import by_reference, finitization, predicate

from harness.generators.states.engine import StateSearch, Workshop
from harness.generators.states.native import build
from harness.generators.states.native.untranslatable import NoCompiler
from harness.generators.states.translated.search import Pace
from harness.kernel.inputs.state_space import StateSpace

GOOD = "return root.size != 1 and (root.head is None or root.head.value > root.size)"
ONE = "int one(void) { return 1; }"
VERSION = 'if [ "$1" = --version ]; then echo made up 1.0; exit 0; fi'
OUTPUT = 'while [ "$1" != -o ]; do shift; done; out=$2'
LIBRARY = 'echo "int one(void) { return 1; }" > own.c; /usr/bin/cc -shared -fPIC -o "$out" own.c'


@pytest.fixture
def compiler(tmp_path, monkeypatch):
    """Puts a compiler of these lines of shell on the path."""

    def install(*lines: str) -> None:
        path = tmp_path / "bin" / "cc"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(["#!/bin/sh", *lines]) + "\n")
        path.chmod(0o755)
        build.compiler.cache_clear()

    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    yield install
    build.compiler.cache_clear()


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([VERSION, r"printf 'first\nan error \n' >&2; exit 1"], "fails: an error"),
        ([VERSION, "exit 3"], "fails: exit status 3"),
        ([VERSION, "exec sleep 100"], "does not run to its end"),
        ([VERSION, "exit 0"], "makes no library"),
        ([VERSION, OUTPUT, ': > "$out"'], "a library that cannot be used"),
        ([VERSION, OUTPUT, LIBRARY], "a library that cannot be used"),
    ],
)
def test_whatever_a_compiler_does_the_reference_engine_makes_the_suite_and_it_is_told(
    lines, says, compiler, monkeypatch, tmp_path
):
    monkeypatch.setattr(build, "COMPILE_SECONDS", 1)
    compiler(*lines)
    code, notices = predicate(GOOD), []
    space = StateSpace(finitization())
    search = StateSearch(space, code, code.rep_ok, Workshop(tmp_path / "made", notices.append, pace=Pace(2)))
    assert tuple(search) == by_reference(code, space).vectors
    (notice,) = notices
    assert says in notice


def test_a_compiler_that_cannot_be_executed_is_no_compiler(compiler, tmp_path):
    compiler("exit 0")
    (tmp_path / "bin" / "cc").write_bytes(b"\x7fELF is what it begins with")
    with pytest.raises(NoCompiler, match="does not run to its end"):
        build.shared_object(ONE, tmp_path)


def test_shared_objects_are_kept_by_source(tmp_path):
    first = build.shared_object(ONE, tmp_path)
    first_time = first.stat().st_mtime_ns
    assert build.shared_object(ONE, tmp_path) == first
    assert first.stat().st_mtime_ns == first_time
    assert build.shared_object("int one(void) { return 2; }", tmp_path) != first
    assert {entry.suffix for entry in tmp_path.iterdir()} == {".so"}


def test_a_library_of_another_machine_is_not_taken_for_ours(tmp_path, monkeypatch):
    ours = build.shared_object(ONE, tmp_path)
    monkeypatch.setattr(platform, "machine", lambda: "pdp11")
    assert build.shared_object(ONE, tmp_path) != ours
