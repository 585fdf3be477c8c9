"""A zygote whose mutant has it say what is no answer to the order makes the mutant a crash."""

import pytest
from support.counter import INPUTS, SOURCE, job

from harness.kernel.running.job import BaselineOrder, BatchOrder, HarnessFault, MutantOrder
from harness.model.outcome import KillReason
from harness.runner.zygotes import answers_of, mutant_facts, zygote_executor
from harness.sandbox.process import SandboxedProcess


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
