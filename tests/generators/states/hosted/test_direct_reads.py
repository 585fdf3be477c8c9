"""Predicates rewritten to read lists directly do as their text says, and read what it reads."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest
from generator_samples import module, predicate, shared_objects
from hypothesis import given, settings
from hypothesis import strategies as st
from support.sweeps import examples

from harness.generators.states.hosted.direct import DirectReads, rewritten
from harness.generators.states.hosted.rewriting import uses_dedicated
from harness.generators.states.hosted.search import InterpretedSearch
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization

CLASSES = "class Root:\n    pass\nclass Box:\n    pass\n"


def finitization() -> Finitization:
    f = Finitization("Root")
    f.set("Root.items", None, f.lists(2, lengths=(0, 1, 2), elements=(0, 1, None)))
    f.set("Root.other", f.domains[1], None)
    f.set("Root.size", range(3))
    return f


def outcome(rep_ok: Callable[..., Any], f: Finitization) -> list[Any]:
    """Vectors with the executions until then; an exception of rep_ok counts as an answer."""

    def survives(root: Any) -> bool:
        try:
            return bool(rep_ok(root))
        except (TypeError, IndexError, UnboundLocalError, AttributeError, KeyError):
            return False

    search = KoratSearch(StateSpace(f), module(CLASSES), survives)
    return [*((vector, search.explored) for vector in search), search.explored]


def compare(text: str, *, changes: bool | None = True) -> None:
    rep_ok = predicate(text)
    functions = [value for value in rep_ok.__globals__.values() if isinstance(value, FunctionType)]
    before = [function.__code__ for function in functions]
    plain = outcome(rep_ok, finitization())
    with DirectReads(rep_ok):
        assert changes is None or changes is ([function.__code__ for function in functions] != before)
        assert outcome(rep_ok, finitization()) == plain
    assert outcome(rep_ok, finitization()) == plain


BODIES = {
    "index": "a = r.items\n return a[0] == 1",
    "negative": "a = r.items\n return a[-1] == 1 and a[-2] is None",
    "beyond": "a = r.items\n return a[0] == 1 and a[1] == 1 and a[2]",
    "length": "a = r.items\n return len(a) == 2 and a[1] is None",
    "attribute": "return r.items[0] == 1 or r.items[len(r.items) - 1] is None",
    "evaluates an index once": "a, n = r.items, iter((0, 1))\n return a[next(n)] == 1 and a[next(n)] == 0",
    "rebinds": "a = r.items\n x = a[0]\n a = [5, 6]\n y = a[0]\n a = r.other\n return x == 1 and y == 5 and a[0] == 1",
    "two lists": "a, b = r.items, r.other\n return a is not b and a[0] == b[0] and len(b) == 1",
    "chained": "a = b = r.items\n return a[0] == b[-1]",
    "starred": "*a, b = r.items, r.other\n return a[0] is b and b[0] == 1",
    "annotated": "a: list = r.items\n return a[0] == 1",
    "loop over lists": "t = 0\n for a in (r.items, r.other):\n  t += a[0] if len(a) else 0\n return t == r.size",
    "nested": "a = r.items\n return a[a[a[0]]] == 1",
    "conditional": "a = r.items if r.size else r.other\n return a[0] == r.size and (r.items or r.other)[0] == 1",
    "slices": "a = r.items\n return a[1:] == [1] and a[:1][0] == 0",
    "writes": "a = r.items\n a[0] = 7\n a.append(a[0])\n return a[0] == a[-1] == 7 and len(a) == 3 and a[1] == 0",
    "augmented": "a = r.items\n a[0] += 1\n return a[0] == 2",
    "shrinks": "a = r.items\n a.pop()\n return len(a) == 1 and a[0] == 1",
    "walrus": "a = r.items\n return a[0] == 1 and (a := [0, 4])[1] == 4 and a[1] == 4 and r.items[0] == 1",
    "with": "a = r.items[0]\n return a == 1",
    "exceptions": "a = r.items\n try:\n  return a[1] == 1\n except IndexError:\n  return r.size == 2",
    "other things": "a, s, d = r.items, 'xyz', {0: 'q'}\n return s[1] == 'y' and d[0] == 'q' and a[0] == 1",
    "late": "if r.size:\n  a = r.items\n return a[0] == 1",
    "while": "a, i = r.items, 0\n while i < len(a) and a[i] != 1:\n  i += 1\n return i == r.size",
    "item of a call": "a = list(r.items)\n return a[0] == 1 and r.items[0] == a[-1]",
    "kept": "a = r.items\n x = a[0], a\n return x[1][0] == 1",
}


@pytest.mark.parametrize("name", BODIES)
def test_every_way_to_read_reads_the_same(name):
    compare(f"def rep_ok(r):\n {BODIES[name]}\n")


HELPERS = {
    "helper": "return f(r.items, 0)\ndef f(a, i):\n return i == len(a) or (a[i] == 1 and f(a, i + 1))\n",
    "parameters": "return f(r.items, b=r.other)\ndef f(a, /, *, b):\n return a[0] == b[0]\n",
    "generator": "return all(e(r.items))\ndef e(a):\n i = 0\n while i < len(a):\n  yield a[i]\n  i += 1\n",
    "documented": '"""Yes."""\n a = r.items\n return a[0] == 1 and rep_ok.__doc__ == "Yes."\n',
    "mutual": "return a(r.items)\ndef a(v):\n return v[0] and b(v)\ndef b(v):\n return len(v) < 2 or a(v[1:])\n",
}


@pytest.mark.parametrize("name", HELPERS)
def test_helpers_are_rewritten_too(name):
    compare(f"def rep_ok(r):\n {HELPERS[name]}")


@pytest.mark.parametrize("watch", [sys.settrace, sys.setprofile])
def test_whoever_watches_sees_the_code_as_it_is_written(watch):
    rep_ok = predicate(f"def rep_ok(r):\n {BODIES['index']}\n")
    code, seen = rep_ok.__code__, []

    def note(frame, event, argument):
        if frame.f_code.co_name == "rep_ok":
            seen.append(frame.f_code)

    before = {sys.settrace: sys.gettrace, sys.setprofile: sys.getprofile}[watch]()
    watch(note)
    try:
        outcome(rep_ok, finitization())
    finally:
        watch(before)
    assert seen
    assert all(found is code for found in seen)


def test_a_comprehension_reads_as_before_whatever_becomes_of_what_is_around_it():
    text = "def rep_ok(r):\n a = r.items\n return a[0] == 1 and [a[i] for i in range(len(a))] == [1, 0]\n"
    compare(text, changes=None)  # from Python 3.12 on, `a` is a plain local variable


UNCHANGED = {
    "deleted": "def rep_ok(r):\n a = r.items\n x = a[0]\n del a\n return x == 1\n",
    "own len": "def len(x):\n return 1\ndef rep_ok(r):\n a = r.items\n return len(a) == 1\n",
    "introspection": "def rep_ok(r):\n a = r.items\n return a[0] == 1 and sorted(locals()) == ['a', 'r']\n",
    "nested scope": "def rep_ok(r):\n a = r.items\n return all(a[i] == 1 for i in range(2))\n",
    "no list": "def rep_ok(r):\n return r.size == 2\n",
}


@pytest.mark.parametrize("name", UNCHANGED)
def test_what_is_not_sure_to_mean_the_same_is_left_as_it_is(name):
    compare(UNCHANGED[name], changes=False)


def test_a_predicate_without_its_text_or_with_another_is_left_as_it_is():
    rep_ok = predicate("def rep_ok(r):\n return r.items[0] == 1\n")
    assert rewritten(rep_ok) is not None
    linecache.cache[rep_ok.__code__.co_filename] = 1, None, ["def rep_ok(r): return r.items[0] == 2\n"], "x"
    other = predicate("def rep_ok(r):\n return r.items[1] == 1\n")
    linecache.cache[other.__code__.co_filename] = 1, None, ["def rep_ok(r): return 0\n"], "x"
    assert rewritten(other) is None


def test_dedicated_generators_are_found_wherever_they_are_named():
    text = "def rep_ok(r):\n return r.items[0] == 1 and f(r)\ndef f(r):\n return [equal(field(r, 'size'), 1)][0]\n"
    assert uses_dedicated(predicate(f"from harness.spec import equal, field\n{text}"))
    assert not uses_dedicated(predicate(text))
    assert uses_dedicated(predicate("from harness.spec import requirements\n@requirements\ndef rep_ok(r):\n yield r\n"))


def test_the_code_is_given_back_even_when_a_search_is_abandoned():
    rep_ok = predicate("def rep_ok(r):\n a = r.items\n return a is None or len(a) < 3\n")
    before = rep_ok.__code__
    running = iter(InterpretedSearch(StateSpace(finitization()), module(CLASSES), rep_ok, shared_objects()))
    next(running)
    assert rep_ok.__code__ is not before
    running.close()
    assert rep_ok.__code__ is before


_VALUES = st.sampled_from(
    ["a[0]", "a[1]", "b[-1]", "b[i]", "a[i - 1]", "len(a)", "len(b)", "r.items[i]", "r.size", "i", "None"]
)
_TESTS = st.tuples(_VALUES, st.sampled_from(["==", "is", "!=", "in a or i <="]), _VALUES).map(" ".join)
_STEPS = st.one_of(
    _TESTS.map(lambda test: f"if {test}: return r.size == 1"),
    _TESTS.map(lambda test: f"if {test}: a, b = b, a"),
    _VALUES.map(lambda value: f"i = {value} or 0"),
    _VALUES.map(lambda value: f"b[0] = {value}"),
    _TESTS.map(lambda test: f"while i < 2 and ({test}): i += 1"),
    st.sampled_from(
        ["a.append(i)", "a = b", "b = r.other", "a = [1, 0]", "a.pop()", "for i in range(len(b)): i = b[i] or 0"]
    ),
)


@pytest.mark.sweep
@given(st.lists(_STEPS, min_size=1, max_size=6))
@settings(max_examples=examples(200), deadline=None, derandomize=True)
def test_random_predicates_read_the_same(steps):
    body = "".join(f" {step}\n" for step in steps)
    compare(f"def rep_ok(r):\n a, b, i = r.items, r.other, 0\n{body} return len(a) == r.size and a[i] == 1\n")
