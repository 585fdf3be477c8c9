"""Runs the original in a child: to observe it, or to probe which inputs reach and infect mutants."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from harness.errors import BaselineError
from harness.kernel.inputs.suites import BLOCK, MOST_BLOCKS
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.prepared import run_whole
from harness.kernel.objects.module_state import ModuleState
from harness.kernel.process.child_process import Broken, ChildDeath, Supervision, run_child
from harness.kernel.process.progress import NOT_STARTED, Progress
from harness.kernel.process.talk import ReportedError
from harness.kernel.running.baseline_slices import write_slice
from harness.kernel.running.job import ROWS, BaselineFacts, BaselineOrder, HarnessFault, ProbeFacts, ProbeOrder
from harness.kernel.running.loaded_job import LoadedJob
from harness.kernel.running.probing import ProbedInputs, ProbeSite, probe_inputs
from harness.model.outcome import KillReason

ORIGINAL_SECONDS = 60.0
"""The seconds on one input after which the original (assumed to terminate: section 7.2) is taken to be endless."""

_ANY_SECONDS = 1e9

T = TypeVar("T")


def _lost(kept: ModuleState | None) -> str:
    return "" if kept is None or kept.put_back() else kept.lost


class OriginalRuns:
    """Runs the original of a job; files of its children go to the folder `outbox`."""

    def __init__(self, loaded: LoadedJob, outbox: str) -> None:
        self._loaded = loaded
        self._outbox = outbox

    def observe(self, order: BaselineOrder) -> BaselineFacts | HarnessFault:
        """Run the original, and write the slice of its outcomes.

        Raises:
            BaselineError: it fails on an input.
        """
        loaded, progress = self._loaded, Progress(order.first, order.last)
        kept = loaded.programs.state_of_original(loaded.programs.original)

        def work() -> BaselineFacts:
            baseline = Baseline(order.first)
            numbers = range(order.first, order.last)
            blocks: list[float] = []

            def begins(number: int) -> None:
                progress.set(number, 0, 0)
                if number % BLOCK == 0 and order.first < number <= BLOCK * MOST_BLOCKS:
                    blocks.append(time.process_time() - start)

            start = time.process_time()
            loaded.judged.observe(loaded.programs.original, numbers, baseline, begins, kept)
            spent = time.process_time() - start
            write_slice(Path(self._outbox), loaded.source, baseline, spent, blocks, loaded.judged.is_apart)
            facts = baseline.facts
            return BaselineFacts(order.id, facts.inputs, facts.steps, facts.raised, spent, _lost(kept))

        return self._run(order, BaselineFacts, work, progress)

    def probe(self, order: ProbeOrder) -> ProbeFacts | HarnessFault:
        """Run the probed original, and write the inputs that reach and infect each mutant.

        Raises:
            BaselineError: it fails on an input.
        """
        loaded = self._loaded
        progress = Progress(order.first, order.last)

        def work() -> ProbeFacts:
            probes = json.loads(Path(order.probes).read_text(encoding="utf-8"))
            probed = ProbedInputs(probes["mutants"], order.first, order.last, with_last_calls=order.apart)

            def load(presets: Mapping[str, object]) -> tuple[ModuleType, ModuleState | None]:
                module = loaded.programs.probed(probes["text"], presets)
                return module, loaded.programs.state_of_original(module)

            def numbers() -> Iterator[int]:
                for number in range(order.first, order.last):
                    progress.set(number, 0, 0)
                    yield number

            left = probe_inputs(
                load,
                loaded.judged.inputs,
                [ProbeSite(*map(tuple, site)) for site in probes["sites"]],
                numbers(),
                probed,
                loaded.judged.oracle.observe if order.judged else run_whole,
            )
            rows = probed.rows
            Path(self._outbox, ROWS).write_bytes(rows)
            return ProbeFacts(order.id, hashlib.sha256(rows).hexdigest(), left)

        return self._run(order, ProbeFacts, work, progress)

    def _run(
        self, order: BaselineOrder | ProbeOrder, kind: type[T], work: Callable[[], T], progress: Progress
    ) -> T | HarnessFault:
        """Have a child run the original. Return its message.

        Raises:
            MutascopeError: the child reports one.
            BaselineError: the original dies on an input.
        """
        limits = replace(self._loaded.job.limits, memory=1 << 34, file_size=1 << 30)  # what is written is our own
        outcome = run_child(
            kind,
            work,
            limits,
            _ANY_SECONDS,
            Supervision(progress, lambda _: ORIGINAL_SECONDS, alive=self._loaded.alive),
            writable=[self._outbox],
        )
        if isinstance(outcome, ReportedError):
            raise outcome.error()
        if isinstance(outcome, Broken):
            return HarnessFault(order.id, outcome.fault)
        if not isinstance(outcome, ChildDeath):
            return outcome
        position, how = progress.position(), outcome.detail
        if position is None or position.current == NOT_STARTED:
            return HarnessFault(order.id, f"the child that runs the original died as it started: {how}")
        if outcome.reason is KillReason.WALL_LIMIT:
            works = f"did not return within {ORIGINAL_SECONDS:g} s of processor time"
            how = "sleeps or waits, and does not return" if outcome.slept else works
        number = position.current
        raise BaselineError(
            f"the original fails on input {number}, {self._loaded.show(number)}: {how}; "
            f"correct {self._loaded.job.files}"
        )
