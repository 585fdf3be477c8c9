"""The scope of sequences: what can be said in it, what is derived, and what is refused."""

from collections import deque
from itertools import count

import pytest

from harness.errors import SpecError
from harness.model.finitization import Finitization
from harness.model.routines import ArgumentDomain, Fixed, Made, RoutineKind, TokenValue
from harness.model.sequence import SequenceScope


def small() -> SequenceScope:
    scope = SequenceScope("Tree")
    scope.method("add", range(3))
    return scope


def test_without_a_constructor_the_root_is_made_without_arguments():
    first, second = small().routines
    assert (first.name, first.kind, first.parameters) == ("Tree", RoutineKind.CONSTRUCTOR, ())
    assert (second.name, second.parameters) == ("add", (ArgumentDomain((0, 1, 2)),))


def test_constructors_come_first_however_late_they_are_declared():
    scope = small()
    scope.constructor([1, 2])
    scope.constructor(name="Tree.of", items=[scope.fixed([1]), scope.fixed([])])
    assert [routine.name for routine in scope.routines] == ["Tree", "Tree.of", "add"]
    assert scope.routines[1].keywords == ("items",)
    assert scope.routines[1].parameters == (ArgumentDomain((Fixed([1]), Fixed([]))),)


def test_a_domain_may_unite_values_and_earlier_results():
    scope = small()
    scope.method("merge", (None, scope.earlier("Tree"), scope.tokens("Key", 2)))
    (domain,) = scope.routines[-1].parameters
    assert domain == ArgumentDomain((None, TokenValue("Key", 0), TokenValue("Key", 1)), ("Tree",))


def test_bounds_are_per_class_unless_a_class_is_named():
    scope = small()
    scope.objects(4)
    scope.objects(2, "Leaf")
    assert (scope.most_of("Node"), scope.most_of("Leaf"), scope.most_of("Tree")) == (4, 2, 4)
    scope.objects(3, "Tree")
    assert scope.most_of("Tree") == 3


def test_a_restricted_scope_keeps_constructors_and_bounds():
    scope = small()
    scope.method("remove", range(3))
    scope.objects(4)
    scope.omit("count")
    restricted = scope.restricted(["remove"])
    assert [routine.name for routine in restricted.routines] == ["Tree", "remove"]
    assert restricted.most_of("Node") == 4
    assert restricted.omitted == ("count",)
    assert len(scope.routines) == 3


def test_a_scope_derived_from_a_finitization_has_its_targets_and_its_bounds():
    bounds = Finitization("Heap")
    nodes = bounds.objects("Node", 3)
    keys = bounds.tokens("Key", 2)
    bounds.set("Heap.all", bounds.lists(1, lengths=range(5), elements=nodes))
    other = Finitization("Heap")
    bounds.method("add", range(2), (None, keys))
    bounds.method("merge", (nodes,))
    bounds.method("extend", bounds.fixed([2, 1]))
    bounds.method("made", bounds.opaque(object))
    bounds.method("feed", bounds.lists(2, lengths=range(2), elements=range(2)))
    bounds.method("turn", bounds.deques(1, lengths=[1], elements=[7]))
    bounds.method("sift", bounds.sets(1, members="ab"))
    bounds.method("name", (None, bounds.dicts(1, keys=[0], values="x")))
    bounds.method("link", bounds.lists(1, lengths=range(2), elements=nodes))
    bounds.method("take", other_structures(other))
    scope = SequenceScope.of_finitization(bounds, 3)
    parameters = {routine.name: routine.parameters for routine in scope.routines}
    made = next(domain for domain in bounds.domains if domain.class_name == "object")
    assert scope.left_out == ("link",)
    assert parameters == {
        "Heap": (),
        "add": (ArgumentDomain((0, 1)), ArgumentDomain((None, TokenValue("Key", 0), TokenValue("Key", 1)))),
        "merge": (ArgumentDomain((), ("Node",)),),
        "extend": (ArgumentDomain((Fixed([2, 1]),)),),
        "made": (ArgumentDomain((Made(made),)),),
        "feed": (ArgumentDomain((Fixed([]), Fixed([0]), Fixed([1]))),),
        "turn": (ArgumentDomain((Fixed(deque([7])),)),),
        "sift": (ArgumentDomain((Fixed(set()), Fixed({"b"}), Fixed({"a"}), Fixed({"a", "b"}))),),
        "name": (ArgumentDomain((None, Fixed({}), Fixed({0: "x"}))),),
        "take": (ArgumentDomain((), ("Heap",), apart=True),),
    }
    assert (scope.most_of("Node"), scope.most_elements) == (3, 4)


def other_structures(bounds: Finitization) -> object:
    from harness.spec import Structures

    return Structures(bounds, lambda heap: True)


def test_a_finitization_without_a_root_has_nothing_to_make_sequences_of():
    bounds = Finitization()
    bounds.function("gcd", range(3), range(3))
    with pytest.raises(SpecError, match="no root"):
        SequenceScope.of_finitization(bounds, 3)


def test_what_is_wrong_is_said_in_one_line():
    scope = small()
    for wrong, message in {
        lambda: SequenceScope("Tree").checked(): "declare no routine",
        lambda: scope.method("add", range(2)): "declared twice",
        lambda: scope.method("put", {1, 2}): "no list of plain values",
        lambda: scope.method("put", object()): "neither None, a plain value",
        lambda: scope.fixed([object()]): "neither a plain value nor a list",
        lambda: scope.length(0): "at least one call",
        lambda: scope.attempts(True): "whole number from 1",
        lambda: scope.omit("("): "not a name or regular expression",
        lambda: scope.method("put", count()): "more than 65536 values",
        lambda: scope.method("put", (None, count(1))): "more than 65536 values",
        lambda: scope.objects(-1): "number of all objects",
        lambda: (scope.builders("push"), scope.checked()): "builder 'push' is no routine; the routines are add",
    }.items():
        with pytest.raises(SpecError, match=message) as error:
            wrong()
        assert "\n" not in str(error.value)
