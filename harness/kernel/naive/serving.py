"""Serves the orders of a judge's process.

Started by `harness.runner.witness`: `main` is called by `kernel.process.containment.launch` with the pipe ends ORDERS
and FACTS; orders and words are JSON lines (`harness.kernel.naive.words`). The first order names the subject. The
others ask for inputs as the executor gets them, or have an answer of the executor compared with the original's run.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.codec.codec import codec_of
from harness.did_you_mean import named_in
from harness.kernel.naive.inputs import SuiteContents
from harness.kernel.naive.job import SubjectJob
from harness.kernel.naive.judge import Judge
from harness.kernel.naive.oracle import Oracle
from harness.kernel.naive.rebuilding import Malformed, Unseen
from harness.kernel.naive.sequence_judge import SequenceJudge
from harness.kernel.naive.state_judge import StateJudge
from harness.kernel.naive.words import (
    JUDGE_ORDERS,
    JUDGE_WORDS,
    Judged,
    JudgeFault,
    JudgeLine,
    JudgeOrder,
    JudgeWord,
    NoAnswer,
    NotSeen,
    Prepare,
    PreparedTurn,
    Ready,
    ReportedKill,
)
from harness.kernel.process.confinement import ProcessLimits
from harness.kernel.process.mutant_limits import allowed_seconds
from harness.model.oracles import ORACLES
from harness.model.outcome import OracleName


def judge_of(job: SubjectJob) -> Judge[Any]:
    """Return the judge for the job's oracle and for the kind of inputs that the job's suite holds."""
    oracle: type[Oracle] = named_in("harness.kernel.naive", ORACLES[OracleName(job.oracle)].naive)
    kind = SequenceJudge if SuiteContents(Path(job.suite)).holds_sequences else StateJudge
    return kind(job, oracle)


def serve(judge: Judge[Any], order: JudgeOrder, send: Callable[[JudgeWord], None]) -> None:
    """Carry out an order: send a word for each input prepared, or for the answer judged."""
    if isinstance(order, Prepare):
        for number in range(order.first, order.last):
            try:
                expected = judge.expected(number)
            except Exception as error:
                return send(JudgeFault(f"{type(error).__name__}: {error}"))
            send(PreparedTurn(expected.input, expected.seconds, expected.inside))
        return None
    _allow_processor(judge.expected(order.input).seconds)
    send(_judged(judge, order))
    return _allow_processor(None)


def _judged(judge: Judge[Any], order: JudgeLine) -> JudgeWord:
    try:
        steps, kill = judge.judge(order.input, order.line)
        return Judged(steps, None if kill is None else ReportedKill(*kill), judge.calls_to_kill)
    except Unseen:
        return NotSeen()
    except Malformed as error:
        return NoAnswer(str(error))
    except Exception as error:
        return JudgeFault(f"{type(error).__name__}: {error}")


def _allow_processor(original_seconds: float | None) -> None:
    """Let the process use the seconds that a mutant is allowed from now, rounded up to whole ones; None: no limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = hard if original_seconds is None else int(time.process_time() + allowed_seconds(original_seconds)) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _limit_memory(limits: ProcessLimits) -> None:
    """Let the judgement of a post-state use as much memory as the mutant had itself."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + limits.memory, hard))
    except (OSError, ValueError):
        pass  # a system without this limit


def serve_orders(orders_end: int, facts_end: int) -> None:
    """Serve orders until their pipe closes."""
    os.set_inheritable(orders_end, False)
    os.set_inheritable(facts_end, False)
    with os.fdopen(orders_end, encoding="utf-8") as orders, os.fdopen(facts_end, "w", encoding="utf-8") as facts:

        def send(word: JudgeWord) -> None:
            facts.write(JUDGE_WORDS.to_json(word) + "\n")
            facts.flush()

        try:
            judge = judge_of(codec_of(SubjectJob).of_json(orders.readline()))
        except Exception as error:
            return send(JudgeFault(f"{type(error).__name__}: {error}"))
        _limit_memory(ProcessLimits())
        send(Ready())
        for line in orders:
            serve(judge, JUDGE_ORDERS.of_json(line), send)
    return None
