"""Files that are not what they were: refused in one line that says what to do, and left as they are."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Place

from harness.store.schema import SCHEMA_VERSION

pytestmark = pytest.mark.end_to_end

RUN = ("run", "--subject", "pile", "--scope", 2)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A place with a run in ./run."""
    place = Place(tmp_path_factory.mktemp("finished"))
    place.subject("pile")
    place.succeed(*RUN, "--out", "run", "--jobs", 2)
    return place


def sql(statement: str) -> Callable[[Path], None]:
    def execute(path: Path) -> None:
        connection = sqlite3.connect(path)
        connection.executescript(statement)
        connection.close()

    return execute


def foreign(path: Path) -> None:
    path.unlink()
    sql("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')")(path)


@pytest.mark.parametrize(
    ("name", "damage", "says"),
    [
        ("text", lambda path: path.write_text("Dear diary,\n"), "not a run's store (not SQLite)"),
        ("foreign", foreign, "a database of another program"),
        ("later", sql("PRAGMA user_version = 99"), f"schema version 99, this mutascope reads {SCHEMA_VERSION}"),
        ("cut", lambda path: path.write_bytes(path.read_bytes()[:9000]), "left as it is"),
    ],
)
def test_a_file_that_is_no_store_is_refused_unchanged(
    name: str, damage: Callable[[Path], None], says: str, finished: Place
) -> None:
    folder = finished.folder / name
    shutil.copytree(finished.folder / "run", folder)
    path = folder / "run.sqlite"
    damage(path)
    before = path.read_bytes()
    for command in ((*RUN, "--out", name), ("verify", name, "--json")):
        message = finished.refuse(*command)
        assert says in message
        assert f"{name}/run.sqlite: " in message
        assert path.read_bytes() == before
    assert {entry.name for entry in folder.iterdir()} == {"run.sqlite", "run.log"}


def no_header(suite: Path) -> None:
    (suite / "header.json").unlink()


def other_states(suite: Path) -> None:
    states = suite / "states.bin"
    states.write_bytes(bytes(states.stat().st_size))


def garbage(suite: Path) -> None:
    for path in suite.iterdir():
        path.write_bytes(b"{")


@pytest.mark.parametrize(
    ("damage", "phrase"),
    [
        (no_header, "not a complete suite"),
        (other_states, "not what was written there"),
        (garbage, "not a complete suite"),
    ],
)
def test_a_damaged_cached_suite_is_named_in_one_line(damage: Callable[[Path], None], phrase: str, place: Place) -> None:
    place.subject("pile")
    command = ("generate", "pile", "--scope", 2, "--json")
    place.succeed(*command)
    (suite,) = (place.folder / "cache" / "suites").iterdir()
    damage(suite)
    line = place.refuse(*command)
    assert str(suite) in line
    assert phrase in line
    assert "delete" in line
