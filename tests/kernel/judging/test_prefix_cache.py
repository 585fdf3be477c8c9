"""Calls that were judged with an earlier sequence are not judged again, and nothing else changes."""

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.sequence_bench import WAYS, Judged, SequenceBench, reasons

from harness.kernel.inputs.suites import Call, SuiteReader
from harness.kernel.judging.judge import JudgedPrefix, PrefixCache
from harness.kernel.judging.prepared import PreparedSequence
from harness.kernel.program.loader import execute_with_ticks
from harness.model.outcome import OracleName
from harness.model.sequence import Observation

STACK = """
class Stack:
    def __init__(self):
        self.top = None
        self.size = 0

    def push(self, value):
        self.top = (value, self.top)
        self.size += 1

    def pop(self):
        if self.size == 0:
            return None
        value, self.top = self.top
        self.size -= 1
        return value
"""
SPEC = """
from harness.spec import SequenceScope

def rep_ok(stack):
    return len(listed(stack.top)) == stack.size

def listed(top):
    return [] if top is None else [top[0], *listed(top[1])]

def abstraction(stack):
    return tuple(listed(stack.top))

def post_push(before, after, result, value):
    return after == (value, *before)

def post_pop(before, after, result):
    return after == before[1:] and result == (before[0] if before else None)

def sequences(scope):
    s = SequenceScope("Stack")
    s.method("push", range(scope))
    s.method("pop")
    return s
"""
MUTANTS = (
    STACK.replace("self.size == 0", "self.size <= 0"),
    STACK.replace("self.size == 0", "self.size == 3"),
    STACK.replace("self.size -= 1", "self.size -= 1 if self.size < 3 else 2"),
    STACK.replace("self.size += 1", "self.size += 1\n        [self for _ in range(self.size)]"),
    STACK.replace("return value", "return value if self.size < 2 else None"),
    STACK.replace("self.size = 0\n", "self.size = 0\n        self.most = 0\n")
    .replace("self.size += 1", "self.size += 1\n        self.most += 1")
    .replace("return value", "return 1 if self.most == 4 else value"),
)
NEW, PUSH0, PUSH1, POP = Call(0, ()), Call(1, (0, 0)), Call(1, (0, 1)), Call(2, (0,))


def _bench(
    folder: Path, sequences: list[list[Call]], way: tuple[OracleName, Observation], **texts: str
) -> SequenceBench:
    oracle, observed = way
    source, spec = texts.get("source", STACK), texts.get("spec", SPEC)
    return SequenceBench(folder, source, spec, sequences, observed=observed, oracle=oracle)


def _growing(count: int) -> list[list[Call]]:
    """Each sequence goes on from the one before it."""
    calls = [NEW, *[PUSH0, PUSH1, POP] * count]
    return [calls[:length] for length in range(1, len(calls) + 1)]


def _repeated(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by the numbers of calls that are run without being judged."""
    counts: list[int] = []
    repeat = PreparedSequence.repeat
    monkeypatch.setattr(PreparedSequence, "repeat", lambda self, count: counts.append(count) or repeat(self, count))
    return counts


def _all_judged(bench: SequenceBench, monkeypatch: pytest.MonkeyPatch, mutant: str) -> list[Judged]:
    with monkeypatch.context() as patched:
        patched.setattr(PrefixCache, "is_new", lambda self, number: False)
        return bench.fast(mutant)


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tails=st.lists(st.lists(st.sampled_from([PUSH0, PUSH1, POP]), max_size=6), min_size=1, max_size=8),
    backwards=st.booleans(),
)
def test_facts_are_those_of_judging_every_call(way, tails, backwards, tmp_path_factory, monkeypatch):
    beginnings = [[NEW, *tail[:length]] for tail in tails for length in range(len(tail) + 1)]
    beginnings = beginnings[::-1] if backwards else beginnings
    limit = sys.getrecursionlimit()
    bench = _bench(tmp_path_factory.mktemp("stack"), beginnings, way)
    facts = [(bench.fast(mutant), _all_judged(bench, monkeypatch, mutant)) for mutant in MUTANTS]
    sys.setrecursionlimit(limit)
    assert all(fast == judged for fast, judged in facts)


@pytest.mark.parametrize("way", WAYS)
def test_one_call_of_each_sequence_that_goes_on_is_judged(way, tmp_path, monkeypatch):
    bench = _bench(tmp_path, _growing(3), way)
    counts = _repeated(monkeypatch)
    bench.fast(MUTANTS[0])
    lengths = [length - 1 for length in range(1, 11)]  # of the beginnings of ten sequences
    assert counts == [known - 1 for known in lengths[2:]]  # the one before has taught all of it but its last call


def test_the_longest_sequence_teaches_all_its_beginnings(tmp_path, monkeypatch):
    bench = _bench(tmp_path, _growing(3)[::-1], WAYS[0])
    counts = _repeated(monkeypatch)
    bench.fast(MUTANTS[0])
    assert counts == [8, 7, 6, 5, 4, 3, 2, 1]  # of ten calls, all were judged; then the last one of nine, of eight, ...


POST = "return after == (value, *before)"
SEEING = STACK.replace("self.size = 0", "self.size = 0\n        self.seen = []")
BLIND = SPEC.replace("return len(listed(stack.top)) == stack.size", "return True")
EMPTY = BLIND.replace(POST, "return True").replace("return tuple(listed(stack.top))", "return ()")
SPEC_OF_POST = {
    "a list made by list()": ("rest = list(before)\n    rest.insert(0, value)\n    return after == tuple(rest)", True),
    "a list made by [...]": ("rest = [*before]\n    rest.insert(0, value)\n    return after == tuple(rest)", True),
    "a list of the spec": ("rest = lists[0]\n    rest.clear()\n    return True\nlists = ([],)", False),
    "a list handed on": ("rest = same([])\n    rest.clear()\n    return True\ndef same(a):\n    return a", False),
    "a list in a list": ("for rest in [[]]:\n        rest.insert(0, value)\n    return True", False),
    "an argument": ("value.clear() if value is None else None\n    return True", False),
    "calls counted": ("return calls.append(1) is None\ncalls = []", False),
}
SPEC_THAT_READS = {
    "nothing": ("return ()", True),
    "a field set": ("stack.seen = 1\n    return ()", False),
    "the program called": ("stack.pop(); stack.push(0)\n    return ()", False),
    "a list of the state": ("stack.seen.append(1)\n    return ()", False),
    "a list of the state by name": ("seen = stack.seen\n    seen.append(1)\n    return ()", False),
    "a method unknown": ("stack.seen.rotate(1) if stack.seen else 0\n    return ()", False),
}
OWN_STATE = {
    "a global list": STACK.replace("class Stack:", "pushed = []\n\nclass Stack:").replace(
        "self.size += 1", "self.size += 1\n        pushed.append(value)"
    ),
    "an attribute of the class": STACK.replace("return None", "raise IndexError") + "\nStack.known = []\n",
}


@pytest.mark.parametrize(
    ("source", "spec", "is_remembered"),
    [
        *((STACK, SPEC.replace(POST, body), is_made) for body, is_made in SPEC_OF_POST.values()),
        *((SEEING, EMPTY.replace("return ()", body), looks) for body, looks in SPEC_THAT_READS.values()),
        (STACK, SPEC.replace("result, value):", "result, value, *, program):"), False),
        *((source, SPEC, False) for source in OWN_STATE.values()),
    ],
    ids=[*SPEC_OF_POST, *SPEC_THAT_READS, "the program as an argument", *OWN_STATE],
)
def test_a_call_is_judged_anew_where_something_else_than_the_state_may_matter(
    source, spec, is_remembered, tmp_path, monkeypatch
):
    bench = _bench(tmp_path, [[NEW, PUSH0], [NEW, PUSH0, PUSH1]], WAYS[0], spec=spec, source=source)
    counts = _repeated(monkeypatch)
    bench.fast(source)
    assert counts == ([1] if is_remembered else [])


def test_a_beginning_that_takes_other_steps_than_before_is_judged_again(tmp_path):
    bench = _bench(tmp_path, _growing(1), WAYS[0])
    program = execute_with_ticks(bench.text, bench.counter)
    prefix_cache = PrefixCache(SuiteReader(bench.suite_folder), bench.counter, lambda: True)
    inputs = bench.judged.inputs(program)
    assert prefix_cache.is_new(2)
    prefix_cache.learn(2, [JudgedPrefix(2, 1, 1, 0)])
    sequence = inputs.prepare(2)
    assert prefix_cache.repeat(2, sequence, lambda prefix: True).calls == 0
    assert sequence.results == []
    assert not sequence.objects
    assert not prefix_cache.is_new(3)  # nothing is remembered any more


PILE = """
class Pile:
    def __init__(self):
        self.items = []

    def put(self, value):
        self.items.append(value)

    def last(self):
        if self.items:
            return self.items[-1]
        return None
"""
SORTING = """
from harness.spec import SequenceScope

def abstraction(pile):
    pile.items.sort()
    return tuple(pile.items)

def post_put(before, after, result, value):
    return len(after) == len(before) + 1

def sequences(scope):
    s = SequenceScope("Pile")
    s.method("put", range(scope))
    s.method("last")
    return s
"""


@pytest.mark.parametrize("way", WAYS)
def test_an_abstraction_that_sorts_the_state_kills_nothing_on_either_path(way, tmp_path):
    oracle, observed = way
    calls = [NEW, Call(1, (0, 1)), Call(1, (0, 0)), Call(2, (0,)), Call(2, (0,))]
    inputs = [calls[:length] for length in range(1, 6)]
    bench = SequenceBench(tmp_path, PILE, SORTING, inputs, observed=observed, oracle=oracle)
    mutant = PILE.replace("if self.items:", "if len(self.items) > 0:")
    assert reasons(bench.fast(mutant)) == [kill for _, kill in bench.naive(mutant)] == [None] * len(inputs)
