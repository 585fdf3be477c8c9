"""The sandboxed worker: loads the original once, then forks a confined child for every order.

`main` is called by `kernel.process.containment.launch` with JOB, OUTBOX and the numbers of two inherited pipe ends,
ORDERS and FACTS; what the original's children write goes to the folder OUTBOX. Orders come in and facts go out as
JSON lines. Each mutant has a process of its own, so no mutant sees what another one left behind, and a
death is one mutant's death.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from types import CodeType, ModuleType

from harness.errors import MutascopeError, SourceError
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.oracle import UNLIMITED, Kill
from harness.kernel.judging.prepared import Prepared
from harness.kernel.process.child_process import MOST_DEATHS, WALL_CONSTANT, WALL_FACTOR, Death, run_child, weight
from harness.kernel.process.confinement import adopt_orphans
from harness.kernel.process.progress import NOT_STARTED, Position, Progress
from harness.kernel.program.loader import ModuleText, compile_with_ticks, execute, execute_with_ticks
from harness.kernel.program.recompile import Recompiler
from harness.kernel.program.steps import step_counter
from harness.kernel.running.baseline_slices import read_baseline, source_of, write_slice
from harness.kernel.running.execution import Facts, inputs_of, last_calls_of, mutant_facts, run_mutant
from harness.kernel.running.job import (
    LEFT,
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
from harness.kernel.running.leftovers import Leftovers
from harness.kernel.running.probing import InputSets, ProbeSite, probe_inputs
from harness.kernel.running.testimony import believed, is_lost, lost
from harness.kernel.running.together import BATCH_SECONDS, Together
from harness.kernel.specs.spec import load_spec
from harness.model.outcome import KillReason, Phase

LOAD_BUDGET = 1_000_000
"""Steps for loading a mutant's module, which may loop as well."""

ORIGINAL_SECONDS = 60.0
"""After so long on one input, the original (assumed to terminate: section 7.2) is taken to be endless."""

_STARTS = 3
"""Attempts to start a child for the original: it may be killed from outside before it has begun."""

_ANY_SECONDS = 1e9
_MOST_SHOWN = 1024
"""Inputs whose texts are kept."""
_LOADING_SECONDS = 60.0
_START = Position(NOT_STARTED, 0, 0)


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
        self._metamutant = self._compile_metamutant()
        self._original = self._load_original()
        self._baseline = Baseline()
        self._baseline_folder = ""
        self._shown: dict[int, str] = {}  # most mutants die of one of few inputs

    def serve(self, order: Order) -> Facts:
        """Carries out an order in a child; its facts, with `id` and `seconds`.

        Raises:
            MutascopeError: what the original did is not there, or is not what was written.
        """
        began = time.perf_counter()
        if isinstance(order, BatchOrder):
            return {"id": order.id, "batch": self._run_batch(order.orders)}
        if isinstance(order, BaselineOrder):
            facts = self._observe(order)
        elif isinstance(order, ProbeOrder):
            facts = self._probe(order)
        else:
            facts = self._run(order)
        return {"id": order.id, **facts, "seconds": time.perf_counter() - began}

    # -- the original -------------------------------------------------------------------------

    def _observe(self, order: BaselineOrder) -> Facts:
        progress = Progress(order.first, order.last)

        def work() -> Facts:
            baseline = Baseline(order.first)
            numbers = range(order.first, order.last)
            start = time.process_time()
            self._kind.observe(self._original, numbers, baseline, lambda number: progress.set(number, 0, 0))
            spent = time.process_time() - start
            write_slice(Path(self._outbox), self._source, baseline, spent, self._kind.is_apart)
            facts = baseline.facts
            return {"inputs": facts.inputs, "steps": facts.steps, "raised": facts.raised, "cpu_seconds": spent}

        return self._on_original(work, progress)

    def _probe(self, order: ProbeOrder) -> Facts:
        if self._kind.needs_baseline:
            self._read_baseline(order.baseline, order.last)
        progress = Progress(order.first, order.last)

        def work() -> Facts:
            probes = json.loads(Path(order.probes).read_text(encoding="utf-8"))
            reached, infected, last = (InputSets(probes["mutants"], order.first, order.last) for _ in range(3))
            left = probe_inputs(
                partial(self._load_probed, probes["text"]),
                lambda module: self._kind.inputs(module, self._baseline),
                (ProbeSite(*map(tuple, site)) for site in probes["sites"]),
                range(order.first, order.last),
                reached,
                infected,
                observe=self._kind.oracle.observe if order.judged else _call_only,
                started=lambda number: progress.set(number, 0, 0),
                last_calls=last if order.apart else None,
                state_of=self._leftovers.of_original,
            )
            rows = b"".join([*reached.rows, *infected.rows, *(last.rows if order.apart else ())])
            Path(self._outbox, ROWS).write_bytes(rows)
            return {"digest": hashlib.sha256(rows).hexdigest(), LEFT: left}

        return self._on_original(work, progress)

    def _on_original(self, work: Callable[[], Facts], progress: Progress) -> Facts:
        limits = replace(self._job.limits, memory=1 << 34, file_size=1 << 30)  # what is written is our own
        current, how = NOT_STARTED, ""
        for _ in range(_STARTS):
            ended = run_child(
                work,
                progress,
                limits,
                _ANY_SECONDS,
                lambda _: ORIGINAL_SECONDS,
                writable=[self._outbox],
                alive=self._alive,
            )
            if not isinstance(ended, Death):
                return ended
            position, how = progress.position(), ended.detail
            current = NOT_STARTED if position is None else position.current
            if ended.reason is KillReason.WALL_LIMIT:
                works = f"did not return within {ORIGINAL_SECONDS:g} s of processor time"
                how = "sleeps or waits, and does not return" if ended.slept else works
            if current != NOT_STARTED:
                break
        if current == NOT_STARTED:
            return {"fault": f"the child that runs the original died {_STARTS} times as it started: {how}"}
        shown = self._kind.show(self._original, current)
        message = f"the original fails on input {current}, {shown}: {how}; correct the implementation or the spec"
        return {"error": {"kind": "BaselineError", "message": message}}

    # -- mutants ------------------------------------------------------------------------------

    def _run_batch(self, orders: Sequence[MutantOrder]) -> list[Facts]:
        """Facts of the first ones: of all that one child can run, else of those that have time, each in its own."""
        began = time.perf_counter()
        for order in orders:
            self._read_baseline(order.baseline, order.last)
        self._alive()
        found = self._together.run(orders, self._baseline, self._most_cpu_seconds, self._allowed_seconds)
        for facts in found:
            self._complete(facts)
        for order in orders[: 0 if found else len(orders)]:
            found.append(self.serve(order))
            if time.perf_counter() - began > BATCH_SECONDS:
                break
        return found

    def _run(self, order: MutantOrder) -> Facts:
        self._read_baseline(order.baseline, order.last)
        progress = Progress(order.first, order.last, order.backwards)
        nothing = next(inputs_of(order), None) is None  # a row that cannot be read is our fault, and told here
        self._alive()
        if order.first and nothing:  # an earlier order has loaded it
            facts = mutant_facts(order, self._baseline, None, None, _START)
        else:
            run = self._run_all if order.matrix else self._run_until_dead
            facts = run(order, self._compiled(order), progress)
        if order.matrix and "inputs_run" in facts and not is_lost(facts):
            facts["bits"] = progress.bits(facts["inputs_run"]).hex()
        return self._complete(facts)

    def _complete(self, facts: Facts) -> Facts:
        number = facts.get("input")
        if number is not None:
            if number not in self._shown:
                if len(self._shown) >= _MOST_SHOWN:
                    self._shown.clear()
                self._shown[number] = self._kind.show(self._original, number)
            facts["shown"] = self._shown[number]
        return facts

    def _read_baseline(self, folder: str, last: int) -> None:
        """Reads what the original did on the inputs before `last`, if that is not here yet."""
        if folder != self._baseline_folder or len(self._baseline) < last:
            self._baseline = read_baseline(Path(folder), self._source, last, self._alive)
            self._baseline.steps_before(0)
            self._baseline_folder = folder
            gc.collect()
            gc.freeze()  # children share these pages untouched

    def _run_all(self, order: MutantOrder, code: CodeType | None, progress: Progress) -> Facts:
        """With a row of kills: every input, going on in a new child behind an input that killed the process.

        After MOST_DEATHS, counted by their weight, the row ends there, and the facts stay marked `died`.
        """
        behind, deaths = _START, 0
        while deaths < MOST_DEATHS:
            facts = self._run_until_dead(order, code, progress, behind)
            behind = progress.position() or _START
            if LEFT in facts or "reason" not in facts or is_lost(facts):
                return facts  # it is run once more, or a fault, or nobody knows where it was
            if not facts.get("died"):
                if deaths == 0:
                    return facts
                break
            if behind.current == NOT_STARTED:
                loaded_before = deaths > 0 or order.first > 0
                return {"fault": "its module was loaded once, and then not again"} if loaded_before else facts
            progress.mark(behind.current)
            behind = behind._replace(executed=behind.executed + 1)
            deaths += weight(KillReason(facts["reason"]), facts["detail"])
        # What a child saw before it died went with it; the first killing input tells it again.
        first = progress.first_kill()
        again = self._run_until_dead(
            replace(order, first=first, last=first + 1, wanted=None, matrix=False), code, Progress(first, first + 1)
        )
        if again.get("reason") is None:
            return {"fault": f"it died of input {first} only behind others"}
        return {**facts, **{key: again[key] for key in ("reason", "phase", "detail", "input")}, "steps": None}

    def _run_until_dead(
        self,
        order: MutantOrder,
        code: CodeType | None,
        progress: Progress,
        behind: Position = _START,
    ) -> Facts:
        """Facts of one child's run; a child's death is a fact as well, marked `died`."""

        def work() -> Facts:
            load, state_of = partial(self._load_mutant, order, code), partial(self._leftovers.of_mutant, order, code)
            return run_mutant(order, load, partial(self._judge, order), self._baseline, progress, behind, state_of)

        for attempt in range(2):
            progress.set(NOT_STARTED, behind.executed, behind.surplus)
            ended = run_child(
                work,
                progress,
                self._job.limits,
                self._most_cpu_seconds(order),
                self._allowed_seconds,
                alive=self._alive,
            )
            if not isinstance(ended, Death):
                ended = believed(ended, order, progress)
            # What may be the machine's doing (SIGKILL: memory) or our own is believed at the second time.
            if not (isinstance(ended, Death) and ended.outside and attempt == 0):
                break
        if not isinstance(ended, Death):
            return ended
        position = progress.position()
        if position is None:
            return lost(ended.detail)
        started = position.current != NOT_STARTED
        kill = Kill(ended.reason, Phase.CALL if started else Phase.LOAD, ended.detail)
        position = position._replace(executed=position.executed + started)
        number = position.current if started else None
        facts = mutant_facts(replace(order, matrix=False), self._baseline, kill, number, position)
        return {**facts, "steps": None, "died": True}

    def _most_cpu_seconds(self, order: MutantOrder) -> float:
        """More than all inputs together are allowed: else the sum of slow ones would count against the last of them."""
        allowed = WALL_FACTOR * self._baseline.all_seconds + WALL_CONSTANT * (order.last - order.first)
        return _LOADING_SECONDS + 4 * allowed

    def _allowed_seconds(self, number: int) -> float:
        """The paper's 10 T_o + 1 s."""
        return WALL_FACTOR * (0.0 if number == NOT_STARTED else self._baseline.seconds(number)) + WALL_CONSTANT

    # -- modules ------------------------------------------------------------------------------

    def _judge(self, order: MutantOrder, mutant: ModuleType) -> Judging:
        return self._kind.judge(mutant, self._baseline, last_calls_of(order))

    def _judge_closed(self, mutant: ModuleType) -> Judging:
        return self._kind.judge(mutant, self._baseline, closed=True)

    @cached_property
    def _leftovers(self) -> Leftovers:
        """Tells who leaves something to later inputs."""
        if self._metamutant is None:
            return Leftovers(self._job.implementation, self._recompiler.original, self._original)
        self._counter.start(UNLIMITED)
        original = execute_with_ticks(self._job.implementation, self._counter, self._metamutant)
        return Leftovers(self._text(self._job.metamutant or ""), self._metamutant, original)

    @cached_property
    def _together(self) -> Together:
        """Runs mutants in one child, where that can be."""
        leftovers, limits = self._leftovers, self._job.limits
        fits = not self._job.implementation.companions and self._kind.keeps_nothing(leftovers.module, self._baseline)
        program = leftovers.program if fits else None
        return Together(program, self._compiled, self._load_mutant, self._judge_closed, limits, self._alive)

    def _text(self, source: str) -> ModuleText:
        return replace(self._job.implementation, source=source)

    def _compile_metamutant(self) -> CodeType | None:
        return None if self._job.metamutant is None else compile_with_ticks(self._text(self._job.metamutant))

    def _load_original(self) -> ModuleType:
        text = self._job.implementation
        try:
            self._recompiler = Recompiler(text)
            return execute_with_ticks(text, self._counter, self._recompiler.original)
        except SyntaxError as error:
            raise SourceError(f"{text.filename}:{error.lineno}: {error.msg}; correct the source") from None
        except Exception as error:
            raise SourceError(f"{text.filename} raised {type(error).__name__} on loading: {error}") from None

    def _load_probed(self, source: str, functions: Mapping[str, object]) -> ModuleType:
        self._counter.start(UNLIMITED)
        return execute(self._text(source), presets=functions)

    def _compiled(self, order: MutantOrder) -> CodeType | None:
        """The mutant's code, compiled once for all of its children; None where it does not compile."""
        if order.source is None:
            return self._metamutant
        try:
            return self._recompiler.compile(order.source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None  # the child comes upon it again, as a fact about loading

    def _load_mutant(self, order: MutantOrder, code: CodeType | None) -> ModuleType:
        self._counter.start(LOAD_BUDGET)
        if order.source is not None:
            return execute_with_ticks(self._text(order.source), self._counter, code)
        if self._metamutant is None or order.number is None:
            raise ValueError(f"{order.id}: neither a source nor a number in a metamutant")
        return execute_with_ticks(self._job.implementation, self._counter, code, order.number)


def _call_only(prepared: Prepared) -> None:
    """Runs an input; what it raises is an outcome like others."""
    prepared.lead_up()
    with suppress(BaseException):
        prepared.invoke()


def serve_orders(job_path: str, outbox: str, orders_end: str, facts_end: str) -> int:
    """Serves orders until their pipe closes. Errors of the user's making go out as facts."""
    out = os.fdopen(int(facts_end), "w", buffering=1, encoding="utf-8")
    os.set_inheritable(int(orders_end), False)
    os.set_inheritable(int(facts_end), False)
    adopt_orphans()

    def tell(facts: Facts) -> None:
        out.write(json.dumps(facts) + "\n")
        out.flush()

    try:
        zygote = Zygote(RunJob.read(Path(job_path)), outbox, lambda: tell({"alive": True}))
        tell({"ready": True})
        gc.collect()
        gc.freeze()
        with os.fdopen(int(orders_end), encoding="utf-8") as orders:
            for line in orders:
                tell(zygote.serve(ORDERS.of_json(line)))
    except MutascopeError as error:
        tell({"error": {"kind": type(error).__name__, "message": str(error)}})
        return error.exit_status
    return 0
