"""A small package with a suite of pytest as people have them, in a flat or a src layout."""

import hashlib
from pathlib import Path

CORE = '''\
"""A till: what the tests are about."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import rates

__all__ = ["Till", "Point"]


def _smallest() -> int:
    return 1 + 0


SMALLEST = _smallest()
twice = lambda value: 2 * value


class Till:
    """
    >>> Till(2).add(3)
    5
    """

    __slots__ = ("amount",)

    @staticmethod
    def __rounded(value: int) -> int:
        return value - value % 5

    STEP = __rounded(12)

    def __init__(self, amount: int = 0) -> None:
        self.amount = amount

    def add(self, price: int) -> int:
        self.amount = self.amount + price
        return self.amount

    @property
    def doubled(self) -> int:
        return self.amount * 2


@dataclass
class Point:
    x: int
    y: int
    seen: list = field(default_factory=list)

    def moved(self, by: int) -> Point:
        return Point(self.x + by, self.y - by)


def adder(step: int):
    def add(value: int) -> int:
        return value + step

    return add


def countdown(start: int):
    while start > 0:
        yield start
        start = start - 1


async def waited(value: int) -> int:
    return value + rates.RATE


def kind(value: object) -> str:
    match value:
        case int() if value > 10:
            return "large"
        case [first, *rest]:
            return "list" if len(rest) > 1 else "pair"
        case _:
            return "other"


def unused(left: int, right: int) -> int:
    return left * right
'''

TESTS = """\
import asyncio
import os
import socket
import unittest

import pytest

from till import core


@pytest.fixture(scope="module")
def shared():
    till = core.Till(1)
    yield till
    till.add(1)


def test_shared(shared):
    assert shared.doubled == 2


def test_from_conftest(filled):
    assert filled.add(1) == 8


@pytest.mark.parametrize(("start", "numbers"), [(0, []), (3, [3, 2, 1])])
def test_countdown(start, numbers):
    assert list(core.countdown(start)) == numbers


class TestMore(unittest.TestCase):
    def setUp(self):
        self.point = core.Point(1, 2)

    def test_moved(self):
        self.assertEqual(self.point.moved(3), core.Point(4, -1))

    def test_closure(self):
        self.assertEqual(core.adder(2)(5), 7)


def test_waited():
    assert asyncio.run(core.waited(1)) == 4


def test_kinds():
    assert [core.kind(value) for value in (11, 10, [1, 2], [1, 2, 3], None)] == [
        "large", "other", "pair", "list", "other",
    ]


def test_step():
    assert (core.Till.STEP, core.SMALLEST) == (10, 1)


def test_meddles(tmp_path):
    (tmp_path / "own").write_text("x")
    with open("written.txt", "w") as file:
        file.write("x")
    os.remove("data.txt")
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", 9), timeout=1)
    assert core.Till(1).add(1) == 2


@pytest.mark.skip
def test_left_out():
    raise RuntimeError
"""

_CONFTEST = """\
import pytest

from till.core import Till


@pytest.fixture
def filled():
    return Till(7)
"""

_CONFIGURATION = """\
[tool.pytest.ini_options]
addopts = "--doctest-modules"
"""


def own_project(root: Path, layout: str = "flat", core: str = CORE, tests: str = TESTS) -> Path:
    """Makes the package `till` with its tests below `root`; the folder to stand in. Another `core` has no conftest."""
    package = root / ("src/till" if layout == "src" else "till")
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").write_text("")
    (package / "rates.py").write_text("RATE = 3\n")
    (package / "core.py").write_text(core)
    (root / "tests").mkdir()
    (root / "tests" / "test_core.py").write_text(tests)
    if core == CORE:
        (root / "tests" / "conftest.py").write_text(_CONFTEST)
    (root / "data.txt").write_text("kept")
    (root / "pyproject.toml").write_text(_CONFIGURATION)
    return root


def digest_of(folder: Path) -> str:
    """Over all names, modes, times and contents below a folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        digest.update(f"{path.relative_to(folder)} {status.st_mode} {status.st_mtime_ns}".encode() + content)
    return digest.hexdigest()
