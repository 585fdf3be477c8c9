"""Korat against the whole Cartesian product: sound, complete, optimal, whatever the switches."""

import re
from math import comb

import pytest
from generator_samples import (
    SAMPLES,
    TREE,
    Sample,
    check_against_brute_force,
    is_search_tree,
    module,
    tree_finitization,
)
from hypothesis import HealthCheck, assume, given, settings
from random_samples import RANDOM_SOURCE, Walk, random_tasks, small
from support.sweeps import examples

from harness.errors import SpecError
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.specs.spec import load_spec
from harness.model.finitization import Finitization


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_hand_written_structures_come_out_as_by_brute_force(sample):
    check_against_brute_force(sample)


@given(random_tasks())
@settings(max_examples=examples(150), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_random_predicates_come_out_as_by_brute_force(case):
    finitization, walk = case
    assume(small(finitization))
    check_against_brute_force(Sample("random", RANDOM_SOURCE, lambda: finitization, walk))


def test_search_trees_are_as_many_as_combinatorics_says_and_no_more_candidates_than_javas():
    search = KoratSearch(StateSpace(tree_finitization(5)), module(TREE), is_search_tree)
    catalan = [comb(2 * k, k) // (k + 1) for k in range(6)]
    assert len(list(search)) == sum(comb(5, k) * catalan[k] for k in range(6))
    assert search.explored <= 8_308


def test_fields_that_the_predicate_does_not_read_take_all_values_without_another_execution():
    f = Finitization("R")
    f.set("R.p", range(3))
    f.set("R.q", None, f.objects("A", 2))
    f.set("A.x", range(4))
    f.set("A.y", 0)
    search = KoratSearch(StateSpace(f), module(RANDOM_SOURCE), lambda root: root.p > 0)
    assert len(list(search)) == 2 * (1 + 4)
    assert search.explored == 3


def test_the_root_counts_as_the_first_object_of_its_class_domain():
    f = Finitization("R")
    f.set("R.p", None, f.domains[0])
    f.set("R.q", 0)
    vectors = list(KoratSearch(StateSpace(f), module(RANDOM_SOURCE), lambda root: root.p is root))
    assert vectors == [(1, 0)]


def test_searching_twice_gives_the_same_states_and_leaves_the_classes_as_they_were():
    sample = SAMPLES[0]
    code = sample.module
    before = {name: dict(vars(getattr(code, name))) for name in ("SearchTree", "Node")}
    search = KoratSearch(sample.space, code, sample.rep_ok)
    assert list(search) == list(search)
    abandoned = iter(search)
    next(abandoned)
    abandoned.close()
    assert {name: dict(vars(getattr(code, name))) for name in before} == before
    assert vars(code.Node(1)) == {"info": 1, "left": None, "right": None}


def test_two_searches_at_once_over_the_same_classes_are_refused():
    search = SAMPLES[0].search()
    running = iter(search)
    next(running)
    with pytest.raises(RuntimeError, match="is being searched already"):
        next(iter(search))


def test_a_field_domain_without_values_is_an_error():
    f = Finitization("R")
    f.set("R.p", range(0))
    with pytest.raises(SpecError, match=r"field domain of R.p is empty"):
        KoratSearch(StateSpace(f), module(RANDOM_SOURCE), Walk(0, 1))


SPEC = "from harness.spec import Finitization\ndef finitization(scope):\n    pass\n"


def failure(rep_ok_text: str, finitization: Finitization | None = None) -> str:
    spec = load_spec(SPEC + rep_ok_text, "spec.py")
    space = StateSpace(finitization or tree_finitization(2))
    with pytest.raises(SpecError) as caught:
        list(KoratSearch(space, module(TREE), spec.rep_ok))
    message = str(caught.value)
    assert "\n" not in message
    return message


WITHOUT_RIGHT = Finitization("SearchTree")
WITHOUT_RIGHT.set("SearchTree.root", None, WITHOUT_RIGHT.objects("Node", 1))
WITHOUT_RIGHT.set("Node.left", None)


@pytest.mark.parametrize(
    ("rep_ok", "message", "finitization"),
    [
        (
            "    return tree.root is None or tree.root.left.info < tree.root.info\n",
            "rep_ok raised AttributeError: 'NoneType' object has no attribute 'info' (spec.py:5) on candidate "
            "SearchTree(root=Node0(left=None, right=?, info=?), size=?); make it return True or False there",
            None,
        ),
        (
            "    return tree.root is None or tree.root.right is None\n",
            "Node.right has no field domain, but rep_ok reads it (spec.py:5); "
            'add f.set("Node.right", ...) to finitization',
            WITHOUT_RIGHT,
        ),
        (
            "    return tree.rooot is None\n",
            "rep_ok reads SearchTree.rooot (spec.py:5), which no code of the implementation assigns; "
            "correct the name (fields set in finitization: root, size)",
            None,
        ),
        (
            "    del tree.root\n    return tree.root\n",
            "rep_ok deletes SearchTree.root and then reads it (spec.py:6)",
            None,
        ),
        ("    return rep_ok(tree)\n", "rep_ok raised RecursionError: ", None),
        (
            "    return Odd()\nclass Odd:\n    def __bool__(self):\n        raise OverflowError('odd')\n",
            "rep_ok raised OverflowError: odd (spec.py:8)",
            None,
        ),
    ],
    ids=["exception", "forgotten field", "misspelt field", "deleted field", "recursion", "truth value"],
)
def test_the_exception_the_line_and_the_candidate_are_named(rep_ok, message, finitization):
    told = failure(f"def rep_ok(tree):\n{rep_ok}", finitization)
    assert told.startswith(message)


def test_an_exception_raised_in_the_implementation_names_both_lines():
    message = failure("def rep_ok(tree):\n    return type(tree.root)(tree, 2)\n")
    assert "TypeError" in message
    assert "(spec.py:5)" in message
    implementation = TREE + "    def check(self):\n        raise ValueError('no')\n"
    spec = load_spec(SPEC + "def rep_ok(tree):\n    return tree.root is None or tree.root.check()\n", "spec.py")
    with pytest.raises(SpecError, match=re.escape("ValueError: no (spec.py:5, in impl.py:13) on candidate")):
        list(KoratSearch(StateSpace(tree_finitization(1)), module(implementation), spec.rep_ok))


def test_methods_and_class_attributes_are_not_fields():
    source = TREE + "    limit = 3\n    def half(self):\n        return self.limit // 2\n"
    source += "    @property\n    def one(self):\n        return 1\n"
    f = tree_finitization(1)
    search = KoratSearch(
        StateSpace(f), module(source), lambda t: t.root is not None and t.root.half() == t.root.one == t.root.limit - 2
    )
    assert len(list(search)) == 2 * 2 * 2
