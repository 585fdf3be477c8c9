"""The two processes of the naive path: a nursery of executors, and a judge, which is told what an executor answers."""

from __future__ import annotations

from pathlib import Path

from harness.codec.codec import codec_of
from harness.kernel.naive.job import SubjectJob
from harness.kernel.naive.process import JUDGE, NURSERY
from harness.kernel.naive.words import (
    JUDGE_ORDERS,
    JUDGE_WORDS,
    NURSERY_ORDERS,
    NURSERY_WORDS,
    ExecutorDied,
    ExecutorLine,
    JudgeFault,
    JudgeLine,
    JudgeWord,
    NurseryOrder,
    Prepare,
    PreparedTurn,
)
from harness.kernel.process.processor_time_limit import IDLE_FACTOR
from harness.model.outcome import KillReason
from harness.sandbox.process import SandboxedProcess, WorkerDied

GRACE = 30.0
"""Seconds beyond a mutant's limit in which its nursery, which counts it, has to speak."""

KILLED_FROM_OUTSIDE = ExecutorDied(KillReason.CRASH, "SIGKILL")
"""It may be the machine's doing."""


class NotReexecuted(Exception):
    """A mutant could not be re-executed, and that is not its doing."""


class Nursery:
    """A process that starts executors; its folders are `below` the one given."""

    def __init__(self, below: Path | None) -> None:
        self._below = below
        self._process: SandboxedProcess | None = None
        self._readable: tuple[Path, ...] = ()

    def start(self, readable: tuple[Path, ...]) -> None:
        """Start it, unless one runs that may read the same files."""
        if self._process is None or readable != self._readable:
            self.end()
            self._process = _started(NURSERY, self._below, readable)
            self._readable = readable

    def order(self, order: NurseryOrder) -> None:
        """Send an order."""
        try:
            assert self._process is not None
            self._process.order(NURSERY_ORDERS.to_data(order))
        except WorkerDied:
            pass  # its silence will be detected

    def word(self, seconds: float) -> ExecutorLine | ExecutorDied:
        """Return the executor's message, for which it has so many seconds, or its death."""
        try:
            assert self._process is not None
            return self._process.word(NURSERY_WORDS, IDLE_FACTOR * seconds + GRACE, idle_factor=1)
        except WorkerDied:
            self.end()
            return KILLED_FROM_OUTSIDE  # with the nursery: the mutant's doing if it happens again

    def end(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.__exit__(None, None, None)
        self._process = None


class JudgeProcess:
    """A process that judges executors of one subject; its folders are `below` the one given."""

    def __init__(self, below: Path | None) -> None:
        self._below = below
        self._process: SandboxedProcess | None = None
        self._judged: SubjectJob | None = None

    def start(self, subject: SubjectJob) -> None:
        """Start it, unless one runs that judges the same subject.

        Raises:
            NotReexecuted: it reports a fault.
        """
        if self._process is None or subject != self._judged:
            self.end()
            self._process = _started(JUDGE, self._below, (Path(subject.suite),))
            self._judged = subject
            self._process.order(codec_of(SubjectJob).to_data(subject))
            self._word()

    def prepared(self, first: int, last: int) -> list[PreparedTurn]:
        """Return inputs `first` to `last - 1`, prepared for an executor.

        Raises:
            NotReexecuted: it reports a fault.
        """
        assert self._process is not None
        self._process.order(JUDGE_ORDERS.to_data(Prepare(first, last)))
        words = [self._word() for _ in range(first, last)]
        return [word for word in words if isinstance(word, PreparedTurn)]

    def judgement(self, number: int, line: str) -> JudgeWord | ExecutorDied:
        """Return the judge's answer to an executor's message, or the death if judging has used up its time.

        Raises:
            NotReexecuted: it reports a fault.
            WorkerDied: it died of anything else.
        """
        assert self._process is not None
        self._process.order(JUDGE_ORDERS.to_data(JudgeLine(number, line)))
        try:
            return self._word()
        except WorkerDied as died:
            if "SIGXCPU" not in died.how:
                raise
            self.end()
            return ExecutorDied(KillReason.WALL_LIMIT, "processor-time limit")

    def end(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.__exit__(None, None, None)
        self._process = None

    def _word(self) -> JudgeWord:
        assert self._process is not None
        word = self._process.word(JUDGE_WORDS)
        if isinstance(word, JudgeFault):
            raise NotReexecuted(word.fault)
        return word


def _started(role: str, below: Path | None, readable: tuple[Path, ...]) -> SandboxedProcess:
    return SandboxedProcess("harness.kernel.naive.process", role, below=below, readable=readable).__enter__()
