"""Forks a process per mutant, passes inputs to it, reads its answers and reports how it died.

This process knows nothing that a mutant could forge. `harness.runner.witness` starts it; orders and words are JSON
lines (`harness.kernel.naive.words`). A new mutant ends the one before. Every line that a mutant writes is passed on as
it is, up to MOST_SAID.
"""

from __future__ import annotations

import os
import select
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NoReturn

from harness.kernel.naive.executor import Load, answer_all, executing
from harness.kernel.naive.job import SubjectJob
from harness.kernel.naive.judge_in_mutant import judging_inside
from harness.kernel.naive.serving import judge_of
from harness.kernel.naive.words import NURSERY_ORDERS, NURSERY_WORDS, Born, ExecutorDied, ExecutorLine
from harness.kernel.process.child_process import (
    cpu_seconds,
    has_ended,
    is_stopped,
    kill_group,
    signal_name,
)
from harness.kernel.process.confinement import ProcessLimits, adopt_orphans, confine, end_everybody_below
from harness.kernel.process.containment.contain import Containment
from harness.kernel.process.processor_time_limit import IDLE_FACTOR
from harness.kernel.process.trees import remove_tree
from harness.model.outcome import KillReason

MOST_SAID = 1 << 24
"""The greatest number of bytes in one line."""
POLL_SECONDS = 0.1
_SHORTEST_PAUSE = 0.0005


class Child:
    """One mutant's process, seen from its parent."""

    def start(self, work: Callable[[int, int], None]) -> None:
        """Fork it. No constructor does: what C calls counts towards the recursion limit without being a frame."""
        child_input, self._give = os.pipe()
        self._hear, child_output = os.pipe()
        self._folder = tempfile.mkdtemp(dir=os.getcwd())
        contained = Containment([self._folder])
        self._data = bytearray()
        self._pid = os.fork()
        if self._pid == 0:
            _in_child(work, child_input, child_output, self._folder, contained)
        contained.close()
        os.close(child_input)
        os.close(child_output)
        os.set_blocking(self._give, False)

    def turn(self, line: str | None, seconds: float) -> ExecutorLine | ExecutorDied:  # noqa: C901 (a case for each word)
        """Return its answer to a line within `seconds` of processor time, or IDLE_FACTOR as long without using it."""
        left = b"" if line is None else line.encode() + b"\n"
        start, used = time.monotonic(), cpu_seconds(self._pid)
        parent = os.getppid()
        scanned = 0
        hearing, pause = [self._hear], POLL_SECONDS
        while (end := self._data.find(b"\n", scanned)) < 0:
            scanned = len(self._data)
            if scanned > MOST_SAID:
                self.end()
                return ExecutorDied(KillReason.CRASH, "said too much")
            ready, writable, _ = select.select(hearing, [self._give] if left else [], [], pause)
            if writable:
                try:
                    left = left[os.write(self._give, left) :]
                except BrokenPipeError:
                    left = b""
            if ready:
                chunk = os.read(self._hear, 1 << 20)
                if not chunk:
                    hearing, pause = [], _SHORTEST_PAUSE  # it may have closed the pipe itself: how it ends is seen then
                self._data.extend(chunk)
            elif not writable:
                if has_ended(self._pid):
                    return self.end()
                pause = min(2 * pause, POLL_SECONDS)
            if os.getppid() != parent:
                self.end()
                os._exit(1)
            elapsed = time.monotonic() - start
            busy = cpu_seconds(self._pid) - used if elapsed > seconds else 0.0
            if elapsed > seconds and (busy > seconds or elapsed > IDLE_FACTOR * seconds or is_stopped(self._pid)):
                self.end()
                return ExecutorDied(
                    KillReason.WALL_LIMIT, "processor-time limit" if busy > seconds else "wall-clock limit"
                )
        answer = self._data[:end]
        del self._data[: end + 1]
        if self._data or left:
            self.end()
            return ExecutorDied(KillReason.CRASH, "said more than was asked")
        return ExecutorLine(answer.decode(errors="replace"))

    def end(self) -> ExecutorDied:
        """End it and its group. Return how it died; this no longer changes once its pipe is closed."""
        if self._pid:
            kill_group(self._pid)
            _, status = os.waitpid(self._pid, 0)
            self._pid = 0
            os.close(self._give)
            os.close(self._hear)
            end_everybody_below()
            remove_tree(Path(self._folder))
            self._death = _death(os.waitstatus_to_exitcode(status))
        return self._death


def _in_child(
    work: Callable[[int, int], None], inputs_end: int, answers_end: int, folder: str, contained: Containment
) -> NoReturn:
    try:
        os.chdir(folder)
        confine(ProcessLimits(), {inputs_end, answers_end, *contained.handles})
        contained.enter()
        work(inputs_end, answers_end)
    finally:
        os._exit(0)  # without any of the mutant's exit handlers


def _death(status: int) -> ExecutorDied:
    return ExecutorDied(KillReason.CRASH, f"left with exit status {status}" if status >= 0 else signal_name(-status))


def _loading(inside: SubjectJob | None) -> Load:
    return executing if inside is None else partial(judging_inside, judge_of(inside))


def _work(mutant: Born) -> Callable[[int, int], None]:
    def work(inputs_end: int, answers_end: int) -> None:
        answer_all(mutant.text, _loading(mutant.inside), inputs_end, answers_end)

    return work


def serve_orders(orders_end: int, facts_end: int) -> None:
    """Serve orders until their pipe closes."""
    os.set_inheritable(orders_end, False)
    os.set_inheritable(facts_end, False)
    adopt_orphans()
    child: Child | None = None
    with os.fdopen(orders_end, encoding="utf-8") as orders, os.fdopen(facts_end, "w", encoding="utf-8") as facts:
        for line in orders:
            order = NURSERY_ORDERS.of_json(line)
            if order.mutant is not None:
                if child is not None:
                    child.end()
                child = Child()
                child.start(_work(order.mutant))
            for turn in order.turns:
                word = (
                    ExecutorDied(KillReason.CRASH, "is not there")
                    if child is None
                    else child.turn(turn.line, turn.seconds)
                )
                facts.write(NURSERY_WORDS.to_json(word) + "\n")
                facts.flush()
                if isinstance(word, ExecutorDied):
                    break
        if child is not None:
            child.end()
