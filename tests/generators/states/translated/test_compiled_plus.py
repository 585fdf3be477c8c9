"""Korat+ in C explores, finds and covers what the reference engine does."""

from collections import Counter
from itertools import chain
from textwrap import indent

import pytest
from generator_samples import shared_objects, workshop
from hypothesis import HealthCheck, assume, given, settings
from random_criteria import programs_with_criteria
from support.compiled_samples import finitization, module, predicate
from support.subjects import loaded

from harness.errors import SpecError
from harness.generators.states.engine import StateSearch
from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.reference.plus_search import KoratPlusSearch, Pruning
from harness.generators.states.translated.search import CompiledSearch, Pace, SearchGaveUp
from harness.kernel.inputs.state_space import StateSpace

QUIETLY = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}
ENDS: Counter[str] = Counter()


def by_compiling(space, code, pruning):
    """Vectors, candidates explored, and the first vector of each class."""
    search = CompiledSearch(space, code, code.rep_ok, shared_objects(), criterion=pruning)
    with search.begin() as running:
        return [one for block in running.blocks() for one in block], search.explored, running.class_vectors


def check(space, code, *switches):
    for first_only in switches:
        pruning = Pruning(code.eq_class, first_only)
        reference = KoratPlusSearch(space, code, code.rep_ok, pruning)
        expected = list(reference)
        outcome = by_compiling(space, code, pruning)
        assert outcome == (expected, reference.explored, list(reference.classes.values()))


@pytest.mark.parametrize(("name", "scope"), [("list_as_set", 3), ("search_tree_delete", 3), ("binomial_heap_merge", 3)])
def test_the_case_studies_are_pruned_alike(name, scope):
    spec, code = loaded(name)
    code.rep_ok, code.eq_class = spec.rep_ok, spec.eq_class
    check(StateSpace(spec.finitization(scope)), code, name == "list_as_set", False)


def check_random(program):
    code, space = module(program.source), StateSpace(program.finitization())
    try:
        list(KoratPlusSearch(space, code, code.rep_ok, Pruning(code.eq_class)))
    except SpecError:
        assume(False)
    try:
        check(space, code, False)
    except (Untranslatable, SearchGaveUp):
        ENDS["given up"] += 1
    else:
        ENDS["alike"] += 1


@given(programs_with_criteria())
@settings(max_examples=3, **QUIETLY)
def random_criterion(program):
    assume(StateSpace(program.finitization()).size <= 20_000)
    check_random(program)


@pytest.mark.slow
def test_random_criteria_most_of_them_translated_are_pruned_by_alike():
    ENDS.clear()
    random_criterion()
    assert ENDS["alike"] > ENDS["given up"]


def searched(code, pruning, beginning=50):
    notices = []
    space = StateSpace(finitization(values=2, lengths=2))
    search = StateSearch(space, code, code.rep_ok, workshop(notices, pace=Pace(beginning)), pruning=pruning)
    return list(search), search, notices


def lambda_of(body):
    return predicate(body).rep_ok


@pytest.mark.parametrize("body", ["return (root.size, 0.5)", "return frozenset([root.size])"])
def test_what_is_not_translated_of_a_criterion_is_left_to_the_reference_engine(body):
    code = predicate("return root.size >= 0 and root.head is not None and root.head.value >= 0")
    code.eq_class = lambda_of(body)
    states, search, notices = searched(code, Pruning(code.eq_class), beginning=3)
    reference = KoratPlusSearch(search.space, code, code.rep_ok, Pruning(code.eq_class))
    assert states == list(reference)
    assert (search.explored, search.classes) == (reference.explored, reference.classes)
    assert search.engine == "reference"
    assert "the reference engine" in notices[0]


def with_criterion(rep_ok, eq_class):
    """Return a module with both functions, which may call each other."""
    code = predicate(rep_ok, f"def eq_class(root):\n{indent(eq_class, '    ')}\n")
    return StateSpace(finitization(values=2, lengths=2)), code


COUNTING = """
seen, total, node = set(), 0, root.head
while node is not None and node not in seen:
    seen.add(node)
    total = total + node.value
    node = node.next
for number in root.cells:
    total = total + number
return len(seen), total, root.tag
"""


@pytest.mark.slow
def test_a_criterion_goes_on_from_its_loops_as_if_it_had_begun_anew():
    space, code = with_criterion("return root.size >= 0 and root.head is not root.size", COUNTING)
    check(space, code, False, True)


def test_a_criterion_that_calls_rep_ok_begins_anew():
    space, code = with_criterion(
        "node, left = root.head, 3\nwhile node is not None and left > 0:\n    node, left = node.next, left - 1\n"
        "return node is None",
        "valid = [rep_ok(root) for number in range(2)]\nreturn (root.size, all(valid), rep_ok(root))",
    )
    check(space, code, False)


def test_a_search_ends_at_the_candidate_that_a_criterion_is_given_up_on():
    large = "large = root.size * 1000000000 * 1000000000\n"
    space, code = with_criterion("return root.head is None and root.tag is True", large + "return large > 0, root.size")
    search = CompiledSearch(space, code, code.rep_ok, shared_objects(), criterion=Pruning(code.eq_class))
    vectors = []
    with search.begin() as running, pytest.raises(SearchGaveUp, match="60 bits"):
        vectors.extend(chain.from_iterable(running.blocks()))
    assert [vector[1] for vector in vectors] == [0]
