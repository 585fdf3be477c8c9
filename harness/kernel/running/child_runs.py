"""Runs the original in a child, and mutants, each in one of its own or several in one; deaths are facts, too.

Several share one child, one after the other, as a process for each costs ten times as much as its run. This is done for
programs that leave nothing behind (`IsolatedProgram`), with a spec and inputs that they cannot change; all others run
alone. If it goes wrong (the child dies, or a mutant takes much memory), the results of the mutants before are accepted,
or none, and the others are run again, alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple, TypeVar

from harness.errors import BaselineError, StoreError
from harness.kernel.inputs.describe import exception_name
from harness.kernel.inputs.suites import BLOCK, MOST_BLOCKS
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.isolation import IsolatedProgram
from harness.kernel.judging.judge import InfectingCalls, Judge
from harness.kernel.judging.oracle import Kill
from harness.kernel.judging.prepared import run_whole
from harness.kernel.objects.module_state import ModuleState
from harness.kernel.process.child_process import Broken, ChildDeath, Supervision, run_child
from harness.kernel.process.limits import MOST_DEATHS, allowed_seconds, weight
from harness.kernel.process.progress import NOT_STARTED, Position, Progress, Turns
from harness.kernel.process.talk import ReportedError
from harness.kernel.program.loader import limit_recursion
from harness.kernel.running.baseline_slices import write_slice
from harness.kernel.running.fact_validation import is_lost, lost, validated_facts
from harness.kernel.running.job import (
    ROWS,
    BaselineFacts,
    BaselineOrder,
    HarnessFault,
    InputMask,
    MutantFacts,
    MutantOrder,
    MutantRun,
    ProbeFacts,
    ProbeOrder,
)
from harness.kernel.running.loaded_job import LoadedJob
from harness.kernel.running.probing import InputSets, ProbeSite, probe_inputs
from harness.model.outcome import KillReason, Phase

_SET_BITS = [tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256)]


def run_mutant(  # noqa: C901, PLR0913 (one frame above the program)
    order: MutantOrder,
    load: Callable[[], ModuleType],
    judge_of: Callable[[ModuleType, ModuleState | None], Judge],
    baseline: Baseline,
    progress: Progress,
    behind: Position,
    state_of: Callable[[ModuleType], ModuleState | None] = lambda module: None,
) -> MutantRun:
    """Run a mutant on the order's inputs after the position `behind` (of an earlier child, which died there).

    What `state_of` says that the module keeps is put back before each input. Where that is impossible, and not all
    inputs are run, the run ends and reports that something was left.
    """
    limit_recursion()
    try:
        module = load()
    except BaseException as error:
        kill = Kill(KillReason.EXCEPTION, Phase.LOAD, f"loading the module raised {exception_name(error)}")
        return mutant_run(order, baseline, kill, None, Position(NOT_STARTED, 0, 0))
    state = state_of(module)
    judge = judge_of(module, state)
    if order.input_mask is None:
        state = None
    _, executed, judge.surplus = behind
    first: tuple[Kill, int] | None = None
    kills, end = progress.kills(), order.last
    if order.most_kills is not None and kills >= order.most_kills:
        end = _end_of_eight(behind.current, order)
    for number in inputs_of(order, behind.current):
        if number >= end:
            break
        if judge.is_known_survivor(number):
            continue
        progress.set(number, executed, judge.surplus)
        outcome = judge.judge(number)
        executed += 1
        if outcome is not None:
            first = first or (outcome, number)
            if not order.matrix:
                break
            progress.mark(number)
            kills += 1
            if kills == order.most_kills:
                end = _end_of_eight(number, order)
        if state is not None and state.lost:
            break
    order = order if end == order.last else replace(order, last=end)
    end_position = Position(NOT_STARTED, executed, judge.surplus)
    if state is not None and not state.put_back():
        return replace(mutant_run(order, baseline, None, None, end_position), left=True)
    if first is None:
        return mutant_run(order, baseline, None, None, end_position)
    return mutant_run(order, baseline, *first, end_position)


def _end_of_eight(number: int, order: MutantOrder) -> int:
    return min((number | 7) + 1, order.last)


def inputs_of(order: MutantOrder, behind: int = NOT_STARTED) -> Iterator[int]:
    """Return the numbers of the inputs to be executed, in order; only those after input `behind`, if that is one."""
    first, last = order.first, order.last
    if order.backwards:
        return iter(range((last if behind == NOT_STARTED else behind) - 1, first - 1, -1))
    if behind != NOT_STARTED:
        first = behind + 1
    return iter(range(first, last)) if order.input_mask is None else masked_inputs(order.input_mask, first, last)


def masked_inputs(mask: InputMask, first: int, last: int) -> Iterator[int]:
    """Yield the inputs from `first` to `last - 1` that are set in the row."""
    for at, byte in enumerate(_row(mask, first, last), first >> 3):
        for bit in _SET_BITS[byte]:
            number = at * 8 + bit
            if first <= number < last:
                yield number


def last_calls_of(order: MutantOrder) -> InfectingCalls | None:
    """Return the row of the order that says which inputs' last calls may infect its mutant, if it has one."""
    row = order.last_calls
    return None if row is None else InfectingCalls(order.first, _row(row, order.first, order.last))


def _row(mask: InputMask, first: int, last: int) -> bytes:
    """Return the bytes that hold the bits of inputs `first` to `last - 1`."""
    start = first >> 3
    descriptor = os.open(mask.path, os.O_RDONLY)
    try:
        row = os.pread(descriptor, ((last + 7) >> 3) - start, mask.offset + start)
    finally:
        os.close(descriptor)
    if len(row) != ((last + 7) >> 3) - start:
        raise StoreError(f"{mask.path}: ends too early; run the same command again")
    return row


def mutant_run(
    order: MutantOrder, baseline: Baseline, kill: Kill | None, number: int | None, position: Position
) -> MutantRun:
    """Return the facts of a run that ended with `kill` on input `number`, or ran to the end.

    Inputs that needed no execution count as run, with the original's steps.
    """
    first, last = order.first, order.last
    if kill is not None and number is None:
        last = first  # it died while it was loaded
    elif number is not None and not order.matrix:
        first, last = (number, last) if order.backwards else (first, number + 1)
    steps = baseline.steps_before(last) - baseline.steps_before(first)
    return MutantRun(
        reason=kill.reason if kill else None,
        phase=kill.phase if kill else None,
        detail=kill.detail if kill else "",
        input=number,
        inputs_run=last - first,
        executed=position.executed,
        steps=steps + position.surplus,
    )


_LOADING_SECONDS = 60.0
_START = Position(NOT_STARTED, 0, 0)

_BATCH_SECONDS = 1.0
"""The seconds after which the remaining mutants are ordered again, so that results are stored meanwhile."""

_MOST_GROWTH = 32 << 10
"""KiB by which one mutant may let the process grow; a mutant that takes more runs alone, with all memory allowed."""


@dataclass(frozen=True)
class TimedRun:
    """A run of a mutant, and the seconds that it took."""

    run: MutantRun
    seconds: float


@dataclass(frozen=True)
class RunsTogether:
    """The runs of the first mutants of a batch, as reported by the child that made all of them."""

    runs: tuple[TimedRun, ...]


class _Part(NamedTuple):
    """A mutant of a batch, and the seconds that compiling it took."""

    order: MutantOrder
    code: CodeType | None
    progress: Progress
    seconds: float


class MutantRuns:
    """Runs mutants of a job, and compares them with the baseline."""

    def __init__(self, loaded: LoadedJob) -> None:
        self._loaded = loaded

    def run_batch(self, orders: Sequence[MutantOrder]) -> list[MutantFacts | HarnessFault]:
        """Return facts of the first mutants: as many as one child can run, or as there is time for, each in its own."""
        began = time.perf_counter()
        for order in orders:
            self._loaded.read_baseline(order.baseline, order.last)
        self._loaded.alive()
        timed_runs = self._run_together(orders)
        answers: list[MutantFacts | HarnessFault] = [
            self._facts(order, timed.run, timed.seconds) for order, timed in zip(orders, timed_runs, strict=False)
        ]
        for order in orders[: 0 if answers else len(orders)]:
            answers.append(self.run(order))
            if time.perf_counter() - began > _BATCH_SECONDS:
                break
        return answers

    def run(self, order: MutantOrder) -> MutantFacts | HarnessFault:
        """Return the facts of one mutant."""
        began = time.perf_counter()
        self._loaded.read_baseline(order.baseline, order.last)
        progress = Progress(order.first, order.last, order.backwards)
        nothing = next(inputs_of(order), None) is None  # a row that cannot be read is our fault, and told here
        self._loaded.alive()
        if order.first and nothing:  # an earlier order has loaded it
            run: MutantRun | HarnessFault = mutant_run(order, self._loaded.baseline, None, None, _START)
        else:
            run_inputs = self._run_all if order.matrix else self._run_until_dead
            run = run_inputs(order, self._loaded.programs.compiled(order), progress)
        seconds = time.perf_counter() - began
        if isinstance(run, HarnessFault):
            return replace(run, seconds=seconds)
        facts = self._facts(order, run, seconds)
        return replace(facts, bits=progress.bits(run.inputs_run)) if order.matrix and not is_lost(run) else facts

    def _facts(self, order: MutantOrder, run: MutantRun, seconds: float) -> MutantFacts:
        text = "" if run.input is None else self._loaded.show(run.input)
        return MutantFacts(**vars(run), id=order.id, input_text=text, seconds=seconds)

    def _run_all(self, order: MutantOrder, code: CodeType | None, progress: Progress) -> MutantRun | HarnessFault:
        """Run every input for a row of kills, continuing in a new child after an input that killed the process.

        After MOST_DEATHS, counted by their weight, the row ends there, and the facts stay marked `died`.
        """
        behind, deaths = _START, 0
        while deaths < MOST_DEATHS:
            run = self._run_until_dead(order, code, progress, behind)
            behind = progress.position() or _START
            if isinstance(run, HarnessFault) or run.left or is_lost(run):
                return run  # it is run once more, or a fault, or nobody knows where it was
            if not run.died:
                if deaths == 0:
                    return run
                break
            if behind.current == NOT_STARTED:
                loaded_before = deaths > 0 or order.first > 0
                return (
                    HarnessFault(order.id, "its module was loaded once, and then not again") if loaded_before else run
                )
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
        if isinstance(again, HarnessFault) or again.reason is None:
            return HarnessFault(order.id, f"it died of input {first} only behind others")
        return replace(run, reason=again.reason, phase=again.phase, detail=again.detail, input=again.input, steps=None)

    def _run_until_dead(
        self,
        order: MutantOrder,
        code: CodeType | None,
        progress: Progress,
        behind: Position = _START,
    ) -> MutantRun | HarnessFault:
        """Return the facts of one child's run; a child's death is a fact as well, marked `died`."""
        loaded = self._loaded

        def work() -> MutantRun:
            load = partial(loaded.programs.mutant, order, code)
            state_of = partial(loaded.programs.state_of_mutant, order, code)
            return run_mutant(order, load, partial(self._judge, order), loaded.baseline, progress, behind, state_of)

        for attempt in range(2):
            progress.set(NOT_STARTED, behind.executed, behind.surplus)
            message = run_child(
                MutantRun,
                work,
                self._loaded.job.limits,
                self._most_cpu_seconds(order),
                Supervision(progress, self._allowed_seconds, alive=self._loaded.alive),
            )
            outcome = message if isinstance(message, ChildDeath) else validated_facts(message, order, progress)
            # A death that the machine (SIGKILL: memory) or the harness may have caused is accepted only at the second
            # time.
            if not (isinstance(outcome, ChildDeath) and outcome.outside and attempt == 0):
                break
        if not isinstance(outcome, ChildDeath):
            return outcome
        position = progress.position()
        if position is None:
            return lost(outcome.detail)
        started = position.current != NOT_STARTED
        kill = Kill(outcome.reason, Phase.CALL if started else Phase.LOAD, outcome.detail)
        position = position._replace(executed=position.executed + started)
        number = position.current if started else None
        run = mutant_run(replace(order, matrix=False), self._loaded.baseline, kill, number, position)
        return replace(run, steps=None, died=True)

    def _most_cpu_seconds(self, order: MutantOrder) -> float:
        """Return more than all inputs together are allowed; otherwise slow inputs would count against the last one."""
        return _LOADING_SECONDS + 4 * allowed_seconds(self._loaded.baseline.all_seconds, order.last - order.first)

    def _allowed_seconds(self, number: int) -> float:
        """Return the limit of an input; of loading the module, that of an input on which the original takes no time."""
        return allowed_seconds(0.0 if number == NOT_STARTED else self._loaded.baseline.seconds(number))

    def _judge(self, order: MutantOrder, mutant: ModuleType, kept: ModuleState | None) -> Judge:
        return self._loaded.judged.judge(mutant, self._loaded.baseline, last_calls_of(order), kept=kept)

    # -- several in one child ----------------------------------------------------------------------

    @cached_property
    def _isolated(self) -> IsolatedProgram | None:
        """The program, if mutants of it can share a child."""
        return self._loaded.programs.isolated if self._loaded.judged.keeps_nothing() else None

    def _run_together(self, orders: Sequence[MutantOrder]) -> list[TimedRun]:
        """Return the runs of the first mutants in one child; none if the first one has to run alone."""
        program, first, last = self._isolated, orders[0].first, orders[0].last
        if program is None:
            return []
        if any(order.matrix or order.backwards or (order.first, order.last) != (first, last) for order in orders):
            return []
        parts = list(map(self._part, orders, Progress.of_several(len(orders), first, last)))
        turns = Turns([part.progress for part in parts], first, last)
        outcome = run_child(
            RunsTogether,
            lambda: RunsTogether(tuple(self._run_parts(program, parts, turns))),
            self._loaded.job.limits,
            sum(map(self._most_cpu_seconds, orders)),
            Supervision(turns, lambda current: self._allowed_seconds(turns.input(current)), alive=self._loaded.alive),
        )
        return _believed(outcome.runs, parts) if isinstance(outcome, RunsTogether) else []

    def _part(self, order: MutantOrder, progress: Progress) -> _Part:
        began = time.perf_counter()
        code = self._loaded.programs.compiled(order)
        return _Part(order, code, progress, time.perf_counter() - began)

    def _run_parts(self, program: IsolatedProgram, parts: Sequence[_Part], turns: Turns) -> list[TimedRun]:
        """Run the mutants, in the child, up to the first one that has to run alone."""
        runs: list[TimedRun] = []
        most = _grown() + _MOST_GROWTH
        began = time.perf_counter()
        for turn, part in enumerate(parts):
            turns.begin(turn)
            started = time.perf_counter()
            module = self._loaded_closed(program, part)
            if module is None:
                break
            run = self._run_closed(part, module)
            end_time = time.perf_counter()
            if _grown() > most or run.reason is KillReason.MEMORY_LIMIT or "MemoryError" in run.detail:
                break
            runs.append(TimedRun(run, end_time - started))
            if end_time - began > _BATCH_SECONDS:
                break
        return runs

    def _loaded_closed(self, program: IsolatedProgram, part: _Part) -> ModuleType | None:
        """Return the mutant's module; None if it has to run alone."""
        changed = self._loaded.programs.changed(part.order, part.code)
        if changed is None or (part.order.number or 0) < 0:
            return None
        module = self._loaded.programs.mutant(part.order, part.code)
        return module if program.holds_with(changed, module) else None

    def _run_closed(self, part: _Part, module: ModuleType) -> MutantRun:
        baseline = self._loaded.baseline
        judge = self._loaded.judged.judge(module, baseline, closed=True)
        return run_mutant(part.order, lambda: module, lambda *_: judge, baseline, part.progress, _START)


def _grown() -> int:
    """Return the most memory that this process has had, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _believed(runs: Sequence[TimedRun], parts: Sequence[_Part]) -> list[TimedRun]:
    accepted: list[TimedRun] = []
    for timed, part in zip(runs, parts, strict=False):
        if not isinstance(validated_facts(timed.run, part.order, part.progress), MutantRun):
            break
        accepted.append(replace(timed, seconds=timed.seconds + part.seconds))
    return accepted


ORIGINAL_SECONDS = 60.0
"""The seconds on one input after which the original (assumed to terminate: section 7.2) is taken to be endless."""

_ANY_SECONDS = 1e9

T = TypeVar("T")


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
            lost_place = "" if kept is None or kept.put_back() else kept.lost
            return BaselineFacts(order.id, *baseline.totals, spent, lost_place)

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
            probed = [InputSets(probes["mutants"], order.first, order.last) for _ in range(2 + order.apart)]

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
            rows = b"".join(row for sets in probed for row in sets.rows)
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
