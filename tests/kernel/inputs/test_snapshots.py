"""States told as bytes and made again: the same graph, shared references shared, nothing of the program run."""

from __future__ import annotations

import random
import threading
import weakref
from collections import deque
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from support.snapshot_graphs import MUTANT, ORIGINAL, class_of, graphs, nothing_run

from harness.kernel.inputs.restoring import NotRestorable
from harness.kernel.inputs.snapshots import decode, encode
from harness.kernel.objects.equality import concrete
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.tokens import the_token


@pytest.mark.sweep
@given(graphs())
@settings(max_examples=80, deadline=None)
def test_what_is_made_again_is_the_same_graph_of_the_classes_of_another_module(objects: Any) -> None:
    before = concrete(objects)
    with nothing_run():
        data = encode([objects, objects], ORIGINAL)
        one, other = decode(data, MUTANT)
    assert concrete(objects) == before
    assert one is other
    assert concrete(one) == before
    assert concrete(decode(encode([one], MUTANT), ORIGINAL)[0]) == before
    for original, restored in zip(objects, one, strict=True):
        if type(original).__module__ == ORIGINAL.__name__:
            assert type(restored) is class_of(MUTANT, type(original).__qualname__)


def again(value: Any, module: ModuleType = MUTANT) -> Any:
    (restored,) = decode(encode([value], ORIGINAL), module)
    return restored


def test_shared_references_stay_shared_and_cycles_closed() -> None:
    inner: list[Any] = [1]
    both: Any = (inner, {"a": inner}, deque([inner]))
    inner.append(both)
    restored = again(both)
    assert restored[0] is restored[1]["a"] is restored[2][0]
    assert restored[0][1] is restored


def test_a_key_is_complete_before_its_hash_is_asked_for() -> None:
    inner, outer = ORIGINAL.Keyed(frozenset({1})), ORIGINAL.Keyed(None)
    outer.key = (inner, frozenset({inner}))
    outer.others = frozenset({inner, ORIGINAL.Keyed(3)})
    restored = again({outer: [outer], frozenset({outer}): 1})
    (key, held), (frozen, _) = restored.items()
    assert held == [key]
    assert restored[key] is held
    assert frozen == frozenset({key})
    assert key.key[0] in key.key[1]
    assert len(key.others) == 2


def test_methods_are_bound_to_what_is_made_again_and_run_its_modules_code() -> None:
    keyed = ORIGINAL.Keyed(1)
    held = {1, 2}
    keyed.alias_kept, keyed.lambda_kept, keyed.made_kept = keyed.alias, keyed.held, ORIGINAL.Keyed.made
    keyed.disjoint, keyed.length = held.isdisjoint, held.__len__
    keyed.fresh = dict.fromkeys
    restored = again(keyed)
    assert restored.alias_kept.__self__ is restored.lambda_kept.__self__ is restored
    assert restored.alias_kept.__func__ is MUTANT.Keyed.by_name
    assert restored.lambda_kept.__func__ is MUTANT.Keyed.held
    assert restored.made_kept.__self__ is MUTANT.Keyed
    assert restored.disjoint.__self__ is restored.length.__self__ == {1, 2}
    assert restored.fresh([1]) == {1: None}


def test_global_variables_are_those_of_the_other_module_in_the_state_that_they_had() -> None:
    object.__getattribute__(ORIGINAL.NIL, "__dict__").clear()
    object.__setattr__(ORIGINAL.NIL, "left", [ORIGINAL.MARK])
    ORIGINAL.REGISTRY["a"] = ORIGINAL.Tree.NIL
    object.__setattr__(MUTANT.NIL, "right", 3)
    MUTANT.REGISTRY["b"] = 1
    try:
        nil, registry, mark = decode(encode([ORIGINAL.NIL, ORIGINAL.REGISTRY, ORIGINAL.MARK], ORIGINAL), MUTANT)
        assert nil is MUTANT.NIL
        assert registry is MUTANT.REGISTRY
        assert mark is MUTANT.MARK
        assert registry == {"a": MUTANT.Tree.NIL}
        assert object.__getattribute__(nil, "__dict__") == {"left": [mark]}
    finally:
        for module in (ORIGINAL, MUTANT):
            object.__getattribute__(module.NIL, "__dict__").clear()
            module.REGISTRY.clear()


def test_weak_references_lead_to_what_is_made_again() -> None:
    keyed = ORIGINAL.Keyed(5)
    restored = again([keyed, weakref.ref(keyed), weakref.proxy(keyed)])
    assert restored[1]() is restored[0]
    assert restored[2].key == 5
    assert type(restored[2]) is weakref.ProxyType


def test_locks_are_free_and_conditions_are_on_them() -> None:
    lock = threading.Lock()
    made_lock, condition, own = again([lock, threading.Condition(lock), threading.Condition()])
    assert condition._lock is made_lock
    assert made_lock.acquire(blocking=False)
    with own:
        own.notify_all()


@pytest.mark.sweep
def test_a_long_list_is_made_again_without_deep_recursion() -> None:
    first: Any = None
    for _ in range(6_000):
        node = ORIGINAL.Tree.Node()
        node.next, node.pair = first, (first,)
        first = node
    restored, length = again(first), 0
    while restored is not None:
        assert restored.pair[0] is restored.next
        restored, length = restored.next, length + 1
    assert length == 6_000


def test_tokens_are_the_same_in_all_states() -> None:
    assert again([the_token("T", 0)]) == [the_token("T", 0)]


def test_a_tuple_of_a_container_that_holds_it_is_made_first() -> None:
    held: dict[Any, Any] = {}
    held["a"] = (held, frozenset({1}))
    restored = again((held["a"], held))
    assert restored[1]["a"] is restored[0]
    assert restored[0][0] is restored[1]


def _nested() -> Any:
    class Inner:
        pass

    return Inner()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ((number for number in range(3)), "the root.field is a builtins.generator, an object of C"),
        ([random.Random(0)], "the root.field, an element is a random.Random, an object of C"),
        (lambda x: x, "the root.field is <lambda>, or made by it, which has no name in its module"),
        (_nested(), "is _nested.<locals>.Inner, or made by it, which has no name"),
        ({ORIGINAL.Tree.Node(), ORIGINAL.Tree.Node()}, "the root.field is a set of Tree.Node objects, whose order"),
        (frozenset({(1, ORIGINAL.Tree.Node()), 2}), "the root.field is a set of tuple objects, whose order is chance"),
        (weakref.ref(ORIGINAL.Tree.Node()), "the root.field is a weak reference to a deleted object"),
        (memoryview(b""), "the root.field is a builtins.memoryview, an object of C"),
    ],
)
def test_what_cannot_be_made_again_is_told_with_its_place(value: Any, message: str) -> None:
    node = ORIGINAL.Tree.Node()
    node.field = value
    with pytest.raises(NotRestorable) as caught:
        encode([node], ORIGINAL)
    assert message in str(caught.value)


def test_a_held_lock_cannot_be_made_again() -> None:
    with threading.Lock() as _, threading.RLock() as __:
        pass
    lock = threading.RLock()
    with lock, pytest.raises(NotRestorable, match="the root is a lock that is held"):
        encode([lock], ORIGINAL)


def test_a_set_of_one_object_has_no_order() -> None:
    (restored,) = again({ORIGINAL.Tree.Node()})
    assert type(restored) is MUTANT.Tree.Node


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("class Tree: pass", "there is no snapshot_sample.Tree.Node"),
        ("class Tree:\n    class Node:\n        __slots__ = ()", "objects of class Tree.Node have no attribute 'a'"),
        ("class Tree:\n    class Node(int): pass", "have no attribute"),
    ],
)
def test_a_module_that_lacks_what_the_state_needs_is_told(source: str, message: str) -> None:
    node = ORIGINAL.Tree.Node()
    node.a = 1
    data = encode([node], ORIGINAL)
    other = execute(ModuleText("snapshot_sample", source, "snapshot_sample.py"))
    if "int" in source:
        assert decode(data, other)[0].a == 1
    else:
        with pytest.raises(NotRestorable, match=message.replace(".", r"\.")):
            decode(data, other)
