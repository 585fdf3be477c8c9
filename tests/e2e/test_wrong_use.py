"""Wrong use: one line that says what happened, where, and what to do; exit status 2; nothing is left behind."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from bad_uses import BAD_USES, wrong
from command_line import SPEC
from derived_bad_uses import DERIVED, VALID

from harness.command_line.commands import COMMANDS, JSON
from harness.command_line.main import main


@pytest.mark.slow
def test_what_a_spec_prints_stays_out_of_the_json(place):
    place.subject("pile", spec="print('garbage')\n" + SPEC.replace("    f = F", "    print('more')\n    f = F"))
    result = place.succeed("generate", "pile", "--scope", 2, "--json")
    assert result.json["inputs"] == 12
    assert "garbage" not in result.err


@pytest.mark.parametrize("command", [("list",), ("mutate", "search_tree"), ("--version",)])
def test_a_closed_standard_output_is_told_before_anything_is_done(command, place):
    shell = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "harness", *command]
    result = subprocess.run(shell, cwd=place.folder, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert result.returncode == 2
    assert result.stderr == "mutascope: standard output is closed; redirect it to a file, or to /dev/null\n"


@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_nobody_to_complain_to_is_no_traceback(unbuffered, place, monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    for closed in (">&- 2>&-", "<&- >&- 2>&-", "2>&-", "2>/dev/full"):
        shell = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", "harness", "run", "nope"]
        assert subprocess.run(shell, cwd=place.folder, capture_output=True, check=False).returncode == 2, closed


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_for_the_output_is_told_in_one_line(unbuffered, place, monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    shell = ["sh", "-c", 'exec "$@" >/dev/full', "sh", sys.executable, "-m", "harness", "list"]
    result = subprocess.run(shell, cwd=place.folder, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert (result.returncode, result.stderr) == (2, "mutascope: the disk: No space left on device; make room\n")


def test_a_terminal_that_knows_ascii_only_gets_what_it_can_show(place):
    place.subject("päckchen")
    out = place.succeed("list", PYTHONIOENCODING="ascii").out
    assert "p\\xe4ckchen" in out


def test_a_reader_that_has_seen_enough_is_no_error(place):
    process = place.start("mutate", "search_tree")
    process.stdout.close()
    process.stdout = None
    result = place.finish(process)
    assert (result.status, result.err) == (0, "")


CONTINUED_FILES = ("out/run.log", "out/run.sqlite", "out/finished.json", "out/.work")
"""What a run that ends behind its beginning keeps, as the next one into the folder goes on with it."""


def files_below(folder: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.parametrize("use", [pytest.param(use, id=use.name) for use in [*BAD_USES, *DERIVED]])
def test_a_bad_use_is_answered_in_one_line(use, tmp_path, monkeypatch, capfd):
    place, temporary = tmp_path / "place", tmp_path / "tmp"
    place.mkdir()
    temporary.mkdir()
    use.write(place)
    before = files_below(place)
    monkeypatch.chdir(place)
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    for name, value in use.environment.items():
        monkeypatch.setenv(name, value)
    status = main(use.arguments)
    assert wrong(use, status, *capfd.readouterr()) is None
    left = {name: content for name, content in files_below(place).items() if not name.startswith(CONTINUED_FILES)}
    if "out/run.log" in files_below(place):
        del left["out"]
    assert left == before
    assert files_below(temporary) == {}


def test_each_command_and_each_of_its_options_has_a_bad_use():
    used = {(use.arguments[0], word.partition("=")[0]) for use in DERIVED for word in use.arguments[1:]}
    for command in COMMANDS.values():
        assert command.name in VALID
        for option in (JSON, *command.options):
            assert option.is_positional or (command.name, option.name) in used
