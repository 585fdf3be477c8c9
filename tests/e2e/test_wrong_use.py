"""Wrong use: one line that says what happened, where, and what to do; exit status 2."""

import subprocess
import sys

import pytest
from command_line import SPEC


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
