"""The original on every input: what a mutant is compared with, kept compactly."""

from __future__ import annotations

import time
from array import array
from dataclasses import dataclass

from harness.errors import BaselineError
from harness.kernel.describe import show_call
from harness.kernel.oracle import Expected, Oracle, OriginalFailure
from harness.kernel.program import Program, limit_recursion
from harness.kernel.suites import SuiteReader


@dataclass(frozen=True)
class BaselineFacts:
    """Of the original on a whole suite: total steps, and the inputs on which it raised."""

    inputs: int
    steps: int
    raised: int


class Baseline:
    """Expected observations by input number; equal observations are stored once."""

    def __init__(self) -> None:
        self._unique: dict[bytes, int] = {}
        self._values: list[bytes] = []
        self._outcomes = array("I")
        self._states = array("I")
        self._steps = array("Q")
        self._judge_steps = array("Q")
        self._seconds = array("f")

    def __len__(self) -> int:
        return len(self._outcomes)

    def __getitem__(self, number: int) -> Expected:
        return Expected(
            self._values[self._outcomes[number]],
            self._values[self._states[number]],
            self._steps[number],
            self._judge_steps[number],
        )

    def seconds(self, number: int) -> float:
        """T_o: how long the original took on the input, oracle included; for the wall-clock backstop only."""
        return self._seconds[number]

    @property
    def facts(self) -> BaselineFacts:
        """Totals over all inputs."""
        raised = sum(self._values[number][:1] == b"E" for number in self._outcomes)
        return BaselineFacts(len(self), sum(self._steps), raised)

    def add(self, expected: Expected, seconds: float) -> None:
        """Appends the observation of the next input."""
        self._outcomes.append(self._number(expected.outcome))
        self._states.append(self._number(expected.state))
        self._steps.append(expected.steps)
        self._judge_steps.append(expected.judge_steps)
        self._seconds.append(seconds)

    def _number(self, value: bytes) -> int:
        number = self._unique.setdefault(value, len(self._values))
        if number == len(self._values):
            self._values.append(value)
        return number


def show_input(program: Program, suite: SuiteReader, number: int) -> str:
    """Input `number` as text, with a fresh pre-state."""
    prepared = program.prepare(number)
    _, call_number = suite.input(number)
    target = suite.header.targets[suite.calls[call_number].target]
    return show_call(prepared.root, target, prepared.arguments)


def run_original(program: Program, suite: SuiteReader, oracle: Oracle) -> Baseline:
    """Runs the original on all inputs.

    Raises:
        BaselineError: a pre-state does not satisfy rep_ok (or its target's own precondition), a
            post-state of the original does not, or checking it raises; the message shows the first such input.
    """
    limit_recursion()  # from here: `run_mutant` is as far above the program, and RecursionError comes at equal steps
    baseline = Baseline()
    rep_ok = program.spec.rep_ok
    clock = time.perf_counter
    for number in range(len(suite)):
        prepared = program.prepare(number)
        requires = prepared.requires
        if not (rep_ok(prepared.root) if requires is None else requires(prepared.root, *prepared.arguments)):
            broken = "the pre-state does not satisfy rep_ok" if requires is None else "the precondition does not hold"
            raise BaselineError(
                f"input {number}, {show_input(program, suite, number)}: {broken}; "
                "the suite was made with another spec, generate it again"
            )
        start = clock()
        observed = oracle.observe(prepared)
        seconds = clock() - start
        if isinstance(observed, OriginalFailure):
            raise BaselineError(
                f"the original fails on input {number}, {show_input(program, suite, number)}: {observed.detail}; "
                "correct the implementation or the spec"
            )
        baseline.add(observed, seconds)
    return baseline
