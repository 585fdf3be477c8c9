"""Changes in a module since it was loaded are detected, wherever they are kept, and nothing else is."""

import pytest

from harness.kernel.objects.module_state import MOST_PLACES, ModuleState
from harness.kernel.program.loader import ModuleText, execute

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
