"""A watched program behaves as it does unwatched, and reports which values its calls define and use.

Calls influence later calls by these definitions and uses (jtestcraft2010, section 4.4.1).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.generators.policies.css.access_instrumentation import watched
from harness.generators.policies.css.watching import Accesses, WatchedFunctions
from harness.kernel.program.loader import TICK, ModuleText, execute

OWNER = object()
MAKER = -1


def among_calls(accesses: Accesses) -> set[tuple[int, int]]:
    """Influences, those of who made the object apart."""
    return {(earlier, later) for earlier, later in accesses.influences if earlier != MAKER}


def recorded_accesses(calls: Iterable[str], owner: object = OWNER) -> Accesses:
    """Record calls one after the other, written as `def a use b`, on an object that they have not made."""
    accesses = Accesses()
    accesses.at = MAKER
    accesses.see(owner)
    for at, call in enumerate(calls):
        accesses.at = at
        words = iter(call.split())
        for word in words:
            place = next(words)
            if place == "*":
                (accesses.use_all if word == "use" else accesses.change)(owner)
            else:
                (accesses.use if word == "use" else accesses.define)(owner, place)
    return accesses


@pytest.mark.parametrize(
    ("calls", "influences"),
    [
        (["def a", "use a", "use a"], {(0, 1), (0, 2)}),
        (["def a", "def a", "use a"], {(1, 2)}),
        (["def a", "def b", "use a use b"], {(0, 2), (1, 2)}),
        (["def a", "use a def a", "use a"], {(0, 1), (1, 2)}),
        (["def a", "def a use a"], set()),
        (["def a", "def *", "use a"], {(0, 2), (1, 2)}),
        (["def *", "def a", "use a"], {(1, 2)}),
        (["def a", "def b", "use *"], {(0, 2), (1, 2)}),
    ],
)
def test_the_rows_of_table_4_4_and_changes_of_the_whole(calls, influences):
    assert among_calls(recorded_accesses(calls)) == influences


def test_calls_are_ordered_by_what_one_defines_and_the_other_uses_or_defines():
    for calls in (["def a", "use a"], ["use a", "def a"], ["def a", "def a"], ["use *", "def a"], ["use a", "def *"]):
        assert recorded_accesses(calls).are_ordered(0, 1)
    for calls in (["use a", "use a"], ["def a", "def b"], ["use a", "def b"], ["use *", "use a"]):
        assert not recorded_accesses(calls).are_ordered(0, 1)


def test_definitions_last_until_they_are_defined_anew():
    assert recorded_accesses(["def a", "def a", "use a"]).lasting() == {MAKER, 1}
    assert recorded_accesses(["def a", "def *", "use a"]).lasting() == {MAKER, 0, 1}


CALLS = st.lists(st.lists(st.tuples(st.sampled_from(["def", "use"]), st.sampled_from("abc*")), max_size=3), max_size=5)


@given(CALLS)
def test_influences_are_those_that_a_look_at_all_pairs_finds(calls):
    events = [(at, what, place) for at, call in enumerate(calls) for what, place in call]
    expected = set()
    for later, (at, access, place) in enumerate(events):
        for earlier, (other, did, where) in enumerate(events[:later]):
            if access == "use" and did == "def" and other != at and (where == place or "*" in (where, place)):
                over = (("def", where),) if where != "*" else (("def", place),) if place != "*" else ()
                if not any((did, on) in over for _, did, on in events[earlier + 1 : later]):
                    expected.add((other, at))
    assert (
        among_calls(recorded_accesses(" ".join(f"{what} {place}" for what, place in call) for call in calls))
        == expected
    )


PROGRAM = """
import copy
from dataclasses import dataclass, field

@dataclass
class Point:
    x: int = 0
    parts: list[int] = field(default_factory=list)

class Thing:
    __slots__ = ("a", "b", "items", "names", "__hidden", "point")

    def __init__(self):
        self.a = self.b = 0
        self.items = [0, 0, 0]
        self.names = {}
        self.__hidden = 1
        self.point = Point()

    @property
    def both(self) -> tuple[int, int]:
        return self.a, self.b

    def set_a(self): self.a = 1
    def add_a(self): self.a += 1
    def get_a(self): return self.a
    def get_b(self): return self.b
    def get_both(self): return self.both
    def hide(self): self.__hidden = 2
    def hidden(self): return self.__hidden
    def put(self, at): self.items[at] = 5
    def last(self): return self.items[-1]
    def first(self): return self.items[0]
    def append(self): self.items.append(1)
    def pop(self): return self.items.pop()
    def count(self): return len(self.items)
    def total(self): return sum(item for item in self.items)
    def has(self): return 5 in self.items
    def some(self): return [*self.items[1:]]
    def alias(self):
        items = self.items
        items += [3]
    def name(self): self.names["k"] = 1
    def named(self): return self.names["k"]
    def named_at_all(self): return "yes" if self.names else "no"
    def given(self): helper(self.items)
    def set_by_name(self): setattr(self, "a", 1)
    def copied(self): return copy.copy(self)
    def move(self): self.point.x = 3
    def where(self): return self.point.x
    def shape(self):
        match self.a:
            case 0:
                return "none"
            case _:
                return "some"
    def counting(self):
        self.a, *rest = self.items
        return sorted(self.items, key=lambda item: -item) == rest

    def replace(self): self.point = Point(7)
    def compare(self): return self.point == Point(7)
    def freeze(self): object.__setattr__(self, "b", 3)
    def new_row(self): self.items = Row([1])
    def grow_row(self): self.items.grow(2)
    def shrink(self): return self.items.shrink() if isinstance(self.items, Row) else 0

class Row(list):
    def grow(self, item):
        super().append(item)
    def shrink(self):
        return list.pop(self)

def helper(items):
    items[0] = 4
"""


def both(text: str) -> tuple[WatchedFunctions, Any, Any]:
    """Return the watch, the watched program and the plain program."""
    code = ModuleText("program", text, "program.py")
    watch = WatchedFunctions()
    program = execute(code, watched(code), {TICK: lambda: True, **watch.presets()})
    return watch, program, execute(code)


def influences(calls: Sequence[str | tuple[str, int]]) -> set[tuple[int, int]]:
    watch, program, plain = both(PROGRAM)
    watch.accesses = Accesses()
    watch.accesses.at = -1
    watched, unwatched = program.Thing(), plain.Thing()
    for at, call in enumerate(calls):
        name, *arguments = (call,) if isinstance(call, str) else call
        watch.accesses.at = at
        outcome, expected = (getattr(one, name)(*arguments) for one in (watched, unwatched))
        assert outcome == expected or name == "copied"
    return {(earlier, later) for earlier, later in watch.accesses.influences if earlier >= 0}


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        (["set_a", "get_a"], {(0, 1)}),
        (["set_a", "get_b"], set()),
        (["set_a", "add_a", "get_a"], {(0, 1), (1, 2)}),
        (["set_a", "get_both"], {(0, 1)}),
        (["hide", "hidden"], {(0, 1)}),
        ([("put", 2), "last"], {(0, 1)}),
        ([("put", -1), "last"], {(0, 1)}),
        ([("put", 1), "last"], set()),
        ([("put", 0), ("put", 0), "first"], {(1, 2)}),
        (["append", "pop"], {(0, 1)}),
        (["append", "append", "count"], {(0, 2), (1, 2)}),
        ([("put", 1), "total"], {(0, 1)}),
        ([("put", 1), "has"], {(0, 1)}),
        ([("put", 1), "some"], {(0, 1)}),
        (["alias", "last"], {(0, 1)}),
        (["name", "named"], {(0, 1)}),
        (["name", "named_at_all"], {(0, 1)}),
        (["given", "first"], {(0, 1)}),
        (["set_by_name", "get_a"], {(0, 1)}),
        (["set_a", "copied"], {(0, 1)}),
        (["move", "where"], {(0, 1)}),
        (["set_a", "shape"], {(0, 1)}),
        (["replace", "where"], {(0, 1)}),
        (["move", "compare"], {(0, 1)}),
        (["replace", "compare"], {(0, 1)}),
        (["freeze", "get_b"], {(0, 1)}),
        (["new_row", "grow_row", "shrink"], {(0, 1), (0, 2), (1, 2)}),
        ([("put", 1), "counting", "get_a"], {(0, 1), (1, 2)}),
    ],
    ids=str,
)
def test_calls_that_pass_something_on_are_told(calls, expected):
    assert influences(calls) == expected


@pytest.mark.parametrize(
    ("expression", "error"), [("Thing().nothing", AttributeError), ("Thing().items[9]", IndexError)]
)
def test_errors_are_those_of_the_program(expression, error):
    _, program, _ = both(PROGRAM + f"def ask(): return {expression}\n")
    ask: Callable[[], object] = program.ask
    with pytest.raises(error):
        ask()
