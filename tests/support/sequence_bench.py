"""Sequences of calls judged on both paths, in the tests' own process: programs and specs given as texts."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from harness.kernel.inputs.suites import NO_STATE, Call, InputKind, SuiteHeader, SuiteReader, SuiteWriter
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.oracle import Kill
from harness.kernel.naive.judge import Judge, Program
from harness.kernel.naive.oracle import Kill as NaiveKill
from harness.kernel.naive.words import SubjectJob
from harness.kernel.program.loader import ModuleText, execute_with_ticks, step_counter
from harness.kernel.running.job import RunJob
from harness.kernel.running.loaded_job import JudgedSuite
from harness.kernel.specs.spec import load_spec
from harness.model.outcome import OracleName
from harness.model.sequence import Observation, SequenceScope

ENDLESS = 1 << 60
Judged = tuple[int, Kill | None]
"""Steps, and why the mutant is told."""
WAYS = [
    (OracleName.POSTCONDITION, Observation.END),
    (OracleName.DIFFERENTIAL, Observation.END),
    (OracleName.DIFFERENTIAL, Observation.EVERY_CALL),
]


def write_sequences(
    folder: Path, bounds: SequenceScope, sequences: Iterable[Sequence[Call]], scope: int, by: str = "bench",
    subject: str = "bench",
) -> None:  # fmt: skip
    """A suite of exactly these sequences, as a generator of that name has made them; beginnings are shared."""
    header = SuiteHeader(
        subject=subject, subject_hash="", generator=by, generator_version="1", scope=scope, seed=0, width=2,
        itemsize=4, targets=[routine.name for routine in bounds.routines], kind=InputKind.SEQUENCES.value,
    )  # fmt: skip
    states: dict[tuple[Call, ...], int] = {(): NO_STATE}
    with SuiteWriter(folder, header) as writer:
        for sequence in sequences:
            prefix = tuple(sequence[:-1])
            for length in range(1, len(prefix) + 1):
                if prefix[:length] not in states:
                    before = states[prefix[: length - 1]]
                    states[prefix[:length]] = writer.add_state((before, writer.call_number(prefix[length - 1])))
            writer.add_input(states[prefix], sequence[-1])
        writer.close()


class SequenceBench:
    """A program, its spec, and a suite of sequences."""

    def __init__(
        self,
        folder: Path,
        source: str,
        spec: str,
        sequences: Iterable[Sequence[Call]],
        observed: Observation = Observation.END,
        scope: int = 2,
        concrete: bool = False,
        oracle: OracleName = OracleName.DIFFERENTIAL,
    ) -> None:
        self.text = ModuleText("impl", source, "impl.py")
        self.counter = step_counter()
        self.counter.start(ENDLESS)
        self.spec = load_spec(spec, "spec.py", self.counter)
        self.suite_folder = folder / f"suite-{observed.value}"
        write_sequences(self.suite_folder, self.spec.sequences(scope, source), sequences, scope)
        suite = SuiteReader(self.suite_folder)
        self.numbers = range(len(suite))
        job = RunJob(
            self.text, spec, "spec.py", scope, str(self.suite_folder), concrete,
            observed=observed.value, oracle=oracle.value,
        )  # fmt: skip
        self.judged = JudgedSuite(job, suite, self.spec, self.counter)
        self.baseline = Baseline()
        self.original = execute_with_ticks(self.text, self.counter)
        self.judged.observe(self.original, self.numbers, self.baseline, lambda number: None)
        self.job = SubjectJob(
            self.text, spec, "spec.py", scope, str(self.suite_folder), concrete,
            observed=observed.value, oracle=oracle.value,
        )  # fmt: skip
        self.judging = Judge(self.job)

    def fast(self, mutant: str) -> list[Judged]:
        """Return the judgements of a run on a mutant, for every input."""
        self.counter.start(ENDLESS)
        module = execute_with_ticks(ModuleText("impl", mutant, "impl.py"), self.counter)
        judge = self.judged.judge(module, self.baseline)
        judgements: list[Judged] = []
        for number in self.numbers:
            judge.surplus = 0
            kill = judge.judge(number)
            judgements.append((self.baseline.steps[number] + judge.surplus, kill))
        return judgements

    def naive(self, mutant: str) -> list[tuple[int, NaiveKill | None]]:
        """Return the judgements of the naive path."""
        self.judging.counter.start(ENDLESS)
        program = Program.of(ModuleText("impl", mutant, "impl.py"), self.judging.counter)
        return [self.judging.judge(number, program, lambda _: None) for number in self.numbers]


def reasons(judged: Iterable[Judged]) -> list[str | None]:
    """Reasons with details, by input."""
    return [None if kill is None else f"{kill.reason.value}: {kill.detail}" for _, kill in judged]


def explained(bench: SequenceBench, mutant: str) -> str:
    """Return the reason by which a mutant is killed on the only sequence, or ""; both paths agree about it."""
    facts = bench.fast(mutant)
    ((steps, kill),) = facts
    ((naive_steps, naive_kill),) = bench.naive(mutant)
    assert steps == naive_steps
    assert (None if kill is None else (kill.reason, kill.phase)) == (naive_kill and naive_kill[:2])
    return reasons(facts)[0] or ""
