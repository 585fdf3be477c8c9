"""A live state within the bounds of the spec is encoded as it is, and is made again by both decoders."""

import threading
from collections import OrderedDict, deque
from itertools import islice
from types import ModuleType
from typing import Any

import pytest
from support.sweeps import WHOLE

from harness import resources
from harness.generators.policies.korat.generator import Korat
from harness.generators.policies.own.runs import WrongInput
from harness.generators.policies.own.states import StateEncoder
from harness.generators.protocol import Task
from harness.kernel.inputs.state_space import Decoder, StateSpace
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


CHOSEN = ("search_tree", "binomial_heap_merge", "list_as_set", "tree_map_values", "heapq")
SUBJECTS = [
    name
    for name, at in resources.subject_folders().items()
    if "def finitization" in (at / "spec.py").read_text() and (WHOLE or name in CHOSEN)
]
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


def copy_of(state: Any, finitization: Finitization) -> Any:
    """Return the state that both decoders make from its vector."""
    encoder = StateEncoder(finitization, MODULE)
    vector, arguments, is_beyond = encoder.input(state, 0, [0])
    assert (arguments, is_beyond) == ((0,), False)
    copy = Decoder(encoder.space, MODULE).decode(vector).root
    assert concrete(Objects(finitization, MODULE, vector).value(Reference(0, 0))) == concrete(copy)
    return copy


@pytest.mark.parametrize(
    "held",
    [
        {},
        {"first": Node(), "key": the_token("Key", 1), "word": "word1"},
        {"names": {"b": Node(value=1)}, "seen": {2, 1}, "numbers": []},
        {"names": {"a": None, "b": None}, "seen": set()},
    ],
)
def test_a_state_is_made_again_as_it_was(held):
    state = Rack(**held)
    again = copy_of(state, bounds())
    state.key = again.key  # tokens are interchangeable, and are numbered in the order in which they are met
    assert concrete(again) == concrete(state)
    assert list(again.names) == list(state.names)
    assert again.last.maxlen == 3


@pytest.mark.parametrize("root", [Stack(), Stack([1]), Cache(b=Node()), Cache(a=None, b=Node())])
def test_contents_of_derived_containers_are_made_again(root):
    again = copy_of(root, bounds(type(root).__name__))
    assert concrete(again) == concrete(root)
    assert list(again) == list(root)


def test_isomorphic_states_have_one_vector():
    shared, other = Node(), Node()
    encoder = StateEncoder(bounds(), MODULE)
    one = encoder.state(Rack(first=shared, names={"a": shared}))
    assert one == encoder.state(Rack(first=other, names={"a": other}))
    assert one != encoder.state(Rack(first=shared))


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (Node(), "the state is a Node, not a Rack made by subject.module.Rack"),
        (Rack(extra=1), "Rack.extra is no field of finitization; declare it there by f.set"),
        (Rack(plain=7), "Rack.plain holds 7, which finitization does not declare at this scope"),
        (Rack(plain=float("nan")), "Rack.plain holds nan, which finitization does not declare at this scope"),
        (Rack(word="other"), "Rack.word holds 'other', which finitization does not declare at this scope"),
        (
            Rack(plain=Node()),
            "Rack.plain holds Node(below=None, value=0), which finitization does not declare at this scope",
        ),
        (
            Rack(first=Node(Node())),
            "Node.below holds Node(below=None, value=0), which finitization does not declare at this scope",
        ),
        (Rack(fixed=[1, 3]), "Rack.fixed holds [1, 3], which finitization does not declare at this scope"),
        (Rack(last=deque(maxlen=1)), "Rack.last holds deque([]), which finitization does not declare at this scope"),
        (Rack(numbers=[0, 1]), "the length of a list holds 2, which finitization does not declare at this scope"),
        (Rack(numbers=[7]), "an element of a list holds 7, which finitization does not declare at this scope"),
        (Rack(seen={9}), "a set has the keys 9, which finitization does not declare at this scope"),
        (
            Rack(names={"b": None, "a": None}),
            "a dict has the keys 'b', 'a', which finitization does not declare at this scope",
        ),
        (Rack(names={3.5: None}), "a dict has the keys 3.5, which finitization does not declare at this scope"),
    ],
)
def test_what_the_finitization_does_not_declare_is_named(state, message):
    with pytest.raises(WrongInput) as refused:
        StateEncoder(bounds(), MODULE).state(state)
    assert str(refused.value) == message


def test_a_collection_that_two_fields_share_is_refused():
    shared = [0]
    with pytest.raises(WrongInput, match=r"a value of a dict holds \[0\], which another field holds, too"):
        StateEncoder(bounds(), MODULE).state(Rack(numbers=shared, names={"a": shared}))


@pytest.mark.parametrize("name", SUBJECTS)
def test_states_of_subjects_have_the_vectors_of_the_search(name):
    subject = load_subject(name)
    spec, module = load_spec(subject.spec_source, str(subject.spec_path)), execute(ModuleText.of(subject))
    finitization = spec.finitization(3)
    decoder, encoder = Decoder(StateSpace(finitization), module), StateEncoder(finitization, module)
    for vector, _ in islice(Korat().produce(Task(spec, module, finitization, 0)), 40):
        root = decoder.decode(tuple(vector)).root
        again = decoder.decode(encoder.state(root)).root
        assert concrete(again) == concrete(root)
