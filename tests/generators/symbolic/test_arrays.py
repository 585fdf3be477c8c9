"""Accesses of lists by symbolic indices look at the bounds, then at the indices within."""

from __future__ import annotations

from typing import Any

import pytest
from symbolic.symbolic_programs import concrete_run, explored

from harness.generators.symbolic.arrays import ARRAY, array
from harness.generators.symbolic.differences import Space
from harness.generators.symbolic.text import compiled
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.program.steps import TICK

TEXT = '''
def read(index):
    """Reads."""
    items = [5, 6, 7]
    return items[index]

def write(index, other):
    items: list[int] = [0, 0]
    items[index] += 1
    del items[other]
    return items

def plain(index):
    names: dict[str, int] = {"a": 1}
    return (names["a"], (4, 5)[1], "abc"[1:], [1, 2, 3][0])
'''


def program() -> Any:
    text = ModuleText("program", TEXT, "program.py")
    return execute(text, compiled(text), {TICK: lambda: True, ARRAY: array})


def test_each_index_within_the_bounds_and_each_side_beyond_them_is_a_path() -> None:
    paths = explored(program().read, 1, Space().free(0))
    results = [path.result for path in paths]
    assert sorted(result for result in results if isinstance(result, int)) == [5, 5, 6, 6, 7, 7]
    assert results.count(IndexError) == 2
    assert not any(path.notices for path in paths)


@pytest.mark.parametrize("index", range(-4, 5))
def test_an_access_is_that_of_python(index: int) -> None:
    items = [5, 6, 7]
    expected = items[index] if -3 <= index < 3 else IndexError
    assert concrete_run(program().read, [index])[1] == expected


def test_items_are_written_and_deleted_by_symbolic_indices() -> None:
    assert concrete_run(program().write, [-1, 0])[1] == [1]
    assert concrete_run(program().write, [0, 1])[1] == [1]
    assert concrete_run(program().write, [2, 0])[1] is IndexError


def test_other_accesses_and_annotations_stay_as_they_are() -> None:
    assert program().plain(0) == (1, 5, "bc", 1)
