"""Calls of sequences on a module: what they are made with and refer to, and how a person would write them."""

from __future__ import annotations

import pytest

from harness.errors import SpecError
from harness.kernel.inputs.describe import CallWriter
from harness.kernel.inputs.routines import ABSENT, Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.program.loader import ModuleText, execute
from harness.model.literals import value_source
from harness.model.sequence import SequenceScope


def scope() -> SequenceScope:
    s = SequenceScope("SearchTree")
    s.constructor()
    s.constructor(range(3), name="made_of")
    s.method("add", range(5, 8))
    s.method("merge", (None, s.earlier("SearchTree")), keep=[False, True])
    s.method("put", s.tokens("Key", 2), [s.fixed([3, {1}]), float("inf")])
    s.function("height")
    return s


CONSTRUCT, ADD, MERGE, PUT_BOTH, HEIGHT = (
    Call(0, ()),
    Call(2, (0, 1)),
    Call(3, (1, 1, 1)),
    Call(4, (0, 1, 1)),
    Call(5, (0,)),
)


def text(*calls: Call, module: str = "", root: str = "SearchTree") -> str:
    return CallWriter(root, scope().routines, module).text(calls)


def test_arguments_are_earlier_objects_by_name_and_keywords_by_theirs():
    assert text(CONSTRUCT, CONSTRUCT, MERGE) == (
        "search_tree = SearchTree(); search_tree2 = SearchTree(); search_tree2.merge(search_tree, keep=True)"
    )


def test_functions_of_the_module_take_the_receiver_first():
    assert text(CONSTRUCT, HEIGHT, module="impl") == "search_tree = impl.SearchTree(); impl.height(search_tree)"


def test_a_function_that_makes_the_object_and_a_list_have_names_too():
    assert text(Call(1, (2,))) == "search_tree = made_of(2)"
    lists = SequenceScope("list")
    lists.function("heappush", range(2))
    writer = CallWriter("list", lists.routines, "impl")
    assert writer.text([Call(0, ()), Call(1, (0, 1))]) == "items = list(); impl.heappush(items, 1)"


def test_results_have_names_only_where_they_are_asked_for():
    writer = CallWriter("SearchTree", scope().routines)
    again = [CONSTRUCT, HEIGHT, Call(2, (1, 0))]
    assert [str(call) for call in writer.write(again)][1:] == ["result = height(search_tree)", "result.add(5)"]
    assert str(writer.write([CONSTRUCT, ADD], named=[1])[1]) == "result = search_tree.add(6)"


def test_tokens_and_fixed_collections_are_written_as_values():
    writer = CallWriter("SearchTree", scope().routines, reserved_names=["key1"])
    calls = [CONSTRUCT, Call(4, (0, 0, 0)), PUT_BOTH]
    assert [call.expression for call in writer.write(calls)][1:] == [
        "search_tree.put(key0, [3, {1}])",
        'search_tree.put(key12, float("inf"))',
    ]
    assert list(writer.tokens(calls).values()) == ["key0", "key12"]


def test_a_name_that_python_or_the_file_needs_is_left_to_it():
    s = SequenceScope("Class")
    s.method("go")
    calls = [Call(0, ()), Call(1, (0,))]
    assert CallWriter("Class", s.routines).text(calls) == "class2 = Class(); class2.go()"
    assert CallWriter("Class", s.routines, reserved_names=["class2"]).text(calls) == "class3 = Class(); class3.go()"


@pytest.mark.parametrize(
    "value", [None, "it's", -0.0, (1,), (), [1, (2, "x")], {"a": [True]}, set(), {3}, frozenset([1]), frozenset()]
)
def test_values_are_source_that_gives_them_back(value):
    assert repr(eval(value_source(value))) == repr(value)


def test_numbers_without_a_literal_are_made():
    assert value_source([float("nan"), (float("-inf"),)]) == '[float("nan"), (float("-inf"),)]'


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


def bags_scope() -> SequenceScope:
    bags = SequenceScope("Bag")
    bags.constructor([bags.fixed([1, 2]), ()])
    bags.method("add", bags.tokens("Item", 2), twice=[False, True])
    bags.method("join", bags.earlier("Bag"))
    bags.function("size", range(3))
    return bags


def test_a_sequence_is_carried_out_call_by_call():
    routines = Routines(MODULE, bags_scope())
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
    routines = Routines(MODULE, bags_scope())
    assert [routines.is_of_root(held) for held in (MODULE.Bag(), derived(), Liar(), None)] == [True, True, False, False]
    assert isinstance(Liar(), MODULE.Bag)


def test_what_an_earlier_call_did_not_give_cannot_be_used():
    with pytest.raises(LookupError, match="call 1 gave nothing"):
        Routines(MODULE, bags_scope()).ready(Call(3, (0, 0)), [ABSENT])


def test_misuse_is_told_by_the_names_of_an_exception_and_its_bases():
    routines = Routines(MODULE, bags_scope())
    assert routines.is_misuse(MODULE.Misused())
    assert routines.is_misuse(ValueError())
    assert not routines.is_misuse(AttributeError())
    bounds = bags_scope()
    bounds.misuse("AttributeError")
    assert not Routines(MODULE, bounds).is_misuse(ValueError())


def test_a_routine_that_is_not_there_is_named():
    bounds = bags_scope()
    bounds.method("pop")
    with pytest.raises(SpecError, match="routine 'pop', but Bag has no such method"):
        Routines(MODULE, bounds).ready(Call(4, (0,)), [MODULE.Bag()])
    bounds.function("missing")
    with pytest.raises(SpecError, match=r"'missing', but bags\.py has no such"):
        Routines(MODULE, bounds)
