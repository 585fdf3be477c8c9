"""The sandboxed worker: loads the original once, then forks a confined child for every order.

`harness.runner.zygotes` starts it by `kernel.process.containment.launch`, with JOB, OUTBOX and the numbers of two
inherited pipe ends, ORDERS and FACTS. Files of the original's children go to the folder OUTBOX. Orders come in and
answers go out as JSON lines. Each mutant has a process of its own, so no mutant sees the state that another one leaked,
and a death is one mutant's death.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from pathlib import Path

from harness.kernel.process.confinement import adopt_orphans
from harness.kernel.process.talk import FactWriter, Heartbeats, telling
from harness.kernel.running.child_runs import MutantRuns, OriginalRuns
from harness.kernel.running.job import (
    ORDERS,
    WORDS,
    Alive,
    Answer,
    BaselineOrder,
    BatchFacts,
    BatchOrder,
    Order,
    ProbeOrder,
    Ready,
    RunJob,
)
from harness.kernel.running.loaded_job import LoadedJob


class Zygote:
    """The loaded original, ready to fork."""

    def __init__(self, job: RunJob, outbox: str, alive: Callable[[], None] = lambda: None) -> None:
        loaded = LoadedJob(job, alive)
        self._original = OriginalRuns(loaded, outbox)
        self._mutants = MutantRuns(loaded)

    def serve(self, order: Order) -> Answer:
        """Carry out an order in a child.

        Raises:
            MutascopeError: the original fails, or its baseline is missing or not as written.
        """
        if isinstance(order, BatchOrder):
            return BatchFacts(order.id, tuple(self._mutants.run_batch(order.orders)))
        if isinstance(order, BaselineOrder):
            return self._original.observe(order)
        return self._original.probe(order) if isinstance(order, ProbeOrder) else self._mutants.run(order)


def main(arguments: list[str]) -> int:
    """Serve orders until their pipe closes, and write errors of the user's making, too. Return the exit status.

    Args:
        arguments: JOB, OUTBOX, ORDERS and FACTS.
    """
    job_path, outbox, orders_end, facts_end = arguments

    def work(teller: FactWriter, beats: Heartbeats) -> None:
        def write_answer(word: Answer | Ready | Alive) -> None:
            teller.write(WORDS.to_data(word))

        zygote = Zygote(RunJob.read(Path(job_path)), outbox, lambda: write_answer(Alive()))
        write_answer(Ready())
        gc.collect()
        gc.freeze()
        with os.fdopen(int(orders_end), encoding="utf-8") as orders:
            for line in orders:
                write_answer(zygote.serve(ORDERS.of_json(line)))

    os.set_inheritable(int(orders_end), False)
    adopt_orphans()
    return telling(facts_end, work, beating=False)
