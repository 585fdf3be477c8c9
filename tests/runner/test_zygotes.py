"""Workers with zygotes: all orders are answered, whatever dies, and an answer that is none makes the mutant a crash."""

import multiprocessing
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.both_paths import mutant_at
from support.counter import INPUTS, SCOPE, SOURCE, SPEC, job, write_suite
from support.own_subject import write_subject
from support.subjects import load_subject

from harness.errors import BaselineError, InstrumentError, MutascopeError
from harness.kernel.running.job import (
    ROWS,
    BaselineFacts,
    BaselineOrder,
    BatchFacts,
    BatchOrder,
    HarnessFault,
    MutantFacts,
    MutantOrder,
    MutantRun,
    ProbeFacts,
    ProbeOrder,
)
from harness.model.experiment import ExecutionMode, Experiment
from harness.model.interface import Interface
from harness.model.outcome import KillReason, Phase, Proof, Verdict
from harness.runner.instrument import Controls, prove, prove_oracle, with_controls, with_planted_fault
from harness.runner.mutant_results import ProbedFacts, kill_row_of, result_of
from harness.runner.mutant_stages import Execution
from harness.runner.zygotes import (
    TrialExecutor,
    answers_of,
    left_of,
    mutant_facts,
    mutants_of,
    take_out,
    zygote_executor,
)
from harness.sandbox.levels import VARIABLE
from harness.sandbox.process import SandboxedProcess
from harness.selections import Selections

MUTANTS = {
    "survivor": SOURCE,
    "output": SOURCE.replace("return self.value", "return self.value + 1"),
    "endless": SOURCE.replace("self.value += 1", "self.value += 0\n            while True: pass"),
    "exception": SOURCE.replace("by < 0", "by <= 0"),
}
KILL_THE_WORKER = SOURCE.replace("return self.value", "import os, signal; os.kill(os.getppid(), signal.SIGKILL)")


def orders(sources: dict[str, str], baseline: Path) -> list[MutantOrder]:
    return [MutantOrder(name, str(baseline), 0, INPUTS, source=source) for name, source in sources.items()]


def observe(executor: TrialExecutor, baseline: Path) -> BaselineFacts:
    (facts,) = answers_of(executor, [BaselineOrder("baseline", 0, INPUTS, str(baseline))])
    assert isinstance(facts, BaselineFacts)
    return facts


def interface():
    names: dict[str, object] = {}
    exec(SPEC, names)
    return Interface.of_finitization(names["finitization"](SCOPE))


def controls(source: str, baseline: Path) -> Controls:
    return Controls("spec.py", interface(), source, [(0, 8), (8, INPUTS)], str(baseline), False)


def facts_by_mutant(path: Path, jobs: int, sources: dict[str, str]) -> dict[str, ProbedFacts]:
    with zygote_executor(path, jobs) as executor:
        observe(executor, path.parent)
        answers = [*mutant_facts(executor, orders(sources, path.parent))]
    assert not any(isinstance(facts, HarnessFault) for facts in answers)
    return {facts.id: replace(ProbedFacts(**vars(facts)), seconds=None) for facts in answers}


def test_a_link_in_place_of_a_file_of_an_order_ends_the_run(tmp_path):
    (tmp_path / ROWS).symlink_to(tmp_path / "elsewhere")
    order = ProbeOrder("probes 0", 0, 8, probes="", rows=str(tmp_path / "0.rows"), judged=False)
    with pytest.raises(MutascopeError, match=r"left no plain file probes\.rows"):
        take_out(tmp_path, order, ProbeFacts(order.id, "digest", left=False))


def test_a_mutant_that_is_contained_has_no_worker_to_kill(tmp_path):
    facts_of = facts_by_mutant(job(tmp_path), 1, {"murderer": KILL_THE_WORKER})
    murderer = facts_of["murderer"]
    assert (murderer.reason, murderer.detail) == (KillReason.EXCEPTION, "raised PermissionError")


def test_a_mutant_that_kills_its_worker_is_a_crash_and_the_rest_goes_on(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, "")
    sources = {"murderer": KILL_THE_WORKER, **MUTANTS}
    facts_of = facts_by_mutant(job(tmp_path), 1, sources)
    assert set(facts_of) == set(sources)
    murderer = result_of(facts_of["murderer"])
    assert (murderer.verdict, murderer.reason, murderer.detail) == (Verdict.KILLED, KillReason.CRASH, "SIGKILL")
    assert facts_of["survivor"].reason is None


@pytest.mark.parametrize("mode", [ExecutionMode.MATRIX, ExecutionMode.SELECTIONS])
def test_a_mutant_that_takes_its_sandbox_along_has_no_row(tmp_path, mode, monkeypatch):
    monkeypatch.setenv(VARIABLE, "")
    subject, spec = load_subject(write_subject(tmp_path, SOURCE, SPEC))
    old, murder = "return self.value", "import os, signal; os.kill(os.getppid(), signal.SIGKILL)"
    murderer = mutant_at(SOURCE, SOURCE.index(old), old, murder, function="Counter.up")
    suite = write_suite(tmp_path / "suite")
    selections = Selections(len(suite), 4) if mode is ExecutionMode.SELECTIONS else None
    called = Interface.of_finitization(spec.finitization(SCOPE))
    execution = Execution(
        subject, called, suite, [murderer], Experiment("test", (), mode=mode), tmp_path,
        selections=selections,
    )  # fmt: skip
    with zygote_executor(execution.write_job(), 1) as executor:
        execution.observe_original(executor)
        (facts,) = execution.run(executor, [murderer])
    assert (facts.reason, facts.detail) == (KillReason.CRASH, "SIGKILL")
    assert kill_row_of(facts, len(suite)) is None


def test_a_pool_worker_that_is_killed_from_outside_is_replaced(tmp_path):
    with zygote_executor(job(tmp_path), 1) as executor:
        observe(executor, tmp_path)
        facts_of = {}
        for facts in mutant_facts(executor, orders(MUTANTS, tmp_path)):
            if not facts_of:
                (worker,) = multiprocessing.active_children()
                os.kill(worker.pid, signal.SIGKILL)
            facts_of[facts.id] = facts.reason and facts.reason.value
    assert facts_of == {"survivor": None, "output": "output", "endless": "step_limit", "exception": "exception"}


def test_an_original_that_fails_is_reported_to_the_orchestrator(tmp_path):
    path = job(tmp_path, source=SOURCE.replace("self.value += 1", "self.value -= 1"))
    with zygote_executor(path, 2) as executor, pytest.raises(BaselineError, match="does not satisfy rep_ok"):
        observe(executor, tmp_path)


@pytest.mark.parametrize("in_metamutant", [False, True])
def test_the_instrument_and_the_oracle_are_proven_by_control_mutants_of_each_kind_of_program(tmp_path, in_metamutant):
    made = replace(controls(SOURCE, tmp_path), in_metamutant=in_metamutant)
    meta = with_controls(SOURCE, interface()) if in_metamutant else None
    with zygote_executor(job(tmp_path, metamutant=meta), 1) as executor:
        baseline = observe(executor, tmp_path)
        proof = prove(executor, made, baseline.steps)
        told = prove_oracle(Proof.STATES, executor, made, 0)
    assert (proof.original_inputs, proof.no_op_inputs, proof.no_op_steps) == (INPUTS, INPUTS, baseline.steps)
    assert (proof.planted_reason, proof.planted_phase) == (KillReason.EXCEPTION, Phase.CALL)
    assert told.startswith("another result is told; a foreign state is told; ")


def test_a_planted_mutant_that_is_not_loaded_is_an_instrument_error(tmp_path):
    planted_nowhere = replace(controls(SOURCE, tmp_path), driven=("function_that_nobody_calls",))
    with zygote_executor(job(tmp_path), 1) as executor:
        steps = observe(executor, tmp_path).steps
        with pytest.raises(InstrumentError, match="not really loaded"):
            prove(executor, planted_nowhere, steps)


@pytest.mark.parametrize(
    "line",
    [
        "import random; self.value += random.randrange(1 << 30)",
        "import sys; sys.calls = getattr(sys, 'calls', 0) + 1; self.value += sys.calls",  # where nobody puts it back
        "import time; self.value += time.perf_counter_ns() % 1000003",
        "self.value += id(self)",
    ],
)
def test_a_subject_that_is_not_deterministic_is_refused(tmp_path, line):
    source = SOURCE.replace("return self.value", f"{line}; return self.value")
    path = job(tmp_path, source=source)
    with zygote_executor(path, 1) as executor, pytest.raises(BaselineError, match="run again in reverse order"):
        prove(executor, controls(source, tmp_path), observe(executor, tmp_path).steps)


def test_a_subject_that_counts_in_its_class_is_deterministic_as_the_class_is_put_back(tmp_path):
    line = "Counter.calls = getattr(Counter, 'calls', 0) + 1; self.value += Counter.calls"
    source = SOURCE.replace("return self.value", f"{line}; return self.value")
    with zygote_executor(job(tmp_path, source=source), 1) as executor:
        proof = prove(executor, controls(source, tmp_path), observe(executor, tmp_path).steps)
    assert (proof.original_inputs, proof.no_op_inputs) == (INPUTS, INPUTS)


def test_what_is_left_is_a_batch_and_single_orders_where_nothing_came_of_it(tmp_path):
    batch = BatchOrder("batch", tuple(orders(MUTANTS, tmp_path)))
    facts = tuple(HarnessFault(order.id, "") for order in batch.orders)
    assert left_of(batch, BatchFacts("batch", facts)) is None
    assert left_of(batch, BatchFacts("batch", facts[:1])) == BatchOrder("output", batch.orders[1:])
    assert left_of(batch.orders[0], facts[0]) is None
    assert mutants_of(batch) == batch.orders


def test_a_fault_of_the_harness_is_inconclusive_and_only_complete_rows_enter_the_kill_matrix():
    assert result_of(HarnessFault("m", "gone")).verdict is Verdict.INCONCLUSIVE
    run = MutantRun(reason=KillReason.OUTPUT, phase=Phase.CALL, detail="", input=1, inputs_run=3, executed=3, steps=3)
    complete = MutantFacts(**vars(run), id="m", bits=b"\x06")
    row = kill_row_of(complete, 3)
    assert row is not None
    assert (row.inputs, row.bits) == (3, b"\x06")
    assert kill_row_of(replace(complete, bits=b"\x06\0", inputs_run=8), 16) is None
    assert kill_row_of(replace(complete, bits=None), 3) is None


def test_the_planted_fault_of_a_program_with_a_driver_is_in_its_helpers():
    names: dict[str, Any] = {}
    exec(with_planted_fault("def helper():\n    return 1\n", interface(), ("helper",)), names)
    with pytest.raises(AssertionError, match="planted"):
        names["helper"]()


def forge(monkeypatch, forged, field, value):
    """Let a process say something else where it says `value` in a field."""
    true = SandboxedProcess.fact

    def fact(process, *limits, **options):
        answer = true(process, *limits, **options)
        return answer | forged if answer.get(field) == value else answer

    monkeypatch.setattr(SandboxedProcess, "fact", fact)


@pytest.mark.parametrize(
    "forged",
    [
        {"id": "other"},
        {"executed": -1},
        {"steps": "many"},
        {"reason": "luck"},
        {"detail": "x" * 5000},
        {"bits": "no digits"},
        {"more": 1},
        {"kind": "BaselineFacts"},
        {"kind": "nothing"},
    ],
    ids=str,
)
def test_what_is_no_answer_is_a_crash(forged, tmp_path, monkeypatch):
    with zygote_executor(job(tmp_path), 1) as executor:
        list(answers_of(executor, [BaselineOrder("baseline", 0, INPUTS, str(tmp_path))]))
    forge(monkeypatch, forged, "id", "m")
    with zygote_executor(tmp_path / "job.json", 1) as executor:
        (facts,) = mutant_facts(executor, [MutantOrder("m", str(tmp_path), 0, INPUTS, source=SOURCE)])
    assert not isinstance(facts, HarnessFault)
    assert facts.reason is KillReason.CRASH
    assert facts.detail.startswith("said what is no fact")


@pytest.mark.parametrize(
    "forged", [{"facts": []}, {"facts": [{"kind": "HarnessFault", "id": "b", "fault": "", "seconds": 1.0}]}]
)
def test_an_answer_of_other_mutants_than_those_of_a_batch_has_each_run_alone(forged, tmp_path, monkeypatch):
    orders = tuple(MutantOrder(name, str(tmp_path), 0, INPUTS, source=SOURCE) for name in "ab")
    with zygote_executor(job(tmp_path), 1) as executor:
        list(answers_of(executor, [BaselineOrder("baseline", 0, INPUTS, str(tmp_path))]))
    forge(monkeypatch, forged, "kind", "BatchFacts")
    with zygote_executor(tmp_path / "job.json", 1) as executor:
        answers = [*mutant_facts(executor, [BatchOrder("a", orders)])]
    assert [(facts.id, isinstance(facts, HarnessFault)) for facts in answers] == [("a", False), ("b", False)]
