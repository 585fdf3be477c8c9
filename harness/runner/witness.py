"""Between the judge and the executors of the naive path: passes on what each says, and puts it into a run's form."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from harness.codec.codec import codec_of
from harness.kernel.naive.job import NaiveJob, SubjectJob, mutated
from harness.kernel.naive.process import JUDGE, NURSERY
from harness.kernel.process.child_process import MOST_DEATHS, WALL_CONSTANT, WALL_FACTOR, weight
from harness.kernel.process.time_limits import IDLE_FACTOR
from harness.kernel.program.loader import ModuleText
from harness.model.outcome import KillReason, MutantResult, Phase, Verdict
from harness.sandbox.process import LONGEST_SILENCE, SandboxedProcess, WorkerDied
from harness.store.facts import KillRow

GRACE = 30.0
"""Seconds beyond a mutant's limit in which its nursery, which counts it, has to speak."""
MOST_AT_ONCE = 64
MOST_ATTEMPTS = 8
"""Executors until each runs a mutant's calls as a run does: two, but where the mutant does something else each time."""

Line = dict[str, Any]
Death = tuple[KillReason, str]


@dataclass(frozen=True)
class Witnessed:
    """What the naive path saw of one mutant; `kill_row` where every input was run.

    `inside`: it was judged in its own process, as this subject cannot be judged from outside.
    """

    result: MutantResult
    kill_row: KillRow | None = None
    inside: bool = False


def unheard(mutant: str, why: str) -> Witnessed:
    """Make the result of a mutant that could not be re-executed."""
    return Witnessed(MutantResult(mutant, Verdict.INCONCLUSIVE, 0, None, detail=why))


class Unheard(Exception):
    """A mutant could not be re-executed, and that is not its doing."""


class _JudgedInside(Exception):
    """The mutant is to be judged in its own process."""


@dataclass
class _Life:
    """What was seen of one executor: `last` words before the inputs, finished inputs together, and its death.

    `cuts`: of sequences that were told before their last call, how many calls a run makes of them.
    """

    last: Line = field(default_factory=dict)
    finished: int = 0
    steps: int = 0
    kills: dict[int, list[str]] = field(default_factory=dict)
    cuts: dict[int, int] = field(default_factory=dict)
    death: Death | None = None
    died_of: int = 0
    """How many calls the sequence has that it died of; 0: unknown, or none."""

    def add(self, number: int, judged: Line) -> None:
        self.finished += 1
        self.steps += judged["steps"]
        if judged["kill"]:
            self.kills[number] = judged["kill"]


def witness(mutant: str, job: NaiveJob, most_deaths: int | None = MOST_DEATHS) -> Witnessed:
    """Re-executes one mutant with processes of its own."""
    with Witness() as one:
        return one.of(mutant, job, most_deaths)


class Witness:
    """Re-executes mutants, one at a time: a judge as long as the subject is the same, and a nursery of executors.

    Use as a context manager: leaving ends all its processes, whose folders are `below` the one given.
    """

    def __init__(self, below: Path | None = None) -> None:
        self._below = below
        self._judge: SandboxedProcess | None = None
        self._judged: SubjectJob | None = None
        self._nursery: SandboxedProcess | None = None
        self._readable: tuple[Path, ...] = ()

    def __enter__(self) -> Witness:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end_judge()
        self._end_nursery()

    def of(self, mutant: str, job: NaiveJob, most_deaths: int | None = MOST_DEATHS) -> Witnessed:
        """What is seen of a mutant; INCONCLUSIVE with its reason where it could not be re-executed."""
        try:
            text = mutated(job)
            for attempt in range(2):
                try:
                    try:
                        return self._seen(mutant, job, text, most_deaths, inside=False)
                    except _JudgedInside:
                        return self._seen(mutant, job, text, most_deaths, inside=True)
                except WorkerDied as died:
                    self._end_judge()
                    if attempt:
                        raise Unheard(f"a process that re-executes has died twice: {died.how}") from None
        except (Unheard, ValueError) as error:
            self._end_judge()
            why = str(error)
        return unheard(mutant, why)

    def _seen(self, mutant: str, job: NaiveJob, text: str, most_deaths: int | None, inside: bool) -> Witnessed:
        """Goes on with a new executor behind an input that killed one, if every input is to be run."""
        kills: dict[int, list[str]] = {}
        finished = steps = deaths = 0
        no_program = KillRow.full(mutant, job.last) if job.every_input else None
        while True:
            life = self._life(job, text, finished, inside)
            if "stillborn" in life.last:
                return Witnessed(MutantResult(mutant, Verdict.STILLBORN, 0, None, detail=life.last["stillborn"]))
            if "unloadable" in life.last:
                detail = f"loading the module raised {life.last['unloadable'][:200]}"
                kill = [KillReason.EXCEPTION.value, Phase.LOAD.value, detail]
                return Witnessed(_killed(mutant, kill, None, 0, 0), no_program, inside)
            kills |= life.kills
            finished += life.finished
            steps += life.steps
            if life.death is None:
                break
            reason, detail = life.death
            if "loaded" not in life.last:
                kill = [reason.value, Phase.LOAD.value, detail]
                return Witnessed(_killed(mutant, kill, None, finished, None), no_program, inside)
            told = self._told_before(job, text, finished, life, inside)
            if told.kills:
                kills |= told.kills
                steps += told.steps
            else:
                reason, detail = told.death or life.death
                kills[finished] = [reason.value, Phase.CALL.value, detail]
                deaths += weight(reason, detail)
            finished += 1
            if not job.every_input or finished == job.last or (most_deaths is not None and deaths >= most_deaths):
                break
        row = KillRow.of_kills(mutant, finished, kills) if job.every_input and finished == job.last else None
        if not kills:
            return Witnessed(MutantResult(mutant, Verdict.SURVIVED, finished, steps), row, inside)
        first = min(kills)
        return Witnessed(_killed(mutant, kills[first], first, finished, None if deaths else steps), row, inside)

    # -- one executor -----------------------------------------------------------------------------

    def _told_before(self, job: NaiveJob, text: str, number: int, died: _Life, inside: bool) -> _Life:
        """An executor's life on ever more calls of the sequence `number`, up to its death or the first kill.

        The one that died of it knew of no kill, and ran calls behind the one that tells the mutant.
        """
        one = replace(job, last=number + 1)
        for calls in range(1, died.died_of):
            life = self._life(one, text, number, inside, calls)
            if life.kills or life.death is not None:
                return life
        return _Life()

    def _life(self, job: NaiveJob, text: str, first: int, inside: bool, calls: int | None = None) -> _Life:
        """What is seen of an executor, all of whose calls are such as a run makes.

        A run ends a sequence with the call that tells the mutant, which an executor does not know: it goes on. What the
        mutant keeps outside of objects would then be another thing on later inputs. So where there are later ones, a
        new executor does all of it again without those calls.
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
        """An executor's life. SIGKILL may be the machine's doing (memory): believed at the second time."""
        life = self._life_once(job, text, first, inside, calls, cuts)
        if life.death == (KillReason.CRASH, "SIGKILL"):
            return self._life_once(job, text, first, inside, calls, cuts)
        return life

    def _life_once(
        self, job: NaiveJob, text: str, first: int, inside: bool, calls: int | None, cuts: dict[int, int]
    ) -> _Life:
        life = _Life()
        subject = job.subject
        self._start_judge(subject)
        self._start_nursery((Path(subject.suite),) if inside else ())
        self._order(
            {
                "mutant": codec_of(ModuleText).to_data(subject.text(text)),
                "inside": codec_of(SubjectJob).to_data(subject) if inside else None,
                "turns": [[None, LONGEST_SILENCE]],
            }
        )
        said = self._turn(life, LONGEST_SILENCE)
        if said is None:
            raise WorkerDied("its executor ended before it ran anything")
        life.last = _word(said, "compiled", "stillborn")
        if "compiled" in life.last:
            self._order({"turns": [["load", WALL_CONSTANT]]})
            said = self._turn(life, WALL_CONSTANT)
            life.last = {} if said is None else _word(said, "loaded", "unloadable")
            if "loaded" in life.last:
                self._run(life, job, first, inside, calls, cuts)
            elif said is not None and not life.last:
                life.death = (KillReason.CRASH, "said what is no answer")
        return life

    def _run(
        self, life: _Life, job: NaiveJob, first: int, inside: bool, calls: int | None, cuts: dict[int, int]
    ) -> None:
        """Has it run inputs, more and more at once, to the end, its death, or the first kill if that is all asked.

        With `calls`, only so many of each sequence; with `cuts`, so many of the sequences of these numbers.
        """
        at_once = 1
        while first < job.last and life.death is None:
            last = min(first + at_once, job.last)
            inputs = self._prepared(first, last)
            if not inside and any(prepared["inside"] for prepared in inputs):
                raise _JudgedInside
            limits = [WALL_FACTOR * prepared["seconds"] + WALL_CONSTANT for prepared in inputs]
            lines = [_cut(one["line"], cuts.get(number, calls)) for number, one in enumerate(inputs, start=first)]
            given = [json.dumps({"input": first + at}) if inside else lines[at] for at in range(len(inputs))]
            self._order({"turns": list(zip(given, limits, strict=True))})
            answers: list[str] = []
            for limit in limits:
                said = self._turn(life, limit)
                if said is None:
                    life.died_of = 0 if inside else len(json.loads(lines[len(answers)]).get("budgets", ()))
                    break
                answers.append(said)
            for number, said in enumerate(answers, start=first):
                judged = _judgement(said) if inside else self._judgement(life, number, said)
                if judged is not None and "unseen" in judged:
                    raise _JudgedInside
                if judged is None or not judged.keys() >= {"steps", "kill"}:
                    life.death = life.death if judged is None else (KillReason.CRASH, "said what is no answer")
                    return
                life.add(number, judged)
                cut = judged.get("told_by") or (cuts.get(number) if judged["kill"] else None)
                if cut:
                    life.cuts[number] = cut
                if judged["kill"] and not job.every_input:
                    life.death = None
                    return
            first, at_once = last, min(2 * at_once, MOST_AT_ONCE)

    # -- the nursery ------------------------------------------------------------------------------

    def _turn(self, life: _Life, seconds: float) -> str | None:
        """What the executor says; None if it has died, which `life` then tells."""
        try:
            assert self._nursery is not None
            fact = self._nursery.fact(IDLE_FACTOR * seconds + GRACE, idle_factor=1)
        except WorkerDied:
            self._end_nursery()
            fact = {"died": [KillReason.CRASH.value, "SIGKILL"]}  # with the nursery: its doing if it happens again
        if "died" in fact:
            reason, detail = fact["died"]
            life.death = KillReason(reason), detail
            return None
        said: str = fact["said"]
        return said

    def _order(self, order: Line) -> None:
        try:
            assert self._nursery is not None
            self._nursery.order(order)
        except WorkerDied:
            pass  # which its silence will tell

    def _start_nursery(self, readable: tuple[Path, ...]) -> None:
        if self._nursery is None or readable != self._readable:
            self._end_nursery()
            self._nursery = self._started(NURSERY, readable)
            self._readable = readable

    def _end_nursery(self) -> None:
        if self._nursery is not None:
            self._nursery.__exit__(None, None, None)
        self._nursery = None

    # -- the judge --------------------------------------------------------------------------------

    def _start_judge(self, subject: SubjectJob) -> None:
        if self._judge is None or subject != self._judged:
            self._end_judge()
            self._judge = self._started(JUDGE, (Path(subject.suite),))
            self._judged = subject
            self._judge.order(codec_of(SubjectJob).to_data(subject))
            self._fact(LONGEST_SILENCE)

    def _end_judge(self) -> None:
        if self._judge is not None:
            self._judge.__exit__(None, None, None)
        self._judge = None

    def _started(self, role: str, readable: tuple[Path, ...]) -> SandboxedProcess:
        return SandboxedProcess("harness.kernel.naive.process", role, below=self._below, readable=readable).__enter__()

    def _prepared(self, first: int, last: int) -> list[Line]:
        assert self._judge is not None
        self._judge.order({"prepare": [first, last]})
        return [self._fact(LONGEST_SILENCE) for _ in range(first, last)]

    def _judgement(self, life: _Life, number: int, said: str) -> Line | None:
        """What the judge says of an answer; None if judging it has used up its time, which `life` then tells."""
        assert self._judge is not None
        self._judge.order({"judge": [number, said]})
        try:
            return self._fact(LONGEST_SILENCE)
        except WorkerDied as died:
            if "SIGXCPU" not in died.how:
                raise
            self._end_judge()
            life.death = (KillReason.WALL_LIMIT, "processor-time limit")
            return None

    def _fact(self, seconds: float) -> Line:
        assert self._judge is not None
        fact = self._judge.fact(seconds)
        if "fault" in fact:
            raise Unheard(fact["fault"])
        return fact


def _cut(line: str, calls: int | None) -> str:
    """A line for an executor, with the first calls of its sequence only."""
    if calls is None:
        return line
    fields = json.loads(line)
    return json.dumps(fields | {"budgets": fields["budgets"][:calls]})


def _killed(mutant: str, kill: list[str], number: int | None, inputs_run: int, steps: int | None) -> MutantResult:
    reason, phase, detail = kill
    return MutantResult(
        mutant, Verdict.KILLED, inputs_run, steps, KillReason(reason), Phase(phase), number, detail
    )  # fmt: skip


def _word(said: str, good: str, bad: str) -> Line:
    """What an executor says of itself before it is given inputs; nothing if that is neither of two words."""
    line = _line(said)
    if line == {good: True} or (line.keys() == {bad} and isinstance(line[bad], str)):
        return line
    return {}


def _judgement(said: str) -> Line:
    """What an executor says that judges itself; nothing if it is no judgement."""
    line = _line(said)
    steps, kill = line.get("steps"), line.get("kill")
    try:
        killed = kill is None or (KillReason(kill[0]) and Phase(kill[1]) and isinstance(kill[2], str) and not kill[3:])
        if line.keys() == {"steps", "kill"} and type(steps) is int and steps >= 0 and killed:
            return line
    except (ValueError, TypeError, LookupError):
        pass
    return {}


def _line(said: str) -> Line:
    try:
        line = json.loads(said)
    except (ValueError, RecursionError):
        return {}
    return line if isinstance(line, dict) else {}
