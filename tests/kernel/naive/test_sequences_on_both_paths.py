"""Both paths find the same of every mutant of random classes, on random sequences of calls."""

import random
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from support.random_classes import RandomClass, random_classes
from support.sequence_bench import SequenceBench
from support.sweeps import examples

from harness.kernel.inputs.routines import ABSENT, Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.judging.prepared import PreparedSequence
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.program.splice import mutated_source
from harness.kernel.specs.spec import load_spec
from harness.model.interface import Interface
from harness.model.sequence import Observation
from harness.model.subject import Subject
from harness.mutation.mutate import derive
from harness.mutation.program import TypeProfile
from harness.mutation.reach import target_names

MOST_MUTANTS = 8
MOST_SEQUENCES = 6
CHECKS = list(HealthCheck)


def random_sequences(random_class: RandomClass, seed: int) -> list[list[Call]]:
    """Sequences whose calls take the results of calls that have given something."""
    draw = random.Random(seed)
    bounds = load_spec(random_class.spec, "spec.py").sequences(2, random_class.implementation)
    routines = Routines(execute(ModuleText("impl", random_class.implementation, "impl.py")), bounds)
    constructors = [number for number, routine in enumerate(bounds.routines) if not routine.has_receiver]
    methods = [number for number, routine in enumerate(bounds.routines) if routine.has_receiver]
    sequences = []
    for _ in range(MOST_SEQUENCES):
        calls = [Call(draw.choice(constructors), ())]
        for _ in range(draw.randint(0, 5)):
            target = draw.choice(methods)
            indices = [draw.randrange(len(parameter.values)) for parameter in bounds.routines[target].parameters]
            calls.append(Call(target, (0, *indices)))
        run = PreparedSequence(routines, calls, [])
        run.lead_up()
        if run.results[:1] != [ABSENT]:
            sequences.append(calls)
    return sequences


def mutants_of(random_class: RandomClass, folder: Path) -> list[str]:
    """Return the texts of some mutants, spread over all."""
    bounds = load_spec(random_class.spec, "spec.py").sequences(2, random_class.implementation)
    subject = Subject(
        name="random", title="random", module="impl", source_path=folder / "impl.py",
        source=random_class.implementation, spec_path=folder / "spec.py", spec_source=random_class.spec, blocked=(),
        installed=False, helpers=None, companions=(), package_hash="",
    )  # fmt: skip
    derived = derive(subject, target_names(Interface.of_sequences(bounds)), TypeProfile())
    return [
        mutated_source(random_class.implementation, one) for one in derived[:: max(1, len(derived) // MOST_MUTANTS)]
    ]


def call_of(detail: str) -> str:
    """Return the part of a kill's detail that identifies the killing call."""
    return detail.partition(": ")[0] if detail.startswith("call ") else ""


def compare(folder: Path, random_class: RandomClass, seed: int) -> None:
    if "lock" in random_class.kinds:  # no state with one can be told, nor put before a mutant
        return
    limit = sys.getrecursionlimit()
    sequences, mutants = random_sequences(random_class, seed), mutants_of(random_class, folder)
    for observed in Observation:
        bench = SequenceBench(folder, random_class.implementation, random_class.spec, sequences, observed)
        for mutant in mutants:
            naive = bench.naive(mutant)
            for number, (steps, kill) in enumerate(bench.fast(mutant)):
                naive_steps, naive_kill = naive[number]
                seen = None if kill is None else (kill.reason, kill.phase, call_of(kill.detail))
                naively = naive_kill and (*naive_kill[:2], call_of(naive_kill[2]))
                assert (steps, seen) == (naive_steps, naively), (number, mutant)
    sys.setrecursionlimit(limit)  # of which hypothesis warns


IDENTITY = """
class Node:
    __slots__ = ("next", "value")


EMPTY = object()
NIL = Node()
POOL = []


class Box:
    UNUSED = []

    def __init__(self):
        POOL.clear()
        Box.UNUSED.clear()
        self.pool = POOL
        self.first = NIL
        self.last = EMPTY
        self.log = Box.UNUSED

    def put(self, token):
        node = self.pool.pop() if self.pool else Node()
        if self.last is token:
            return self
        node.value, node.next = token, self.first
        self.first = node
        self.last = token
        return token

    def drop(self):
        node = self.first
        if node is NIL:
            return None
        self.first = node.next
        self.last = EMPTY if self.first is NIL else self.first.value
        if self.log is Box.UNUSED:
            self.log = []
        self.log.append(node.value)
        POOL.append(node)
        return node.value

    def holds(self, token):
        node = self.first
        while node is not NIL:
            if node.value is token:
                return True
            node = node.next
        return False

    def state(self):
        return self.log is Box.UNUSED, self.last is EMPTY, self.pool is POOL, len(POOL)
"""
IDENTITY_SPEC = """
from harness.spec import SequenceScope


def sequences(scope):
    s = SequenceScope("Box")
    token = s.tokens("T", scope)
    s.method("put", token)
    s.method("drop")
    s.method("holds", token)
    s.method("state")
    return s
"""


DRAWING = """
import random


class Box:
    def __init__(self):
        random.seed(7)
        self.items = []

    def put(self, token):
        level = random.randrange(100)
        self.items.append(level)
        return level

    def drop(self):
        return self.items.pop()

    def holds(self, token):
        return random.random() < 0.5

    def state(self):
        return len(self.items)
"""


@pytest.mark.parametrize("source", [IDENTITY, DRAWING], ids=["identities", "random numbers"])
def test_both_paths_tell_what_original_and_mutant_do_not_share(tmp_path, source):
    compare(tmp_path, RandomClass(source, IDENTITY_SPEC), seed=1)


@given(random_classes(keeps_objects=True), st.integers(0, 1 << 30))
@settings(max_examples=6, phases=[Phase.generate], deadline=None, derandomize=True, suppress_health_check=CHECKS)
def test_both_paths_find_the_same(tmp_path_factory, random_class, seed):
    compare(tmp_path_factory.mktemp("random"), random_class, seed)


@pytest.mark.slow
@given(random_classes(keeps_objects=True), st.integers(0, 1 << 30))
@settings(
    max_examples=examples(80), phases=[Phase.generate], deadline=None, derandomize=True, suppress_health_check=CHECKS
)
def test_both_paths_find_the_same_of_many_classes(tmp_path_factory, random_class, seed):
    compare(tmp_path_factory.mktemp("random"), random_class, seed)
