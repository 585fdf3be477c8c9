"""The text proves types of locals by all values that they are given, and never more than executions show."""

import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutated_programs import programs
from support.sweeps import examples
from test_schemata import behaviour

from harness.mutation.algebra import ProvenTypes
from harness.mutation.program import read_program

HEAD = """
class Node:
    key: int
    other = 1
    next: "Node | None"
    items: list[int]
    rows: list[list]
    table: dict[int, int]

    def size(self) -> int: ...
    @cached
    def rank(self) -> int: ...
    async def later(self) -> int: ...

def whole() -> int: ...
def unknown(): ...
"""


def types_of_x(body: str, head: str = HEAD) -> set[str]:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    source = f"{head}\ndef f(a: int, n: Node, u, text: str):\n{lines}"
    return set(ProvenTypes(read_program(source)).variables("f").get("x", ()))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = 1", {"int"}),
        ("x = a", {"int"}),
        ("x = -(2 * a + 1) // 2 % 7", {"int"}),
        ("x = 0\nwhile a:\n    x = x + a\n    x += 1", {"int"}),
        ("y = 0\nx = 1\nwhile a: x, y = y, x", {"int"}),
        ("x = (y := a) + y", {"int"}),
        ("x = a if a else 0", {"int"}),
        ("x = a or 1", {"int"}),
        ("x = len(text)", {"int"}),
        ("for x in range(a): pass", {"int"}),
        ("x = n.key", {"int"}),
        ("x = n.next.key", {"int"}),
        ("x = n\nwhile x: x = x.next", {"Node", "NoneType"}),
        ("x = n.items[a - 1]", {"int"}),
        ("x = n.rows[0]", {"list"}),
        ("x = n.size()", {"int"}),
        ("x = whole()", {"int"}),
        ("x = Node()", {"Node"}),
        ("x = None\nx = 1", {"int", "NoneType"}),
        ("x: int = unknown()", {"int"}),
    ],
)
def test_a_local_has_the_types_of_all_values_that_it_is_given(body, expected):
    assert types_of_x(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "x = u",
        "x = a / 2",
        "x = a ** 2",
        "x = a + u",
        "x = a + True",
        "x = 1\nx = u",
        "x = 1\nx += u",
        "x = 1\nx, y = u",
        "x, *y = a, a, a",
        "x = 1\nfor x in u: pass",
        "x = 1\nwith u as x: pass",
        "x = 1\ntry: pass\nexcept E as x: pass",
        "x = 1\nmatch u:\n    case [x]: pass",
        "x = 1\nimport x",
        "x = 1\ndel x",
        "x = 1\ndef x(): ...",
        "x = 1\ndef g():\n    nonlocal x\n    x = u",
        "global x\nx = 1",
        "x = 1\nreturn [x for x in u]",
        "x = 1\nreturn lambda x: x",
        "x = a\nreturn lambda a: a",
        "x = n.other",
        "x = n.items[u]",
        "x = n.items[1:]",
        "x = n.table[1]",
        "x = u.items[1]",
        "x = n.other[1]",
        "x = n.rank()",
        "x = n.later()",
        "x = unknown()",
        "len = u\nx = len(text)",
        "range = u\nfor x in range(a): pass",
        "whole = u\nx = whole()",
        "x = y\ny = x",
    ],
)
def test_one_value_of_unknown_type_makes_the_local_unknown(body):
    assert types_of_x(body) == set()


@pytest.mark.parametrize(
    "definition", ["len = unknown", "def len(c): ...", "from m import len", "from m import *", "for len in m: ..."]
)
def test_a_name_with_another_meaning_in_the_module_is_not_the_builtin(definition):
    assert types_of_x("x = len(text)", f"{HEAD}\n{definition}\n") == set()


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(programs, st.tuples(*[st.integers(0, 4)] * 3))
def test_values_of_random_programs_have_the_proven_types(source, inputs):
    proven = ProvenTypes(read_program(source)).variables("Machine.run")
    seen: dict[str, set[str]] = {}

    def look(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_qualname == "Machine.run":
            for name, value in frame.f_locals.items():
                seen.setdefault(name, set()).add(type(value).__name__)
        return look

    former = sys.gettrace()
    sys.settrace(look)
    try:
        behaviour(source, 0, inputs)
    finally:
        sys.settrace(former)
    assert "int" in seen["i"]
    assert [name for name, types in seen.items() if proven.get(name) and not types <= proven[name]] == []
