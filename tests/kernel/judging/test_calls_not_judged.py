"""Calls that were judged with an earlier sequence are not judged again, and nothing else changes.

Inputs are left out that cannot tell a mutant whose state is like the original's, and no others.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.sequence_bench import WAYS, Judged, SequenceBench, reasons

from harness.kernel.inputs.suites import NO_STATE, Call, SuiteReader
from harness.kernel.judging.baseline import Baseline, ExpectedOutcome
from harness.kernel.judging.judge import InfectingCalls, JudgedPrefix, Lineage, PrefixCache, PropagationFilter
from harness.kernel.judging.prepared import PreparedSequence
from harness.kernel.program.loader import ModuleText, execute_with_ticks
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


LAMP = """
class Lamp:
    def __init__(self):
        self.lit = 0
        self.dim = 0
        self.beside = [self, None]

    def press(self, times):
        for _ in range(times):
            self.lit = 1 - self.lit
        return self.lit

    def turn(self):
        self.dim = (self.dim + 1) % 3
        return self.dim
"""
LAMP_SPEC = """
from harness.spec import SequenceScope

def rep_ok(lamp):
    return lamp.lit in (0, 1)

def abstraction(lamp):
    return lamp.lit

def post_press(before, after, result, times):
    return result == after == (before + times) % 2

def post_turn(before, after, result):
    return before == after

def sequences(scope):
    s = SequenceScope("Lamp")
    s.method("press", range(scope))
    s.method("turn")
    return s
"""
PRESS0, PRESS1, PRESS2, TURN = Call(1, (0, 0)), Call(1, (0, 1)), Call(1, (0, 2)), Call(2, (0,))
PRESS, TURNED = 1, 2
LAMP_MUTANTS = {
    LAMP.replace("range(times)", "range(times % 2)"): PRESS,  # the same in fewer steps
    LAMP.replace("1 - self.lit", "1 - self.lit if times < 2 else self.lit"): PRESS,
    LAMP.replace("1 - self.lit", "1 - self.lit if self.dim < 2 else 1"): PRESS,
    LAMP.replace("self.lit\n\n", "self.lit if times < 2 else 7\n\n"): PRESS,
    LAMP.replace("% 3", "% 2"): TURNED,  # under postconditions, nothing reports it
    LAMP.replace("return self.dim", "self.beside[1] = self.beside; return self.dim"): TURNED,
    LAMP.replace("% 3", "% 3 if self.lit else 0"): TURNED,
}


def _bench_of_lamps(
    folder: Path, sequences: list[list[Call]], way: tuple[OracleName, Observation], **texts: str
) -> SequenceBench:
    source, spec = texts.get("source", LAMP), texts.get("spec", LAMP_SPEC)
    return SequenceBench(folder, source, spec, sequences, observed=way[1], oracle=way[0], scope=3)


def _rows(bench: SequenceBench, infecting: Collection[int], first: int = 0) -> InfectingCalls:
    """Inputs from `first` on whose last call is of such a routine."""
    suite = SuiteReader(bench.suite_folder)
    last = [suite.sequence(number)[-1].target in infecting for number in bench.numbers]
    bits = sum(1 << at for at, infects in enumerate(last) if infects and at >= first)
    return InfectingCalls(first, bits.to_bytes((len(last) + 7) // 8, "little")[first // 8 :])


def _filtered(bench: SequenceBench, mutant: str, last_calls: InfectingCalls) -> tuple[list[Judged], int]:
    """Return the judgements of a run that leaves inputs out, and how many it leaves out."""
    bench.counter.start(1 << 60)
    module = execute_with_ticks(ModuleText("impl", mutant, "impl.py"), bench.counter)
    judge = bench.judged.judge(module, bench.baseline, last_calls)
    facts: list[Judged] = []
    left_out = 0
    for number in bench.numbers:
        judge.surplus = 0
        is_known_survivor = judge.is_known_survivor(number)
        left_out += is_known_survivor
        kill = None if is_known_survivor else judge.judge(number)
        facts.append((bench.baseline.steps[number] + judge.surplus, kill))
    return facts, left_out


def _all_beginnings(tails: list[list[Call]]) -> list[list[Call]]:
    return [[NEW, *tail[:length]] for tail in tails for length in range(len(tail) + 1)]


CALLS = st.lists(st.sampled_from([PRESS0, PRESS1, PRESS2, TURN]), max_size=7)


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tails=st.lists(CALLS, min_size=1, max_size=8), first=st.integers(0, 12), backwards=st.booleans())
def test_facts_are_those_of_running_every_input(way, tails, first, backwards, tmp_path_factory):
    limit = sys.getrecursionlimit()
    beginnings = _all_beginnings(tails)[:: -1 if backwards else 1]
    bench = _bench_of_lamps(tmp_path_factory.mktemp("lamp"), beginnings, way)
    for mutant, routine in LAMP_MUTANTS.items():
        facts, _ = _filtered(bench, mutant, _rows(bench, {routine}, first))
        assert facts == bench.fast(mutant)
    sys.setrecursionlimit(limit)


def _walk(count: int) -> list[list[Call]]:
    return _all_beginnings([[PRESS2, TURN, PRESS0, TURN, PRESS1, TURN] * count])


@pytest.mark.parametrize(
    ("way", "sequences", "unrun"),
    [
        *((way, _walk(2), 7) for way in WAYS),  # of thirteen: the constructor, and where it is turned
        (WAYS[0], _all_beginnings([[PRESS2, *[TURN] * 5]]), 6),  # all but the call that infects
        # A state that no input of its own leads to: the constructor; of the two that turn it last, the second.
        (WAYS[0], [[NEW], [NEW, PRESS2, TURN], [NEW, PRESS2, PRESS2], [NEW, PRESS2, TURN, TURN]], 2),
        # A state that no input goes on from is not looked at.
        (WAYS[0], [[NEW], [NEW, TURN], [NEW, PRESS2], [NEW, PRESS2, TURN, TURN]], 2),
    ],
)
def test_a_mutant_in_an_equal_state_is_run_where_its_call_infects(way, sequences, unrun, tmp_path):
    bench = _bench_of_lamps(tmp_path, sequences, way)
    fewer_steps, *_ = LAMP_MUTANTS
    facts, left_out = _filtered(bench, fewer_steps, _rows(bench, {PRESS}))
    assert facts == bench.fast(fewer_steps)
    assert left_out == unrun
    if len(sequences) == len(_walk(2)):
        assert min(steps - expected for (steps, _), expected in zip(facts, bench.baseline.steps, strict=True)) == -4


def test_a_mutant_in_another_state_is_run_even_where_its_call_does_not_infect(tmp_path):
    source = LAMP.replace("return self.lit", "return self.lit if self.dim < 3 else 5")
    latent = source.replace("% 3", "% 4")
    bench = _bench_of_lamps(tmp_path, _all_beginnings([[TURN, TURN, TURN, PRESS1]]), WAYS[0], source=source)
    facts, left_out = _filtered(bench, latent, _rows(bench, {TURNED}))
    assert facts == bench.fast(latent)
    assert [kill is None for _, kill in facts] == [True] * 4 + [False]
    assert left_out == 1


KEEPS = LAMP.replace("return self.dim", "known.append(0); return self.dim").replace("class", "known = []\n\nclass", 1)
COUNTS = LAMP.replace("self.lit = 0", "self.lit = 0; count()", 1).replace(
    "class", "made = 0\n\ndef count():\n    global made; made += 1\n\nclass", 1
)


@pytest.mark.parametrize(
    ("source", "spec", "mutant"),
    [
        (KEEPS, LAMP_SPEC, KEEPS),
        (LAMP, LAMP_SPEC.replace("return lamp.lit\n", "return lamp.press(0)\n"), LAMP),
        (LAMP, LAMP_SPEC.replace("return before == after", "calls.append(0); return True\ncalls = []"), LAMP),
        (COUNTS, LAMP_SPEC, LAMP),  # the mutant alone hangs on nothing but its objects
    ],
)
def test_every_input_is_run_where_something_else_than_the_state_may_matter(source, spec, mutant, tmp_path):
    bench = _bench_of_lamps(tmp_path, _walk(1), WAYS[0], source=source, spec=spec)
    _, left_out = _filtered(bench, mutant, _rows(bench, set()))
    assert left_out == 0


def test_a_row_tells_of_its_inputs_alone():
    row = InfectingCalls(11, bytes([0b10110000, 0b00000001]))
    assert [number for number in range(32) if not row.may_infect(number)] == [11, 14, *range(17, 24)]


def test_a_state_without_a_digest_is_like_no_other(tmp_path):
    bench = _bench_of_lamps(tmp_path, [[NEW, TURN], [NEW, TURN, TURN]], WAYS[0])
    suite = SuiteReader(bench.suite_folder)
    baseline = Baseline()
    for _ in bench.numbers:
        baseline.add(ExpectedOutcome(b"", b"", 0, 0, b"", b"key"), 0.0)
    filter_of_states = PropagationFilter(
        suite, Lineage(suite), baseline, InfectingCalls(0, b"\0"), bench.original, lambda: True
    )
    assert filter_of_states.surplus(0) is None
    filter_of_states.look(0, ["text"], 3)
    assert filter_of_states.surplus(0) is None
    assert filter_of_states.before(0) is None


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tails=st.lists(CALLS, min_size=1, max_size=6, unique_by=tuple))
def test_the_lineage_is_that_of_the_sequences_themselves(tails, tmp_path_factory):
    limit = sys.getrecursionlimit()
    bench = _bench_of_lamps(tmp_path_factory.mktemp("lamp"), [[NEW, *tail] for tail in tails], WAYS[0])
    sys.setrecursionlimit(limit)
    suite = SuiteReader(bench.suite_folder)
    sequences = [suite.sequence(number) for number in bench.numbers]
    lineage = Lineage(suite)
    for state in range(suite.header.states):
        leading = [suite.calls[number] for number in suite.prefix(state)]
        maker = sequences.index(leading) if leading in sequences else NO_STATE
        assert lineage.makers[state] == maker
        assert maker == NO_STATE or lineage.resulting_states[maker] == state
        going_on = [number for number in bench.numbers if sequences[number][:-1] == leading]
        assert lineage.uses[state] == (going_on[0] if going_on else NO_STATE)
    assert sum(state != NO_STATE for state in lineage.resulting_states) == sum(
        maker != NO_STATE for maker in lineage.makers
    )
