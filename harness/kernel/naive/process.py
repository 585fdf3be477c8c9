"""The process of the naive path: it loads a subject, and forks a process for each mutant that it is told to run.

`harness.runner.witness` starts it; orders and words are JSON lines (`harness.kernel.naive.words`). In the child,
original and mutant run side by side. The child says how long the original took before the mutant runs, and its parent
ends it if the mutant takes far longer.
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

from harness.codec.codec import DecodeError, codec_of
from harness.kernel.naive.inputs import limit_recursion
from harness.kernel.naive.judge import Judge, OriginalFails, Program
from harness.kernel.naive.words import (
    EXECUTIONS,
    LAST_WORDS,
    WORDS,
    Allowed,
    Died,
    Done,
    Execution,
    Fault,
    Judgement,
    Loaded,
    ReportedKill,
    Stillborn,
    SubjectJob,
    Unloadable,
    Word,
)
from harness.kernel.process.child_process import cpu_seconds, has_ended, is_stopped, kill_group, signal_name
from harness.kernel.process.confinement import ProcessLimits, adopt_orphans, confine, end_everybody_below
from harness.kernel.process.containment.contain import Containment
from harness.kernel.process.limits import IDLE_FACTOR, WALL_CONSTANT, allowed_seconds
from harness.kernel.process.trees import remove_tree
from harness.kernel.program.loader import LOAD_BUDGET, compile_with_ticks
from harness.model.outcome import KillReason

LONGEST = 600.0
"""Seconds for everything that no mutant does: compiling, and running the original."""
MOST_SAID = 1 << 24
"""The greatest number of bytes in one line."""
POLL_SECONDS = 0.1
_SHORTEST_PAUSE = 0.0005

Say = Callable[[Word], None]


def main(arguments: list[str]) -> None:
    """Serve orders until their pipe closes. `arguments` are the numbers of the pipe ends."""
    orders_end, facts_end = map(int, arguments)
    os.set_inheritable(orders_end, False)
    os.set_inheritable(facts_end, False)
    adopt_orphans()
    with os.fdopen(orders_end, encoding="utf-8") as orders, os.fdopen(facts_end, "w", encoding="utf-8") as facts:

        def say(word: Word) -> None:
            facts.write(WORDS.to_json(word) + "\n")
            facts.flush()

        try:
            judge = Judge(codec_of(SubjectJob).of_json(orders.readline()))
        except Exception as error:
            return say(Fault(f"{type(error).__name__}: {error}"))
        say(Loaded())
        for line in orders:
            _observe(judge, EXECUTIONS.of_json(line), say)
    return None


# -- in the parent ---------------------------------------------------------------------------------


def _observe(judge: Judge, order: Execution, say: Say) -> None:
    """Run a mutant in a child, and pass on what the child says, up to its last word."""
    child = Child()
    child.start(partial(_run, judge, order))
    seconds, last = LONGEST, False
    while not last:
        word = child.word(seconds)
        last = isinstance(word, LAST_WORDS)
        if last:
            child.end()
        if isinstance(word, Allowed):
            seconds = word.seconds
        else:
            seconds = LONGEST
            say(word)


class Child:
    """One mutant's process, seen from its parent."""

    def start(self, work: Callable[[int], None]) -> None:
        """Fork it. No constructor does: what C calls counts towards the recursion limit without being a frame."""
        self._hear, child_output = os.pipe()
        self._folder = tempfile.mkdtemp(dir=os.getcwd())
        contained = Containment([self._folder])
        self._data = bytearray()
        self._pid = os.fork()
        if self._pid == 0:
            _in_child(work, child_output, self._folder, contained)
        contained.close()
        os.close(child_output)

    def word(self, seconds: float) -> Word:
        """Return its next word within `seconds` of processor time, or IDLE_FACTOR as long without using it."""
        start, used = time.monotonic(), cpu_seconds(self._pid)
        parent = os.getppid()
        scanned = 0
        hearing, pause = [self._hear], POLL_SECONDS
        while (end := self._data.find(b"\n", scanned)) < 0:
            scanned = len(self._data)
            if scanned > MOST_SAID:
                return Died(KillReason.CRASH, "said too much")
            if select.select(hearing, [], [], pause)[0]:
                chunk = os.read(self._hear, 1 << 20)
                if not chunk:
                    hearing, pause = [], _SHORTEST_PAUSE  # it may have closed the pipe itself: how it ends is seen then
                self._data.extend(chunk)
            else:
                if has_ended(self._pid):
                    return self.end()
                pause = min(2 * pause, POLL_SECONDS)
            if os.getppid() != parent:
                self.end()
                os._exit(1)
            elapsed = time.monotonic() - start
            busy = cpu_seconds(self._pid) - used if elapsed > seconds else 0.0
            if elapsed > seconds and (busy > seconds or elapsed > IDLE_FACTOR * seconds or is_stopped(self._pid)):
                return Died(KillReason.WALL_LIMIT, "processor-time limit" if busy > seconds else "wall-clock limit")
        line = self._data[:end]
        del self._data[: end + 1]
        try:
            return WORDS.of_json(line.decode(errors="replace"))
        except DecodeError:
            return Died(KillReason.CRASH, "said what is no answer")

    def end(self) -> Died:
        """End it and its group. Return how it died; this no longer changes once its pipe is closed."""
        if self._pid:
            kill_group(self._pid)
            _, status = os.waitpid(self._pid, 0)
            self._pid = 0
            os.close(self._hear)
            end_everybody_below()
            remove_tree(Path(self._folder))
            self._death = _death(os.waitstatus_to_exitcode(status))
        return self._death


def _death(status: int) -> Died:
    return Died(KillReason.CRASH, f"left with exit status {status}" if status >= 0 else signal_name(-status))


# -- in the child ----------------------------------------------------------------------------------


def _in_child(work: Callable[[int], None], answers_end: int, folder: str, contained: Containment) -> NoReturn:
    try:
        os.chdir(folder)
        confine(ProcessLimits(), {answers_end, *contained.handles})
        contained.enter()
        work(answers_end)
    finally:
        os._exit(0)  # without any of the mutant's exit handlers


def _run(judge: Judge, order: Execution, answers_end: int) -> None:
    def say(word: Word) -> None:
        data = WORDS.to_json(word).encode() + b"\n"
        while data:
            data = data[os.write(answers_end, data) :]

    counter = judge.counter
    try:
        code = compile_with_ticks(order.text)
    except (SyntaxError, ValueError) as error:
        return say(Stillborn(type(error).__name__))
    except (RecursionError, MemoryError):
        code = None  # which loading comes upon again
    say(Allowed(WALL_CONSTANT))
    counter.start(LOAD_BUDGET)
    limit_recursion()
    try:
        mutant = Program.of(order.text, counter, code)
    except BaseException as error:
        return say(Unloadable(type(error).__qualname__))
    judge.call_factories(mutant)
    say(Loaded())
    for number in range(order.first, order.last):
        try:
            steps, kill = judge.judge(number, mutant, lambda seconds: say(_allowed(seconds)))
        except OriginalFails as error:
            return say(Fault(str(error)))
        except BaseException as error:  # the mutant cannot even hold the objects of the input
            return say(Died(KillReason.CRASH, f"{type(error).__name__}: {error}"[:200]))
        say(Judgement(steps, None if kill is None else ReportedKill(*kill)))
        if kill is not None and not order.every_input:
            break
    return say(Done())


def _allowed(original_seconds: float | None) -> Word:
    return Allowed(LONGEST if original_seconds is None else allowed_seconds(original_seconds))
