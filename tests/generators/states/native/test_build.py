"""Compilers fail in several ways, and shared objects get damaged: another engine takes over, and nothing hangs."""

import os
import platform
import time
from pathlib import Path

import pytest
from support.compiled_samples import by_reference, finitization, predicate

from harness.generators.states.engine import StateSearch, Workshop
from harness.generators.states.native import build, command
from harness.generators.states.native.untranslatable import NoCompiler
from harness.generators.states.pace import Pace
from harness.generators.states.translated.search import load_library
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.process.trees import OWN_FOLDER_PREFIX

GOOD = "return root.size != 1 and (root.head is None or root.head.value > root.size)"
ONE = "int one(void) { return 1; }"
VERSION = 'if [ "$1" = --version ]; then echo made up 1.0; exit 0; fi'
OUTPUT = 'while [ "$1" != -o ]; do shift; done; out=$2'
LIBRARY = 'echo "int one(void) { return 1; }" > own.c; /usr/bin/cc -shared -fPIC -o "$out" own.c'


SLEEP = f"sleep 4711{os.getpid()}"
"""A command that does not end. Tests that run at the same time, in other processes, have another one."""


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


@pytest.fixture
def hurried(monkeypatch):
    """Compilers have a second."""
    monkeypatch.setattr(build, "VERSION_SECONDS", 1.0)
    monkeypatch.setattr(build, "COMPILE_SECONDS", 1.0)


def running(word: str) -> list[str]:
    """Command lines of the processes that live and have this word in theirs."""
    command_lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command_lines.append(path.read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return [line for line in command_lines if word in line]


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([SLEEP], "did not end within 1 s"),
        ([VERSION, SLEEP], "did not end within 1 s"),
        ([VERSION, f"exec >&- 2>&-; {SLEEP}"], "did not end within 1 s"),
        ([VERSION, f"{SLEEP} & {SLEEP} & wait"], "did not end within 1 s"),
        (["while :; do :; done"], "did not end within 1 s"),
        (["yes"], "did not end within 1 s"),
        ([VERSION, r"printf '\377\376\033[2J\000 error \n' >&2; exit 1"], "\ufffd\ufffd?[2J? error"),
        ([r"printf '\377\376'; exit 1"], "--version fails: \ufffd\ufffd;"),
        ([VERSION, "head -c 100000000 /dev/zero; exit 1"], "rejects the translation: ???"),
        ([VERSION, "exit 3"], "rejects the translation: no message, exit status 3"),
        ([VERSION, "exit 0"], "makes no library that can be loaded"),
        ([VERSION, OUTPUT, ': > "$out"'], "makes no library that can be loaded"),
        ([VERSION, OUTPUT, 'head -c 5000 /dev/urandom > "$out"'], "makes no library that can be loaded"),
        ([VERSION, OUTPUT, LIBRARY, 'truncate -s 300 "$out"'], "makes no library that can be loaded"),
        ([VERSION, OUTPUT, 'mkdir "$out"'], "makes no library that can be loaded"),
        ([VERSION, OUTPUT, LIBRARY], "a library that cannot be used"),
    ],
)
def test_whatever_a_compiler_does_the_reference_engine_makes_the_suite_and_it_is_told(
    lines, says, compiler, hurried, tmp_path
):
    compiler(*lines)
    code, notices = predicate(GOOD), []
    space = StateSpace(finitization())
    search = StateSearch(space, code, code.rep_ok, Workshop(tmp_path / "made", notices.append, pace=Pace(2)))
    assert tuple(search) == by_reference(code, space).vectors
    (notice,) = notices
    assert says in notice
    assert notice.isprintable()
    assert running(SLEEP) == []


def test_a_compiler_that_is_asked_for_its_version_keeps_files_where_the_next_run_finds_those_of_a_killed_one(compiler):
    compiler('echo "$ZIG_LOCAL_CACHE_DIR"')
    folder = Path(build.compiler()[1].strip())
    assert folder.name.startswith(OWN_FOLDER_PREFIX)
    assert not folder.exists()


def test_a_compiler_that_cannot_be_executed_is_no_compiler(compiler, tmp_path):
    compiler("exit 0")
    (tmp_path / "bin" / "cc").write_bytes(b"\x7fELF is what it begins with")
    with pytest.raises(NoCompiler, match="cannot be started"):
        build.shared_object(ONE, tmp_path)


def test_the_processor_time_of_a_compiler_is_limited_as_well(tmp_path):
    before = time.process_time()
    result = command.run_bounded(["/bin/sh", "-c", "ulimit -t"], 7.0)
    assert result.output.strip() == "8"
    assert time.process_time() - before < 7


def test_shared_objects_are_kept_by_content(tmp_path):
    first = build.shared_object(ONE, tmp_path)
    first_time = first.stat().st_mtime_ns
    assert build.shared_object(ONE, tmp_path) == first
    assert first.stat().st_mtime_ns == first_time
    assert build.shared_object("int one(void) { return 2; }", tmp_path) != first


@pytest.mark.parametrize("damaged", [b"", b"\x7fELF", b"garbage" * 999, None])
def test_a_kept_library_that_is_not_what_was_made_is_made_anew_before_anybody_loads_it(damaged, tmp_path):
    path = build.shared_object(ONE, tmp_path)
    good = path.read_bytes()
    path.write_bytes(good[: len(good) // 2] if damaged is None else damaged)
    again = build.shared_object(ONE, tmp_path)
    assert again.read_bytes() == good
    assert [entry.name for entry in tmp_path.iterdir()] == [again.name]


def test_a_library_of_another_machine_is_not_taken_for_ours(tmp_path, monkeypatch):
    ours = build.shared_object(ONE, tmp_path)
    monkeypatch.setattr(platform, "machine", lambda: "pdp11")
    assert build.shared_object(ONE, tmp_path) != ours


def test_a_library_without_the_functions_is_no_compiler(tmp_path):
    with pytest.raises(NoCompiler, match="cannot be used"):
        load_library(build.shared_object(ONE, tmp_path))


def test_text_that_does_not_compile_and_folders_that_cannot_be_written_are_no_compiler(tmp_path):
    with pytest.raises(NoCompiler, match=r"rejects the translation: .*error"):
        build.shared_object("int one(void) { return", tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(NoCompiler, match="cannot be kept there"):
        build.shared_object("int one(void) { return 1; }", tmp_path / "file" / "below")
