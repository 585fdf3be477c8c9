"""Writes the facts, the present work and the heartbeats of a sandboxed process to a pipe that its parent reads."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from contextlib import nullcontext
from types import FrameType

from harness.codec.kinds import Json
from harness.errors import MutascopeError
from harness.kernel.process.alarm import Alarm
from harness.kernel.process.messages import ERROR, ERRORS, MESSAGES, AnswerFact, Beat, InterimFact, WorkBegins
from harness.kernel.process.reported import ReportedError

INTERVAL = 0.5
"""The seconds between two beats."""


class FactWriter:
    """Writes facts to a pipe, as lines of JSON; a signal handler may do so, too. Main thread only."""

    def __init__(self, facts_end: int) -> None:
        self._end = facts_end

    def write(self, fact: object) -> None:
        """Write one fact, whole, whatever signal handlers write meanwhile; end the process if nobody listens."""
        data = memoryview(json.dumps(fact).encode() + b"\n")
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        try:
            while data:
                data = data[os.write(self._end, data) :]
        except BrokenPipeError:
            os._exit(1)  # nobody is left to work for; an exception would end up in the user's code
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def begins(self, stage: str, *, is_brief: bool = False) -> None:
        """Say what the process does from now on: what a parent names if it hears no more.

        Args:
            stage: the work that begins.
            is_brief: it ends soon, or never, as bounds of a spec do; a parent waits less long for its end.
        """
        self.write(MESSAGES.to_data(WorkBegins(stage, is_brief)))

    def beat(self, reached: int) -> None:
        """Say that the process lives, and how far its work has come."""
        self.write(MESSAGES.to_data(Beat(reached)))

    def report(self, data: object) -> None:
        """Write the data of a fact that comes before the answer."""
        self.write(MESSAGES.to_data(InterimFact(Json(data))))

    def answer(self, data: object) -> None:
        """Write the data of the answer."""
        self.write(MESSAGES.to_data(AnswerFact(Json(data))))

    def fail(self, error: MutascopeError) -> None:
        """Write an error of the user's making."""
        self.write({ERROR: ERRORS.to_data(ReportedError.of(error))})


class Heartbeats(Alarm):
    """Within `with Heartbeats(...)`, reports the progress of the work every INTERVAL seconds.

    A process in C code that does not return sends no beat; one in an endless loop in Python always sends the same
    number. So its parent can distinguish both from one at work (`harness.sandbox.listening`). Main thread only.
    """

    def __init__(self, teller: FactWriter) -> None:
        super().__init__(INTERVAL)
        self._teller = teller
        self.reached: Callable[[], int] = lambda: 0
        """Returns how far the work has come; the number grows while the work advances."""
        self.looks: Callable[[FrameType | None], object] = lambda frame: None
        """Called at each beat with the frame that is being executed; its exceptions are raised there."""

    def ring(self, number: int, frame: FrameType | None) -> None:
        try:
            self._teller.beat(self.reached())
        except RecursionError:
            return  # the user's code is deep in recursion, and not to hear of it from us; there is a next beat
        self.looks(frame)


def telling(facts_end: str, work: Callable[[FactWriter, Heartbeats], object], *, beating: bool = True) -> int:
    """Do the work of a process whose parent listens at the pipe `facts_end`, with beats meanwhile if `beating`.

    Return the exit status: 0, or that of the error of harness.errors that ended the work, which is written, too.
    """
    os.set_inheritable(int(facts_end), False)
    teller = FactWriter(int(facts_end))
    try:
        beats = Heartbeats(teller)
        with beats if beating else nullcontext():
            work(teller, beats)
    except MutascopeError as error:
        teller.fail(error)
        return error.exit_status
    return 0
