"""Helpers' answers are kept only as long as, and only where, running them again would change nothing."""

from __future__ import annotations

import sys
from collections import Counter

import pytest
from generator_samples import module, predicate, shared_objects
from hypothesis import given, settings
from hypothesis import strategies as st
from support.sweeps import examples

from harness.generators.states.hosted.phases import phases_of
from harness.generators.states.hosted.search import InterpretedSearch
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization

CLASSES = """
class R:
    registry = []
    def total(self):
        self.registry.append(1)
        return len(self.registry)
class A:
    count = 0
"""
FIELDS = frozenset(["head", "size", "cells", "next", "value"])
HELPERS = """
def sound(node):
    seen = set()
    while node is not None:
        if node in seen:
            return False
        seen.add(node)
        node = node.next
    return True

def length(node, least=0, left=3):
    return least if node is None or left == 0 else 1 + length(node.next, least, left - 1)

def largest(node):
    return max(values(node, 3), default=0)

def values(node, left):
    if node is not None and left > 0:
        yield node.value
        yield from values(node.next, left - 1)

def total(cells):
    found = 0
    for cell in cells:
        found += cell
    return found

def first(node):
    return node if node is None or isinstance(node.value, int) else None

def listed(cells):
    return [cell for cell in cells if cell]

def roomy(node):
    return node is None or node.value < 2 or len(node.cells) < 9

def grown(cells):
    cells.append(1)
    return len(cells)
"""


def finitization() -> Finitization:
    f = Finitization("R")
    cells = f.objects("A", 2)
    f.set("R.head", None, cells)
    f.set("R.size", range(3))
    f.set("R.cells", f.lists(1, lengths=range(3), elements=range(2)))
    f.set("A.next", None, cells)
    f.set("A.value", range(2))
    return f


def sites(text: str) -> int:
    code = module(CLASSES)
    phases = phases_of(predicate(text), [code.R, code.A], FIELDS, direct=True)
    return 0 if phases is None else phases.sites


def compare(text: str, source: str = CLASSES) -> None:
    space, rep_ok = StateSpace(finitization()), predicate(text)
    reference = KoratSearch(space, module(source), rep_ok)
    expected = list(reference)
    interpreted = InterpretedSearch(space, module(source), rep_ok, shared_objects())
    assert list(interpreted) == expected
    assert interpreted.explored == reference.explored


def watched(body: str, *, watch: str, source: str = CLASSES) -> tuple[int, int]:
    """Return the executions of rep_ok, and those of helper `watch` among them, which must not change the results."""
    text = f"def rep_ok(root):\n {body}\n{HELPERS}"
    compare(text, source)
    rep_ok, calls = predicate(text), []
    interpreted = InterpretedSearch(StateSpace(finitization()), module(source), rep_ok, shared_objects())
    helper = rep_ok.__globals__[watch]
    rep_ok.__globals__[watch] = lambda *arguments: calls.append(1) or helper(*arguments)
    list(interpreted)
    return interpreted.explored, len(calls)


def test_a_helper_that_ended_below_the_field_that_changes_is_not_run_again():
    explored, calls = watched("return sound(root.head) and root.size == 2 and total(root.cells) == 1", watch="sound")
    assert 2 * calls < explored
    # No node, one node that ends or meets itself, and two, the second of which ends or meets either.
    assert calls == 1 + 2 + 3


def test_a_helper_that_reads_the_field_that_changes_is_run_again():
    explored, calls = watched("return total(root.cells) == 1", watch="total")
    assert calls == explored


def test_answers_that_somebody_could_change_are_not_kept():
    explored, calls = watched(
        "found = listed(root.cells)\n found.append(1)\n return len(found) == 2 and root.size == 1", watch="listed"
    )
    assert calls == explored


def test_a_helper_that_changes_a_list_of_the_candidate_is_run_again():
    explored, calls = watched("return grown(root.cells) == 2 and root.size == 1", watch="grown")
    assert calls == explored


PURE = {
    "divides": "return h(root.size) == 1\ndef h(n):\n return divmod(n, 2)[0]",
    "by a name": "node = root.head\n return sound(node)",
    "by a name from a pair": "size, node = root.size, root.head\n return size and sound(node)",
    "by a name that goes on": "node = root.head\n if node:\n  node = node.next\n return length(node)",
    "with a constant": "return length(root.head, 1) == 2",
    "with a negative constant": "return length(root.head, least=-1) == 1",
    "in a condition": "return root.head is None or (length(root.head) if sound(root.head) else 0) == root.size",
    "after a loop": "for cell in root.cells:\n  if cell: return False\n return sound(root.head)",
    "of a list": "return total(root.cells) == root.size",
    "generators below": "return largest(root.head) == root.size",
    "a fresh list": "return len(listed(root.cells)) == root.size",
    "an object for an answer": "return first(root.head) is None",
    "an assertion": "assert root.size >= 0\n return sound(root.head)",
}


@pytest.mark.parametrize("name", PURE)
def test_these_helpers_are_found_to_change_nothing(name):
    text = f"def rep_ok(root):\n {PURE[name]}\n{HELPERS}"
    assert sites(text) > 0
    compare(text)


IMPURE = {
    "in a loop": "while root.size:\n  return sound(root.head)\n return True",
    "in a comprehension": "return all(sound(node) for node in [root.head])",
    "in a function": "f = lambda: sound(root.head)\n return f()",
    "handed a container": "s = []\n return h(root.head, s) and not s\ndef h(n, s):\n s.append(n)\n return n is None",
    "handed one by another name": "a = []\n b = a\n return h(b) and not a\ndef h(s):\n s.append(1)\n return True",
    "handed what a loop leaves": "for n in [[]]:\n  pass\n return h(n) == 1\ndef h(s):\n s.append(1)\n return len(s)",
    "handed a list": "return h([root.size]) == 2\ndef h(s):\n s.append(1)\n return len(s)",
    "keeps things in a default": "return h(root.head) >= 0\ndef h(n, s=[]):\n return len(s)",
    "keeps things in the module": "return h(root.head)\nS = set()\ndef h(n):\n S.add(1)\n return len(S) == 1",
    "keeps things in a class": "return h(root) is not None\ndef h(r):\n return r.registry",
    "counts": "return h(root.head)\nN = 0\ndef h(n):\n global N\n N += 1\n return True",
    "sets an attribute": "return h(root) == root.size\ndef h(r):\n r.size = 1\n return 1",
    "calls a method": "return h(root)\ndef h(r):\n return r.total() > 0",
    "calls what it is handed": "return h(root)\ndef h(r):\n return (lambda: True)()",
    "calls anything": "return h(root)\ndef h(r):\n return getattr(r, 'size') == 1",
    "deletes": "return h(root)\ndef h(r):\n del r.size\n return True",
    "closes over": "return h(root)\ndef make():\n s = []\n def h(r):\n  return not s\n return h\nh = make()",
    "calls one that is not": "return h(root)\ndef h(r):\n return g(r)\ndef g(r):\n return r.total() > 0",
    "calls one that calls it, and is not": "return g(root) and h(root)\n"
    "def g(r):\n return r.size == 1 or h(r)\ndef h(r):\n return r.total() > 0 or g(r)",
    "takes from an iterator": "return h(root.head) is None\ndef h(n):\n return next(i for i in [n])",
    "prints": "return h(root)\ndef h(r):\n return str(r) == ''",
    "calls rep_ok": "return root.size == 1 or h(root)\ndef h(r):\n return r.size == 2 or rep_ok(r)",
    "is shadowed": "sound = len\n return sound(root.cells) == 1",
    "is no function": "return h(root.cells)\nh = len",
}


@pytest.mark.parametrize("name", IMPURE)
def test_these_helpers_are_run_each_time(name):
    text = f"def rep_ok(root):\n {IMPURE[name]}\n{HELPERS}"
    assert sites(text) == 0


@pytest.mark.parametrize(
    "way",
    ["__eq__ = object.__eq__", "__hash__ = object.__hash__", "__bool__ = lambda s: True", "__str__ = object.__str__"],
)
def test_a_class_with_ways_of_its_own_may_do_anything(way):
    text = f"def rep_ok(root):\n return sound(root.head)\n{HELPERS}"
    code = module(f"class R:\n    {way}\n")
    assert phases_of(predicate(text), [code.R], FIELDS, direct=False) is None


def test_a_method_that_shares_its_name_with_a_containers_may_do_anything():
    text = "def rep_ok(root):\n return h(root.head)\ndef h(n):\n return n is None or n.pop() == 1\n"
    code = module("class A:\n    def pop(self):\n        pass\n")
    assert phases_of(predicate(text), [module(CLASSES).A], FIELDS, direct=False).sites == 1
    assert phases_of(predicate(text), [code.A], FIELDS, direct=False) is None


def test_an_attribute_that_is_a_field_of_another_class_only_may_hold_anything():
    body, source = "return roomy(root.head) and root.size == 1", CLASSES.replace("count = 0", "cells = []")
    explored, calls = watched(body, watch="roomy", source=source)
    assert calls == explored
    explored, calls = watched(body, watch="roomy")
    assert calls < explored


def test_whoever_watches_sees_every_call():
    before = sys.getprofile()
    sys.setprofile(lambda *_: None)
    try:
        assert sites(f"def rep_ok(root):\n return sound(root.head)\n{HELPERS}") == 0
    finally:
        sys.setprofile(before)


def test_others_who_call_rep_ok_meanwhile_get_its_answer():
    rep_ok = predicate(f"def rep_ok(root):\n return length(root.head) == root.size\n{HELPERS}")
    code = module(CLASSES)
    own = code.R()
    own.head, own.size = None, 2
    running = iter(InterpretedSearch(StateSpace(finitization()), code, rep_ok, shared_objects()))
    assert next(running)
    assert not rep_ok(own)
    running.close()


ARGUMENTS = st.sampled_from(["root.head", "node", "(root.head and root.head.next)"])
CALLS = st.one_of(
    ARGUMENTS.map(lambda a: f"sound({a})"),
    st.tuples(ARGUMENTS, st.sampled_from(["", ", 1", ", least=-1"])).map(lambda p: f"length({p[0]}{p[1]})"),
    ARGUMENTS.map(lambda a: f"largest({a})"),
    ARGUMENTS.map(lambda a: f"(first({a}) is None)"),
    st.sampled_from(["total(root.cells)", "len(listed(root.cells))", "grown(root.cells)", "root.size", "1", "2"]),
)
TESTS = st.tuples(CALLS, st.sampled_from(["<", "==", "!=", ">="]), CALLS).map(" ".join)
STEPS = st.one_of(
    TESTS.map(lambda test: f"if {test}: return False"),
    TESTS.map(lambda test: f"if {test}: return sound(root.head)"),
    TESTS.map(lambda test: f"if {test}: node = root.head"),
    CALLS.map(lambda call: f"if ({call}) == 2 and node is not None: node = node.next"),
    TESTS.map(lambda test: f"while {test}: return True"),
    CALLS.map(lambda call: f"root.size = int({call})"),
)
SPLIT: Counter[bool] = Counter()


@given(st.lists(STEPS, min_size=1, max_size=5), TESTS)
@settings(max_examples=examples(240), deadline=None, derandomize=True)
def random_predicate_of_helpers(steps, last):
    body = "".join(f" {step}\n" for step in steps)
    text = f"def rep_ok(root):\n node = None\n{body} return {last}\n{HELPERS}"
    compare(text)
    SPLIT[sites(text) > 0] += 1


@pytest.mark.sweep
def test_random_predicates_of_helpers_are_searched_as_without_and_most_have_phases():
    SPLIT.clear()
    random_predicate_of_helpers()
    assert SPLIT[True] > 0.8 * SPLIT.total() > 0
