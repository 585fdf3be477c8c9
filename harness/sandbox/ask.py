"""Asks a sandboxed process one question, with a typed request and a typed answer; a death becomes one error line.

A process that reports its progress is listened to, and every silence and every standstill has an end.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from harness.codec.codec import DecodeError, LimitError, codec_of
from harness.errors import BaselineError, MutascopeError
from harness.kernel.process.limits import PATIENCE_FACTOR, TimeLimit
from harness.kernel.process.talk import MESSAGES, AnswerFact, Beat, InterimFact, WorkBegins
from harness.resources import candidate_seconds
from harness.sandbox.folders import locked_folder
from harness.sandbox.process import NO_FACT, NoProgress, SandboxedProcess, WorkerDied

A = TypeVar("A")
OnInterim = Callable[[Any, str], object]
"""Called with each fact that comes before the answer, and what the process said that it does."""


STARTING_SECONDS = 60.0
"""Additional seconds for a process to start, which may have to wait for a busy machine."""

STARTING = "starting"
"""The work of a process that has not reported any yet."""

_BRIEF = 12
"""The divisor of the patience for brief work; the patience is as long as one candidate may take."""

_SMALLER = "choose a smaller scope"


class Oversized(WorkerDied):
    """The process gave an answer of the class asked for, with a value beyond the limits of the codec."""


@dataclass(frozen=True, kw_only=True)
class Question(Generic[A]):
    """A request for a sandboxed process, and how its failure is reported.

    Attributes:
        process: the module that answers: a file `process.py`, whose `main` calls `harness.kernel.process.talk`.
        request: a dataclass that the codec can write.
        answer: the class of the answer.
        work: the work of the process, for the error line: `pile: checking it at scope 2`.
        readable: files and folders that it may read besides.
        writable: files and folders that it may write.
        hash_seed: the seed of hashes, on which the order of sets depends.
        path: where it finds programs.
        below: the folder in which its request is written; None: the one of temporary files.
        error: the class of the error if the process dies.
        remedy: what to do then; None: what follows from how it died.
        interim: the class, or the union of classes, of the facts that come before the answer.
    """

    process: str
    request: object
    answer: type[A]
    work: str
    readable: Sequence[Path] = ()
    writable: Sequence[Path] = ()
    hash_seed: int = 0
    path: str = os.defpath
    below: Path | None = None
    error: type[MutascopeError] = BaselineError
    remedy: str | None = None
    interim: object = type(None)

    def died(self, death: WorkerDied) -> MutascopeError:
        """Return the error that reports a death in one line."""
        remedy = _SMALLER if isinstance(death, Oversized) else self.remedy or _remedy(death)
        return self.error(f"{self.work} failed {' '.join(death.how.split())}; {remedy}")


def ask(question: Question[A], on_interim: OnInterim = lambda fact, at: None) -> A:
    """Return the answer of a process of its own, which is ended before this returns.

    Raises:
        MutascopeError: of the question's class, if the process dies, is stuck, or gives no answer of the class asked
            for; else the error of the user's making that it reports.
    """
    try:
        return hear(question, on_interim)
    except WorkerDied as death:
        raise question.died(death) from None


def hear(question: Question[A], on_interim: OnInterim = lambda fact, at: None) -> A:
    """Do the same as `ask`, and let the caller report a death.

    Raises:
        WorkerDied: the process died, is stuck, or gives no answer of the class asked for.
        Oversized: its answer has a value beyond the limits of the codec.
        MutascopeError: the error of the user's making that it reports.
    """
    with locked_folder(question.below) as folder:
        path = folder / "request.json"
        path.write_text(_written(question.request), encoding="utf-8")
        with SandboxedProcess(
            question.process,
            str(path),
            hash_seed=question.hash_seed,
            path=question.path,
            readable=[path, *question.readable],
            writable=question.writable,
        ) as child:
            listener = Listener(child, patience())
            try:
                while isinstance(fact := listener.fact(), InterimFact):
                    on_interim(codec_of(question.interim).of_data(fact.data), listener.at)
                return codec_of(question.answer).of_data(fact.data)
            except LimitError as error:
                raise Oversized(f"while {listener.at}: its answer is beyond the limits of answers: {error}") from None
            except DecodeError as error:
                raise WorkerDied(f"while {listener.at}: {NO_FACT}: {error}") from None


def patience() -> float:
    """Return the seconds of processor time without a sign of life, or of headway, after which a process is given up.

    Raises:
        UsageError: as `candidate_seconds`.
    """
    return PATIENCE_FACTOR * candidate_seconds()


def death_remedy(death: WorkerDied) -> str:
    """Return the advice at the end of a message about a death."""
    if isinstance(death, NoProgress):
        return "make it end (an endless loop, or code in C that does not return?), or raise MUTASCOPE_CANDIDATE_SECONDS"
    return "correct what makes the process end"


class Listener:
    """Reads the facts of `child`, beats apart; its parent measures the processor time that it uses until there is one.

    Args:
        patience: seconds of processor time without a message, or of beats that report no progress, after which the
            process is given up; a part of them if its work is brief, and more until the first message. A process that
            sleeps gets more time (`TimeLimit`).
    """

    def __init__(self, child: SandboxedProcess, patience: float) -> None:
        self._child = child
        self._patience = patience
        self._limit = patience + STARTING_SECONDS
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


def _written(request: Any) -> str:
    """Return a request as JSON, under the name of its class."""
    return json.dumps({type(request).__name__: codec_of(type(request)).to_data(request)})


def _remedy(death: WorkerDied) -> str:
    return "remove what writes to the pipe of its answer" if NO_FACT in death.how else death_remedy(death)
