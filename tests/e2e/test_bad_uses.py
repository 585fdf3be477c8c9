"""Every bad use is answered by one line that says what happened, where, and what to do, and leaves nothing behind."""

import tempfile
from pathlib import Path

import pytest
from bad_uses import BAD_USES, wrong
from derived_bad_uses import DERIVED, VALID

from harness.command_line.commands import COMMANDS, JSON
from harness.command_line.main import main

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
