"""A small subject whose pinned mutants are hostile programs, beside honest ones."""

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

import harness

from .hostile.prelude import once, prelude
from .hostile.program import Program

SUBJECT = "counter"
SCOPE = 2
INPUTS = 15

SOURCE = """\
LIMIT = 3


class Counter:
    def __init__(self):
        self.value = 0

    def up(self, by):
        if self.value + by <= LIMIT:
            self.value = self.value + by
        return self.value

    def down(self):
        if self.value > 0:
            self.value = self.value - 1
        return self.value

    def read(self):
        return self.value
"""

SPEC = """\
from harness.spec import Finitization, SequenceScope


def rep_ok(counter):
    return 0 <= counter.value <= 3


def abstraction(counter):
    return counter.value


def finitization(scope):
    f = Finitization("Counter")
    f.set("Counter.value", range(scope + 1))
    f.method("up", range(scope + 1))
    f.method("down")
    f.method("read")
    return f


def sequences(scope):
    s = SequenceScope("Counter")
    s.method("up", range(scope + 1))
    s.method("down")
    s.method("read")
    return s
"""

TESTS = """\
import pytest

from impl import Counter


@pytest.fixture
def filled():
    counter = Counter()
    counter.up(2)
    yield counter


def test_act():
    assert Counter().read() == 0


def test_down(filled):
    assert (filled.down(), filled.read()) == (1, 1)


def test_up(filled):
    assert [filled.up(by) for by in (0, 2, 1)] == [2, 2, 3]
"""

CONFTEST = """\
import pytest


@pytest.fixture(autouse=True, scope="session")
def prepared():
    yield
"""

FILES = {"impl.py": SOURCE, "spec.py": SPEC, "tests/test_impl.py": TESTS, "tests/conftest.py": CONFTEST}
"""Of the subject, which is a project as well."""

HONEST = {
    "AOR:9:13:-": (9, "self.value + by", "self.value - by"),
    "ROR:9:11:<": (9, "self.value + by <= LIMIT", "self.value + by < LIMIT"),
    "AOR:10:25:-": (10, "self.value + by", "self.value - by"),
    "RET:11:15:0": (11, "self.value", "0"),
    "ROR:14:11:>=": (14, "self.value > 0", "self.value >= 0"),
    "ROR:14:11:!=": (14, "self.value > 0", "self.value != 0"),
    "AOR:15:25:+": (15, "self.value - 1", "self.value + 1"),
    "RET:19:15:1": (19, "self.value", "1"),
}
"""Mutants as others make them: id, line, original and replacement. Some die, some survive."""

_CALL = (11, "self.value")
_LOAD = (1, "3")


def mark_of(program: Program, folder: Path) -> str:
    """A word by which what the program leaves is told, of 14 characters and this folder's own."""
    return "hx" + hashlib.sha256(f"{folder}/{program.name}".encode()).hexdigest()[:12]


def act(program: Program, folder: Path, victim: int, port: int) -> str:
    """Return the expression that runs the program in its surroundings: a mark, somebody else's folder and process."""
    text = prelude(
        MARK=mark_of(program, folder),
        PLACE=str(folder / "outside" / program.name),
        VICTIM=victim,
        HOST=os.readlink("/proc/self/ns/pid"),
        HOST_MOUNTS=os.readlink("/proc/self/ns/mnt"),
        HOST_NAMES=os.readlink("/proc/self/ns/uts"),
        FOLDER=str(folder),
        RUN=str(folder / "run"),
        PACKAGE=str(Path(harness.__file__).parent),
        PORT=port,
        INPUTS=INPUTS,
    )
    return once(text + program.source, program.name)


def pin(folder: Path, acts: Iterable[tuple[Program, str]], source: str = SOURCE) -> None:
    """Pins the honest mutants and those that act, in `folder`/mutants."""
    digest = hashlib.sha256(source.encode()).hexdigest()
    lines = [_line(source, digest, name, *where) for name, where in HONEST.items()]
    for program, expression in acts:
        line, original = _LOAD if program.at_load else _CALL
        lines.append(_line(source, digest, program.id, line, original, f"({expression}, {original})[1]"))
    target = folder / "mutants" / SUBJECT / "ferastrau"
    target.mkdir(parents=True, exist_ok=True)
    (target / f"{digest[:12]}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (target / f"{digest[:12]}.excluded.jsonl").write_text("")


def with_act(text: str, behind: str, expression: str) -> str:
    """Insert a statement that acts after a line of the text; after the line of a definition, insert it in the body."""
    start = text.index(behind) + len(behind)
    within = behind.startswith((" ", "def "))
    indent = " " * (len(behind) - len(behind.lstrip()) or 4) if within else ""
    return f"{text[:start]}{indent}{expression}\n{text[start:]}"


def _line(source: str, digest: str, name: str, line: int, original: str, replacement: str) -> dict[str, object]:
    line += source[: source.index("def up")].count("\n") - SOURCE[: SOURCE.index("def up")].count("\n")
    column = source.splitlines()[line - 1].index(original)
    return {
        "id": name,
        "operator": name.partition(":")[0],
        "function": "Counter.up",
        "location": [line, column, line, column + len(original)],
        "original": original,
        "replacement": replacement,
        "source_hash": digest,
    }


def outside(folder: Path, program: Program) -> Path:
    """Make a folder that does not belong to the program, with files that it might touch."""
    place = folder / "outside" / program.name
    (place / "tree" / "empty").mkdir(parents=True)
    (place / "tree" / "leaf").write_text("leaf")
    (place / "file").write_text("untouched")
    (place / "secret").write_text("secret_" + hashlib.sha256(str(place).encode()).hexdigest()[:20])
    return place
