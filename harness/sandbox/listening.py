"""Listens to a sandboxed process that reports its progress: every silence and every standstill has an end."""

from __future__ import annotations

from harness.kernel.process.limits import TimeLimit
from harness.kernel.process.talk import MESSAGES, AnswerFact, Beat, InterimFact, WorkBegins
from harness.sandbox.process import NoProgress, SandboxedProcess, WorkerDied

STARTING_SECONDS = 60.0
"""Additional seconds for a process to start, which may have to wait for a busy machine."""

STARTING = "starting"
"""The work of a process that has not reported any yet."""

_BRIEF = 12
"""The divisor of the patience for brief work; the patience is as long as one candidate may take."""


def death_remedy(death: WorkerDied) -> str:
    """Return the advice at the end of a message about a death."""
    if isinstance(death, NoProgress):
        return "make it end (an endless loop, or code in C that does not return?), or raise MUTASCOPE_CANDIDATE_SECONDS"
    return "correct what makes the process end"


class Listener:
    """Reads the facts of `child`, beats apart; its parent measures the processor time that it uses until there is one.

    Args:
        patience: seconds of processor time without a message, or of beats that report no progress, after which the
            process is given up; a part of them if its work is brief. A process that sleeps gets more time
            (`TimeLimit`).
        starting_seconds: further seconds until the first message.
    """

    def __init__(self, child: SandboxedProcess, patience: float, starting_seconds: float = STARTING_SECONDS) -> None:
        self._child = child
        self._patience = patience
        self._limit = patience + starting_seconds
        self._reached: int | None = None
        self._standstill = TimeLimit(self._limit, child.usage)
        self.at = STARTING
        """The work that the process last reported to begin."""

    def fact(self) -> InterimFact | AnswerFact:
        """Return the next message that has a fact.

        Raises:
            WorkerDied: it ended, while doing what the text says.
            Silent: it is alive, and stuck at what the text says.
            MutascopeError: the process reported an error of the user's making.
        """
        while True:
            try:
                message = self._child.word(MESSAGES, self._limit)
            except WorkerDied as death:
                raise type(death)(f"while {self.at}: {death.how}") from None
            self._limit = min(self._limit, self._patience)
            if isinstance(message, WorkBegins):
                self.at = message.stage
                self._limit = self._patience / (_BRIEF if message.is_brief else 1)
                self._moved(None)
            elif isinstance(message, Beat):
                self._note_progress(message.reached)
            else:
                self._moved(None)
                return message

    def _moved(self, reached: int | None) -> None:
        self._reached = reached
        self._standstill.restart(self._limit)

    def _note_progress(self, reached: int) -> None:
        if reached != self._reached:
            self._moved(reached)
        elif (met := self._standstill.exceeded()) is not None:
            raise NoProgress(f"while {self.at}: no headway within {met}")
