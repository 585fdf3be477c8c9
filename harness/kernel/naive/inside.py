"""Judges a mutant in the mutant's own process: only where the spec calls the implementation, or states cannot be told.

What such a spec says of a mutant's state hangs on the mutant's own methods, as it does in the run. A mutant that forges
its judgement is not found out here; `verify` counts what was judged so.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from harness.kernel.naive.executor import LOAD_BUDGET, Answering, compiled_with
from harness.kernel.naive.judge import Judge
from harness.kernel.naive.views import Did, Kill, call, judge, limit_recursion, too_many_steps
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.program.steps import budget_for


def judging_inside(judging: Judge, text: ModuleText, code: Any, tick: str) -> Answering:
    """Loads the mutant beside the original; the judgements of inputs, named by their numbers."""
    counter = judging.counter
    counter.start(LOAD_BUDGET)
    limit_recursion()
    module = execute(text, code, {tick: counter.tick}, partial(compiled_with, tick))

    def answer(given: dict[str, Any]) -> dict[str, Any]:
        original = judging.expected(given["input"]).original
        counter.start(LOAD_BUDGET)
        run = judging.case(given["input"], module)
        budget = budget_for(original.steps)
        counter.start(budget)
        raised, returned = call(run.call, run.passed)
        steps = counter.spent()
        kill: Kill | None = too_many_steps(budget)
        if steps <= budget:
            did = Did(raised, returned, run.root, run.arguments)
            steps, kill = judge(did, steps, original, judging.spec, counter, judging.concrete)
        return {"steps": steps, "kill": kill and [kill[0].value, kill[1].value, kill[2]]}

    return answer
