"""Wrong use: one line that says what happened, where, and what to do; exit status 2; nothing is left behind."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from bad_uses import BAD_USES, BadUse, spec_with, wrong
from command_line import SPEC

from harness.command_line.command import BUDGETS, FLAG, POSITIVE, REST, SCOPE, SCOPES, SEED, WIDTH, Option
from harness.command_line.commands import COMMANDS, JSON
from harness.command_line.main import main
from harness.runner.experiment import SUITE_FIELDS, TOP_FIELDS, TRIAL_FIELDS

_NO_RUN = "subjects/pile"
"""A folder in which no run is stored."""

VALID = {
    "list": "",
    "generate": "pile --scope 1",
    "generate-tests": "crosshair --target pile",
    "builders": "pile",
    "mutate": "pile",
    "profile": "--target pile --tests tests",
    "init": "new.toml --subject pile --scope 1",
    "run": "--subject pile --scope 1",
    "shard": "demo --print-slurm 2",
    "merge": _NO_RUN,
    "verify": _NO_RUN,
    "tables": _NO_RUN,
    "figures": _NO_RUN,
    "describe": _NO_RUN,
    "compare": _NO_RUN,
    "criteria": _NO_RUN,
    "outcomes": _NO_RUN,
    "check": "pile --scope 1",
    "faults": "pile --scope 1",
    "difference": "pile --scope 1",
    "report": _NO_RUN,
    "survivors": _NO_RUN,
    "show": f"{_NO_RUN} ROR:1",
    "suite": "pile --scope 1",
}
"""What each command could be called with. An option is added to it, or taken from it."""

_REFUSED = {
    POSITIVE: ("0", "-1", "x", "1.5", "", "9" * 30),
    SEED: ("x", "1.5", "", "9" * 30),
    SCOPE: ("0", "-1", "x", "1.5", "", "65536"),
    SCOPES: ("0", "x", "3-1", "1-x", "", "1-65536"),
    WIDTH: ("0", "x", "3.3", "1in", "41in", "-3in", "", "9" * 30),
    BUDGETS: ("0", "x", "1,", "", "-5"),
}
"""Texts that each kind of option refuses."""


def _of_options() -> Iterator[BadUse]:
    for command in COMMANDS.values():
        valid = VALID[command.name].split()
        yield _use("unrecognized arguments: --nope", command.name, *valid, "--nope")
        yield _use("unrecognized arguments: surplus", command.name, *valid, "--json", "surplus", "surplus")
        for option in (JSON, *command.options):
            if not option.is_positional:
                yield from _of_option(command.name, valid, option)
            elif option.is_required:  # one less is there: the last one is missing
                required = [one for one in command.options if one.is_positional and one.is_required]
                at = required.index(option)
                yield _use(f"required: {required[-1].name}", command.name, *valid[:at], *valid[at + 1 :])


def _of_option(command: str, valid: list[str], option: Option) -> Iterator[BadUse]:
    name, kind = option.name, option.kind
    other_arguments = _without(valid, name)
    if kind is FLAG:
        yield _use(name, command, *valid, f"{name}=yes")
        return
    if option.is_required:
        yield _use(f"required: {name}", command, *other_arguments)
    if option.if_empty is None:
        yield _use(name if kind is REST else f"{name}: expected ", command, *other_arguments, name)
    good = kind.words[0] if kind.words else "3in" if kind is WIDTH else "1"
    if not option.is_list:
        yield _use(f"{name} is given twice", command, *other_arguments, name, good, name, good)
    refused = ("nope", "", good.upper()) if kind.words else _REFUSED.get(kind, ())
    for value in refused:
        if not (kind is POSITIVE and name in ("--sample", "--size", "--show", "--most") and len(value) > 9):
            yield _use(name, command, *other_arguments, f"{name}={value}")


def _without(valid: list[str], option: str) -> list[str]:
    at = valid.index(option) if option in valid else len(valid)
    return [*valid[:at], *valid[at + 2 :]]


def _use(says: str, *arguments: str, **files: str) -> BadUse:
    return BadUse(" ".join(arguments)[:80], arguments, says, files=files)


_VALUES = {
    "text": '"nope"',
    "number": "3",
    "fraction": "1.5",
    "truth": "true",
    "list": "[]",
    "list of lists": "[[]]",
    "table": "{}",
    "day": "2026-11-24",
    "infinity": "inf",
}
"""TOML of each kind."""

_ACCEPTED_KINDS = {
    "title": ("text",), "paper": (), "operators": ("text",), "mode": (), "approach": (), "observe": (),
    "oracles": (), "concrete": ("truth",), "coverage": ("truth",), "seed": ("number",), "seeds": (), "scopes": (),
    "subject": (), "generator": (), "trials": (), "suites": ("list",), "target": ("text",), "tests": (),
    "name": ("text",), "folder": ("text",), "flaky": (), "runs": ("number",), "block": ("list",),
    "arguments": ("list",), "wait": ("number",),
}  # fmt: skip
"""Which of these values a field takes."""

_TRIAL = {"subject": '"pile"', "scopes": "[1]"}
_SUITE = {"target": '"pile"', "tests": '["tests"]'}


def _of_fields() -> Iterator[BadUse]:
    for field in sorted(TOP_FIELDS):
        other_tables = "" if field == "trials" else _table("trials", _TRIAL)
        yield from _of_field(field, "", other_tables)
    for name, fields, needed in (("trials", TRIAL_FIELDS, _TRIAL), ("suites", SUITE_FIELDS, _SUITE)):
        for field in sorted(fields):
            other_tables = _table(name, {key: value for key, value in needed.items() if key != field})
            yield from _of_field(field, other_tables, "")
            if field in needed:
                yield _experiment(f"{name} without {field}", field, other_tables)
        yield _experiment(f"{name} with operators", "operators", _table(name, needed) + 'operators = "mujava"\n')
        yield _experiment(f"{name} with nope", "nope", _table(name, needed) + "nope = 1\n")


def _of_field(field: str, before: str, behind: str) -> Iterator[BadUse]:
    for kind, value in _VALUES.items():
        if kind not in _ACCEPTED_KINDS[field]:
            says = "seed" if field == "seeds" else field
            yield _experiment(f"{before[:9]}{field} = {value}", says, f"{before}{field} = {value}\n{behind}")
    yield _experiment(f"{before[:9]}{field} twice", "TOML", f"{before}{field} = 1\n{field} = 1\n{behind}")


def _table(name: str, fields: dict[str, str]) -> str:
    return f"[[{name}]]\n" + "".join(f"{key} = {value}\n" for key, value in fields.items())


def _experiment(name: str, says: str, text: str) -> BadUse:
    return BadUse(f"experiment: {name}", ("run", "mine.toml", "--out", "out"), says, files={"mine.toml": text})


_CONSTANTS = {
    "title": ("3", "[]", "''", "'a\\nb'", "b'x'"),
    "implementation": ("3", "[]", "b'impl.py'"),
    "helpers": ("3", "'push'", "[3]", "{}"),
    "blocked": ("3", "'json'", "[3]", "{}"),
    "driver": ("3", "[]", "b'x'"),
    "profile_scope": ("0", "-1", "'x'", "1.5", "[]"),
    "observers": ("3", "'push'", "[3]"),
}
"""Values of a spec's constants that are of another kind, or name what there is not."""

_FUNCTIONS = {
    "rep_ok": "korat", "abstraction": "korat", "finitization": "korat", "sequences": "beapi", "eq_class": "korat-plus",
}  # fmt: skip
"""Functions of a spec, with a generator that calls them."""


def _of_specs() -> Iterator[BadUse]:
    for name, values in _CONSTANTS.items():
        for value in values:
            yield _spec(name, f"{name} = {value}")
    for name, generator in _FUNCTIONS.items():
        bodies = ("= 3", "= 'text'", "= []")
        for body in bodies:
            yield _spec(name, f"{name} {body}", generator)
        yield _spec(name, f"def {name}(): return 1", generator)
        yield _spec(name, f"def {name}(one, two): return 1", generator)
        yield _spec(name, f"async def {name}(one): return 1", generator)
        if name != "abstraction":  # it is called on post-states of the original, whose failures have another status
            yield _spec(name, f"def {name}(one): raise LookupError('mine')", generator)


def _spec(says: str, line: str, generator: str = "korat") -> BadUse:
    arguments = ("run", "--subject", "pile", "--scope", "1", "--generator", generator, "--jobs", "1", "--out", "out")
    return BadUse(f"spec: {line}", arguments, says, files={"subjects/pile/spec.py": spec_with(line)})


_SKIPPED = "import pytest\npytestmark = pytest.mark.skip\ndef test(): 0\n"
_ENDS = "def test(): __import__('os')._exit(3)\n"
_TESTS = {
    "no tests": ("x = 1\n", "tests: no tests found; name files or folders"),
    "tests that do not compile": ("def (:\n", "test_it.py"),
    "tests that cannot be loaded": (
        "import nope\n",
        "cannot be collected: ModuleNotFoundError: No module named 'nope'",
    ),
    "tests that warn": (
        "raise Warning('Old. Use new.\\nSee: there.')\n",
        "cannot be collected: Warning: Old. Use new.; ",
    ),
    "tests that exit": ("import sys; sys.exit('no')\n", "tests: collection ended by SystemExit: no; "),
    "tests that end their process": (
        "import os; os._exit(3)\n",
        "test_it.py ends its process on the original (left with",
    ),
    "a test that ends its process": (
        _ENDS,
        "test_it.py::test ends its process on the original (left with exit status 3)",
    ),
    "a test that fails": ("def test(): assert False\n", "test_it.py::test fails on the original (AssertionError"),
    "all tests are skipped": (_SKIPPED, "no test"),
    "a fixture that there is not": ("def test(nope): 0\n", "test_it.py::test"),
}
"""Texts of tests, and what is said of them."""

_SUITES = {
    "no such tests": ("nope", {}, "nope"),
    "a folder without tests": ("subjects", {}, "no test"),
    "a test that fails alone": ("tests", {"tests/test_it.py": "def test(): assert False\n"}, "test_it.py::test"),
    "a conftest that does not compile": ("tests", {"tests/conftest.py": "def (:\n"}, "conftest.py"),
    "a conftest that raises": ("tests", {"tests/conftest.py": "1 / 0\n"}, "ZeroDivisionError"),
    "a conftest that ends the process": ("tests", {"tests/conftest.py": "import os; os._exit(0)\n"}, "mutascope: "),
    "settings that are no TOML": ("tests", {"pyproject.toml": "[tool.pytest.ini_options\n"}, "pyproject.toml"),
    "settings that leave out all": ("tests", {"pytest.ini": "[pytest]\naddopts = -k nothing\n"}, "leave out all tests"),
    "an option that there is not": ("tests", {"pytest.ini": "[pytest]\naddopts = --nope\n"}, "not start: unrecognized"),
    "a plug-in that there is not": ("tests", {"pytest.ini": "[pytest]\naddopts = -p nope\n"}, "nope"),
}  # fmt: skip
"""Paths that pytest is called with, files, and what is said of them."""

_TARGETS = {
    "nope": "nope", "": "no module ''", "..": "..", "till.nope": "till.nope", "sys": "sys", "till py": "till py",
    "tests/test_it.py": "test",
}  # fmt: skip
_PROJECT = {
    "till.py": "def add(one, two):\n    return one + two\n",
    "tests/test_it.py": "from till import add\n\ndef test(): assert add(1, 2) == 3\n",
}


def _of_suites() -> Iterator[BadUse]:
    for name, (text, says) in _TESTS.items():
        yield _suite(name, says, "till", "tests", {"tests/test_it.py": text}, "--flaky", "refuse")
    for name, (tests, files, says) in _SUITES.items():
        yield _suite(name, says, "till", tests, files)
    for target, says in _TARGETS.items():
        yield _suite(f"target {target!r}", says, target, "tests", {})
    for name, text, says in (
        ("does not compile", "def (:\n", "till"),
        ("has no function", "x = 1\n", "till"),
        ("raises", "def add(one, two): return one + two\n1 / 0\n", "the target cannot be imported: ZeroDivisionError"),
        ("ends the process", "import os; os._exit(0)\n", "till"),
        ("is no text", "\0", "till"),
    ):
        yield _suite(f"a target that {name}", says, "till", "tests", {"till.py": text})


def _suite(name: str, says: str, target: str, tests: str, files: dict[str, str], *options: str) -> BadUse:
    arguments = ("run", "--target", target, "--tests", tests, "--jobs", "1", "--out", "out", *options)
    return BadUse(f"suite: {name}", arguments, says, files=_PROJECT | files)


def _of_folders() -> Iterator[BadUse]:
    places = ("subjects/pile/spec.py", "subjects/pile/spec.py/below", "nope")
    for command in [name for name, arguments in VALID.items() if arguments == _NO_RUN]:
        for place in places:
            yield _use(place, command, place)
            yield _use(place, command, place, "--json")
    for command in ("generate", "builders", "mutate", "check", "faults", "difference", "suite"):
        scope_of = ("--scope", "1") if command != "mutate" else ()
        for subject in ("nope", "", "subjects", "subjects/pile/spec.py", "../pile", "/"):
            yield _use("subject", command, subject, *scope_of)


DERIVED = [*_of_options(), *_of_fields(), *_of_specs(), *_of_suites(), *_of_folders()]


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
