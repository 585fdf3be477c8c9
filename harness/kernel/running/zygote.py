"""The sandboxed worker: loads the original once, then forks a confined child for every order.

`main` is called by `kernel.process.containment.launch` with JOB, OUTBOX and the numbers of two inherited pipe ends,
ORDERS and FACTS; files of the original's children go to the folder OUTBOX. Orders come in and answers go out as JSON
lines. Each mutant has a process of its own, so no mutant sees the state that another one leaked, and a death is one
mutant's death.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import TypeVar

from harness.errors import BaselineError
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.oracle import UNLIMITED, Kill
from harness.kernel.judging.prepared import Prepared
from harness.kernel.process.child_process import (
    MOST_DEATHS,
    WALL_CONSTANT,
    WALL_FACTOR,
    Broken,
    Death,
    Supervision,
    run_child,
    weight,
)
from harness.kernel.process.confinement import adopt_orphans
from harness.kernel.process.progress import NOT_STARTED, Position, Progress
from harness.kernel.process.reported import ReportedError
from harness.kernel.process.telling import Beats, Teller, telling
from harness.kernel.program.steps import step_counter
from harness.kernel.running.baseline_slices import read_baseline, source_of, write_slice
from harness.kernel.running.batching import BATCH_SECONDS, MutantBatch
from harness.kernel.running.execution import inputs_of, last_calls_of, mutant_run, run_mutant
from harness.kernel.running.facts import (
    WORDS,
    Alive,
    Answer,
    BaselineFacts,
    BatchFacts,
    Fault,
    MutantFacts,
    MutantRun,
    ProbeFacts,
    Ready,
)
from harness.kernel.running.job import (
    ORDERS,
    ROWS,
    BaselineOrder,
    BatchOrder,
    MutantOrder,
    Order,
    ProbeOrder,
    RunJob,
)
from harness.kernel.running.kinds import Judging, kind_of
from harness.kernel.running.probing import InputSets, ProbeSite, probe_inputs
from harness.kernel.running.programs import Programs
from harness.kernel.running.testimony import believed, is_lost, lost
from harness.kernel.specs.spec import load_spec
from harness.model.outcome import KillReason, Phase

ORIGINAL_SECONDS = 60.0
"""The seconds on one input after which the original (assumed to terminate: section 7.2) is taken to be endless."""

_STARTS = 3
"""The number of attempts to start a child for the original: it may be killed from outside before it has begun."""

_ANY_SECONDS = 1e9
_LOADING_SECONDS = 60.0
_START = Position(NOT_STARTED, 0, 0)

T = TypeVar("T")


class Zygote:
    """The loaded original, ready to fork."""

    def __init__(self, job: RunJob, outbox: str, alive: Callable[[], None] = lambda: None) -> None:
        self._job = job
        self._outbox = outbox
        self._alive = alive
        self._counter = step_counter()
        self._counter.start(UNLIMITED)  # the spec's own loading and finitization spend steps, too
        self._spec = load_spec(job.spec_source, job.spec_filename, self._counter)
        self._suite = SuiteReader(Path(job.suite))
        self._suite.check()
        self._kind = kind_of(job, self._suite, self._spec, self._counter)
        self._source = source_of(job, self._suite.header.digest)
        self._programs = Programs(job, self._counter)
        self._original = self._programs.original
        self._baseline = Baseline()
        self._baseline_folder = ""

    def serve(self, order: Order) -> Answer:
        """Carry out an order in a child.

        Raises:
            MutascopeError: the original fails, or its baseline is missing or not as written.
        """
        if isinstance(order, BatchOrder):
            return BatchFacts(order.id, tuple(self._run_batch(order.orders)))
        if isinstance(order, BaselineOrder):
            return self._observe(order)
        return self._probe(order) if isinstance(order, ProbeOrder) else self._run(order)

    # -- the original -------------------------------------------------------------------------

    def _observe(self, order: BaselineOrder) -> BaselineFacts | Fault:
        progress = Progress(order.first, order.last)

        def work() -> BaselineFacts:
            baseline = Baseline(order.first)
            numbers = range(order.first, order.last)
            start = time.process_time()
            self._kind.observe(self._original, numbers, baseline, lambda number: progress.set(number, 0, 0))
            spent = time.process_time() - start
            write_slice(Path(self._outbox), self._source, baseline, spent, self._kind.is_apart)
            facts = baseline.facts
            return BaselineFacts(order.id, facts.inputs, facts.steps, facts.raised, spent)

        return self._on_original(order, BaselineFacts, work, progress)

    def _probe(self, order: ProbeOrder) -> ProbeFacts | Fault:
        if self._kind.needs_baseline:
            self._read_baseline(order.baseline, order.last)
        progress = Progress(order.first, order.last)

        def work() -> ProbeFacts:
            probes = json.loads(Path(order.probes).read_text(encoding="utf-8"))
            reached, infected, last = (InputSets(probes["mutants"], order.first, order.last) for _ in range(3))
            left = probe_inputs(
                partial(self._programs.probed, probes["text"]),
                lambda module: self._kind.inputs(module, self._baseline),
                (ProbeSite(*map(tuple, site)) for site in probes["sites"]),
                range(order.first, order.last),
                reached,
                infected,
                observe=self._kind.oracle.observe if order.judged else _call_only,
                started=lambda number: progress.set(number, 0, 0),
                last_calls=last if order.apart else None,
                state_of=self._programs.leftovers.of_original,
            )
            rows = b"".join([*reached.rows, *infected.rows, *(last.rows if order.apart else ())])
            Path(self._outbox, ROWS).write_bytes(rows)
            return ProbeFacts(order.id, hashlib.sha256(rows).hexdigest(), left)

        return self._on_original(order, ProbeFacts, work, progress)

    def _on_original(
        self, order: BaselineOrder | ProbeOrder, kind: type[T], work: Callable[[], T], progress: Progress
    ) -> T | Fault:
        """Have a child run the original. Return its message.

        Raises:
            MutascopeError: the child reports one.
            BaselineError: the original dies on an input.
        """
        limits = replace(self._job.limits, memory=1 << 34, file_size=1 << 30)  # what is written is our own
        current, how = NOT_STARTED, ""
        for _ in range(_STARTS):
            outcome = run_child(
                kind,
                work,
                limits,
                _ANY_SECONDS,
                Supervision(progress, lambda _: ORIGINAL_SECONDS, alive=self._alive),
                writable=[self._outbox],
            )
            if isinstance(outcome, ReportedError):
                raise outcome.error()
            if isinstance(outcome, Broken):
                return Fault(order.id, outcome.fault)
            if not isinstance(outcome, Death):
                return outcome
            position, how = progress.position(), outcome.detail
            current = NOT_STARTED if position is None else position.current
            if outcome.reason is KillReason.WALL_LIMIT:
                works = f"did not return within {ORIGINAL_SECONDS:g} s of processor time"
                how = "sleeps or waits, and does not return" if outcome.slept else works
            if current != NOT_STARTED:
                break
        if current == NOT_STARTED:
            return Fault(order.id, f"the child that runs the original died {_STARTS} times as it started: {how}")
        input_text = self._kind.show(self._original, current)
        raise BaselineError(
            f"the original fails on input {current}, {input_text}: {how}; correct the implementation or the spec"
        )

    # -- mutants ------------------------------------------------------------------------------

    def _run_batch(self, orders: Sequence[MutantOrder]) -> list[MutantFacts | Fault]:
        """Return facts of the first mutants: as many as one child can run, or as there is time for, each in its own."""
        began = time.perf_counter()
        for order in orders:
            self._read_baseline(order.baseline, order.last)
        self._alive()
        timed_runs = self._batch.run(orders, self._baseline, self._most_cpu_seconds, self._allowed_seconds)
        answers: list[MutantFacts | Fault] = [
            self._facts(order, timed.run, timed.seconds) for order, timed in zip(orders, timed_runs, strict=False)
        ]
        for order in orders[: 0 if answers else len(orders)]:
            answers.append(self._run(order))
            if time.perf_counter() - began > BATCH_SECONDS:
                break
        return answers

    def _run(self, order: MutantOrder) -> MutantFacts | Fault:
        began = time.perf_counter()
        self._read_baseline(order.baseline, order.last)
        progress = Progress(order.first, order.last, order.backwards)
        nothing = next(inputs_of(order), None) is None  # a row that cannot be read is our fault, and told here
        self._alive()
        if order.first and nothing:  # an earlier order has loaded it
            run: MutantRun | Fault = mutant_run(order, self._baseline, None, None, _START)
        else:
            run_inputs = self._run_all if order.matrix else self._run_until_dead
            run = run_inputs(order, self._programs.compiled(order), progress)
        seconds = time.perf_counter() - began
        if isinstance(run, Fault):
            return replace(run, seconds=seconds)
        facts = self._facts(order, run, seconds)
        return replace(facts, bits=progress.bits(run.inputs_run)) if order.matrix and not is_lost(run) else facts

    def _facts(self, order: MutantOrder, run: MutantRun, seconds: float) -> MutantFacts:
        text = "" if run.input is None else self._kind.show(self._original, run.input)
        return MutantFacts(**vars(run), id=order.id, input_text=text, seconds=seconds)

    def _read_baseline(self, folder: str, last: int) -> None:
        """Read the original's outcomes on the inputs before `last`, unless they were read already."""
        if folder != self._baseline_folder or len(self._baseline) < last:
            self._baseline = read_baseline(Path(folder), self._source, last, self._alive)
            self._baseline.steps_before(0)
            self._baseline_folder = folder
            gc.collect()
            gc.freeze()  # children share these pages untouched

    def _run_all(self, order: MutantOrder, code: CodeType | None, progress: Progress) -> MutantRun | Fault:
        """Run every input for a row of kills, continuing in a new child after an input that killed the process.

        After MOST_DEATHS, counted by their weight, the row ends there, and the facts stay marked `died`.
        """
        behind, deaths = _START, 0
        while deaths < MOST_DEATHS:
            run = self._run_until_dead(order, code, progress, behind)
            behind = progress.position() or _START
            if isinstance(run, Fault) or run.left or is_lost(run):
                return run  # it is run once more, or a fault, or nobody knows where it was
            if not run.died:
                if deaths == 0:
                    return run
                break
            if behind.current == NOT_STARTED:
                loaded_before = deaths > 0 or order.first > 0
                return Fault(order.id, "its module was loaded once, and then not again") if loaded_before else run
            progress.mark(behind.current)
            behind = behind._replace(executed=behind.executed + 1)
            assert run.reason is not None
            deaths += weight(run.reason, run.detail)
        assert isinstance(run, MutantRun)
        # A child's observations are lost when it dies; running the first killing input again restores them.
        first = progress.first_kill()
        again = self._run_until_dead(
            replace(order, first=first, last=first + 1, input_mask=None, matrix=False), code, Progress(first, first + 1)
        )
        if isinstance(again, Fault) or again.reason is None:
            return Fault(order.id, f"it died of input {first} only behind others")
        return replace(run, reason=again.reason, phase=again.phase, detail=again.detail, input=again.input, steps=None)

    def _run_until_dead(
        self,
        order: MutantOrder,
        code: CodeType | None,
        progress: Progress,
        behind: Position = _START,
    ) -> MutantRun | Fault:
        """Return the facts of one child's run; a child's death is a fact as well, marked `died`."""

        def work() -> MutantRun:
            load = partial(programs.mutant, order, code)
            state_of = partial(programs.leftovers.of_mutant, order, code)
            return run_mutant(order, load, partial(self._judge, order), self._baseline, progress, behind, state_of)

        programs = self._programs

        for attempt in range(2):
            progress.set(NOT_STARTED, behind.executed, behind.surplus)
            message = run_child(
                MutantRun,
                work,
                self._job.limits,
                self._most_cpu_seconds(order),
                Supervision(progress, self._allowed_seconds, alive=self._alive),
            )
            outcome = message if isinstance(message, Death) else believed(message, order, progress)
            # A death that the machine (SIGKILL: memory) or the harness may have caused is accepted only at the second
            # time.
            if not (isinstance(outcome, Death) and outcome.outside and attempt == 0):
                break
        if not isinstance(outcome, Death):
            return outcome
        position = progress.position()
        if position is None:
            return lost(outcome.detail)
        started = position.current != NOT_STARTED
        kill = Kill(outcome.reason, Phase.CALL if started else Phase.LOAD, outcome.detail)
        position = position._replace(executed=position.executed + started)
        number = position.current if started else None
        run = mutant_run(replace(order, matrix=False), self._baseline, kill, number, position)
        return replace(run, steps=None, died=True)

    def _most_cpu_seconds(self, order: MutantOrder) -> float:
        """Return more than all inputs together are allowed; otherwise slow inputs would count against the last one."""
        allowed = WALL_FACTOR * self._baseline.all_seconds + WALL_CONSTANT * (order.last - order.first)
        return _LOADING_SECONDS + 4 * allowed

    def _allowed_seconds(self, number: int) -> float:
        """Return the paper's limit, 10 T_o + 1 s."""
        return WALL_FACTOR * (0.0 if number == NOT_STARTED else self._baseline.seconds(number)) + WALL_CONSTANT

    # -- judges ------------------------------------------------------------------------------

    def _judge(self, order: MutantOrder, mutant: ModuleType) -> Judging:
        return self._kind.judge(mutant, self._baseline, last_calls_of(order))

    def _judge_closed(self, mutant: ModuleType) -> Judging:
        return self._kind.judge(mutant, self._baseline, closed=True)

    @cached_property
    def _batch(self) -> MutantBatch:
        """The runner of several mutants in one child, if the job allows that."""
        programs, leftovers, limits = self._programs, self._programs.leftovers, self._job.limits
        fits = not self._job.implementation.companions and self._kind.keeps_nothing(leftovers.module, self._baseline)
        program = leftovers.program if fits else None
        return MutantBatch(program, programs.compiled, programs.mutant, self._judge_closed, limits, self._alive)


def _call_only(prepared: Prepared) -> None:
    """Run an input; an exception of its calls is an outcome like others."""
    prepared.lead_up()
    with suppress(BaseException):
        prepared.invoke()


def serve_orders(job_path: str, outbox: str, orders_end: str, facts_end: str) -> int:
    """Serve orders until their pipe closes, and write errors of the user's making, too. Return the exit status."""

    def work(teller: Teller, beats: Beats) -> None:
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
