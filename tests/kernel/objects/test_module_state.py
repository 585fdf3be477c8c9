"""Changes in a module since it was loaded are detected, wherever they are kept, and those of a state by rep_ok."""

from __future__ import annotations

from marshal import dumps, loads
from typing import Any

import pytest

from harness.errors import SpecError
from harness.kernel.objects.module_state import MOST_PLACES, ModuleState
from harness.kernel.objects.steady import SteadyPredicate
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.tokens import the_token

PROGRAM = """
import enum
import functools
import io
import itertools
from array import array
from collections import Counter, OrderedDict, UserList, defaultdict, deque
from dataclasses import dataclass, field

TABLE = {"one": [1], "two": (2, [3])}
NAMES = {"a"}
append = deque([1]).append
ids = itertools.count(3, 2)
next_id = itertools.count().__next__
LOG = []
order = OrderedDict(a=1, b=2)
groups = defaultdict(list)
counts = Counter()
others = UserList([1])
data = bytearray(b"ab")
numbers = array("i", [1])
text = io.StringIO("x")
last = None


class Kind(enum.Enum):
    FIRST = 1


@dataclass
class Box:
    held: int = 0
    items: list = field(default_factory=list)


class Slotted:
    __slots__ = ("value",)


BOX = Box()
SLOTTED = Slotted()
SLOTTED.value = 1


def _keeper():
    kept = [0]
    number = 0

    def keep(value=None):
        nonlocal number
        if value is not None:
            kept.append(value)
        else:
            number += 1000
        return number, len(kept)

    return keep


keep = _keeper()
partly = functools.partial(keep, value=None)


class Meta(type):
    made = 0

    def __call__(cls, *arguments):
        Meta.made += 1
        return super().__call__(*arguments)


class Item(metaclass=Meta):
    registry = []
    serial = itertools.count(1)
    fee = 0
    latest: "Item | None" = None

    def __init__(self):
        self.number = next(Item.serial)
        Item.registry.append(self)
        type(self).latest = self

    @classmethod
    def toggle(cls):
        cls.fee = 1 - cls.fee
        return cls.fee

    @functools.lru_cache
    def cached(self):
        LOG.append("cached")
        return 1

    @functools.cached_property
    def once(self):
        return len(LOG)


class Special(Item):
    pass


def use():
    global last
    last = Item()
    return last.number, len(Item.registry), Meta.made


def count(memo={}, ids=itertools.count()):
    memo[len(memo)] = 1
    count.calls = getattr(count, "calls", 0) + 1
    return len(memo), next(ids), count.calls


@functools.cache
def expensive(n):
    LOG.append(n)
    return n


@functools.singledispatch
def kind(value):
    return "any"


@kind.register
def _(value: int):
    return "int"


def forget():
    global last
    del last
    return len(LOG)


def grow():
    groups["a"].append(1)
    counts["a"] += 1
    others.append(2)
    data.extend(b"c")
    numbers.append(2)
    order.move_to_end("a")
    order["c"] = 3
    return len(groups["a"]), counts["a"], len(others), len(data), len(numbers), list(order), text.read()


def define():
    Item.extra = getattr(Item, "extra", 0) + 1
    return Item.extra


def plain(n):
    local = [n]
    local.append(Kind.FIRST)
    return Box(n, local)
"""
SETTING = "def setting(thing, name, value):\n    setattr(thing, name, value)\n"
"""With it, a program may change any attribute; without it, those that its text names."""


def loaded(source: str):
    module = execute(ModuleText("impl", source, "impl.py"))
    return vars(module), ModuleState(module)


@pytest.mark.parametrize(
    "call",
    [
        *("TABLE['one'].append(2)", "TABLE['two'][1].clear()", "TABLE.update(one=[1])", "NAMES.add('b')", "append(2)"),
        *("BOX.items.append(1)", "setattr(BOX, 'held', 1)", "setattr(SLOTTED, 'value', 2)", "setattr(Box, 'held', 1)"),
        *("keep(5)", "keep()", "partly()", "setattr(plain, '__defaults__', (1,))", "setattr(Kind.FIRST, 'extra', 1)"),
        *("use()", "count()", "(expensive(3), LOG)[1]", "kind(1)", "forget()", "grow()", "define()"),
        *("Item.toggle()", "Special.toggle()", "(next(ids), next_id())", "Item().cached()", "Special().once"),
        *("(Special(), Special.latest.number)[1]", "[next_id() for _ in range(3)]", "use() + count() + grow()"),
    ],
)
def test_a_change_is_seen_and_what_is_put_back_does_the_same_again(call):
    names, state = loaded(PROGRAM + SETTING if "setattr" in call else PROGRAM)
    assert state.is_as_loaded
    first = repr(eval(call, names))
    assert not state.is_as_loaded
    for _ in range(3):
        assert state.put_back(), state.lost
        assert state.is_as_loaded
        assert repr(eval(call, names)) == first


@pytest.mark.parametrize(
    ("line", "call"),
    [("import random", "random.random()"), ("from random import random", "random()"),
     ("from random import shuffle as mix", "mix([1, 2])"), ("from random import _inst", "_inst.random()")],
)  # fmt: skip
def test_the_numbers_of_the_library_are_not_put_back(line, call):
    names, state = loaded(line)
    eval(call, names)
    assert not state.is_as_loaded
    assert not state.put_back()
    assert state.lost == "the random numbers of the library"


def test_random_numbers_of_its_own_are_put_back():
    names, state = loaded("from random import Random\nown = Random(1)")
    first = names["own"].random()
    assert state.put_back()
    assert names["own"].random() == first


def test_calls_that_keep_nothing_change_nothing():
    names, state = loaded(PROGRAM)
    for call in ("plain(3)", "Box()", "Kind(1)", "Box() == Box(1)", "repr(BOX)", "sorted(NAMES)"):
        eval(call, names)
    assert state.is_as_loaded


@pytest.mark.parametrize(
    "line",
    [
        "import functools\nkept = functools.cache(len)\nkept('a')",
        "numbers = iter([1, 2])",
        "numbers = (n for n in range(3))",
        f"TABLE = [[] for _ in range({MOST_PLACES})]",
    ],
)
def test_what_cannot_be_looked_into_counts_as_changed(line):
    _, state = loaded(line)
    assert not state.is_as_loaded
    assert not state.put_back()
    assert state.lost


def test_an_installed_package_counts_as_keeping_nothing():
    names, state = loaded("import libcst\nparse = libcst.parse_expression")
    eval("parse('1')", names)
    assert state.is_as_loaded


def test_what_a_module_keeps_that_only_a_function_imports_is_put_back():
    log = ModuleText("own_log", "lines = []\n", "own_log.py")
    source = "def write():\n    from own_log import lines\n    lines.append(1)\n    return len(lines)\n"
    module = execute(ModuleText("own_book", source, "own_book.py", companions=(log,)))
    state = ModuleState(module)
    for _ in range(3):
        assert module.write() == 1
        assert not state.is_as_loaded
        assert state.put_back()


class Cell:
    def __init__(self, below: Any) -> None:
        self.below = below
        self.marks = 300


def chain(length: int) -> Any:
    cell = None
    for _ in range(length):
        cell = Cell(cell)
    return cell


def marks_the_last(cell: Cell) -> bool:
    while cell.below is not None:
        cell = cell.below
    cell.marks += 1
    return True


@pytest.mark.parametrize("length", [1, 5000])
def test_a_change_is_seen_and_looking_is_none(length):
    cell = chain(length)
    assert SteadyPredicate(lambda state: state.marks == 300).holds(cell, lambda: "a chain")
    with pytest.raises(SpecError, match="rep_ok changes the state that it is given, on a chain"):
        SteadyPredicate(marks_the_last).holds(cell, lambda: "a chain")


@pytest.mark.parametrize("length", [3, 5000])
@pytest.mark.parametrize("value", [[], [300, []], (300, 1.5), float("nan")], ids=repr)
def test_an_equal_value_in_place_of_another_is_no_change(length, value):
    def rebuilds(state: Cell) -> bool:
        state.marks = loads(dumps(state.marks))
        return True

    cell = chain(length)
    cell.marks = value
    assert SteadyPredicate(rebuilds).holds(cell, lambda: "a chain")
    assert cell.marks is not value


@pytest.mark.parametrize("length", [3, 5000])
@pytest.mark.parametrize(
    ("value", "other"), [(1, True), ([1], (1,)), ([], [[]]), (the_token("T", 0), the_token("T", 1))]
)
def test_a_value_of_another_kind_is_a_change(length, value, other):
    def replaces(state: Cell) -> bool:
        state.marks = other
        return True

    cell = chain(length)
    cell.marks = value
    with pytest.raises(SpecError, match="rep_ok changes the state"):
        SteadyPredicate(replaces).holds(cell, lambda: "a chain")


@pytest.mark.parametrize("length", [3, 5000])
def test_a_set_whose_members_left_and_came_back_is_no_change(length):
    def empties_and_fills(state: Cell) -> bool:
        members = sorted(state.marks, reverse=True)
        state.marks.clear()
        state.marks.update(members)
        return True

    cell = chain(length)
    cell.marks = {0, 8, 16, 24}  # in one bucket of a small table: the order is that of coming
    assert SteadyPredicate(empties_and_fills).holds(cell, lambda: "a chain")
