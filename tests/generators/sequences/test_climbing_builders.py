"""Builders are found by hill climbing: those of the paper, the simpler of two that do as well."""

import pytest
from support.sequence_suites import task_of, task_of_text

from harness.codec.codec import codec_of
from harness.generators.sequences.builder_search import BuilderSearchResult
from harness.generators.sequences.builders import find_builders
from harness.model.sequence import SequenceScope


@pytest.mark.parametrize(
    ("subject", "scope", "builders"),
    [("search_tree", 3, ("add",)), ("avl_tree", 4, ("add",)), ("tree_map", 5, ("put", "remove"))],
)
def test_builders_are_those_that_the_paper_tells(subject, scope, builders):
    search = find_builders(subject, task_of(subject, scope))
    assert search.builders == builders
    assert search.structures == search.structures_by_all == search.steps[-1].structures
    assert codec_of(BuilderSearchResult).of_json(codec_of(BuilderSearchResult).to_json(search)) == search
    assert search.line == f"s.builders({', '.join(f'{name!r}' for name in builders)})".replace("'", '"')


BAG = """
class Bag:
    def __init__(self):
        self.held = 0
    def set_both(self, value, other):
        self.held = value
    def set(self, value):
        self.held = value
    def set_to_another(self, bag):
        self.held = bag.held or 1
    def peek(self):
        return self.held
"""


def test_of_routines_that_make_as_many_the_one_with_fewer_and_simpler_parameters_is_taken():
    bounds = SequenceScope("Bag")
    bounds.method("set_both", range(3), range(2))
    bounds.method("set_to_another", bounds.earlier("Bag"))
    bounds.method("set", range(3))
    bounds.method("peek")
    search = find_builders("bag", task_of_text(BAG, bounds))
    assert search.builders == ("set",)
    assert [step.structures for step in search.steps] == [1, 3]
    assert search.explored > 3 * 4


def test_a_class_that_calls_do_not_change_needs_no_builders():
    bounds = SequenceScope("Bag")
    bounds.method("peek")
    assert find_builders("bag", task_of_text(BAG, bounds)).line == "s.builders()"
