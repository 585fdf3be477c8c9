"""An encoded object graph is rebuilt as an equal one of other classes, and nonsense is refused."""

from __future__ import annotations

import json
import threading
import weakref
from collections import Counter, OrderedDict, deque
from decimal import Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest

from harness.kernel.naive import graphs
from harness.kernel.naive.equality import equal_values
from harness.kernel.naive.graphs import GraphTooLarge, graph_of
from harness.kernel.naive.rebuilding import Malformed, rebuilt
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.tokens import Token

SOURCE = """
import enum
from collections import namedtuple

class Node:
    def __init__(self):
        self.next = None

class Keyed:
    __slots__ = ("__secret", "key")
    def __init__(self, key):
        self.key = key
        self.__secret = [key]
    def __hash__(self):
        return hash(self.key)
    def __eq__(self, other):
        return self.key == other.key

class Stack(list): ...
class Table(dict): ...
class Small(int): ...
class Ratio(float): ...
class Name(str): ...
Point = namedtuple("Point", "x y")

class Colour(enum.Enum):
    RED = 1

class Level(enum.IntEnum):
    LOW = 1

def compare(): ...
"""


def module() -> ModuleType:
    return execute(ModuleText("impl", SOURCE, "impl.py"))


THERE, HERE = module(), module()


def sent(*roots: Any) -> list[Any]:
    """Return the values that are rebuilt here from values made there."""
    return rebuilt(json.loads(json.dumps(graph_of(roots, "impl"))), HERE)


def ring() -> Any:
    first = THERE.Node()
    first.next = THERE.Node()
    first.next.next = first
    return first


def knot() -> Any:
    inner: list[Any] = []
    inner.append((inner, [inner]))
    return inner


def with_attribute() -> Any:
    stack = THERE.Stack([1, 2])
    stack.top = [2]
    return stack


def slotted() -> Any:
    return {THERE.Keyed("a"): 1, THERE.Keyed("b"): frozenset({THERE.Keyed("c")})}


@pytest.mark.parametrize(
    "value",
    [
        None, True, 1, -(10**40), -0.0, float("nan"), 2j, "é\ud800", b"\0",
        (), [1, [2]], {"a": [1], 2: None}, {1, "x"}, frozenset({(1, 2)}), Token("o", 1),
        ring(), knot(), with_attribute(), slotted(), THERE.Table(a=1), THERE.Small(4), THERE.Ratio(-0.0),
        THERE.Name("n"), THERE.Point(1, [2]), THERE.Colour.RED, THERE.Level.LOW, THERE.compare, THERE.Node, int,
        deque([1], 3), Decimal("1.50"), Fraction(1, 3), range(3), bytearray(b"a"), OrderedDict(b=1, a=2),
        Counter("aab"), iter([1, 2]), (x for x in ()), object(), len, ValueError(3),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_a_value_arrives_alike(value: Any) -> None:
    (arrived,) = sent(value)
    assert equal_values(arrived, value, by_identity=True)
    assert equal_values(value, arrived, by_identity=True)


def test_what_is_rebuilt_has_the_classes_and_functions_of_the_module_at_hand() -> None:
    node, keyed, colour, compare, table = sent(
        THERE.Node(), THERE.Keyed(1), THERE.Colour.RED, THERE.compare, THERE.Table()
    )
    assert (type(node), type(keyed), type(table)) == (HERE.Node, HERE.Keyed, HERE.Table)
    assert colour is HERE.Colour.RED
    assert compare is HERE.compare


def test_slots_that_a_mutant_overwrote_in_their_class_arrive_with_the_value_of_the_class() -> None:
    mutated = module()
    keyed = mutated.Keyed("a")
    mutated.Keyed.key, mutated.Keyed._Keyed__secret = "b", ["c"]
    (arrived,) = rebuilt(graph_of([keyed], "impl"), HERE)
    assert (arrived.key, arrived._Keyed__secret) == ("b", ["c"])


def test_values_that_people_compute_with_arrive_as_such() -> None:
    queue, price, share = sent(deque([1, 2], 2), Decimal("1.5"), Fraction(1, 2))
    assert (list(queue), queue.maxlen, price + 1, share + 1) == ([1, 2], 2, Decimal("2.5"), Fraction(3, 2))


def test_what_is_shared_is_shared_on_arrival() -> None:
    common = [1]
    root, returned, pair = sent([common], common, (common, [1]))
    assert root[0] is returned is pair[0]
    assert pair[1] is not common


def test_methods_are_bound_to_what_arrives_and_are_not_asked_for() -> None:
    node = THERE.Keyed("a")
    there, hashed, added, setter = sent(node, node.__hash__, [1].append, THERE.Table(a=1).__setitem__)
    assert hashed.__self__ is there
    assert (hashed(), added.__self__, type(setter.__self__)) == (hash("a"), [1], HERE.Table)
    (missing,) = rebuilt({"roots": [0], "nodes": [["method", "pop", 1], 7]}, HERE)
    assert (type(missing).__qualname__, callable(missing)) == ("method", False)


def test_weak_references_and_proxies_lead_to_what_arrives() -> None:
    node = THERE.Node()
    there, reference, proxy = sent(node, weakref.ref(node), weakref.proxy(node))
    assert reference() is there
    assert type(proxy) is weakref.ProxyType
    proxy.next = 1
    assert there.next == 1
    dead = weakref.proxy(THERE.Node())
    assert type(sent(dead)[0]).__qualname__ == type(dead).__qualname__


def test_locks_that_nobody_holds_arrive_as_such_with_their_conditions() -> None:
    lock, again, held = threading.Lock(), threading.RLock(), threading.Lock()
    with held:
        mutex, other, condition, inert = sent(lock, again, threading.Condition(lock), held)
    with condition:
        assert mutex.locked()
        condition.notify()
    assert (mutex.locked(), type(other)) == (False, type(again))
    assert not hasattr(inert, "acquire")


def test_classes_of_the_modules_own_package_are_no_strangers() -> None:
    decoder = json.JSONDecoder()
    names = [ModuleType(name) for name in ("json.other", "jsonx.other", "json")]
    objects = [rebuilt(graph_of([decoder], name.__name__), name)[0] for name in names]
    assert [type(one) is json.JSONDecoder for one in objects] == [True, False, False]


@pytest.mark.slow
@pytest.mark.sweep
def test_a_chain_of_any_length_arrives() -> None:
    first = node = THERE.Node()
    for _ in range(4_000):
        node.next = node = THERE.Node()
    (arrived,) = sent(first)
    assert equal_values(arrived, first, by_identity=True)


def test_a_class_of_the_mutant_alone_becomes_an_inert_one_of_its_name() -> None:
    there = execute(ModuleText("impl", f"{SOURCE}\nclass Liar:\n    def __eq__(self, other): return True", "impl.py"))
    liar = there.Liar()
    liar.size = 3
    (arrived,) = rebuilt(graph_of([liar], "impl"), HERE)
    assert (type(arrived).__qualname__, arrived.size) == ("Liar", 3)
    assert arrived != 3


def test_a_graph_beyond_all_bounds_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "MOST_NODES", 5)
    with pytest.raises(GraphTooLarge):
        graph_of([[[[[[[]]]]]]], "impl")


def test_nothing_is_called_that_a_stranger_names() -> None:
    nodes = [
        ["class", False, "os", "system"],
        ["reduced", 0, 2, 3, 5, 5, 5],
        ["class", False, "os", "system"],
        ["tuple", None, [], 4],
        "exit 3",
        None,
        ["class", False, "subprocess", "Popen"],
        ["object", 6, ["args", 4]],
    ]
    called, stored = rebuilt({"roots": [1, 7], "nodes": nodes}, HERE)
    assert type(called).__module__ == type(stored).__module__ == "harness.kernel.naive.rebuilding"


def test_no_attribute_changes_what_class_an_object_is_of() -> None:
    nodes = [["class", True, "impl", "Node"], ["object", 0, ["__class__", 2, "next", 2]], 7]
    (node,) = rebuilt({"roots": [1], "nodes": nodes}, HERE)
    assert (type(node), node.next) == (HERE.Node, 7)


@pytest.mark.parametrize(
    "graph",
    [
        None,
        [],
        {"roots": []},
        {"roots": [0], "nodes": []},
        {"roots": [True], "nodes": [1, 2]},
        {"roots": [-1], "nodes": [1]},
        {"roots": ["0"], "nodes": [1]},
        {"roots": [0], "nodes": [1.5]},
        {"roots": [0], "nodes": [{}]},
        {"roots": [0], "nodes": [[]]},
        {"roots": [0], "nodes": [["list"]]},
        {"roots": [0], "nodes": [["list", None, []], 1], "more": 1},
        {"roots": [0], "nodes": [["list", None, [], 2], 1]},
        {"roots": [0], "nodes": [["list", None, ["a"]]]},
        {"roots": [0], "nodes": [["list", None, ["a", 1]], 1]},
        {"roots": [0], "nodes": [["list", 1, []], 1]},
        {"roots": [0], "nodes": [["tuple", None, [], 0]]},
        {"roots": [0], "nodes": [["dict", None, [], 1], 1]},
        {"roots": [0], "nodes": [["set", None, [], 1], ["list", None, []]]},
        {"roots": [0], "nodes": [["int", "x"]]},
        {"roots": [0], "nodes": [["float", "00"]]},
        {"roots": [0], "nodes": [["bytes", 1]]},
        {"roots": [0], "nodes": [["token", "o", "1"]]},
        {"roots": [0], "nodes": [["class", 1, "impl", "Node"]]},
        {"roots": [0], "nodes": [["class", True, "impl", "a\0b"]]},
        {"roots": [0], "nodes": [["function"]]},
        {"roots": [0], "nodes": [["object", 1, ["x", 2]], ["class", True, "impl", "Keyed"], 1]},
        {"roots": [0], "nodes": [["plain", 1, [], 2], ["class", True, "impl", "Small"], None]},
        {"roots": [0], "nodes": [["reduced", 1], ["class", True, "impl", "Node"]]},
        {"roots": [0], "nodes": [["method", 1, 1], 1]},
        {"roots": [0], "nodes": [["weak", 1, 1], 1]},
        {"roots": [0], "nodes": [["lock", "Popen"]]},
        {"roots": [0], "nodes": [["lambda"]]},
    ],
)  # fmt: skip
def test_what_is_no_graph_is_refused(graph: Any) -> None:
    with pytest.raises(Malformed):
        rebuilt(graph, HERE)


MADE_WITH_FIELDS = """
class Ratio:
    __slots__ = ("above", "below")
    def __new__(cls, above=0, below=1):
        self = super().__new__(cls)
        self.above, self.below = above, below
        return self
"""


def test_what_the_programs_own_new_puts_into_an_object_is_not_taken_for_told() -> None:
    there, here = (execute(ModuleText("impl", MADE_WITH_FIELDS, "impl.py")) for _ in range(2))
    half = there.Ratio(1, 2)
    del half.below
    (arrived,) = rebuilt(graph_of([half], "impl"), here)
    assert arrived.above == 1
    assert not hasattr(arrived, "below")


def test_no_constructor_of_a_program_is_called_though_it_be_the_module_collections() -> None:
    source = "class UserList:\n    def __init__(self):\n        self.called = True\n"
    there, here = (execute(ModuleText("collections", source, "collections.py")) for _ in range(2))
    (arrived,) = rebuilt(graph_of([there.UserList.__new__(there.UserList)], "collections"), here)
    assert type(arrived) is here.UserList
    assert vars(arrived) == {}
