"""The judge believes nothing that is no answer, and judges every shipped subject from outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support import counter
from support.subjects import UNLIKE, load_subject
from support.sweeps import slow_unless_chosen

from harness.kernel.naive.job import SubjectJob
from harness.kernel.naive.judge import Judge
from harness.kernel.naive.rebuilding import Malformed
from harness.kernel.naive.serving import judge_of
from harness.model.experiment import Trial
from harness.model.outcome import KillReason
from harness.runner.suites import ensure_suite

NUMBER = 7  # value 1, up(2)
SHIPPED = sorted(path.parent.name for path in (Path(__file__).parents[3] / "subjects").glob("*/spec.py"))


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge[Any]:
    suite = tmp_path_factory.mktemp("counter") / "suite"
    counter.write_suite(suite)
    return judge_of(
        SubjectJob("impl", "impl.py", counter.SOURCE, (), counter.SPEC, "spec.py", str(suite), counter.SCOPE, False)
    )


def answer(value: int = 3, **changes: Any) -> str:
    """Return an executor's answer about the input: a counter of that value, the returned value, and the argument."""
    nodes = [["class", True, "impl", "Counter"], ["object", 0, ["value", 2]], value, 2]
    fields = {
        "kind": "StateAnswer",
        "input": NUMBER,
        "steps": 3,
        "raised": None,
        "graph": {"roots": [1, 2, 3], "nodes": nodes},
    }
    return json.dumps(fields | changes)


def test_an_answer_as_the_originals_survives(judge: Judge[Any]) -> None:
    assert judge.judge(NUMBER, answer()) == (3, None)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (answer(2), KillReason.OUTPUT),
        (answer(steps=5000), KillReason.STEP_LIMIT),
        (answer(raised="KeyError"), KillReason.EXCEPTION),
        (answer(graph="GraphTooLarge"), KillReason.MEMORY_LIMIT),
    ],
    ids=["another value", "steps", "exception", "memory"],
)
def test_another_answer_is_a_kill(judge: Judge, line: str, reason: KillReason) -> None:
    _, kill = judge.judge(NUMBER, line)
    assert kill is not None
    assert kill[0] is reason


@pytest.mark.parametrize(
    "line",
    [
        "", "null", "1", "[" * 100_000, "{}", '{"steps": 3, "kill": null}', answer(input=6), answer(input=True),
        answer(input=7.0), answer(steps=-1), answer(steps=True), answer(steps=1e3), answer(steps="3"), answer(raised=1),
        answer(more=1), answer(graph=None), answer(graph="KeyError"), answer(graph={"roots": [], "nodes": []}),
        answer(graph={"roots": [0, 0, 0, 0], "nodes": [1]}), '{"kind": "InputFailed", "fault": "KeyError: 1"}',
        '{"kind": "Compiled"}', '{"kind": "Nothing"}',
        '{"kind": "Judgement", "steps": 3, "kill": null}', '{"kind": "Unmade", "input": 7, "raised": "KeyError"}',
        '{"kind": "SequenceAnswer", "input": 7, "parts": []}', answer(kind="SequenceAnswer"), answer(steps=1 << 62),
    ],
    ids=lambda line: line[:60],
)  # fmt: skip
def test_what_is_no_answer_is_refused(judge: Judge, line: str) -> None:
    with pytest.raises(Malformed):
        judge.judge(NUMBER, line)


@pytest.mark.sweep
@pytest.mark.parametrize("name", slow_unless_chosen(UNLIKE, SHIPPED))
def test_every_shipped_subject_is_judged_from_outside(name: str) -> None:
    subject, _ = load_subject(name)
    suite = ensure_suite(subject, Trial(name, "korat", 1))
    outside = judge_of(
        SubjectJob(
            subject.module, str(subject.source_path), subject.source, subject.blocked, subject.spec_source,
            str(subject.spec_path), str(suite.folder), 1, True,
        )
    )  # fmt: skip
    assert not any(outside.expected(number).inside for number in range(len(suite)))
