"""Lines and branches of Table 1 are counted from source text."""

import pytest

from harness.errors import SourceError
from harness.papers.source_facts import subject_facts

SOURCE = '''"""A module."""

class Tree:
    """A tree."""

    @decorated
    def add(self, x):
        """Adds.

        Two lines.
        """
        # a comment
        text = """not a
        docstring"""
        while True:
            if x:  # one
                break

            for y in x:  # two
                x = 1 if y else 2
        return x

    def contains(self, x):
        def inner():
            if x:  # three
                return 1
        while x: inner()  # four

    class Node:
        def height(self): return 0

def unrelated():
    if 1 + 1: pass
'''


def test_lines_and_branches_of_the_named_functions_are_counted():
    facts = subject_facts("Tree", SOURCE, ["Tree.add"], ["Tree.contains", "Tree.Node.height"], 7)
    assert (facts.targets, facts.helpers) == (("add",), ("contains", "Node.height"))
    assert facts.ncnb_lines == 10 + 5 + 1
    assert facts.branches == 4
    assert facts.mutants == 7


def test_functions_of_a_module_keep_their_names():
    facts = subject_facts("m", SOURCE, ["unrelated"], [], 0)
    assert (facts.targets, facts.ncnb_lines, facts.branches) == (("unrelated",), 2, 1)


def test_a_nested_function_named_beside_its_outer_one_counts_once():
    alone = subject_facts("Tree", SOURCE, ["Tree.contains"], [], 0)
    both = subject_facts("Tree", SOURCE, ["Tree.contains", "Tree.contains.<locals>.inner"], [], 0)
    assert (both.ncnb_lines, both.branches) == (alone.ncnb_lines, alone.branches)


def test_unknown_functions_and_broken_sources_are_refused():
    with pytest.raises(SourceError, match=r"no function Tree\.remove"):
        subject_facts("Tree", SOURCE, ["Tree.remove"], [], 0)
    with pytest.raises(SourceError, match="line 1"):
        subject_facts("Tree", "def", [], [], 0)
