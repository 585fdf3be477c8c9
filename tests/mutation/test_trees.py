"""Ways through trees beside those of the standard library, how deep they may be, and which may be evaluated twice."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from support.subjects import load_subject

from harness.errors import SourceError
from harness.model.subject import Subject
from harness.mutation.mutate import mutate
from harness.mutation.program import DEEPEST, TypeProfile, deepest, room_for
from harness.mutation.purity import Purity
from harness.mutation.trees import below, children, copied

WITHOUT = (ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)
MORE = """
@decorated(1)
async def f(a, /, b: int = -1, *c, d=(yield), **e) -> {1: 2, **{}}:
    async with a as b, c: pass
    x, *y = [z for z in a if not z async for w in z]
    try:
        a[1:2, ...] += f"{a!r:>{b}}"
    except* (E, F) as e:
        raise e from None
    match a:
        case [1, *_] | {"k": A(b=2), **r} if a < b <= c in d: del a
    return lambda: (await a) if a and b or c else ~a
"""


def trees() -> list[ast.Module]:
    return [
        ast.parse(MORE),
        ast.parse(load_subject("search_tree")[0].source),
        ast.parse(load_subject("heapq")[0].source),
    ]


@pytest.mark.parametrize("tree", trees())
def test_children_and_nodes_below_are_those_of_the_standard_library(tree):
    for node in ast.walk(tree):
        expected = [child for child in ast.iter_child_nodes(node) if not isinstance(child, WITHOUT)]
        assert children(node) == expected
    nodes = list(below(tree))
    assert len(set(nodes)) == len(nodes)
    assert set(nodes) == {node for node in ast.walk(tree) if not isinstance(node, WITHOUT)}


@pytest.mark.parametrize("tree", trees())
def test_a_copy_is_equal_and_shares_no_node(tree):
    copy = copied(tree, {})
    assert ast.dump(copy, include_attributes=True) == ast.dump(tree, include_attributes=True)
    assert set(below(copy)).isdisjoint(below(tree))


def test_a_copy_has_another_tree_in_the_place_of_a_node():
    around = ast.parse("a + (b - c) * d", mode="eval").body
    assert isinstance(around, ast.BinOp)
    assert isinstance(around.right, ast.BinOp)
    copy = copied(around, {id(around.right.left): ast.Name("z", ast.Load())})
    assert (ast.unparse(copy), ast.unparse(around)) == ("a + z * d", "a + (b - c) * d")


def subject(source: str) -> Subject:
    return Subject("deep", "Deep", "impl", Path("impl.py"), source, Path("spec.py"), "")


def test_the_deepest_statement_is_named():
    assert deepest("x = 1\ny = -(-\n-1)\n") == (2, 5)
    assert deepest("x = (") == (1, 0)


@pytest.mark.parametrize("expression", ["-" * 60 + "x", "[" * 90 + "x" + "][0]" * 90, "1 + x" + ".y" * 180])
def test_what_is_not_too_deep_is_mutated(expression):
    source = f"def f(x):\n    return {expression}\n"
    with room_for(subject(source)):
        assert mutate(source, {"f"}, TypeProfile())


def test_what_is_too_deep_is_refused():
    source = "\ndef f(x):\n    return " + "not " * DEEPEST + "x\n"
    with (
        pytest.raises(SourceError, match=r"impl\.py:3: expressions or statements are nested"),
        room_for(subject(source)),
    ):
        pass


PLAIN = "class Node:\n    def __init__(self):\n        self.left = None\n"


def is_pure(expression: str, module: str = PLAIN, blocked: tuple[str, ...] = ()) -> bool:
    return Purity(ast.parse(module), blocked).pure(ast.parse(expression, mode="eval").body)


@pytest.mark.parametrize(
    "expression",
    ["n", "1", "n.left.left", "a[i + 1]", "a < b <= c", "a or b", "len(a)", "max(a, b)", "b if a else c", "x in a"],
)
def test_operations_on_plain_objects_are_pure(expression):
    assert is_pure(expression)


@pytest.mark.parametrize(
    "expression",
    ["f(n)", "n.f()", "(n := 1)", "[a]", "[x for x in a]", "lambda: a", "a[1:]", "f()", "max(a, key=f)", "f'{a}'"],
)
def test_what_may_run_code_or_make_an_object_is_not(expression):
    assert not is_pure(expression)


@pytest.mark.parametrize(
    "surprise",
    [
        "class C:\n    def __getattr__(self, name): ...",
        "class C:\n    @property\n    def left(self): ...",
        "class C:\n    left = property(f)",
        "class C:\n    __add__ = f",
        "C.__lt__ = f",
        "setattr(C, '__lt__', f)",
        "class C(metaclass=M): ...",
        "C = type('C', (), {'__lt__': f})",
        "import numpy",
        "from collections import defaultdict",
        "def len(a): ...",
        "def f(max): ...",
        "from typing import List as abs",
        "try: ...\nexcept E as min: ...",
        "match x:\n    case [*len]: ...",
        "if __name__ == '__main__': ...\nelse:\n    import numpy",
    ],
)
def test_where_objects_may_do_anything_only_names_and_constants_are_pure(surprise):
    assert not is_pure("a + b", f"{PLAIN}\n{surprise}\n")
    assert is_pure("a", f"{PLAIN}\n{surprise}\n")


@pytest.mark.parametrize(
    "harmless",
    [
        "from __future__ import annotations",
        "from collections.abc import Iterator",
        "class C:\n    __slots__ = ('a',)\n    @staticmethod\n    def f(): ...",
        "__about__ = 'text'",
        "def f(a):\n    return type(a)",
        "if __name__ == '__main__':\n    import doctest",
    ],
)
def test_what_gives_operations_no_meaning_does_not_count(harmless):
    assert is_pure("a + b", f"{harmless}\n{PLAIN}\n")


def test_a_blocked_import_brings_nothing():
    source = "try:\n    from _heapq import *\nexcept ImportError:\n    pass\n"
    assert not is_pure("a + b", source)
    assert is_pure("a + b", source, blocked=("_heapq",))


def test_iterators_are_taken_from_by_in_and_by_the_least_of_them():
    source = "def f(a):\n    yield from a\n"
    assert [is_pure(e, source) for e in ("x in a", "min(a)", "min(a, b)", "a < b")] == [False, False, True, True]


def test_a_string_shows_values_by_their_own_code():
    source = "class C:\n    def __str__(self): ...\n"
    assert not is_pure("'%s' % a", source)
    assert is_pure("'%s' % a")
