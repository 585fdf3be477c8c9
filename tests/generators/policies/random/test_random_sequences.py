"""Random sequences: the same for a seed, within the scope, classified as a plain replay does."""

import random
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support import naive_sequences
from support.sequence_suites import generated_sequences
from support.subjects import load_subject

from harness.errors import SpecError
from harness.generators.chance import Chance
from harness.generators.policies.random.generator import RandomSequences
from harness.generators.policies.random.options import Options
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call, SuiteReader
from harness.kernel.objects.equality import concrete
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import Spec, load_spec
from harness.model.experiment import Trial
from harness.model.sequence import SequenceScope
from harness.runner.suites import ensure_suite

BAG = """
from random import random

EARLY = iter(range(300))  # an iterator is not put back before each sequence, nor is what else the module holds


class Empty(Exception):
    pass


class Bag:
    asked = False

    def __init__(self, first=None):
        self.held = [] if first is None else [first]
        self.calls = 0

    def put(self, value):
        self.calls += 1
        self.held.append(value)

    def take(self):
        self.calls += 1
        if not self.held:
            raise Empty
        return self.held.pop()

    def take_from(self, other):
        self.held += other.held
        other.held = []

    def split(self):
        other = Bag()
        half = len(self.held) // 2
        self.held, other.held = self.held[half:], self.held[:half]
        return other

    def break_it(self):
        self.held.append(-1)

    def fail(self):
        raise RuntimeError("of no use")

    def once(self):
        if Bag.asked:
            raise Empty
        Bag.asked = self.asked = True

    def late(self):
        if next(EARLY, None) is None:
            raise Empty
        self.late = 1

    def roll(self):
        self.rolled = random()
"""
BAG_SPEC = """
from harness.spec import SequenceScope


def rep_ok(bag):
    return -1 not in bag.held


def sequences(scope):
    s = SequenceScope("Bag")
    s.constructor()
    s.constructor((None, range(scope)))
    s.method("put", range(scope))
    s.method("take")
    s.method("take_from", s.earlier("Bag"))
    s.method("split")
    {more}
    s.elements(scope)
    s.omit("calls")
    s.misuse("Empty")
    return s
"""


def bag(more: str = "pass") -> tuple[Spec, ModuleType]:
    return load_spec(BAG_SPEC.replace("{more}", more), "spec.py"), execute(ModuleText("bag", BAG, "bag.py"))


def random_suite(
    spec: Spec, module: ModuleType, folder: Path, inputs: int, scope: int = 2, seed: int = 0
) -> SuiteReader:
    suite = generated_sequences(
        folder, RandomSequences(Options(inputs)), spec, BAG, module=module, scope=scope, seed=seed
    )
    suite.check()
    return suite


def sequences(suite: SuiteReader) -> list[tuple[Call, ...]]:
    return [tuple(suite.sequence(number)) for number in range(len(suite))]


def replayed(module: ModuleType, scope: SequenceScope, calls: tuple[Call, ...]) -> tuple[list[Any], int | None]:
    """Results, and the number of the call that raised, if one did."""
    routines = Routines(module, scope)
    results: list[Any] = []
    for number, call in enumerate(calls):
        ready = routines.ready(call, results)
        try:
            results.append(ready.function(*ready.passed))
        except module.Empty:
            return results, number
    return results, None


def test_a_suite_is_the_beginning_of_a_larger_one(tmp_path):
    smaller, larger = random_suite(*bag(), tmp_path / "a", 50), random_suite(*bag(), tmp_path / "b", 300)
    assert sequences(smaller) == sequences(larger)[:50]


def test_numbers_are_the_bits_of_the_generator_of_the_seed():
    chance, bits = Chance(7), random.Random(7)
    drawn = [bits.getrandbits(4) for _ in range(30)]
    below_ten = [number for number in drawn if number < 10]
    assert [chance.below(10) for _ in below_ten] == below_ten
    assert below_ten[:7] == [5, 2, 6, 0, 1, 8, 1]
    assert Chance(-7).below(1 << 60) != Chance(7).below(1 << 60)
    assert {Chance(seed).below(1) for seed in range(9)} == {0}
    counts = Counter(chance.below(3) for _ in range(3000))
    assert set(counts) == {0, 1, 2}
    assert all(850 < count < 1150 for count in counts.values())


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(-(1 << 63), (1 << 63) - 1), scope=st.integers(1, 3), inputs=st.integers(1, 120))
@example(seed=1615368, scope=3, inputs=21)  # a call that is repeated makes an object each time; the last one counts
def test_sequences_are_what_a_plain_replay_says(tmp_path_factory, seed, scope, inputs):
    spec, module = bag()
    suite = random_suite(spec, module, tmp_path_factory.mktemp("random") / "suite", inputs, scope, seed)
    bounds = spec.sequences(scope, BAG)
    all_calls = sequences(suite)
    assert len(all_calls) <= inputs
    assert len(set(all_calls)) == len(all_calls)
    seen_keys: set[bytes] = set()
    goes_on: set[tuple[Call, ...]] = {()}
    for calls in all_calls:
        results, raised = replayed(module, bounds, calls)
        assert raised in (None, len(calls) - 1)
        for call in calls:
            routine = bounds.routines[call.target]
            values = call.arguments[routine.has_receiver :]
            for index, parameter in zip(values, routine.parameters, strict=True):
                assert index < len(parameter.values) or parameter.earlier
        objects = list({id(r): r for r in results if isinstance(r, module.Bag)}.values())
        assert all(spec.rep_ok(value) for value in objects)
        if not any(uses_several(call, bounds) for call in calls):
            last = len(calls) - 1
            while last > 0 and calls[last] == calls[last - 1] and calls[:last] not in goes_on:
                last -= 1
            assert calls[:last] in goes_on, "only what went well, to a new state, is gone on from"
        touched = [*calls[-1].earlier(bounds.routines[calls[-1].target]), len(calls) - 1]
        objects = [results[number] for number in touched if raised is None and isinstance(results[number], module.Bag)]
        if raised is None and all(naive_sequences.within(value, bounds) for value in objects):
            keys = {concrete(naive_sequences.without(value, bounds)) for value in objects}
            if not keys <= seen_keys:
                goes_on.add(calls)
            seen_keys |= keys


def uses_several(call: Call, bounds: SequenceScope) -> bool:
    """Return whether a call makes or takes a further object, so that its sequence may be composed of several."""
    return bounds.routines[call.target].name in ("take_from", "split")


def test_sequences_put_together_refer_to_their_own_calls(tmp_path):
    spec, module = bag()
    suite = random_suite(spec, module, tmp_path / "suite", 400, 3)
    bounds = spec.sequences(3, BAG)
    merged = [calls for calls in sequences(suite) if bounds.routines[calls[-1].target].name == "take_from"]
    assert len(merged) > 20
    for calls in merged:
        receiver, source = calls[-1].arguments
        before, _ = replayed(module, bounds, calls[:-1])
        after, _ = replayed(module, bounds, calls)
        moved = before[receiver].held + before[source].held
        assert after[receiver].held == ([] if receiver == source else moved)
        assert after[source].held == []


def test_a_call_without_its_precondition_is_no_test(tmp_path):
    spec, module = bag('s.function("Bag.take", requires=lambda bag: bag.held)')
    bounds = spec.sequences(2, BAG)
    for calls in sequences(random_suite(spec, module, tmp_path / "suite", 200)):
        if bounds.routines[calls[-1].target].name == "Bag.take":
            assert replayed(module, bounds, calls)[1] is None


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            's.method("fail")',
            r"bag = Bag\(.*\); bag.fail\(\): the last call raised RuntimeError: of no use, which is no misuse; ",
        ),
        (
            's.method("break_it")',
            r"bag = Bag\(.*\); bag.break_it\(\) leaves bag = Bag\(.*-1\].*\), which rep_ok rejects; ",
        ),
        ('s.method("gone")', "the spec names routine 'gone', but Bag has no such method"),
        ('s.function("len", requires=lambda bag: bag.no)', "the spec names 'len', but"),
        ('s.function("Bag.split", requires=lambda bag: bag.no)', r"what 'Bag.split' requires raised AttributeError"),
        (
            's.method("once")',
            r"once\(\) raised Empty.* when it was executed again; the state depends on chance, time or",
        ),
        ('s.function("Bag.late")', "the last call has gone well before, and does not now"),
        (
            's.method("roll")',
            r"roll\(\) leads to another state when it is executed again: Bag.rolled is 0\.\d+, then 0",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_sequence(tmp_path, more, message):
    with pytest.raises(SpecError, match=message):
        random_suite(*bag(more), tmp_path / "suite", 2000, 3)
    assert list(tmp_path.iterdir()) == []


def test_failures_are_dropped_on_demand(tmp_path):
    more = 's.method("fail"); s.method("break_it"); s.discard_failures()'
    spec, module = bag(more)
    names = [routine.name for routine in spec.sequences(2, BAG).routines]
    suite = random_suite(spec, module, tmp_path / "suite", 200)
    assert {names[call.target] for calls in sequences(suite) for call in calls} == set(names) - {"fail", "break_it"}


def test_no_sequence_is_longer_than_the_scope_says(tmp_path):
    spec, module = bag("s.length(4)")
    lengths = Counter(map(len, sequences(random_suite(spec, module, tmp_path / "suite", 500, 3))))
    assert max(lengths) == 4


def test_a_suite_is_made_in_the_sandbox_and_every_state_of_the_subject_is_met(tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path))
    subject, spec = load_subject("search_tree")
    suite = ensure_suite(subject, Trial("search_tree", "random:500", 2, 5))
    assert (suite.header.generator, suite.header.seed) == ("random:500", 5)
    assert suite.folder.name.startswith("search_tree-random-500-2-")
    module = execute(ModuleText.of(subject))
    bounds = spec.sequences(2, BAG)
    states = {
        concrete(naive_sequences.run(Routines(module, bounds), tuple(calls)))
        for calls in sequences(suite)
        if naive_sequences.run(Routines(module, bounds), tuple(calls)) is not None
    }
    assert states == naive_sequences.explore(module, bounds).structures.keys()
