"""Calls of sequences on a module: what they are made with, and what they refer to."""

import pytest

from harness.errors import SpecError
from harness.kernel.inputs.routines import ABSENT, Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.program.loader import ModuleText, execute
from harness.model.sequence import SequenceScope

SOURCE = """
class Misused(KeyError):
    pass

class Bag:
    def __init__(self, items=()):
        self.items = list(items)

    def add(self, item, *, twice=False):
        self.items += [item] * (1 + twice)

    def join(self, other):
        self.items.extend(other.items)
        return self

def size(bag, more):
    return len(bag.items) + more
"""
MODULE = execute(ModuleText("bags", SOURCE, "bags.py"))


def scope() -> SequenceScope:
    bags = SequenceScope("Bag")
    bags.constructor([bags.fixed([1, 2]), ()])
    bags.method("add", bags.tokens("Item", 2), twice=[False, True])
    bags.method("join", bags.earlier("Bag"))
    bags.function("size", range(3))
    return bags


def test_a_sequence_is_carried_out_call_by_call():
    routines = Routines(MODULE, scope())
    results: list[object] = []
    for call in [Call(0, (0,)), Call(0, (1,)), Call(1, (1, 1, 1)), Call(2, (0, 1)), Call(3, (3, 2))]:
        ready = routines.ready(call, results)
        results.append(ready.function(*ready.passed))
    assert results[3] is results[0]
    assert results[4] == 4 + 2
    assert [str(item) for item in results[0].items] == ["1", "2", "<Item 1>", "<Item 1>"]


def test_structures_are_told_by_their_class_whatever_an_object_says_of_itself():
    class Liar:
        __class__ = MODULE.Bag

    derived = type("Derived", (MODULE.Bag,), {})
    routines = Routines(MODULE, scope())
    assert [routines.is_of_root(held) for held in (MODULE.Bag(), derived(), Liar(), None)] == [True, True, False, False]
    assert isinstance(Liar(), MODULE.Bag)


def test_what_an_earlier_call_did_not_give_cannot_be_used():
    with pytest.raises(LookupError, match="call 1 gave nothing"):
        Routines(MODULE, scope()).ready(Call(3, (0, 0)), [ABSENT])


def test_misuse_is_told_by_the_names_of_an_exception_and_its_bases():
    routines = Routines(MODULE, scope())
    assert routines.is_misuse(MODULE.Misused())
    assert routines.is_misuse(ValueError())
    assert not routines.is_misuse(AttributeError())
    bounds = scope()
    bounds.misuse("AttributeError")
    assert not Routines(MODULE, bounds).is_misuse(ValueError())


def test_a_routine_that_is_not_there_is_named():
    bounds = scope()
    bounds.method("pop")
    with pytest.raises(SpecError, match="routine 'pop', but Bag has no such method"):
        Routines(MODULE, bounds).ready(Call(4, (0,)), [MODULE.Bag()])
    bounds.function("missing")
    with pytest.raises(SpecError, match=r"'missing', but bags\.py has no such"):
        Routines(MODULE, bounds)
