"""Signals, limits and environment variables: each command works, or ends with one line and leaves nothing behind."""

import os
import signal
import sys

import pytest
from command_line import Place, eventually

RUN = ("run", "--subject", "pile", "--scope", 2, "--jobs", 2)
COMMANDS = {
    "run": ("run", "--subject", "search_tree", "--scope", "4", "--jobs", 2, "--out", "run"),
    "generate": ("generate", "tree_map", "--scope", 11),
    "check": ("check", "search_tree", "--scope", 6),
    "verify": ("verify", "verified", "--jobs", 2),
    "suite": ("suite", "tree_map", "--scope", 11, "--export", "pytest"),
}
RESUMABLE = "; what was finished is kept, the same command goes on"


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_a_command_with_all_below_it_and_one_line(command, number, place):
    if command == "verify":
        place.succeed("run", "--subject", "search_tree", "--scope", 2, "--out", "verified")
    process = place.start(*COMMANDS[command])
    assert eventually(lambda: any("-m harness." in line for line in place.processes()), 60)
    process.send_signal(number)
    result = place.finish(process)
    by = "" if number is signal.SIGINT else f" by {number.name}"
    assert (result.status, result.out) == (128 + number, "")
    assert result.err == f"mutascope: interrupted{by}{RESUMABLE if command == 'run' else ''}\n"
    assert eventually(lambda: place.processes() == []), place.processes()
    assert list(place.temporary.iterdir()) == []


@pytest.mark.slow
def test_hangup_is_ignored_where_it_was(place):
    place.subject("pile")
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does for its child process
    try:
        process = place.start(*RUN)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert eventually(lambda: len(place.processes()) > 1, 60)
    process.send_signal(signal.SIGHUP)
    assert place.finish(process).status == 0


def limited(place: Place, limit: str, *arguments: object) -> tuple[int, str]:
    """Run a command below a limit of the shell, and return its status and its error output."""
    script = place.folder / "limited"
    script.write_text(f'#!/bin/sh\nulimit {limit}\nexec "{sys.executable}" "$@"\n')
    script.chmod(0o755)
    result = Place(place.folder, str(script)).run(*arguments)
    return result.status, result.err


@pytest.mark.slow
@pytest.mark.parametrize("limit", [10, 20, 24])
def test_few_open_files_are_enough_or_the_line_names_the_limit(limit, place):
    place.subject("pile")
    status, message = limited(place, f"-n {limit}", *RUN)
    if status:
        assert status == 2
        assert message.startswith(f"mutascope: too many open files (ulimit -n is {limit}); raise that limit"), message
        assert message.count("\n") == 1
        assert place.succeed(*RUN)


@pytest.mark.slow
def test_little_memory_is_told_with_its_limit(place):
    place.subject("pile")
    status, message = limited(place, "-v 60000", *RUN)
    assert status == 2
    assert message.startswith("mutascope: no memory left (ulimit -v is 60000); raise that limit"), message
    assert message.count("\n") == 1


@pytest.mark.slow
def test_relative_folders_in_the_environment_serve(place):
    place.subject("pile")
    (place.folder / "here").mkdir()
    for name in (".", "here"):
        place.succeed(*RUN, "--out", f"run in {name}", TMPDIR=name, MUTASCOPE_CACHE="", XDG_CACHE_HOME="here")
    assert [path.name for path in (place.folder / "here").iterdir()] == ["mutascope"]
    assert any((place.folder / "here" / "mutascope" / "suites").iterdir())


def test_who_has_no_home_is_told_to_set_the_cache(place, tmp_path):
    place.subject("pile")
    nobody = "import os; os.environ.pop('HOME', None); import pwd\n"
    nobody += "def nobody(number): raise KeyError(number)\npwd.getpwuid = nobody\n"
    (tmp_path / "sitecustomize.py").write_text(nobody)
    message = place.refuse(
        *RUN, MUTASCOPE_CACHE="", XDG_CACHE_HOME="", PYTHONPATH=f"{tmp_path}{os.pathsep}{os.getcwd()}"
    )
    assert "there is none; set MUTASCOPE_CACHE" in message
