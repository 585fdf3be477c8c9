"""Judges a mutant in the mutant's own process, if the spec calls the implementation or states cannot be encoded.

The judgement of such a spec depends on the mutant's own methods, as it does in the run. A mutant that forges its
judgement is not detected here; `verify` counts the inputs judged so.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from harness.kernel.naive.calling import limit_recursion
from harness.kernel.naive.executor import LOAD_BUDGET, Answering, compiled_with
from harness.kernel.naive.judge import Judge
from harness.kernel.naive.words import Input, Judgement, ReportedKill
from harness.kernel.program.loader import ModuleText, execute


def judging_inside(judging: Judge[Any], text: ModuleText, code: Any, tick: str) -> Answering:
    """Load the mutant next to the original. Return the function that judges inputs by their numbers."""
    counter = judging.counter
    counter.start(LOAD_BUDGET)
    limit_recursion()
    module = execute(text, code, {tick: counter.tick}, partial(compiled_with, tick))

    def answer(message: Input) -> Judgement:
        judging.expected(message.input)
        counter.start(LOAD_BUDGET)
        steps, kill = judging.judge_here(message.input, module)
        return Judgement(steps, None if kill is None else ReportedKill(*kill))

    return answer
