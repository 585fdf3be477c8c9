"""Measures the cost of sending post-states to a judge in another process: `python -m benchmarks.judging_outside`.

The run judges in the mutant's own process (docs/decisions/018-containment.md); this figure is a reason for that.
"""

from __future__ import annotations

import os
import struct
import time
from statistics import median

from benchmarks.measuring import load_average, machine, markdown_table, write_result
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.judge import Judge
from harness.kernel.judging.judged_states import JudgedStates, names_read
from harness.kernel.judging.oracle import UNLIMITED, Oracle, OriginalFailure
from harness.kernel.judging.prepared import StateInputs
from harness.kernel.judging.rules import StateRule
from harness.kernel.program.loader import ModuleText, execute_with_ticks
from harness.kernel.program.steps import step_counter
from harness.kernel.specs.spec import load_spec
from harness.model.experiment import Trial
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite

SCOPES = {"heap_array": 5, "search_tree": 6}
MOST_INPUTS = 20_000
ROUNDS = 7
_HEAD = struct.Struct("=HI")
_BLOCK = 60_000
EXPLANATION = (
    "Microseconds of processor time per execution of the original, medians of {rounds} rounds in one process. Inside: "
    "run, compared with the baseline, post-states that recur taken from memory, as runs do. Outside: run, outcome and "
    "key of the post-state written to a pipe in blocks, and, in another process, read and looked up; what a judge does "
    "with a state that it has not seen is left out. States without a key could not be handed over like this at all."
)


class Bench:
    """The original on the first inputs of a suite, in this process."""

    def __init__(self, name: str, scope: int) -> None:
        subject = load_subject(name)
        suite = ensure_suite(subject, Trial(name, "korat", scope))
        self.counter = step_counter()
        self.counter.start(UNLIMITED)
        spec = load_spec(subject.spec_source, str(subject.spec_path), self.counter)
        finitization = spec.finitization(scope)
        text = ModuleText(subject.module, subject.source, str(subject.source_path), subject.blocked)
        module = execute_with_ticks(text, self.counter)
        self.program = StateInputs(module, spec, StateSpace(finitization), suite)
        self.oracle = Oracle(spec, self.counter, StateRule(spec))
        self.inputs = range(min(len(suite), MOST_INPUTS))
        self.baseline = Baseline()
        for number in self.inputs:
            seen = self.oracle.observe(self.program.prepare(number))
            assert not isinstance(seen, OriginalFailure)
            self.baseline.add(seen, 0.0)
        judged_states = JudgedStates.of(module, finitization, names_read(spec), self.baseline)
        assert judged_states is not None, f"{name}: its states have no keys"
        self.judged_states = judged_states

    def inside(self) -> float:
        """Return the seconds of running and judging."""
        judge = Judge(self.oracle, self.program.prepare, self.baseline, self.judged_states)
        start = time.thread_time()
        for number in self.inputs:
            assert judge.judge(number) is None
        return time.thread_time() - start

    def outside(self) -> tuple[float, float]:
        """Return the seconds of running and writing, and of reading and looking up."""
        reading, writing = os.pipe()
        result_pipe, result_end = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(writing)
            os.write(result_end, struct.pack("=d", _read(reading)))
            os._exit(0)
        os.close(reading)
        start = time.thread_time()
        block = bytearray()
        for number in self.inputs:
            prepared = self.program.prepare(number)
            self.counter.start(UNLIMITED)
            outcome, _ = self.oracle.call(prepared)
            self.counter.spent()
            key = self.judged_states.key(prepared.root, prepared.changeable)
            assert key is not None
            block += _HEAD.pack(len(outcome), len(key)) + outcome + key
            if len(block) > _BLOCK:
                os.write(writing, block)
                block.clear()
        os.write(writing, block)
        os.close(writing)
        written = time.thread_time() - start
        (read,) = struct.unpack("=d", os.read(result_pipe, 8))
        os.waitpid(child, 0)
        os.close(result_pipe)
        os.close(result_end)
        return written, read


def _read(pipe: int) -> float:
    numbers: dict[bytes, int] = {}
    data = b""
    start = time.thread_time()
    while chunk := os.read(pipe, 1 << 16):
        data += chunk
        at = 0
        while at + _HEAD.size <= len(data):
            outcome, key = _HEAD.unpack_from(data, at)
            end = at + _HEAD.size + outcome + key
            if end > len(data):
                break
            numbers.setdefault(data[end - key : end], 0)
            at = end
        data = data[at:]
    return time.thread_time() - start


def main() -> None:
    """Measure and write the result."""
    started = load_average()
    rows = []
    for name, scope in SCOPES.items():
        bench = Bench(name, scope)
        bench.inside()  # to know the states that recur
        each = 1e6 / len(bench.inputs)
        rounds = [(bench.inside() * each, *(seconds * each for seconds in bench.outside())) for _ in range(ROUNDS)]
        inside, written, read = (median(column) for column in zip(*rounds, strict=True))
        ratio = median((two + three) / one for one, two, three in rounds)
        rows.append((name, scope, f"{inside:.2f}", f"{written:.2f}", f"{read:.2f}", f"{ratio:.2f}"))
    heading = ("subject", "scope", "inside", "outside: run and write", "outside: read", "outside / inside")
    lines = ["# Judging outside the mutant's process", "", f"{machine()} {started}", ""]
    write_result("judging_outside.md", [*lines, EXPLANATION.format(rounds=ROUNDS), "", *markdown_table(heading, rows)])


if __name__ == "__main__":
    main()
