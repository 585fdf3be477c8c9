"""Changes in a module since it was loaded are detected, wherever they are kept, and nothing else is."""

from __future__ import annotations

import pytest

from harness.kernel.objects.module_state import MOST_PLACES, ModuleState
from harness.kernel.program.loader import ModuleText, execute

PROGRAM = """
import enum
import functools
import random
from collections import deque
from dataclasses import dataclass, field

TABLE = {"one": [1], "two": (2, [3])}
NAMES = {"a"}
LATEST = deque([1])
COUNT = 0


class Kind(enum.Enum):
    FIRST = 1


@dataclass
class Box:
    held: int = 0
    items: list = field(default_factory=list)


class Slotted:
    __slots__ = ("value",)


def _keeper():
    kept = [0]
    number = 0

    def keep(value=None):
        nonlocal number
        if value is not None:
            kept.append(value)
        else:
            number += 1000
        return number

    return keep


keep = _keeper()
BOX = Box()
SLOTTED = Slotted()
SLOTTED.value = 1
append = LATEST.append
partly = functools.partial(keep, value=None)


def default(more=[]):
    more.append(1)


def count():
    global COUNT
    COUNT += 1


def plain(n):
    local = [n]
    local.append(Kind.FIRST)
    return Box(n, local)
"""


def loaded(source: str):
    module = execute(ModuleText("impl", source, "impl.py"))
    return vars(module), ModuleState(module)


@pytest.mark.parametrize(
    "call",
    [
        *("TABLE['one'].append(2)", "TABLE['two'][1].clear()", "TABLE.update(one=[1])", "NAMES.add('b')", "append(2)"),
        *("BOX.items.append(1)", "setattr(BOX, 'held', 1)", "setattr(SLOTTED, 'value', 2)", "setattr(Box, 'held', 1)"),
        *("keep(5)", "keep()", "default()", "count()", "setattr(plain, 'kept', 1)", "random.random()"),
        *("setattr(plain, '__defaults__', (1,))", "setattr(Box, 'extra', 1)", "setattr(Kind.FIRST, 'extra', 1)"),
    ],
)
def test_a_change_is_seen(call: str) -> None:
    names, state = loaded(PROGRAM)
    assert state.is_as_loaded
    eval(call, names)
    assert not state.is_as_loaded


def test_calls_that_keep_nothing_change_nothing() -> None:
    names, state = loaded(PROGRAM)
    for call in ("plain(3)", "Box()", "Kind(1)", "Box() == Box(1)", "repr(BOX)", "sorted(NAMES)"):
        eval(call, names)
    assert state.is_as_loaded


@pytest.mark.parametrize(
    "line",
    [
        "import functools\nkept = functools.cache(len)",
        "numbers = iter([1, 2])",
        "import itertools\nnumbers = [itertools.count()]",
        f"TABLE = [[] for _ in range({MOST_PLACES})]",
    ],
)
def test_what_cannot_be_looked_into_counts_as_changed(line: str) -> None:
    _, state = loaded(line)
    assert not state.is_as_loaded


def test_an_installed_package_counts_as_keeping_nothing() -> None:
    names, state = loaded("import libcst\nparse = libcst.parse_expression")
    eval("parse('1')", names)
    assert state.is_as_loaded
