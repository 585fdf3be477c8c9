"""Finitizations are held against the text of the implementation."""

import re

import pytest
from generator_samples import TREE, tree_finitization

from harness.errors import SpecError
from harness.generators.states.fields import check_fields
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization


def check(source: str, *fields: str, cls: str = "Node") -> None:
    f = Finitization(cls)
    for field in fields:
        f.set(f"{cls}.{field}", None)
    check_fields(StateSpace(f), source)


def test_a_complete_finitization_passes():
    check_fields(StateSpace(tree_finitization(2)), TREE)


@pytest.mark.parametrize(
    "source",
    [
        "class Node:\n    def __init__(self):\n        self.a = self.b = 1",
        "class Node:\n    def __init__(this, a):\n        this.a, (this.b, c) = a",
        "class Node:\n    __slots__ = ('a', 'b', '__weakref__')",
        "class Node:\n    __slots__ = {'a': 'doc', 'b': 'doc'}",
        "class Node:\n    __slots__: tuple[str, ...] = ('a', 'b')\n    __match_args__: tuple[str, ...] = ('b',)",
        "class Node:\n    def __init__(self, /):\n        self.a = self.b = 1",
        "class Node:\n    a: int\n    b: 'Node | None' = None",
        "class Base:\n    def __init__(self):\n        self.b = 1\nclass Node(Base):\n    a: int",
        "class Node:\n    def __new__(cls):\n        o = super().__new__(cls)\n        o.a = o.b = 1\n        return o",
        "class Node:\n    a: int\n    def __post_init__(self):\n        for self.b in ():\n            pass",
        "if True:\n    class Node:\n        def __init__(self):\n            self.a: int = 1\n            self.b += 1",
    ],
)
def test_fields_are_found_however_they_are_declared(source):
    check(source, "a", "b")
    with pytest.raises(SpecError) as caught:
        check(source, "a")
    assert re.fullmatch(
        r"line \d+ of the implementation gives Node a field 'b', which has no field domain; "
        r'add f.set\("Node.b", \.\.\.\) to finitization',
        str(caught.value),
    )


def test_the_line_of_a_forgotten_field_is_named():
    f = Finitization("Node")
    f.set("Node.info", 1)
    with pytest.raises(SpecError, match=r"^line 10 of the implementation gives Node a field 'left'"):
        check_fields(StateSpace(f), TREE)


@pytest.mark.parametrize(
    "source",
    [
        "from typing import ClassVar\nclass Node:\n    a: int\n    limit: ClassVar[int] = 3\n    other = 4",
        "class Node:\n    def __init__(self):\n        self.a = 1\n    def grow(self):\n        self.cache = 1",
        "class Node:\n    def __init__(self):\n        self.a = 1\n        other.b = 2\n        self.c",
    ],
)
def test_constants_and_attributes_set_later_or_elsewhere_may_be_left_out(source):
    check(source, "a")


def test_properties_stand_for_the_attribute_they_store():
    source = (
        "class Node:\n    def __init__(self):\n        self.a = 1\n"
        "    @property\n    def a(self):\n        return self._a\n"
        "    @a.setter\n    def a(self, value):\n        self._a = value"
    )
    check(source, "_a")


def test_private_names_are_mangled():
    source = "class _Node:\n    def __init__(self):\n        self.__a = 1"
    check(source, "_Node__a", cls="_Node")
    with pytest.raises(SpecError, match="a field '_Node__a'"):
        check(source, cls="_Node")


def test_a_nested_class_is_found_by_its_dotted_name():
    source = "class Tree:\n    class Base:\n        x: int\n    class Node(Base):\n        y: int"
    check(source, "x", "y", cls="Tree.Node")
    with pytest.raises(SpecError, match=r"gives Tree.Node a field 'x'"):
        check(source, "y", cls="Tree.Node")


def test_a_field_that_nothing_assigns_is_refused_with_the_nearest_name():
    with pytest.raises(SpecError, match=r"\"Node.rigth\", but no code .* assigns it; did you mean 'right'"):
        check("class Node:\n    right: int", "right", "rigth")
    with pytest.raises(SpecError, match="there are none"):
        check("class Node:\n    pass", "x")


@pytest.mark.parametrize(
    "source",
    [
        "class Node:\n    pass\ndef link(node):\n    node.x = 1",
        "class Node:\n    x = 1",
        "class Node:\n    def __init__(self, **values):\n        self.__dict__.update(values)",
        "class Node:\n    def __init__(self, name):\n        setattr(self, name, 1)",
        "from elsewhere import Base\nclass Node(Base):\n    pass",
        "from elsewhere import Node",
    ],
)
def test_a_field_that_something_may_assign_is_accepted(source):
    check(source, "x")
