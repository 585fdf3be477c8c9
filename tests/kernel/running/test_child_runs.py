"""Mutants that one process runs one after the other have the facts that each has in a process of its own.

A child is believed only if its words fit the order and the position in shared memory.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.bench import Bench
from support.counter import INPUTS, SOURCE, SPEC, job

from harness.kernel.process.child_process import Broken
from harness.kernel.process.confinement import ProcessLimits
from harness.kernel.process.progress import Progress
from harness.kernel.process.talk import ReportedError
from harness.kernel.running.fact_validation import NO_RUN, validated_facts
from harness.kernel.running.job import BatchFacts, BatchOrder, HarnessFault, MutantFacts, MutantOrder, MutantRun
from harness.kernel.running.probing import InputSets
from harness.model.outcome import KillReason, Phase

CHANGES = {
    "same": ("return", "return"),
    "output": ("return self.value", "return self.value + 1"),
    "state": ("self.value += 1", "self.value += 0"),
    "invalid": ("self.value += 1", "self.value -= 1"),
    "exception": ("raise ValueError(by)", "raise KeyError(by)"),
    "endless": ("for _ in range(by):", "while self.value >= 0:"),
    "recursion": ("return self.value", "return self.up(0)"),
    "does not compile": ("return self.value", "return self.value +"),
    "does not load": ("class Counter:", "class Counter(1 // 0):"),
    "memory": ("return self.value", "return len(bytes(1 << 29))"),
    "much memory": ("return self.value", "return len([0] * (1 << 23))"),
    "imports": ("return self.value", "import os; os._exit(3)"),
    "leaves something": ("return self.value", "import sys; sys.left = 1; return self.value"),
    "finds what was left": ("return self.value", "import sys; return sys.left"),
    "last": ("return self.value", "return -self.value"),
}


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    with Bench(job(tmp_path_factory.mktemp("together"), limits=ProcessLimits(memory=1 << 28)), INPUTS) as bench:
        yield bench


def order_of(bench: Bench, name: str, **fields: Any) -> MutantOrder:
    old, new = CHANGES[name]
    assert old in SOURCE
    return MutantOrder(
        name, bench.baseline, **{"first": 0, "last": INPUTS, "source": SOURCE.replace(old, new), **fields}
    )


def in_batches(bench: Bench, orders: list[MutantOrder]) -> tuple[list[MutantFacts], list[int]]:
    """Return all facts, and how many came with each answer."""
    all_facts: list[MutantFacts] = []
    counts: list[int] = []
    while len(all_facts) < len(orders):
        answer = batch(bench, orders[len(all_facts) :])
        counts.append(len(answer))
        all_facts += answer
    return all_facts, counts


def batch(bench: Bench, orders: list[MutantOrder]) -> list[MutantFacts]:
    answer = bench.answer(BatchFacts, BatchOrder("batch", tuple(orders)))
    return [facts for facts in answer.facts if isinstance(facts, MutantFacts)]


def without_seconds(facts: MutantFacts) -> MutantFacts:
    return replace(facts, seconds=None)


def test_every_mutant_of_a_batch_has_the_facts_that_it_has_alone(bench):
    orders = [order_of(bench, name) for name in CHANGES]
    separate = [bench.answer(MutantFacts, order) for order in orders]
    batched, counts = in_batches(bench, orders)
    assert [without_seconds(facts) for facts in batched] == [without_seconds(facts) for facts in separate]
    assert counts[0] == list(CHANGES).index("does not compile")  # so many in the first child, and not that one
    assert all(facts.seconds for facts in batched)


def test_who_reaches_further_or_takes_much_memory_runs_alone(bench):
    for name in ("does not load", "memory", "much memory", "imports", "leaves something"):
        orders = [order_of(bench, "output"), order_of(bench, name), order_of(bench, "state")]
        answer = batch(bench, orders)
        assert [facts.id for facts in answer] == ["output"]


def test_rows_of_kills_are_made_in_a_process_for_each(bench):
    orders = [order_of(bench, name, matrix=True) for name in ("output", "state")]
    answer = batch(bench, orders)
    assert [facts.bits for facts in answer] == [bench.answer(MutantFacts, order).bits for order in orders]


def test_a_spec_that_keeps_something_has_each_mutant_run_alone(tmp_path):
    spec = SPEC.replace("def rep_ok(counter):", "seen = []\n\ndef rep_ok(counter):\n    seen.append(1)")
    spec = spec.replace("counter.value >= 0", "counter.value >= 0 and len(seen) < 60")
    with Bench(job(tmp_path, spec=spec), INPUTS) as bench:
        orders = [order_of(bench, name) for name in ("same",) * 8]
        all_facts, _ = in_batches(bench, orders)
        assert {facts.reason for facts in all_facts} == {None}


SETS = st.dictionaries(st.integers(0, 2000), st.integers(0, (1 << 5) - 1), max_size=40)


@given(sets=SETS, slices=st.integers(0, 3))
def test_rows_hold_the_inputs_of_each_mutant_wherever_blocks_end(sets, slices):
    first = 8 * slices
    last = first + 2001
    input_sets = InputSets(5, first, last)
    for number, mutants in sorted(sets.items()):
        input_sets.add(mutants, first + number)
    expected = [bytearray((last - first + 7) // 8) for _ in range(5)]
    for number, mutants in sets.items():
        for mutant in range(5):
            expected[mutant][number // 8] |= (mutants >> mutant & 1) << number % 8
    assert input_sets.rows == expected
    assert input_sets.rows == expected


ORDER = MutantOrder("m", "baseline", 4, 12, source="")
KILLED = MutantRun(
    reason=KillReason.OUTPUT, phase=Phase.CALL, detail="another value", input=6, inputs_run=3, executed=3, steps=30
)
SURVIVED = replace(KILLED, reason=None, phase=None, detail="", input=None, inputs_run=8)
NOT_LOADED = replace(KILLED, phase=Phase.LOAD, input=None, inputs_run=0)


@pytest.fixture
def progress():
    """Of a child that has executed two inputs and is at the third."""
    progress = Progress(4, 12)
    progress.set(6, 2, 0)
    return progress


@pytest.mark.parametrize("run", [KILLED, SURVIVED, NOT_LOADED], ids=["killed", "survived", "not-loaded"])
def test_what_fits_is_believed(run, progress):
    assert validated_facts(run, ORDER, progress) is run


@pytest.mark.parametrize(
    "run",
    [
        replace(KILLED, died=True),
        replace(KILLED, steps=None),
        replace(KILLED, inputs_run=9),
        replace(KILLED, executed=2),
        replace(KILLED, executed=4),
        replace(KILLED, input=3),
        replace(KILLED, input=12),
        replace(KILLED, input=None),
        replace(KILLED, phase=None),
        replace(SURVIVED, phase=Phase.CALL),
        replace(SURVIVED, input=6),
    ],
    ids=str,
)
def test_what_does_not_fit_is_a_crash_that_is_tried_once_more(run, progress):
    assert validated_facts(run, ORDER, progress) == NO_RUN
    assert (NO_RUN.reason, NO_RUN.outside) == (KillReason.CRASH, True)


def test_an_error_of_the_users_making_is_nothing_that_a_mutant_has(progress):
    assert validated_facts(ReportedError("SpecError", "forged"), ORDER, progress) == NO_RUN


def test_what_fails_in_the_harness_s_code_is_the_mutant_s_doing_unless_the_machine_is_at_fault(progress):
    broken = validated_facts(Broken(f"TypeError: \ud800{'x' * 5000}", of_machine=False), ORDER, progress)
    assert broken.detail == f"what watches it broke: TypeError: \\ud800{'x' * 3988}"
    assert validated_facts(Broken("OSError: no room", of_machine=True), ORDER, progress) == HarnessFault(
        "m", "OSError: no room"
    )
