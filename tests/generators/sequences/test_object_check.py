"""An object that calls make and rep_ok rejects is reported alike by every generator, with the shortest sequence."""

import re
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support import naive_sequences
from support.sequence_suites import generated_sequences

from harness.errors import EndlessSpecError, SpecError
from harness.generators.protocol import SequenceTask
from harness.generators.sampled import Sample
from harness.generators.sequences import object_check
from harness.generators.sequences.exploration import Policy, SequenceExploration
from harness.generators.sequences.object_check import ObjectCheck
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call, SuiteReader
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import Spec, load_spec

GENERATORS = [
    "random:100", "hypothesis-stateful:20", "beapi", "beapi-sm", "beapi-bld", "beapi-noopt", "rostra", "symstra", "css",
]  # fmt: skip

BAG = """
class Bag:
    def __init__(self):
        self.held = []

    def put(self, value):
        self.held.append(value)
        if self.held == [2, 0]:
            return None  # a path of its own, which generators with symbolic integers look for

    def take(self):
        return self.held.pop()

    def pop_into(self, value):
        if value == 1:
            self.held[:] = [7]
            raise IndexError(value)

"""
SPEC = """
from harness.spec import SequenceScope


def rep_ok(bag):
    {rep_ok}


def sequences(scope):
    s = SequenceScope("Bag")
    s.method("put", range(scope))
    s.method("take")
    s.elements(2)
    s.length(4)
    {more}
    return s
"""
REJECTS = "return bag.held[:2] != [2, 0]"
RAISES = "assert bag.held[:2] != [2, 0], 'two and none'; return True"
BOUNDED = "return len(bag.held) <= 2"
"""Holds of the states within the bounds alone."""


def loaded(rep_ok: str, more: str = "pass", text: str = BAG) -> tuple[Spec, ModuleType]:
    spec = load_spec(SPEC.replace("{rep_ok}", rep_ok).replace("{more}", more), "spec.py")
    return spec, execute(ModuleText("bag", text, "bag.py"))


def refusal(folder: Path, name: str, rep_ok: str, more: str = "pass", seconds: float | None = None) -> SuiteReader:
    """Return the suite of a generator."""
    spec, module = loaded(rep_ok, more)
    return generated_sequences(folder / "suite", name, spec, BAG, module=module, candidate_seconds=seconds)


@pytest.mark.parametrize("name", [name.partition(":")[0] for name in GENERATORS])
def test_every_generator_reports_the_shortest_sequence_and_the_object(tmp_path, name):
    with pytest.raises(SpecError) as caught:
        refusal(tmp_path, name, REJECTS)
    match = re.fullmatch(
        r"bag\.py: a failure: (bag = Bag\(\); .*) leaves bag = Bag\(held=\[2, 0\]\), which rep_ok rejects; correct the "
        r"implementation or rep_ok, or have such sequences dropped by s\.discard_failures\(\)",
        str(caught.value),
    )
    assert match is not None, caught.value
    assert len(match[1].split("; ")) == 3
    assert not (tmp_path / "suite").exists()


@pytest.mark.parametrize("rejects", ["return 2 not in bag.held", "return bag.held[:2] != [2, 2]"])
@pytest.mark.parametrize("name", ["symstra", "css", "symstra:values=spread", "css:heap=reasoning"])
def test_the_greatest_values_of_a_path_are_asked_about(tmp_path, name, rejects):
    """Check that one test with value 2 stands for all values: no branch of `put` distinguishes 2 from others."""
    with pytest.raises(SpecError, match=r"a failure: bag = Bag\(\); bag.put\(2\).* leaves bag = Bag\(held=\[2"):
        refusal(tmp_path, name, rejects)


@pytest.mark.parametrize("name", ["random", "beapi", "css"])
def test_an_exception_of_rep_ok_rejects_an_object(tmp_path, name):
    with pytest.raises(SpecError, match=r"\[2, 0\]\), on which rep_ok raised AssertionError: two and none; correct"):
        refusal(tmp_path, name, RAISES)


@pytest.mark.parametrize("name", ["random:100", "hypothesis-stateful", "symstra", "css"])
def test_an_object_that_a_misused_call_leaves_is_asked_about(tmp_path, name):
    more = "s.method('pop_into', range(2))"
    with pytest.raises(SpecError, match=r"bag = Bag\(\); bag.pop_into\(1\) leaves bag = Bag\(held=\[7\]\), which"):
        refusal(tmp_path, name, "return 7 not in bag.held", more)


@pytest.mark.parametrize("name", ["random:100", "beapi", "symstra"])
def test_a_rep_ok_that_does_not_end_is_told_as_such(tmp_path, name):
    with pytest.raises(
        EndlessSpecError, match=r"spec\.py: rep_ok, in line \d+, did not return at .*put\(.* within 0\.3 s"
    ):
        refusal(tmp_path, name, "while bag.held: pass\n    return True", seconds=0.3)


@pytest.mark.parametrize("name", GENERATORS)
def test_rep_ok_need_hold_of_objects_within_the_bounds_alone(tmp_path, name):
    suite = refusal(tmp_path, name, BOUNDED)
    assert len(suite) > 5
    if name in ("random:100", "symstra", "css"):  # what they write they have executed, so that it can be judged
        _, module = loaded(BOUNDED)
        for number in range(len(suite)):
            assert len(replayed(module, suite.sequence(number)).held) <= 2


@pytest.mark.parametrize("name", GENERATORS)
def test_sequences_with_rejected_objects_are_dropped_on_demand(tmp_path, name):
    suite = refusal(tmp_path, name, REJECTS, "s.discard_failures()")
    spec, module = loaded(REJECTS)
    assert len(suite) > 5
    prefixes = {tuple(suite.sequence(number)[:-1]) for number in range(len(suite))}
    for prefix in prefixes - {()}:
        assert spec.rep_ok(replayed(module, prefix)), "it is not gone on from"


def replayed(module: ModuleType, calls: Sequence[Call]) -> Any:
    """Return the object after calls; a call that raises has no result."""
    spec, _ = loaded(REJECTS)
    routines = Routines(module, spec.sequences(3, BAG))
    results: list[Any] = []
    for call in calls:
        ready = routines.ready(call, results)
        try:
            results.append(ready.function(*ready.passed))
        except IndexError:
            results.append(None)
    return results[0]


def task(rep_ok: str, more: str = "pass", text: str = BAG) -> SequenceTask:
    spec, module = loaded(rep_ok, more, text)
    return SequenceTask(spec, module, spec.sequences(3, text), 3, 0)


@pytest.mark.parametrize("restores", [True, False])
@pytest.mark.parametrize("matches", [True, False])
def test_dropped_structures_are_those_of_the_naive_exploration(matches, restores):
    sequence_task = task(REJECTS, "s.discard_failures(); s.misuse('IndexError')")
    exploration = SequenceExploration(sequence_task, Policy(matches=matches, most_calls=4, restores=restores))
    for _ in exploration:
        pass
    accepted: set[str] = set()
    new = [()]
    calls = [Call(1, (0, 0)), Call(1, (0, 1)), Call(1, (0, 2)), Call(2, (0,))]
    routines = Routines(sequence_task.module, sequence_task.bounds)
    for _ in range(4):
        sequences, new = new, []
        for sequence in sequences:
            bag = naive_sequences.run(routines, (Call(0, ()), *sequence))
            if bag is not None and len(bag.held) <= 2 and sequence_task.spec.rep_ok(bag):
                accepted.add(str(bag.held))
                new += [(*sequence, call) for call in calls]
    assert exploration.structures == len(accepted)


@pytest.mark.parametrize("restores", [True, False])
def test_each_new_object_is_asked_about_once(restores, monkeypatch):
    monkeypatch.setattr(object_check, "STATE_SAMPLE", Sample(first=0, every=1 << 60))
    checked_objects: list[str] = []
    counted = task("CHECKED.append(str(bag.held)); return True", "s.misuse('IndexError')")
    counted.spec.module.CHECKED = checked_objects
    exploration = SequenceExploration(counted, Policy(restores=restores))
    assert len(list(exploration)) == len(checked_objects) == len(set(checked_objects)) > 10


@pytest.mark.parametrize("generator", ["beapi", "random"])
def test_a_rep_ok_that_says_something_at_one_time_alone_is_named(tmp_path, generator):
    once = "rep_ok.asked = getattr(rep_ok, 'asked', 0) + 1; return rep_ok.asked != 2"
    with pytest.raises(SpecError, match="rep_ok answers True, and False when it is asked again"):
        refusal(tmp_path, generator, once)


SWAPPED = """
class Bag:
    def __init__(self):
        self.held, self.swapped = [], False

    def put(self, value):
        self.held.append(value)

    def take(self):
        return self.held.pop()

    def swap(self, other):
        self.held, other.held, self.swapped = other.held, self.held, True
"""


def test_a_long_sequence_is_shortened_to_the_calls_that_matter():
    more = "s.method('swap', s.earlier('Bag')); s.misuse('IndexError')"
    bounds = task("return True", more, SWAPPED).bounds
    bag, add, take, swap = range(len(bounds.routines))
    assert [routine.name for routine in bounds.routines] == ["Bag", "put", "take", "swap"]
    sequence = [
        Call(bag, ()), Call(add, (0, 0)), Call(bag, ()), Call(take, (0,)), Call(add, (0, 2)), Call(take, (0,)),
        Call(bag, ()), Call(swap, (2, 0)), Call(take, (2,)), Call(swap, (6, 2)), Call(add, (6, 1)),
    ]  # fmt: skip
    failure = str(ObjectCheck(task("return 1 not in bag.held", more, SWAPPED)).failure(sequence))
    assert "a failure: bag = Bag(); bag.put(1) leaves bag = Bag(held=[1], swapped=False), which rep_ok" in failure
    needed = "return not (1 in bag.held and bag.swapped)"
    failure = str(ObjectCheck(task(needed, more, SWAPPED)).failure(sequence))
    assert "bag = Bag(); bag2 = Bag(); bag2.swap(bag); bag2.put(1) leaves bag2 = Bag(held=[1], swapped=True)" in failure


def test_a_precondition_that_raises_where_calls_are_left_out_hides_no_object():
    more = "s.method('pop_into', range(2), requires=lambda bag, value: bag.held[-1] == value)"
    raising = task("return 7 not in bag.held", more)
    failure = str(ObjectCheck(raising).failure([Call(0, ()), Call(1, (0, 0)), Call(1, (0, 1)), Call(3, (0, 1))]))
    assert "bag = Bag(); bag.put(1); bag.pop_into(1) leaves bag = Bag(held=[7]), which rep_ok rejects" in failure
