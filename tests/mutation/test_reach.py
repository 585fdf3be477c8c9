"""The call graph determines the functions that are mutated and covered."""

import pytest

from harness.errors import SourceError, SpecError
from harness.model.finitization import Finitization
from harness.model.interface import Interface
from harness.mutation.reach import reachable, target_names

SOURCE = '''class Base:
    def shared(self):
        return helper(1)

    def unused(self):
        pass


class Node:
    def __init__(self):
        self.next = None

    @property
    def last(self):
        return self.next is None

    def visit(self): ...


class Heap(Base):
    def insert(self, x):
        """Adds.

        Twice.
        """
        # a comment
        node = Node()

        if x or node.last:
            for i in [y for y in x if y]:
                x = 1 if i else 2
        elif x:
            while x: pass
        self.visit()
        unused = 1
        return self.shared()

    def visit(self):
        return unused

    def __str__(self):
        return ""


def helper(n):
    return helper(n - 1)


def unused():
    pass
'''


def test_helpers_are_what_targets_name_and_so_on():
    helpers = reachable(SOURCE, ["Heap.insert"])
    assert list(helpers) == [
        "Base.shared",
        "Node.__init__",
        "Node.last",
        "Heap.insert",
        "Heap.visit",
        "helper",
        "unused",
    ]


def test_a_local_variable_is_no_helper():
    assert "unused" not in reachable(SOURCE.replace("return unused", "return 1"), ["Heap.insert"])


def test_helpers_named_by_the_spec_replace_the_search():
    assert list(reachable(SOURCE, ["Heap.insert"], ["unused"])) == ["Heap.insert", "unused"]


def test_inherited_targets_are_found_where_they_are_defined():
    assert list(reachable(SOURCE, ["Heap.unused"])) == ["Base.unused"]


def test_an_extent_counts_code_lines_and_branching_points():
    extent = reachable(SOURCE, ["Heap.insert"])["Heap.insert"]
    assert (extent.first_line, extent.last_line) == (21, 36)
    assert extent.code_lines == 10
    assert extent.branching_points == 7  # if, elif, for, while, conditional expression, comprehension and its filter
    assert extent.branching_statements == 4  # the first four


def test_a_target_that_is_not_there_is_an_error_of_the_spec():
    with pytest.raises(SpecError, match=r"'Heap\.push'"):
        reachable(SOURCE, ["Heap.push"])
    with pytest.raises(SourceError, match="line 1"):
        reachable("def", [])


def test_targets_are_methods_of_the_roots_class_or_functions():
    finitization = Finitization("Heap")
    finitization.method("insert")
    finitization.function("helper")
    assert target_names(Interface.of_finitization(finitization)) == ("Heap.insert", "helper")


INHERITING = """
import collections

class Base(dict):
    def __init__(self, items=()):
        super().__init__(items)

class Table(Base):
    def add(self, key):
        self[key] = True

class Seen(collections.UserList):
    pass

class Alone:
    pass
"""


def test_a_class_among_the_targets_means_what_constructs_its_objects():
    assert set(reachable(INHERITING, ["Table", "Table.add"])) == {"Base.__init__", "Table.add"}
    assert set(reachable(INHERITING, ["Alone"])) == set()


def test_a_target_inherited_from_another_module_is_no_function_of_the_program():
    assert set(reachable(INHERITING, ["Table.add", "Table.pop", "Seen.append"])) == {"Table.add"}
    with pytest.raises(SpecError, match=r"'Alone\.pop'"):
        reachable(INHERITING, ["Alone.pop"])


def test_a_target_that_the_class_body_assigns_is_the_function_behind_it():
    source = (
        "import operator\n\n\nclass Number:\n"
        "    def _operators(exact, fallback):\n        def forward(a, b):\n            return exact(a, b)\n"
        "        return forward, forward\n\n"
        "    def _add(a, b):\n        return a.value + b.value\n\n"
        "    __add__, __radd__ = _operators(_add, operator.add)\n\n"
        "    def __lt__(self, other):\n        return self.value < other.value\n\n"
        "    __gt__ = __lt__\n"
    )
    assert list(reachable(source, ["Number.__add__"])) == ["Number._add"]
    assert list(reachable(source, ["Number.__radd__", "Number.__gt__"])) == ["Number._add", "Number.__lt__"]
