"""Inputs are left out that cannot tell a mutant whose state is like the original's, and no others."""

import sys
from collections.abc import Collection
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.sequence_bench import WAYS, Judged, SequenceBench

from harness.kernel.inputs.suites import NO_STATE, Call, SuiteReader
from harness.kernel.judging.baseline import Baseline, ExpectedOutcome
from harness.kernel.judging.judge import InfectingCalls, Lineage, PropagationFilter
from harness.kernel.program.loader import ModuleText, execute_with_ticks
from harness.model.outcome import OracleName
from harness.model.sequence import Observation

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
SPEC = """
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
NEW, PRESS0, PRESS1, PRESS2, TURN = Call(0, ()), Call(1, (0, 0)), Call(1, (0, 1)), Call(1, (0, 2)), Call(2, (0,))
PRESS, TURNED = 1, 2
MUTANTS = {
    LAMP.replace("range(times)", "range(times % 2)"): PRESS,  # the same in fewer steps
    LAMP.replace("1 - self.lit", "1 - self.lit if times < 2 else self.lit"): PRESS,
    LAMP.replace("1 - self.lit", "1 - self.lit if self.dim < 2 else 1"): PRESS,
    LAMP.replace("self.lit\n\n", "self.lit if times < 2 else 7\n\n"): PRESS,
    LAMP.replace("% 3", "% 2"): TURNED,  # under postconditions, nothing reports it
    LAMP.replace("return self.dim", "self.beside[1] = self.beside; return self.dim"): TURNED,
    LAMP.replace("% 3", "% 3 if self.lit else 0"): TURNED,
}


def _bench(
    folder: Path, sequences: list[list[Call]], way: tuple[OracleName, Observation], **texts: str
) -> SequenceBench:
    source, spec = texts.get("source", LAMP), texts.get("spec", SPEC)
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
    bench = _bench(tmp_path_factory.mktemp("lamp"), beginnings, way)
    for mutant, routine in MUTANTS.items():
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
    bench = _bench(tmp_path, sequences, way)
    fewer_steps, *_ = MUTANTS
    facts, left_out = _filtered(bench, fewer_steps, _rows(bench, {PRESS}))
    assert facts == bench.fast(fewer_steps)
    assert left_out == unrun
    if len(sequences) == len(_walk(2)):
        assert min(steps - expected for (steps, _), expected in zip(facts, bench.baseline.steps, strict=True)) == -4


def test_a_mutant_in_another_state_is_run_even_where_its_call_does_not_infect(tmp_path):
    source = LAMP.replace("return self.lit", "return self.lit if self.dim < 3 else 5")
    latent = source.replace("% 3", "% 4")
    bench = _bench(tmp_path, _all_beginnings([[TURN, TURN, TURN, PRESS1]]), WAYS[0], source=source)
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
        (KEEPS, SPEC, KEEPS),
        (LAMP, SPEC.replace("return lamp.lit\n", "return lamp.press(0)\n"), LAMP),
        (LAMP, SPEC.replace("return before == after", "calls.append(0); return True\ncalls = []"), LAMP),
        (COUNTS, SPEC, LAMP),  # the mutant alone hangs on nothing but its objects
    ],
)
def test_every_input_is_run_where_something_else_than_the_state_may_matter(source, spec, mutant, tmp_path):
    bench = _bench(tmp_path, _walk(1), WAYS[0], source=source, spec=spec)
    _, left_out = _filtered(bench, mutant, _rows(bench, set()))
    assert left_out == 0


def test_a_row_tells_of_its_inputs_alone():
    row = InfectingCalls(11, bytes([0b10110000, 0b00000001]))
    assert [number for number in range(32) if not row.may_infect(number)] == [11, 14, *range(17, 24)]


def test_a_state_without_a_digest_is_like_no_other(tmp_path):
    bench = _bench(tmp_path, [[NEW, TURN], [NEW, TURN, TURN]], WAYS[0])
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
    bench = _bench(tmp_path_factory.mktemp("lamp"), [[NEW, *tail] for tail in tails], WAYS[0])
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
