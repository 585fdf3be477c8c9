"""States with symbolic integers are identified by their shape."""

from typing import Any

import pytest

from harness.errors import SpecError
from harness.generators.symbolic.heap import Painter
from harness.generators.symbolic.systems import Space
from harness.generators.symbolic.values import DECIDING, Integer, SymbolicRun


class Node:
    def __init__(self, key: Any, following: Any = None) -> None:
        self.key = key
        self.following = following


@pytest.mark.parametrize(("one", "other"), [(1, True), (0, False), (1, 1.0), (0.0, -0.0), ("1", 1), (None, 0)])
def test_values_of_other_types_are_other_shapes(one, other):
    assert Painter().picture(Node(one)).shape != Painter().picture(Node(other)).shape


def test_keys_that_were_pinned_are_what_they_were_pinned_to():
    DECIDING.run = SymbolicRun(Space(0).free(1), b"")
    root = Node({Integer(1): 2}, {Integer(1)})
    assert Painter().picture(root) == Painter().picture(Node({0: 2}, {0}))


class Derived(list):
    pass


class Wrong(Exception):
    pass


@pytest.mark.parametrize("held", [iter([]), Derived(), {Node(1)}, KeyError(), Wrong()])
def test_what_a_shape_cannot_say_is_refused_with_its_class(held):
    with pytest.raises(SpecError, match="symstra cannot keep"):
        Painter().picture(Node(held))
