"""Wrong use: one line that says what happened, where, and what to do; exit status 2."""

from __future__ import annotations

import subprocess
import sys

import pytest
from command_line import SPEC, Place

pytestmark = pytest.mark.end_to_end

TRIAL = '[[trials]]\nsubject = "pile"\nscopes = [1]\n'


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("", "required: COMMAND; 'mutascope --help' lists what there is"),
        ("frobnicate", "invalid choice: 'frobnicate'"),
        ("run --subject search_tree --scope 0", "a scope is a whole number from 1 (to 65535), not '0'"),
        ("run --subject search_tree --scope -1", "a scope is a whole number from 1 (to 65535), not '-1'"),
        ("generate search_tree --scope x", "a scope is a whole number from 1 (to 65535), not 'x'"),
        ("run --subject search_tree --scope 3-1", "'3-1' is an empty range of scopes"),
        ("run --subject search_tree --scope 1-99999999999", "not '99999999999'"),
        ("run --subject search_tree --scope 1 --jobs 0", "a whole number from 1, not '0'"),
        ("tables exhaustive2003 --format pdf", "invalid choice: 'pdf'"),
        ("suite search_tree --scope 1 --export junit", "invalid choice: 'junit'"),
        ("run --subject search_tree --scope 1 --scope 2", "--scope is given twice"),
        ("generate search_tree --scope 1 --scope 2", "--scope is given twice"),
        ("tables exhaustive2003 --format md --format csv", "--format is given twice"),
    ],
)
def test_arguments_that_say_nothing_are_refused(arguments: str, says: str, place: Place) -> None:
    assert says in place.refuse(*arguments.split())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("generate nope --scope 1 --json", "unknown subject 'nope'; 'mutascope list' names all "),
        ("generate search_tree --generator nope --scope 1", "unknown generator 'nope'; 'mutascope list' names all "),
        ("run --subject heapq --generator korat-plus --scope 1 --observe end", "--observe goes with a generator of"),
        (
            "check containers/binary_tree --scope 1",
            "no function finitization, which bounds what properties are checked",
        ),
        ("compare", "make one (mutascope run generators) or name a run's folder (mutascope compare DIR)"),
        ("run nope", "unknown experiment 'nope'; there are beapi2023, criteria_pruning2011, demo, "),
        ("run", "give an experiment or --subject"),
        ("run --subject search_tree", "--subject needs --scope"),
        ("run demo --scope 2", "--scope goes with --subject"),
        ("run demo --matrix", "--matrix goes with --subject"),
        ("tables nope", "no paper and no folder 'nope'; there are beapi2023, criteria_pruning2011, exhaustive2003"),
        ("tables exhaustive2003 --table nope", "no 'nope' here; there are table1, "),
        ("verify nope --json", "nope: no such folder; run an experiment first"),
        ("verify .", ".: no run is stored there"),
        ("report .", ".: no run is stored there"),
        ("tables exhaustive2003 --from .", ".: no run is stored there"),
        ("figures exhaustive2003 --from .", ".: no run is stored there"),
        ("mutate search_tree --size 3", "give --pin as well"),
    ],
)
def test_names_that_mean_nothing_are_refused_with_those_that_do(arguments: str, says: str, place: Place) -> None:
    assert says in place.refuse(*arguments.split())


def test_an_unwritable_place_is_refused_before_anything_is_run(place: Place) -> None:
    place.subject("pile")
    (place.folder / "file").write_text("mine")
    for out in ("file", "file/below", "/proc/nope"):
        message = place.refuse("run", "--subject", "pile", "--scope", 1, "--out", out)
        assert f"{out}: cannot write there" in message
        assert "choose another output folder" in message
    message = place.refuse("generate", "pile", "--scope", 1, MUTASCOPE_CACHE=str(place.folder / "file" / "cache"))
    assert "set MUTASCOPE_CACHE to a writable folder" in message
    message = place.refuse("suite", "pile", "--scope", 1, "--export", "pytest", "--out", "file/test.py")
    assert "choose another file with --out" in message
    assert (place.folder / "file").read_text() == "mine"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("trials", "not TOML"),
        ("", "no [[trials]]"),
        ("trials = [3]\n", "[[trials]] number 1 is no table"),
        ('titel = "x"\n' + TRIAL, "unknown field 'titel'"),
        (TRIAL + "scope = 1\n", "[[trials]] number 1 has unknown field 'scope'"),
        (TRIAL.replace("[1]", "[0]"), "scopes is a list of whole numbers from 1, not [0]"),
        (TRIAL.replace("[1]", "[true]"), "scopes is a list of whole numbers from 1, not [True]"),
        (TRIAL.replace('"pile"', "3"), "subject is a text in quotes, not 3"),
        (TRIAL + 'seed = "x"\n', "seed is a whole number, not 'x'"),
        ('concrete = "false"\n' + TRIAL, "concrete is true or false, not 'false'"),
        ('mode = "fast"\n' + TRIAL, "mode is one of first-kill, matrix, selections, generate, not 'fast'"),
        (TRIAL + TRIAL, "a trial stands there twice"),
    ],
)
def test_a_mistake_in_an_experiment_is_found_before_it_is_run(text: str, says: str, place: Place) -> None:
    (place.folder / "mine.toml").write_text(text)
    message = place.refuse("run", "mine.toml", "--out", "out")
    assert says in message
    assert "mine.toml: " in message
    assert not (place.folder / "out").exists()


def test_what_a_spec_prints_stays_out_of_the_json(place: Place) -> None:
    place.subject("pile", spec="print('garbage')\n" + SPEC.replace("    f = F", "    print('more')\n    f = F"))
    result = place.succeed("generate", "pile", "--scope", 2, "--json")
    assert result.json["inputs"] == 12
    assert "garbage" not in result.err


@pytest.mark.parametrize("command", [("list",), ("mutate", "search_tree"), ("--version",)])
def test_a_closed_standard_output_is_told_before_anything_is_done(command: tuple[str, ...], place: Place) -> None:
    shell = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "harness", *command]
    result = subprocess.run(shell, cwd=place.folder, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert result.returncode == 2
    assert result.stderr == "mutascope: standard output is closed; redirect it to a file, or to /dev/null\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_nobody_to_complain_to_is_no_traceback(unbuffered: str, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    for closed in (">&- 2>&-", "<&- >&- 2>&-", "2>&-", "2>/dev/full"):
        shell = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", "harness", "run", "nope"]
        assert subprocess.run(shell, cwd=place.folder, capture_output=True, check=False).returncode == 2, closed


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_for_the_output_is_told_in_one_line(
    unbuffered: str, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    shell = ["sh", "-c", 'exec "$@" >/dev/full', "sh", sys.executable, "-m", "harness", "list"]
    result = subprocess.run(shell, cwd=place.folder, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert (result.returncode, result.stderr) == (2, "mutascope: the disk: No space left on device; make room\n")


def test_a_terminal_that_knows_ascii_only_gets_what_it_can_show(place: Place) -> None:
    place.subject("päckchen")
    out = place.succeed("list", PYTHONIOENCODING="ascii").out
    assert "p\\xe4ckchen" in out


def test_a_reader_that_has_seen_enough_is_no_error(place: Place) -> None:
    process = place.start("mutate", "search_tree")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    result = place.finish(process)
    assert (result.status, result.err) == (0, "")
