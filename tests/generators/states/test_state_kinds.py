"""Sets, dicts, deques, tuples and contents of subclasses as states: how many there are, alike on every engine."""

from collections import Counter, deque
from collections.abc import Iterable
from itertools import count, pairwise
from math import comb
from typing import Any

import pytest
from generator_samples import module, predicate, shared_objects
from hypothesis import HealthCheck, given, settings
from support.random_classes import random_classes
from support.sweeps import examples

from harness.errors import SpecError
from harness.generators.policies.brute_force import canonical_form, labelled_states
from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.translated.search import CompiledSearch
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.kernel.objects.equality import concrete
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import load_spec
from harness.model.finitization import Finitization

SOURCE = """
from collections import OrderedDict
class R: pass
class Stack(list): pass
class Bag(dict): pass
class Ordered(OrderedDict):
    def __init__(self, size): pass
class N: pass
class Pair:
    __slots__ = ("left", "right")
    def __new__(cls, left, right): raise NotImplementedError
"""
CODE = module(SOURCE)


def holding(*pieces: Any, build: Any = None) -> Finitization:
    f = Finitization("R")
    values = build(f) if build else pieces
    f.set("R.p", *(values if isinstance(values, tuple) else (values,)))
    return f


def roots(finitization: Finitization, rep_ok: Any = lambda root: True) -> list[Any]:
    """Return the states, after checking them against exhaustive trial."""
    space = StateSpace(finitization)
    search = KoratSearch(space, CODE, rep_ok)
    vectors = list(search)
    forms = {canonical_form(space, vector)[0] for vector in labelled_states(space, CODE, rep_ok)}
    assert {canonical_form(space, vector)[0] for vector in vectors} == forms
    assert len(forms) == len(vectors)
    decoder = Decoder(space, CODE)
    states = [decoder.decode(vector).root for vector in vectors]
    assert len({concrete(state) for state in states}) == len(states)
    return states


def sizes(held: Iterable[Any]) -> Counter[int]:
    return Counter(map(len, held))


@pytest.mark.parametrize("n", [0, 1, 3, 4])
def test_sets_of_k_of_n_members_are_as_many_as_n_choose_k(n):
    f = holding(build=lambda f: f.sets(1, members=range(n)))
    assert sizes(root.p for root in roots(f, lambda r: len(r.p) >= 0)) == {k: comb(n, k) for k in range(n + 1)}


@pytest.mark.parametrize(("n", "v"), [(0, 2), (2, 1), (3, 2), (2, 3)])
def test_dicts_of_k_of_n_keys_and_v_values_are_n_choose_k_times_v_to_the_k(n, v):
    f = holding(build=lambda f: f.dicts(1, keys=range(n), values=range(v)))
    size_counts = sizes(root.p for root in roots(f, lambda r: len(r.p) >= 0))
    assert size_counts == {k: comb(n, k) * v**k for k in range(n + 1)}


@pytest.mark.parametrize(("lengths", "v"), [((0, 1, 2), 2), ((2,), 3), ((3, 1), 2)])
def test_deques_and_tuples_are_v_to_the_k(lengths, v):
    expected = {k: v**k for k in lengths}
    deques = holding(build=lambda f: f.deques(1, lengths=lengths, elements=range(v), maxlen=5))
    containers = [root.p for root in roots(deques, lambda r: len(r.p) >= 0)]
    assert sizes(containers) == expected
    assert {made.maxlen for made in containers} == {5}
    tuples = holding(build=lambda f: f.tuples(lengths=lengths, elements=range(v)))
    assert sizes(root.p for root in roots(tuples, lambda r: len(r.p) >= 0)) == expected


@pytest.mark.parametrize("name", ["Stack", "Bag", "Ordered"])
def test_contents_of_subclasses_are_as_many_as_lists_and_dicts(name):
    f = Finitization(name)
    if name == "Stack":
        f.contents(name, lengths=range(4), elements=range(2))
        expected = {k: 2**k for k in range(4)}
    else:
        f.contents(name, keys="abc", values=range(2))
        expected = {k: comb(3, k) * 2**k for k in range(4)}
    f.set(f"{name}.size", range(4))
    subclassed = roots(f, lambda root: root.size == len(root))
    assert sizes(subclassed) == expected
    assert {type(root).__name__ for root in subclassed} == {name}


def test_each_object_has_contents_of_its_own():
    f = Finitization("R")
    stacks = f.objects("Stack", 2)
    f.contents("Stack", lengths=range(2), elements=range(2))
    f.set("R.p", stacks)
    f.set("R.q", None, stacks)

    def rep_ok(root: Any) -> bool:
        return root.q is not None and (not root.q or root.q is root.p or root.p != root.q)

    states = roots(f, rep_ok)
    assert sum(root.q is root.p for root in states) == 3
    assert len(states) == 3 + 7


def test_the_values_of_a_dict_may_be_objects_with_isomorphic_ones_left_out():
    f = Finitization("R")
    nodes = f.objects("N", 2)
    f.set("R.p", f.dicts(1, keys="ab", values=nodes))
    f.set("N.v", range(2))
    # {}; one key and its node; both keys and the same node; both keys and a node each
    assert len(roots(f, lambda root: len(root.p) < 9)) == 1 + 2 * 2 + 2 + 4


def test_containers_within_containers_are_read_and_filled_as_a_whole():
    f = Finitization("R")
    inner = f.deques(2, lengths=range(2), elements=range(2))
    f.set("R.p", f.dicts(1, keys="ab", values=inner))
    f.set("R.q", f.lists(1, lengths=range(2), elements=inner))

    def rep_ok(root: Any) -> bool:
        return len(root.q) == 0 or (root.q[0] == deque([1]) and any(held is root.q[0] for held in root.p.values()))

    states = roots(f, rep_ok)
    assert any(root.q and root.p["a"] is root.q[0] for root in states if "a" in root.p)


def test_rep_ok_that_writes_to_a_container_is_given_the_next_one_as_it_is():
    f = holding(build=lambda f: f.dicts(1, keys="ab", values=range(2)))

    def rep_ok(root: Any) -> bool:
        contents = dict(root.p)
        root.p.clear()
        return len(contents) == 1

    assert len(list(KoratSearch(StateSpace(f), CODE, rep_ok))) == 4


def test_a_dicts_keys_come_in_the_order_in_which_they_are_given():
    f = holding(build=lambda f: f.dicts(1, keys=[2, 0, 1], values=[None]))
    assert all(all(a in (2, 0) or a < b for a, b in pairwise(root.p)) for root in roots(f))
    assert [2, 0, 1] in [list(root.p) for root in roots(f)]


@pytest.mark.parametrize(
    ("kind", "build"),
    [
        ("set", lambda f: f.sets(1, members=range(2))),
        ("dict", lambda f: f.dicts(1, keys=range(2), values=[1])),
        ("deque", lambda f: f.deques(1, lengths=[1], elements=[1])),
    ],
)
def test_the_compiled_engine_leaves_them_to_the_reference_engine(kind, build):
    f = holding(build=build)
    text = "def rep_ok(root):\n    return root.p is not None\n"
    with pytest.raises(Untranslatable, match=f"a {kind} in the state space"):
        CompiledSearch(StateSpace(f), CODE, predicate(text), shared_objects())


@given(random_classes())
@settings(max_examples=examples(80), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_random_classes_have_the_states_of_exhaustive_trial(case):
    code = execute(ModuleText("impl", case.implementation, "impl.py"))
    spec = load_spec(case.spec, "spec.py")
    space = StateSpace(spec.finitization(2))
    search = KoratSearch(space, code, spec.rep_ok)
    vectors = []
    for vector in search:
        vectors.append(vector)
        if len(vectors) == 3000:
            return
    if space.size < 3000:
        forms = {canonical_form(space, vector)[0] for vector in labelled_states(space, code, spec.rep_ok)}
        assert {canonical_form(space, vector)[0] for vector in vectors} == forms
        assert len(forms) == len(vectors)


@pytest.mark.parametrize(
    ("say", "message"),
    [
        (lambda f: f.sets(1, members=f.objects("N", 2)), "the members of a set are plain values, not objects"),
        (lambda f: f.sets(1, members=[f.objects("N", 2)]), "the members of a set are plain values, not objects"),
        (lambda f: f.sets(1, members=[1, True]), "hold True twice, as 1 is equal to it"),
        (lambda f: f.dicts(1, keys=f.tokens("t", 1), values=[1]), "the keys of a dict are plain values"),
        (lambda f: f.dicts(-1, keys="a", values=[1]), "the number of dict objects is a whole number from 0"),
        (lambda f: f.deques(1, lengths=[4], elements=[1], maxlen=3), "maxlen=3 cannot have 4 elements"),
        (lambda f: f.deques(1, lengths=[-1], elements=[1]), "lengths of a deque are whole numbers from 0"),
        (lambda f: f.tuples(lengths=[2], elements=f.objects("N", 1)), "the elements of a tuple are plain values"),
        (lambda f: f.lists(1, lengths=count(), elements=[1]), "lengths of a list: more than 65536"),
        (lambda f: f.lists(1, lengths=[1], elements=count()), "elements: more than 65536 values"),
        (lambda f: f.dicts(1, keys=count(), values=[1]), "keys of a dict: more than 65536 values"),
        (lambda f: f.sets(1, members=[count()]), "members of a set: more than 65536 values"),
        (lambda f: f.tuples(lengths=[40], elements=range(9)), "more than 65536 tuples"),
        (lambda f: f.contents("R"), "takes lengths and elements of a list, or keys and values of a dict"),
        (lambda f: f.contents("Other", lengths=[1]), "no objects of class 'Other'"),
        (lambda f: f.opaque(3), r"opaque\(3\) takes a function that makes it"),
        (lambda f: f.fixed("a"), "a plain value does not change; give it without fixed"),
        (lambda f: f.set("R.x", (1, f.objects("N", 1))), "a tuple is one value, made of plain values"),
        (lambda f: Finitization().method("m"), "without a root there is no object to call it on"),
    ],
)
def test_what_cannot_be_said_is_refused_in_one_line(say, message):
    with pytest.raises(SpecError, match=message) as caught:
        say(Finitization("R"))
    assert "\n" not in str(caught.value)


def test_contents_need_a_list_or_a_dict():
    f = Finitization("R")
    f.contents("R", lengths=[1], elements=[1])
    with pytest.raises(SpecError, match="the class derives from neither list nor dict"):
        Decoder(StateSpace(f), CODE)
