"""An observed list behaves as a list, and reports each access."""

import bisect
import copy
import heapq
import operator
import zlib

import pytest
from generator_samples import Sample, check_against_brute_force, module

from harness.errors import SpecError
from harness.generators.states.reference.observed_list import ObservedList
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization


def _finitization() -> Finitization:
    return Finitization.of_list(lengths=(2, 0, 1, 3), elements=(0, 1))


def _assigning(statement: str):
    code = compile(statement, "statement", "exec")

    def operation(values):
        scope = {"x": values}
        exec(code, scope)
        return scope["x"], scope.get("r"), scope["x"] is values

    return operation


OPERATIONS = {
    "len": len,
    "bool": bool,
    "iter": lambda x: [-i for i in x],
    "list": list,
    "tuple": tuple,
    "first": lambda x: x[0],
    "last": lambda x: x[-1],
    "beyond": lambda x: x[2],
    "slice": lambda x: (x[1:], type(x[1:]) is list),
    "step": lambda x: x[::-2],
    "reversed": lambda x: list(reversed(x)),
    "in": lambda x: 1 in x,
    "not in": lambda x: 5 not in x,
    "index": lambda x: x.index(1),
    "index from": lambda x: x.index(1, 1),
    "count": lambda x: x.count(1),
    "eq": lambda x: x == [0, 1],
    "eq reflected": lambda x: [0, 1] == x,  # noqa: SIM300
    "eq other": lambda x: x == (0, 1),
    "eq self": lambda x: x == x,
    "ne": lambda x: x != [0],
    "lt": lambda x: x < [0, 1],
    "le": lambda x: x <= [0, 1],
    "gt": lambda x: x > [0, 1],
    "ge": lambda x: x >= [0, 1],
    "gt reflected": lambda x: [0, 1] > x,  # noqa: SIM300
    "lt wrong": lambda x: x < 5,
    "add": lambda x: x + [5],  # noqa: RUF005
    "add reflected": lambda x: [5] + x,  # noqa: RUF005
    "add self": lambda x: x + x,
    "add wrong": lambda x: x + (1,),  # noqa: RUF005
    "mul": lambda x: x * 2,
    "mul reflected": lambda x: 2 * x,
    "copy": lambda x: (x.copy(), x.copy() is x),
    "copy module": copy.copy,
    "deepcopy": copy.deepcopy,
    "repr": repr,
    "str": lambda x: f"{x}",
    "hash": hash,
    "sum": sum,
    "max": lambda x: max(x),
    "sorted": sorted,
    "zip": lambda x: list(zip(x, x, strict=True)),
    "star": lambda x: [*x, *x],
    "unpack": _assigning("a, b = x; r = (b, a)"),
    "join": lambda x: "".join(map(str, x)),
    "bisect": lambda x: bisect.bisect(x, 0),
    "extend other": lambda x: [].extend(x) or [5, *x],
    "getter": operator.itemgetter(0),
    "type": lambda x: type(x)([7]),
    "isinstance": lambda x: isinstance(x, list),
    "match": _assigning("match x:\n  case [0, *r]: pass"),
    "set": _assigning("x[0] = 7"),
    "set last": _assigning("x[-1] = 7"),
    "set slice": _assigning("x[1:] = [7, 8, 9]"),
    "set slice longer": _assigning("x[:1] = [7, 8]"),
    "swap": _assigning("x[0], x[1] = x[1], x[0]"),
    "delete": _assigning("del x[0]"),
    "append": _assigning("x.append(7); r = x[-1]"),
    "extend": _assigning("x.extend([7]); r = x[0]"),
    "extend self": _assigning("x.extend(x)"),
    "insert": _assigning("x.insert(0, 7)"),
    "pop": _assigning("r = x.pop()"),
    "pop and push": _assigning("r = x.pop(); x.append(9); x[0]"),
    "pop first": _assigning("r = x.pop(0)"),
    "remove": _assigning("x.remove(1)"),
    "clear": _assigning("x.clear()"),
    "sort": _assigning("x.sort(reverse=True)"),
    "reverse": _assigning("x.reverse()"),
    "iadd": _assigning("x += [7]"),
    "imul": _assigning("x *= 2"),
    "change while iterating": _assigning("r = [x.append(4) or i for i in x if len(x) < 5]"),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_does_as_on_a_plain_list_is_observed_and_undone(name):
    operation = OPERATIONS[name]

    def rep_ok(values):
        try:
            outcome = repr(operation(values))
        except (TypeError, ValueError, IndexError) as error:
            outcome = type(error).__name__
        return zlib.crc32(outcome.encode()) % 2 == 0

    check_against_brute_force(Sample(name, "", _finitization, rep_ok))
    check_against_brute_force(Sample(name, "", _finitization, lambda values: not rep_ok(values)))


def test_no_operation_of_list_is_left_to_c_unobserved():
    harmless = {"__class__", "__class_getitem__", "__doc__", "__init__", "__getattribute__", "__sizeof__"}
    harmless |= set(dir(object)) - {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__repr__"}
    assert set(vars(list)) - set(vars(ObservedList)) <= harmless


def test_only_what_was_asked_for_is_read():
    def explored(rep_ok) -> int:
        search = KoratSearch(StateSpace(Finitization.of_list(lengths=(3,), elements=(0, 1))), module(""), rep_ok)
        list(search)
        return search.explored

    assert explored(lambda x: len(x) > 5) == 1
    assert explored(lambda x: x[1] > 5) == 2
    assert explored(lambda x: x[-1] > 5 or 5 in x[:1]) == 4
    assert explored(lambda x: x == [7]) == 1
    assert explored(lambda x: x.append(1) or x.pop() > 5) == 1
    assert explored(lambda x: x.pop() > 5) == 2
    assert explored(lambda x: next(iter(x)) > 5) == 2


@pytest.mark.parametrize("function", [heapq.heappop, lambda x: list.__getitem__(x, 0) + 1])
def test_c_code_that_reads_past_the_observation_fails_loudly(function):
    def rep_ok(values):
        try:
            return function(values) == 1
        except Exception:
            return False

    with pytest.raises(SpecError, match=r"written in C that reads its elements unobserved; pass list\(values\)"):
        list(KoratSearch(StateSpace(_finitization()), module(""), rep_ok))


def test_lists_of_lists_and_lists_that_hold_themselves():
    f = Finitization("Root")
    inner = f.lists(2, lengths=(0, 1, 2), elements=(0, 1))
    f.set("Root.outer", f.lists(1, lengths=(1, 2), elements=(inner, None, f.domains[0])))
    f.set("Root.self", None)

    def rep_ok(root):
        first = root.outer[0]
        return first is not None and (first is root or (len(first) > 0 and first[0] == 1 and root.outer[-1] is first))

    check_against_brute_force(Sample("nested", "class Root:\n    pass\n", lambda: f, rep_ok))
