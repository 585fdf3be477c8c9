"""Programs that ask more of an integer than a proxy can tell: no path is lost without a notice."""

from typing import Any

import pytest
from support.sequence_suites import bounds_of, suite_of_text

from harness.errors import SpecError
from harness.generators.policies.css.generator import CandidateSequenceSearch
from harness.generators.policies.symstra.generator import Symstra
from harness.generators.symbolic.caller import MOST_TRIED, tried_values
from harness.kernel.program.loader import ModuleText, execute
from harness.model.routines import ArgumentDomain

BOTH = pytest.mark.parametrize("generator", [Symstra(), CandidateSequenceSearch()], ids=lambda one: one.name)
CONCRETE = "program.py: f was made concrete, its integers tried one by one (6 of 6): "
PINNED = "program.py: f pinned a symbolic integer to one value, for "
REFUSED = "it raises TypeError (program.py:4) on symbolic integers, and nothing on plain ones"


def program(imports: str, body: str) -> str:
    return f"{imports}\nclass A:\n    def f(self, value):\n        {body}\n"


def results(text: str, values: list[int]) -> set[str]:
    module: Any = execute(ModuleText("program", text, "program.py"))
    return {repr(module.A().f(value)) for value in values}


MADE_CONCRETE = {
    "json": ("import json", "return 1 if json.dumps([value]) == '[3]' else 0", "json.dumps is given it (program.py:4)"),
    "a default of json": (
        "import json",
        "return json.dumps(value, default=lambda one: None) == '3'",
        "json.dumps is given it (program.py:4)",
    ),
    "a field given away": (
        "import json",
        "self.kept = [value]\n        return json.dumps(vars(self)) == '{\"kept\": [3]}'",
        "json.dumps is given it (program.py:5)",
    ),
    "decimal": (
        "from decimal import Decimal",
        "return Decimal(value) > 1",
        "decimal.Decimal is given it (program.py:4)",
    ),
    "an operator of decimal": ("from decimal import Decimal", "return Decimal(3) + value > 5", REFUSED),
    "deque": ("from collections import deque", "return len(deque([1, 2, 3], maxlen=value))", REFUSED),
    "random": ("import random", "return random.Random(value).randrange(9)", "random.Random is given it (program.py:4)"),
    "operator.is_": ("import operator", "return operator.is_(value, 3)", "_operator.is_ is given it (program.py:4)"),
    "three operands": ("", "return pow(2, value, 5)", REFUSED),
    "a method of int": ("", "return int.bit_length(value)", REFUSED),
    "a refusal that is caught": (
        "",
        "try:\n            return int.bit_length(value)\n        except TypeError:\n            return 9",
        "it returns something else on plain integers",
    ),
    "a state": (
        "",
        "self.kept = [type][0](value)\n        return value > 2",
        "it leads to another state on plain integers",
    ),
}


@BOTH
@pytest.mark.parametrize(("imports", "body", "why"), MADE_CONCRETE.values(), ids=MADE_CONCRETE)
def test_where_proxies_do_not_do_all_values_are_tried(tmp_path, generator, imports, body, why):
    text = program(imports, body)
    suite, notices = suite_of_text(tmp_path, generator, text, bounds_of("A", f=(range(6),)), scope=1)
    assert notices == [CONCRETE + why]
    assert [list(suite.sequence(number))[-1].arguments for number in range(len(suite))] == [
        (),
        *((0, value) for value in range(6)),
    ]


STAYS_SYMBOLIC = {
    "type is": ("", "return value > 2 if type(value) is int else 'other'", ""),
    "type ==": ("", "return value > 2 if type(value) == int else 'other'", ""),
    "is": ("", "return 1 if value is 3 else 0", ""),
    "is not": ("", "return 1 if value is not 3 else 0", ""),
    "is of a field": ("", "self.kept = value\n        return self.kept is value, value > 2", ""),
    "a mapped type": ("", "return list(map(type, [value])) == [int] and value > 2", ""),
    "a type for a key": (
        "import itertools",
        "return len(list(itertools.groupby([value, 2], key=type))) == 1 and value > 2",
        "",
    ),
    "isinstance": ("", "return isinstance(value, int) and value > 3", ""),
    "match": ("", "match value:\n            case int(): return value > 2\n            case _: return 'other'", ""),
    "bool": ("", "return bool(value)", ""),
    "sum": ("", "return sum([value, 2]) > 5", ""),
    "sorted": ("", "return sorted([value, 2, 4]).index(2)", ""),
    "min and max": ("", "return max(value, 2) > 2, min(value, 4) < 4", ""),
    "heapq": ("import heapq", "held = [3, 4]\n        heapq.heappush(held, value)\n        return held[0] == 3", ""),
    "bisect": ("import bisect", "return bisect.bisect([1, 2, 4], value)", ""),
    "singledispatch": (
        "import functools\n@functools.singledispatch\ndef g(value): return 0\n"
        "@g.register\ndef _(value: int): return value > 3",
        "return g(value)",
        "",
    ),
    "a square root": ("import math", "return math.sqrt(value) > 2", "a float"),
    "a text": ("", "return f'{value:03}'", "a text"),
    "round": ("", "return round(value, -1)", "rounding"),
    "int": ("", "return int(value)", "int()"),
    "a key": ("", "return {1: 'a', 2: 'b'}.get(value)", "a hash"),
    "array": ("import array", "return array.array('i', [value]).tolist()", "an index or a function in C"),
    "what a function keeps": (
        "import functools\n@functools.lru_cache(None)\ndef g(value): return value > 2",
        "return g(value)",
        "a hash",
    ),
}


@BOTH
@pytest.mark.parametrize("scope", [1, 2])
@pytest.mark.parametrize(("imports", "body", "reason"), STAYS_SYMBOLIC.values(), ids=STAYS_SYMBOLIC)
def test_what_any_value_returns_some_input_returns_or_a_notice_tells_of_a_pinned_one(
    tmp_path, generator, imports, body, reason, scope
):
    text = program(imports, body)
    suite, notices = suite_of_text(tmp_path, generator, text, bounds_of("A", f=(range(6),)), scope)
    if reason:
        assert [notice.partition(" (paths: ")[0] for notice in notices] == [PINNED + reason]
        return
    assert not notices
    ends = [list(suite.sequence(number))[-1].arguments for number in range(len(suite))]
    assert results(text, [given[1] for given in ends if given]) == results(text, list(range(6)))
    assert len(ends) < 7 or scope > 1


@BOTH
def test_what_an_earlier_call_has_left_is_made_concrete_where_the_last_one_has_no_integers(tmp_path, generator):
    text = (
        "import json\nclass A:\n    def __init__(self):\n        self.kept = 9\n"
        "    def put(self, value):\n        self.kept = value\n"
        "    def told(self):\n        return json.dumps(self.kept) == '3'\n"
        "    def odd(self):\n        return pow(7, self.kept, 5)\n"
    )
    for name in ("told", "odd"):
        bounds = bounds_of("A", put=(range(6),), **{name: ()})
        suite, notices = suite_of_text(tmp_path / name, generator, text, bounds, scope=2)
        assert [notice.partition(": ")[2].partition(" (")[0] for notice in notices] == [
            "put was made concrete, its integers tried one by one"
        ]
        sequences = [tuple(suite.sequence(number)) for number in range(len(suite))]
        methods = {calls[1].arguments for calls in sequences if len(calls) == 3 and len(calls[1].arguments) == 2}
        assert methods == {(0, value) for value in range(6)}


def test_as_many_values_are_tried_as_the_limit_allows_the_first_and_the_last_among_them(tmp_path):
    assert tried_values(ArgumentDomain(tuple(range(5)))) == [0, 1, 2, 3, 4]
    tried = tried_values(ArgumentDomain(tuple(range(1000))))
    assert (len(set(tried)), tried[0], tried[-1]) == (MOST_TRIED, 0, 999)
    text = program("", "return int.bit_length(value)")
    suite, notices = suite_of_text(tmp_path, Symstra(), text, bounds_of("A", f=(range(1000),)), scope=1)
    assert len(suite) == 1 + MOST_TRIED
    assert "(64 of 1000)" in notices[0]


def test_a_program_that_hangs_on_chance_is_refused_though_its_integers_are_tried_one_by_one(tmp_path):
    text = program("import random", "self.kept = random.random()\n        return pow(2, value, 5)")
    with pytest.raises(SpecError, match="leads to another state on plain integers: the state depends on chance"):
        suite_of_text(tmp_path, Symstra(), text, bounds_of("A", f=(range(6),)), scope=1)
