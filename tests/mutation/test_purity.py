"""The text decides which expressions may be evaluated twice; in doubt they may not."""

import ast

import pytest

from harness.mutation.purity import Purity

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
