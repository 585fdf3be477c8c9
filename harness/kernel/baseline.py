"""The original on every input: what a mutant is compared with, kept compactly, in slices on disk."""

from __future__ import annotations

import marshal
import os
import time
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from harness.errors import BaselineError
from harness.kernel.describe import show_call
from harness.kernel.oracle import Expected, Oracle, OriginalFailure
from harness.kernel.program import Program, limit_recursion
from harness.kernel.suites import SuiteReader

RESTORED_CHECKED = 256
"""Inputs of each slice on which a pre-state restored in place is compared with one made afresh."""


@dataclass(frozen=True)
class BaselineFacts:
    """Of the original on some inputs: how many, total steps, and the inputs on which it raised."""

    inputs: int
    steps: int
    raised: int


class Baseline:
    """Expected observations of inputs `first`, `first + 1`, ...; equal ones are stored once."""

    def __init__(self, first: int = 0) -> None:
        self._first = first
        self._unique: dict[bytes, int] = {}
        self._values: list[bytes] = []
        self._outcomes = array("I")
        self._states = array("I")
        self._steps = array("Q")
        self._judge_steps = array("Q")
        self._seconds = array("f")
        self._sums = array("Q")

    def __len__(self) -> int:
        return len(self._outcomes)

    def __getitem__(self, number: int) -> Expected:
        at = number - self._first
        return Expected(
            self._values[self._outcomes[at]], self._values[self._states[at]], self._steps[at], self._judge_steps[at]
        )

    def seconds(self, number: int) -> float:
        """T_o: how long the original took on the input, oracle included; for the wall-clock backstop only."""
        return self._seconds[number - self._first]

    @property
    def all_seconds(self) -> float:
        """T_o summed over all inputs."""
        return sum(self._seconds)

    def steps_before(self, number: int) -> int:
        """The original's steps on all inputs of this baseline before `number`."""
        if len(self._sums) != len(self) + 1:
            self._sums = array("Q", accumulate(self._steps, initial=0))
        return self._sums[number - self._first]

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

    def extend(self, later: Baseline) -> None:
        """Appends the observations of the inputs that follow."""
        numbers = array("I", map(self._number, later._values))
        self._outcomes.extend(map(numbers.__getitem__, later._outcomes))
        self._states.extend(map(numbers.__getitem__, later._states))
        self._steps.extend(later._steps)
        self._judge_steps.extend(later._judge_steps)
        self._seconds.extend(later._seconds)

    def write(self, path: Path) -> None:
        """To a file that is there completely or not at all."""
        part = path.with_suffix(f".part-{os.getpid()}")
        arrays = (self._outcomes, self._states, self._steps, self._judge_steps, self._seconds)
        with part.open("wb") as file:
            marshal.dump((self._first, self._values, *(numbers.tobytes() for numbers in arrays)), file)
        part.replace(path)

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """From a file written by `write`, on the same machine."""
        with path.open("rb") as file:
            first, values, *arrays = marshal.load(file)  # noqa: S302 (our own process wrote it)
        found = cls(first)
        found._values = values
        found._unique = {value: number for number, value in enumerate(values)}
        kept: tuple[array[Any], ...] = (
            found._outcomes, found._states, found._steps, found._judge_steps, found._seconds,
        )  # fmt: skip
        for numbers, data in zip(kept, arrays, strict=True):
            numbers.frombytes(data)
        return found

    def _number(self, value: bytes) -> int:
        number = self._unique.setdefault(value, len(self._values))
        if number == len(self._values):
            self._values.append(value)
        return number


def slice_path(folder: Path, first: int) -> Path:
    """Where the slice that starts at input `first` lies."""
    return folder / f"{first:010d}.baseline"


def read_baseline(folder: Path) -> Baseline:
    """All slices of a folder, in order."""
    whole = Baseline()
    for path in sorted(folder.glob("*.baseline")):
        whole.extend(Baseline.read(path))
    return whole


def show_input(program: Program, suite: SuiteReader, number: int) -> str:
    """Input `number` as text, with a fresh pre-state."""
    prepared = program.prepare(number)
    _, call_number = suite.input(number)
    target = suite.header.targets[suite.calls[call_number].target]
    return show_call(prepared.root, target, prepared.arguments)


def run_original(
    program: Program,
    suite: SuiteReader,
    oracle: Oracle,
    numbers: Iterable[int],
    baseline: Baseline,
    started: Callable[[int], None],
) -> None:
    """Runs the original on the inputs `numbers` and adds what it did to `baseline`; tells which input it starts.

    Raises:
        BaselineError: a pre-state does not satisfy rep_ok (or its target's own precondition), a
            post-state of the original does not, or checking it raises; the message shows the first such input.
        InstrumentError: a restored pre-state is not what a fresh one is.
    """
    checked = -1
    limit_recursion()  # from here: `run_mutant` is as far above the program, and RecursionError comes at equal steps
    rep_ok = program.spec.rep_ok
    clock = time.perf_counter
    for number in numbers:
        started(number)
        prepared = program.prepare(number)
        if len(baseline) < RESTORED_CHECKED:
            program.check_restored(number, prepared)
        state, _ = suite.input(number)
        requires = prepared.requires
        if requires is not None:
            holds = requires(prepared.root, *prepared.arguments)
        else:
            holds = state == checked or rep_ok(prepared.root)
            checked = state
        if not holds:
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
