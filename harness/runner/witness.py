"""Mediates between the judge and the executors of the naive path: passes on messages, and builds results."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType

from harness.codec.reading import DecodeError
from harness.kernel.naive.job import NaiveJob, mutated
from harness.kernel.naive.words import (
    INPUTS,
    SAYINGS,
    Answer,
    Beginning,
    Born,
    Compiled,
    ExecutorDied,
    InsideInput,
    Judged,
    Judgement,
    Loaded,
    NotSeen,
    NurseryOrder,
    ReportedKill,
    SequenceInput,
    StateInput,
    Stillborn,
    Turn,
    Unloadable,
)
from harness.kernel.process.mutant_limits import MOST_DEATHS, WALL_CONSTANT, allowed_seconds, weight
from harness.model.outcome import KillReason, MutantResult, Phase, Verdict
from harness.runner.naive_processes import KILLED_FROM_OUTSIDE, JudgeProcess, NotReexecuted, Nursery
from harness.sandbox.process import LONGEST_SILENCE, WorkerDied
from harness.store.facts import KillRow

MOST_AT_ONCE = 64
MOST_ATTEMPTS = 8
"""Executors until each runs a mutant's calls as a run does: two, but where the mutant does something else each time."""


@dataclass(frozen=True)
class Witnessed:
    """The result of the naive path for one mutant; `kill_row` is set if every input was run.

    `inside`: it was judged in its own process, as this subject cannot be judged from outside.
    """

    result: MutantResult
    kill_row: KillRow | None = None
    inside: bool = False


def unheard(mutant: str, why: str) -> Witnessed:
    """Make the result of a mutant that could not be re-executed."""
    return Witnessed(MutantResult(mutant, Verdict.INCONCLUSIVE, 0, None, detail=why))


_NO_ANSWER = ExecutorDied(KillReason.CRASH, "said what is no answer")


class _JudgedInside(Exception):
    """The mutant is to be judged in its own process."""


@dataclass
class _Life:
    """The observations of one executor: its `last` message before the inputs, the finished inputs, and its death.

    `cuts`: for sequences that were killed before their last call, the number of calls that a run makes of them.
    """

    last: Beginning | None = None
    finished: int = 0
    steps: int = 0
    kills: dict[int, ReportedKill] = field(default_factory=dict)
    cuts: dict[int, int] = field(default_factory=dict)
    death: ExecutorDied | None = None
    died_of: int = 0
    """The number of calls of the sequence that killed it; 0: unknown, or none."""

    def add(self, number: int, judged: Judged) -> None:
        self.finished += 1
        self.steps += judged.steps
        if judged.kill is not None:
            self.kills[number] = judged.kill


def witness(mutant: str, job: NaiveJob, most_deaths: int | None = MOST_DEATHS) -> Witnessed:
    """Re-execute one mutant with processes of its own."""
    with Reexecution() as one:
        return one.of(mutant, job, most_deaths)


class Reexecution:
    """Re-executes mutants, one at a time: a judge as long as the subject is the same, and a nursery of executors.

    Use as a context manager: leaving ends all its processes, whose folders are `below` the one given.
    """

    def __init__(self, below: Path | None = None) -> None:
        self._judge = JudgeProcess(below)
        self._nursery = Nursery(below)

    def __enter__(self) -> Reexecution:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._judge.end()
        self._nursery.end()

    def of(self, mutant: str, job: NaiveJob, most_deaths: int | None = MOST_DEATHS) -> Witnessed:
        """Return the result for a mutant; INCONCLUSIVE with the reason if it could not be re-executed."""
        try:
            text = mutated(job)
            for attempt in range(2):
                try:
                    try:
                        return self._seen(mutant, job, text, most_deaths, inside=False)
                    except _JudgedInside:
                        return self._seen(mutant, job, text, most_deaths, inside=True)
                except WorkerDied as died:
                    self._judge.end()
                    if attempt:
                        raise NotReexecuted(f"a process that re-executes has died twice: {died.how}") from None
        except (NotReexecuted, ValueError) as error:
            self._judge.end()
            why = str(error)
        return unheard(mutant, why)

    def _seen(self, mutant: str, job: NaiveJob, text: str, most_deaths: int | None, inside: bool) -> Witnessed:
        """Run a mutant. After an input that killed the executor, continue with a new one if all inputs must be run."""
        kills: dict[int, ReportedKill] = {}
        finished = steps = deaths = 0
        no_program = KillRow.full(mutant, job.last) if job.every_input else None
        while True:
            life = self._life(job, text, finished, inside)
            if isinstance(life.last, Stillborn):
                return Witnessed(MutantResult(mutant, Verdict.STILLBORN, 0, None, detail=life.last.error))
            if isinstance(life.last, Unloadable):
                detail = f"loading the module raised {life.last.error[:200]}"
                kill = ReportedKill(KillReason.EXCEPTION, Phase.LOAD, detail)
                return Witnessed(_killed(mutant, kill, None, 0, 0), no_program, inside)
            kills |= life.kills
            finished += life.finished
            steps += life.steps
            if life.death is None:
                break
            if not isinstance(life.last, Loaded):
                kill = ReportedKill(life.death.reason, Phase.LOAD, life.death.detail)
                return Witnessed(_killed(mutant, kill, None, finished, None), no_program, inside)
            before_death = self._life_before_death(job, text, finished, life, inside)
            if before_death.kills:
                kills |= before_death.kills
                steps += before_death.steps
            else:
                death = before_death.death or life.death
                kills[finished] = ReportedKill(death.reason, Phase.CALL, death.detail)
                deaths += weight(death.reason, death.detail)
            finished += 1
            if not job.every_input or finished == job.last or (most_deaths is not None and deaths >= most_deaths):
                break
        row = KillRow.of_kills(mutant, finished, kills) if job.every_input and finished == job.last else None
        if not kills:
            return Witnessed(MutantResult(mutant, Verdict.SURVIVED, finished, steps), row, inside)
        first = min(kills)
        return Witnessed(_killed(mutant, kills[first], first, finished, None if deaths else steps), row, inside)

    # -- one executor -----------------------------------------------------------------------------

    def _life_before_death(self, job: NaiveJob, text: str, number: int, died: _Life, inside: bool) -> _Life:
        """Observe executors on ever more calls of the sequence `number`, up to a death or the first kill.

        The executor that died of it knew of no kill, and ran calls after the one that kills the mutant.
        """
        one = replace(job, last=number + 1)
        for calls in range(1, died.died_of):
            life = self._life(one, text, number, inside, calls)
            if life.kills or life.death is not None:
                return life
        return _Life()

    def _life(self, job: NaiveJob, text: str, first: int, inside: bool, calls: int | None = None) -> _Life:
        """Return the observations of an executor all of whose calls are calls that a run makes.

        A run ends a sequence with the call that kills the mutant. An executor does not know that call and continues.
        Later inputs would then find other values in variables that the mutant keeps outside of objects. So if there are
        later inputs, a new executor runs all of them again without those calls.
        """
        cuts: dict[int, int] = {}
        for _ in range(MOST_ATTEMPTS):
            life = self._life_of(job, text, first, inside, calls, cuts)
            if life.cuts == cuts or not job.every_input:
                break
            cuts = life.cuts
        return life

    def _life_of(
        self, job: NaiveJob, text: str, first: int, inside: bool, calls: int | None, cuts: dict[int, int]
    ) -> _Life:
        """Observe an executor. The machine may have caused SIGKILL (memory), so it is accepted the second time only."""
        life = self._life_once(job, text, first, inside, calls, cuts)
        if life.death == KILLED_FROM_OUTSIDE:
            return self._life_once(job, text, first, inside, calls, cuts)
        return life

    def _life_once(
        self, job: NaiveJob, text: str, first: int, inside: bool, calls: int | None, cuts: dict[int, int]
    ) -> _Life:
        life = _Life()
        subject = job.subject
        self._judge.start(subject)
        self._nursery.start((Path(subject.suite),) if inside else ())
        born = Born(subject.text(text), subject if inside else None)
        self._nursery.order(NurseryOrder(born, (Turn(None, LONGEST_SILENCE),)))
        line = self._turn(life, LONGEST_SILENCE)
        if line is None:
            raise WorkerDied("its executor ended before it ran anything")
        word = _parsed_line(line)
        life.last = word if isinstance(word, (Compiled, Stillborn)) else None
        if isinstance(word, Compiled):
            self._nursery.order(NurseryOrder(None, (Turn("load", WALL_CONSTANT),)))
            line = self._turn(life, WALL_CONSTANT)
            word = None if line is None else _parsed_line(line)
            life.last = word if isinstance(word, (Loaded, Unloadable)) else None
            if isinstance(word, Loaded):
                self._run(life, job, first, inside, calls, cuts)
            elif line is not None and life.last is None:
                life.death = _NO_ANSWER
        return life

    def _run(
        self, life: _Life, job: NaiveJob, first: int, inside: bool, calls: int | None, cuts: dict[int, int]
    ) -> None:
        """Run inputs, in growing batches, until the end, the executor's death, or the first kill if no more is needed.

        With `calls`, run only that many calls of each sequence; with `cuts`, that many of the sequences with these
        numbers.
        """
        at_once = 1
        while first < job.last and life.death is None:
            last = min(first + at_once, job.last)
            inputs = self._judge.prepared(first, last)
            if not inside and any(prepared.inside for prepared in inputs):
                raise _JudgedInside
            limits = [allowed_seconds(prepared.seconds) for prepared in inputs]
            cases = [_cut(one.input, cuts.get(number, calls)) for number, one in enumerate(inputs, start=first)]
            sent_inputs = [InsideInput(first + at) if inside else case for at, case in enumerate(cases)]
            self._nursery.order(NurseryOrder(None, tuple(map(Turn, map(INPUTS.to_json, sent_inputs), limits))))
            answers: list[str] = []
            for limit in limits:
                line = self._turn(life, limit)
                if line is None:
                    case = cases[len(answers)]
                    life.died_of = len(case.budgets) if not inside and isinstance(case, SequenceInput) else 0
                    break
                answers.append(line)
            for number, line in enumerate(answers, start=first):
                judged = _judgement(line) if inside else self._judge.judgement(number, line)
                if isinstance(judged, NotSeen):
                    raise _JudgedInside
                if not isinstance(judged, Judged):
                    life.death = judged if isinstance(judged, ExecutorDied) else _NO_ANSWER
                    return
                life.add(number, judged)
                cut = judged.calls_to_kill or (cuts.get(number) if judged.kill is not None else None)
                if cut:
                    life.cuts[number] = cut
                if judged.kill is not None and not job.every_input:
                    life.death = None
                    return
            first, at_once = last, min(2 * at_once, MOST_AT_ONCE)

    def _turn(self, life: _Life, seconds: float) -> str | None:
        """Return the executor's message; None if it has died, which `life` then records."""
        word = self._nursery.word(seconds)
        if isinstance(word, ExecutorDied):
            life.death = word
            return None
        return word.line


def _cut(test_input: StateInput | SequenceInput, calls: int | None) -> StateInput | SequenceInput:
    """Return an input for an executor, with the first calls of its sequence only."""
    if calls is None or not isinstance(test_input, SequenceInput):
        return test_input
    return replace(test_input, budgets=test_input.budgets[:calls])


def _killed(mutant: str, kill: ReportedKill, number: int | None, inputs_run: int, steps: int | None) -> MutantResult:
    return MutantResult(mutant, Verdict.KILLED, inputs_run, steps, kill.reason, kill.phase, number, kill.detail)


def _judgement(line: str) -> Judged | None:
    """Read the line of an executor that judges by itself; None if it is no judgement."""
    judgement = _parsed_line(line)
    return Judged(judgement.steps, judgement.kill) if isinstance(judgement, Judgement) else None


def _parsed_line(line: str) -> Beginning | Answer | None:
    """Read the line of an executor; None if no executor would say it."""
    try:
        return SAYINGS.of_json(line)
    except DecodeError:
        return None
