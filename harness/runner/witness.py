"""Executes mutants again along the naive path, in processes of its own, and builds their results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from harness.codec.codec import codec_of
from harness.kernel.naive.words import (
    EXECUTIONS,
    LAST_WORDS,
    WORDS,
    Died,
    Execution,
    Fault,
    Judgement,
    Loaded,
    NaiveJob,
    ReportedKill,
    Stillborn,
    SubjectJob,
    Unloadable,
    Word,
    mutated,
)
from harness.kernel.process.limits import IDLE_FACTOR, MOST_DEATHS, weight
from harness.model.outcome import KillReason, MutantResult, Phase, Verdict
from harness.sandbox.process import LONGEST_SILENCE, SandboxedProcess, WorkerDied
from harness.store.facts import KillRow

PATIENCE = 2 * IDLE_FACTOR * LONGEST_SILENCE
"""Seconds that a word is waited for. The process itself ends mutants that take too long, much earlier."""

KILLED_FROM_OUTSIDE = Died(KillReason.CRASH, "SIGKILL")
"""It may be the machine's doing, so it is accepted the second time only."""


class NotReexecuted(Exception):
    """A mutant could not be re-executed, and that is not its doing."""


@dataclass(frozen=True)
class Witnessed:
    """The result of the naive path for one mutant; `kill_row` is set if every input was run."""

    result: MutantResult
    kill_row: KillRow | None = None


def unheard(mutant: str, why: str) -> Witnessed:
    """Make the result of a mutant that could not be re-executed."""
    return Witnessed(MutantResult(mutant, Verdict.INCONCLUSIVE, 0, None, detail=why))


@dataclass
class _Life:
    """What one process of a mutant said: its last word, and the inputs that it finished from number `first` on."""

    first: int
    last: Word | None = None
    is_loaded: bool = False
    finished: int = 0
    steps: int = 0
    kills: dict[int, ReportedKill] = field(default_factory=dict)

    def add(self, word: Word) -> None:
        self.last = word
        self.is_loaded = self.is_loaded or isinstance(word, Loaded)
        if isinstance(word, Judgement):
            if word.kill is not None:
                self.kills[self.first + self.finished] = word.kill
            self.finished += 1
            self.steps += word.steps


class Reexecution:
    """Re-executes mutants, one at a time, by one process as long as the subject is the same.

    Use as a context manager: leaving ends the process, whose folder is `below` the one given.
    """

    def __init__(self, below: Path | None = None) -> None:
        self._below = below
        self._process: SandboxedProcess | None = None
        self._subject: SubjectJob | None = None

    def __enter__(self) -> Reexecution:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def of(self, mutant: str, job: NaiveJob, most_deaths: int | None = MOST_DEATHS) -> Witnessed:
        """Return the result for a mutant; INCONCLUSIVE with the reason if it could not be re-executed."""
        try:
            return self._seen(mutant, job, mutated(job), most_deaths)
        except (NotReexecuted, ValueError) as error:
            self._end()
            return unheard(mutant, str(error))

    def _seen(self, mutant: str, job: NaiveJob, text: str, most_deaths: int | None) -> Witnessed:
        """Run a mutant. After an input that killed its process, continue with a new one if all inputs must be run."""
        kills: dict[int, ReportedKill] = {}
        finished = steps = deaths = 0
        no_program = KillRow.full(mutant, job.last) if job.every_input else None
        while True:
            life = self._life(job, text, finished)
            if isinstance(life.last, Fault):
                raise NotReexecuted(life.last.fault)
            if isinstance(life.last, Stillborn):
                return Witnessed(MutantResult(mutant, Verdict.STILLBORN, 0, None, detail=life.last.raised))
            if isinstance(life.last, Unloadable):
                detail = f"loading the module raised {life.last.raised[:200]}"
                kill = ReportedKill(KillReason.EXCEPTION, Phase.LOAD, detail)
                return Witnessed(_killed(mutant, kill, None, 0, 0), no_program)
            kills |= life.kills
            finished += life.finished
            steps += life.steps
            if not isinstance(life.last, Died):
                break
            death = life.last
            if not life.is_loaded:
                kill = ReportedKill(death.reason, Phase.LOAD, death.detail)
                return Witnessed(_killed(mutant, kill, None, finished, None), no_program)
            kills[finished] = ReportedKill(death.reason, Phase.CALL, death.detail)
            deaths += weight(death.reason, death.detail)
            finished += 1
            if not job.every_input or finished == job.last or (most_deaths is not None and deaths >= most_deaths):
                break
        row = KillRow.of_kills(mutant, finished, kills) if job.every_input and finished == job.last else None
        if not kills:
            return Witnessed(MutantResult(mutant, Verdict.SURVIVED, finished, steps), row)
        first = min(kills)
        return Witnessed(_killed(mutant, kills[first], first, finished, None if deaths else steps), row)

    def _life(self, job: NaiveJob, text: str, first: int) -> _Life:
        """Run a mutant in one process; again in another one if the first was killed from outside."""
        for _ in range(2):
            life = _Life(first)
            for word in self._words(job, text, first):
                life.add(word)
            if life.last != KILLED_FROM_OUTSIDE:
                break
        return life

    def _words(self, job: NaiveJob, text: str, first: int) -> Iterator[Word]:
        """Yield what is said of a mutant.

        Raises:
            NotReexecuted: the subject cannot be loaded.
        """
        process = self._started(job.subject)
        order = Execution(job.subject.text(text), first, job.last, job.every_input)
        word: Word | None = None
        try:
            process.order(EXECUTIONS.to_data(order))
            while not isinstance(word, LAST_WORDS):
                word = process.word(WORDS, PATIENCE)
                yield word
        except WorkerDied:
            self._end()
            yield KILLED_FROM_OUTSIDE

    def _started(self, subject: SubjectJob) -> SandboxedProcess:
        """Return the process that has the subject loaded.

        Raises:
            NotReexecuted: there is none.
        """
        if self._process is None or subject != self._subject:
            self._end()
            process = SandboxedProcess(
                "harness.kernel.naive.process", below=self._below, readable=(Path(subject.suite),)
            ).__enter__()
            self._process, self._subject = process, subject
            try:
                process.order(codec_of(SubjectJob).to_data(subject))
                word = process.word(WORDS)
            except WorkerDied as died:
                raise NotReexecuted(f"the process that re-executes has died: {died.how}") from None
            if isinstance(word, Fault):
                raise NotReexecuted(word.fault)
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            self._process.__exit__(None, None, None)
        self._process = None


def _killed(mutant: str, kill: ReportedKill, number: int | None, inputs_run: int, steps: int | None) -> MutantResult:
    return MutantResult(mutant, Verdict.KILLED, inputs_run, steps, kill.reason, kill.phase, number, kill.detail)
