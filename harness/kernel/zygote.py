"""The sandboxed worker: loads the original once, then forks a confined child for every mutant it is ordered to run.

Started as `python -m harness.kernel.zygote JOB ORDERS FACTS` with the numbers of two inherited
pipe ends. Orders come in and facts go out as JSON lines. Each mutant has a process of its own,
so no mutant sees what another one left behind, and a death is one mutant's death.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from mmap import mmap
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NoReturn

from harness.errors import MutascopeError, SourceError
from harness.kernel.baseline import Baseline, run_original, show_input
from harness.kernel.job import MutantOrder, RunJob
from harness.kernel.loader import ModuleText, compile_with_ticks, execute_with_ticks
from harness.kernel.oracle import UNLIMITED, Oracle
from harness.kernel.program import Program
from harness.kernel.sandboxed import NOT_STARTED, Progress, Task, confine, limit_cpu, run_mutant, send
from harness.kernel.space import StateSpace
from harness.kernel.specs import load_spec
from harness.kernel.steps import step_counter
from harness.kernel.suites import SuiteReader
from harness.model.outcome import KillReason, Phase

POLL_SECONDS = 0.1
WALL_FACTOR = 10
WALL_CONSTANT = 1.0
# A child that waits (sleeps, is stopped, starved on a busy machine) is given this much longer than
# one that has really used its time.
IDLE_FACTOR = 10
MOST_DEATHS = 100


class Zygote:
    """The loaded original with its baseline, ready to fork."""

    def __init__(self, job: RunJob) -> None:
        self._job = job
        self._counter = step_counter()
        self._counter.start(UNLIMITED)  # the spec's own loading and finitization spend steps, too
        self._spec = load_spec(job.spec_source, job.spec_filename, self._counter)
        self._space = StateSpace(self._spec.finitization(job.scope))
        self._suite = SuiteReader(Path(job.suite))
        self._oracle = Oracle(self._spec, self._counter, job.concrete)
        self._metamutant = self._compile_metamutant()
        self._original = self._program(self._load_original())
        self._baseline = Baseline()
        self.baseline_seconds = 0.0

    def observe_original(self) -> dict[str, Any]:
        """Runs the original on all inputs; what the orchestrator is told of it.

        Not part of construction: a class being called takes a level of recursion that no frame
        shows, and RecursionError has to come to original and mutant after the same steps.

        Raises:
            BaselineError: the original fails on an input.
        """
        start = time.perf_counter()
        self._baseline = run_original(self._original, self._suite, self._oracle)
        self.baseline_seconds = time.perf_counter() - start
        facts = self._baseline.facts
        return {
            "inputs": facts.inputs,
            "steps": facts.steps,
            "raised": facts.raised,
            "seconds": self.baseline_seconds,
        }

    def _compile_metamutant(self) -> CodeType | None:
        if self._job.metamutant is None:
            return None
        original = self._job.implementation
        return compile_with_ticks(ModuleText(original.name, self._job.metamutant, original.filename, original.blocked))

    def _load_original(self) -> ModuleType:
        text = self._job.implementation
        try:
            return execute_with_ticks(text, self._counter)
        except SyntaxError as error:
            raise SourceError(f"{text.filename}:{error.lineno}: {error.msg}; correct the source") from None
        except Exception as error:
            raise SourceError(f"{text.filename} raised {type(error).__name__} on loading: {error}") from None

    def _program(self, module: ModuleType) -> Program:
        return Program(module, self._spec, self._space, self._suite)

    def _load_mutant(self, order: MutantOrder) -> ModuleType:
        text = self._job.implementation
        # Loading may loop as well; a mutant's module has the same budget for it on every machine.
        self._counter.start(1_000_000)
        if order.source is not None:
            own = ModuleText(text.name, order.source, text.filename, text.blocked)
            return execute_with_ticks(own, self._counter)
        if self._metamutant is None or order.number is None:
            raise ValueError(f"{order.id}: neither a source nor a number in a metamutant")
        return execute_with_ticks(text, self._counter, self._metamutant, order.number)

    # -- one mutant ---------------------------------------------------------------------------

    def run(self, order: MutantOrder) -> dict[str, Any]:
        """Runs a mutant in as many children as it takes; returns its facts."""
        began = time.perf_counter()
        progress = Progress(mmap(-1, Progress.size(len(self._suite))))
        if order.matrix:
            facts = {**self._run_all(order, progress), "bits": progress.bits().hex()}
        else:
            facts = self._run_until_dead(order, progress, self._numbers(order), 0, 0)
        if facts.get("input") is not None:
            facts["shown"] = show_input(self._original, self._suite, facts["input"])
        return {"id": order.id, **facts, "seconds": time.perf_counter() - began}

    def _numbers(self, order: MutantOrder) -> range:
        count = len(self._suite)
        return range(count - 1, -1, -1) if order.backwards else range(count)

    def _run_all(self, order: MutantOrder, progress: Progress) -> dict[str, Any]:
        """Matrix mode: every input, going on in a new child behind an input that killed the process."""
        numbers = self._numbers(order)
        finished = steps = deaths = 0
        while True:
            facts = self._run_until_dead(order, progress, numbers[finished:], finished, steps)
            _, _, steps = progress.get()
            if not facts.get("died"):
                break
            deaths += 1
            finished = facts["inputs_run"]
            if facts["input"] is not None:
                progress.mark(facts["input"])
            if facts["input"] is None or deaths == MOST_DEATHS or finished == len(numbers):
                break
        if not deaths or facts.get("input") is None and facts.get("reason"):
            return facts
        # What a child saw before it died went with it; the first killing input tells it again.
        first = _lowest_bit(progress.bits())
        again = self._run_until_dead(order, progress, range(first, first + 1), 0, 0)
        return {**again, "inputs_run": facts["inputs_run"], "steps": None}

    def _run_until_dead(
        self, order: MutantOrder, progress: Progress, numbers: range, finished: int, steps: int
    ) -> dict[str, Any]:
        """Facts of one child's run; a child's death is a fact as well, marked `died`."""
        for attempt in range(2):
            progress.set(NOT_STARTED, finished, steps)
            facts = self._child(order, progress, Task(iter(numbers), order.matrix, finished, steps))
            # SIGKILL not sent by us may be the machine's doing (memory): believed at the second time.
            if facts.pop("outside", False) and attempt == 0:
                continue
            break
        if not facts.get("died"):
            return facts
        current, finished, _ = progress.get()
        started = current != NOT_STARTED
        return {
            "died": True,
            "reason": facts["reason"],
            "phase": (Phase.CALL if started else Phase.LOAD).value,
            "detail": facts["detail"],
            "input": current if started else None,
            "inputs_run": finished + started,
            "steps": None,
        }

    def _child(self, order: MutantOrder, progress: Progress, task: Task) -> dict[str, Any]:
        """Forks a child for the task; its facts, or those of its death."""
        folder = tempfile.mkdtemp(dir=".")  # empty, and the mutant's own
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            os.chdir(folder)
            self._in_child(order, progress, task, write_end)
        os.close(write_end)
        try:
            data, reason = self._watch(child, read_end, progress)
        finally:
            os.close(read_end)
            _kill_group(child)
            _, status = os.waitpid(child, 0)
            shutil.rmtree(folder, ignore_errors=True)
        if reason is not None:
            return _death(KillReason.WALL_LIMIT, reason)
        if data.endswith(b"\n"):
            facts: dict[str, Any] = json.loads(data)
            return facts
        if not os.WIFSIGNALED(status):
            return _death(KillReason.CRASH, f"left with exit status {os.WEXITSTATUS(status)}")
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return _death(KillReason.WALL_LIMIT, "processor-time limit")
        return _death(KillReason.CRASH, signal.Signals(number).name, outside=number == signal.SIGKILL)

    def _in_child(self, order: MutantOrder, progress: Progress, task: Task, write_end: int) -> NoReturn:
        facts: dict[str, Any]
        own = os.getpid()
        try:
            confine(self._job.limits, {write_end})
            limit_cpu(60 + 4 * WALL_FACTOR * self.baseline_seconds)
            facts = run_mutant(
                lambda: self._load_mutant(order), self._program, self._oracle, self._baseline, progress, task
            )
        except BaseException as error:
            facts = {"fault": f"{type(error).__name__}: {error}"}
        if os.getpid() == own:  # else the mutant forked, and this is the other one
            send(write_end, facts)
        # The mutant's exit handlers, buffers and threads must not run on: leave at once.
        os._exit(0)

    def _watch(self, child: int, read_end: int, progress: Progress) -> tuple[bytes, str | None]:
        """Reads what the child sends until it closes the pipe; kills it on the wall-clock backstop."""
        data = b""
        seen, since, used = NOT_STARTED, time.monotonic(), _cpu_seconds(child)
        parent = os.getppid()
        while True:
            ready, _, _ = select.select([read_end], [], [], POLL_SECONDS)
            if ready:
                chunk = os.read(read_end, 1 << 16)
                if not chunk:
                    return data, None
                data += chunk
                if data.endswith(b"\n"):  # a process that the mutant left behind may hold the pipe open
                    return data, None
                continue
            if os.getppid() != parent:
                _kill_group(child)
                os._exit(1)
            current, _, _ = progress.get()
            now = time.monotonic()
            if current != seen:
                seen, since, used = current, now, _cpu_seconds(child)
                continue
            original = 0.0 if current == NOT_STARTED else self._baseline.seconds(current)
            limit = WALL_FACTOR * original + WALL_CONSTANT
            busy = _cpu_seconds(child) - used
            if now - since > limit and (busy > limit or now - since > IDLE_FACTOR * limit):
                _kill_group(child)
                return b"", f"wall clock: more than 10 x the original's time + {WALL_CONSTANT:g} s"


def _death(reason: KillReason, detail: str, outside: bool = False) -> dict[str, Any]:
    return {"died": True, "reason": reason.value, "detail": detail, "outside": outside}


def _lowest_bit(bits: bytes) -> int:
    """The number of the first input whose bit is set."""
    return next(8 * at + (byte & -byte).bit_length() - 1 for at, byte in enumerate(bits) if byte)


def _cpu_seconds(process: int) -> float:
    """Processor time of a process so far; where the system does not tell, the wall clock stands in."""
    try:
        with open(f"/proc/{process}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _kill_group(child: int) -> None:
    for kill in (os.killpg, os.kill):
        try:
            kill(child, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass  # gone already, or not yet a group leader


def main(arguments: list[str]) -> int:
    """Serves orders until their pipe closes. Errors of the user's making go out as facts."""
    job_path, orders_end, facts_end = arguments
    out = os.fdopen(int(facts_end), "w", buffering=1)
    os.set_inheritable(int(orders_end), False)
    os.set_inheritable(int(facts_end), False)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def tell(facts: dict[str, Any]) -> None:
        out.write(json.dumps(facts) + "\n")
        out.flush()

    try:
        zygote = Zygote(RunJob.read(Path(job_path)))
        baseline = zygote.observe_original()
    except MutascopeError as error:
        tell({"error": {"kind": type(error).__name__, "message": str(error)}})
        return error.exit_status
    tell({"baseline": baseline})
    gc.collect()
    gc.freeze()  # children share these pages untouched
    with os.fdopen(int(orders_end)) as orders:
        for line in orders:
            tell({"result": zygote.run(MutantOrder(**json.loads(line)))})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
