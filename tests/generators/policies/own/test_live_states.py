"""A live state is encoded as it is, within the bounds of the spec or beyond, and is made again by both decoders."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from itertools import islice
from types import ModuleType
from typing import Any

import pytest
from support.sweeps import slow_unless_chosen

from harness import resources
from harness.generators.policies.korat.generator import Korat
from harness.generators.policies.own.state_forms import NotEncodable, StateEncoder
from harness.generators.policies.own.state_vectors import StateVectors
from harness.generators.protocol import Task
from harness.kernel.inputs.decode import Decoder
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.naive.inputs import Objects
from harness.kernel.objects.equality import concrete
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import load_spec
from harness.kernel.specs.tokens import the_token
from harness.model.finitization import Finitization, Reference
from harness.runner.subjects import load_subject


class Node:
    def __init__(self, below: Any = None, value: Any = 0) -> None:
        self.below = below
        self.value = value


class Rack:
    """An object with a field of each kind."""

    def __init__(self, **held: Any) -> None:
        self.first = self.second = None
        self.numbers = [0]
        self.seen = {1}
        self.names = {"a": None}
        self.last = deque([0], maxlen=3)
        self.key = the_token("Key", 0)
        self.word = "word0"
        self.lock = threading.Lock()
        self.fixed = [3, 1]
        self.plain: Any = 0
        vars(self).update(held)


class Stack(list[Any]):
    pass


class Cache(OrderedDict[Any, Any]):
    pass


SUBJECTS = slow_unless_chosen(
    ("search_tree", "binomial_heap_merge", "list_as_set", "tree_map_values", "heapq"),
    [name for name, at in resources.subject_folders().items() if "def finitization" in (at / "spec.py").read_text()],
)
MODULE = ModuleType("rack")
vars(MODULE).update(Node=Node, Rack=Rack, Stack=Stack, Cache=Cache)


def bounds(root: str = "Rack") -> Finitization:
    f = Finitization(root)
    nodes = f.objects("Node", 1)
    f.set("Node.below", None, nodes)
    f.set("Node.value", range(2))
    if root == "Stack":
        f.contents("Stack", lengths=[0, 1], elements=[0, 1])
    elif root == "Cache":
        f.contents("Cache", keys=["a", "b"], values=[None, nodes])
    else:
        f.set("Rack.first", None, nodes)
        f.set("Rack.second", None)
        f.set("Rack.numbers", f.lists(1, lengths=[0, 1], elements=[0, 1]))
        f.set("Rack.seen", f.sets(1, members=[1, 2]))
        f.set("Rack.names", f.dicts(1, keys=["a", "b"], values=[None, nodes]))
        f.set("Rack.last", f.deques(1, lengths=[0, 1], elements=[0], maxlen=3))
        f.set("Rack.key", f.tokens("Key", 2))
        f.set("Rack.word", f.texts("word", 2))
        f.set("Rack.lock", f.opaque(threading.Lock))
        f.set("Rack.fixed", f.fixed([3, 1]))
        f.set("Rack.plain", 0)
    f.method("put", [0])
    return f


def copy_of(state: Any, finitization: Finitization) -> tuple[bool, Any]:
    """Return whether a state is beyond the bounds, and the state that both decoders make from its vector."""
    encoder = StateEncoder(finitization, MODULE)
    form = encoder.form(state, 0, [0])
    vectors = StateVectors(finitization, encoder.outside)
    vector, _ = vectors.input(form, 0, lambda position, inner: 0)
    copy = Decoder(vectors.space, MODULE).decode(vector).root
    assert concrete(Objects(vectors.finitization, MODULE, vector).value(Reference(0, 0))) == concrete(copy)
    return form.is_beyond, copy


@pytest.mark.parametrize(
    ("held", "is_beyond"),
    [
        ({}, False),
        ({"first": Node(), "key": the_token("Key", 1), "word": "word1"}, False),
        ({"names": {"b": Node(value=1)}, "seen": {2, 1}, "numbers": []}, False),
        ({"first": Node(Node(Node(value=17)))}, True),
        ({"second": Node(value=1)}, True),
        ({"numbers": [0, 1, 7, -2]}, True),
        ({"seen": {1, 9, "x"}}, True),
        ({"names": {"b": None, "a": None}}, True),
        ({"names": {"c": Node(), "a": None}}, True),
        ({"last": deque([0, 5, 6], maxlen=3)}, True),
        ({"key": the_token("Key", 1), "plain": "text"}, True),
        ({"plain": [1, {"deep": (2.5, None)}]}, True),
        ({"fixed": [1, 3]}, True),
        ({"word": "other"}, True),
    ],
)
def test_a_state_is_made_again_as_it_was(held: dict[str, Any], is_beyond: bool) -> None:
    state = Rack(**held)
    beyond, again = copy_of(state, bounds())
    state.key = again.key  # tokens are interchangeable, and are numbered in the order in which they are met
    assert (beyond, concrete(again)) == (is_beyond, concrete(state))
    assert list(again.names) == list(state.names)
    assert again.last.maxlen == 3


@pytest.mark.parametrize("root", [Stack(), Stack([1]), Stack([1, 0, 5]), Cache(a=None), Cache(b=Node(), a=None)])
def test_contents_of_derived_containers_are_made_again(root: Any) -> None:
    is_beyond, again = copy_of(root, bounds(type(root).__name__))
    assert concrete(again) == concrete(root)
    assert list(again) == list(root)
    assert is_beyond == (len(root) > 1)


def test_isomorphic_states_have_one_form() -> None:
    shared, other = Node(), Node()
    encoder = StateEncoder(bounds(), MODULE)
    one = encoder.form(Rack(first=shared, names={"a": shared}))
    assert one == encoder.form(Rack(first=other, names={"a": other}))
    assert one != encoder.form(Rack(first=shared, names={"a": other}))


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (Node(), "the state is a Node, not a Rack made by subject.module.Rack"),
        (Rack(extra=1), "Rack.extra is no field of finitization; declare it there by f.set"),
        (Rack(plain=object()), "Rack.plain holds a object, for which finitization declares no objects there"),
        (Rack(plain=float("nan")), "Rack.plain holds a float with nan; finitization declares no such objects there"),
        (Rack(last=deque(maxlen=1)), "Rack.last holds a deque, for which finitization declares no objects there"),
    ],
)
def test_what_the_finitization_has_no_object_for_is_named(state: Any, message: str) -> None:
    with pytest.raises(NotEncodable) as refused:
        StateEncoder(bounds(), MODULE).form(state)
    assert str(refused.value) == message


def test_a_collection_that_two_fields_share_is_refused() -> None:
    shared = [5]
    with pytest.raises(NotEncodable, match=r"Rack\.plain holds a list that another field holds, too"):
        StateEncoder(bounds(), MODULE).form(Rack(second=shared, plain=shared))


@pytest.mark.sweep
@pytest.mark.parametrize("name", SUBJECTS)
def test_states_of_a_larger_scope_are_encoded_with_the_bounds_of_a_smaller_one(name: str) -> None:
    subject = load_subject(name)
    spec, module = load_spec(subject.spec_source, str(subject.spec_path)), execute(ModuleText.of(subject))
    larger = spec.finitization(3)
    vectors = [tuple(vector) for vector, _ in islice(Korat().produce(Task(spec, module, larger, 0)), 40)]
    decoder, encoder = Decoder(StateSpace(larger), module), StateEncoder(spec.finitization(1), module)
    roots = [decoder.decode(vector).root for vector in vectors]
    forms = [encoder.form(root) for root in roots]
    widened = StateVectors(spec.finitization(1), encoder.outside)
    again = Decoder(widened.space, module)
    for root, form in zip(roots, forms, strict=True):
        assert concrete(again.decode(widened.state(form)).root) == concrete(root)
        assert StateEncoder(larger, module).form(root).is_beyond is False
