"""A subject with a suite, on which the fast path and the naive one judge the same mutants."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from support.bench import Bench as Zygote

from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.naive.words import NaiveJob, SubjectJob
from harness.kernel.program.loader import ModuleText
from harness.kernel.program.splice import mutated_source
from harness.kernel.running.job import RunJob
from harness.model.outcome import Location, Mutant, MutantResult
from harness.model.subject import Subject
from harness.runner.mutant_results import ProbedFacts, kill_row_of, result_of
from harness.runner.witness import Reexecution, Witnessed


def mutant_at(source: str, start: int, old: str, new: str, *, function: str = "f", source_hash: str = "") -> Mutant:
    """Return the mutant that has `new` for the text `old` that begins at `start`."""
    (line, column), (end_line, end_column) = (
        (source.count("\n", 0, at) + 1, at - source.rfind("\n", 0, at) - 1) for at in (start, start + len(old))
    )
    location = Location(line, column, end_line, end_column)
    return Mutant(f"X:{start}:{new[:20]}", "X", function, location, old, new, source_hash)


@dataclass(frozen=True)
class Bench:
    """A subject with a suite and a zygote that has run the original."""

    subject: Subject
    suite: Path
    inputs: int
    scope: int
    zygote: Zygote
    original_steps: int
    ways: Mapping[str, str] = field(default_factory=dict)
    """How inputs are run and judged: fields of `SubjectJob`."""

    @classmethod
    @contextmanager
    def opened(cls, subject: Subject, suite: Path, scope: int, job: Path, **ways: Any) -> Iterator[Self]:
        """Run the original on a suite; the job of the zygote is written to `job`."""
        text = ModuleText(subject.module, subject.source, "impl.py", subject.blocked)
        RunJob(text, subject.spec_source, "spec.py", scope, str(suite), **ways).write(job)
        with Zygote(job, len(SuiteReader(suite))) as zygote:
            yield cls(subject, suite, zygote.inputs, scope, zygote, zygote.facts.steps, ways)

    def mutant(self, old: str, new: str) -> Mutant:
        """Return the mutant that has `new` for the first `old`."""
        return self.mutant_at(self.subject.source.index(old), old, new)

    def mutant_at(self, start: int, old: str, new: str) -> Mutant:
        return mutant_at(self.subject.source, start, old, new, source_hash=self.subject.source_hash)

    def fast(self, mutant: Mutant, matrix: bool = False) -> Witnessed:
        source = mutated_source(self.subject.source, mutant)
        facts = ProbedFacts(**vars(self.zygote.mutant(source, mutant.id, matrix=matrix)))
        return Witnessed(result_of(facts), kill_row_of(facts, self.inputs))

    def naive(self, mutant: Mutant, matrix: bool = False) -> Witnessed:
        subject = self.subject
        job = SubjectJob(
            ModuleText(subject.module, subject.source, "impl.py", subject.blocked), subject.spec_source, "spec.py",
            self.scope, str(self.suite), False, **self.ways,
        )  # fmt: skip
        own = NaiveJob(job, mutant.location, mutant.original, mutant.replacement, matrix, self.inputs)
        with Reexecution() as one:
            return one.of(mutant.id, own)

    def both(self, old: str, new: str, matrix: bool = False) -> MutantResult:
        """Return the mutant's result, which the two paths agree on."""
        mutant = self.mutant(old, new)
        fast, naive = self.fast(mutant, matrix), self.naive(mutant, matrix)
        without = [replace(told.result, detail="", executed=None) for told in (fast, naive)]
        assert without[0] == without[1]
        assert fast.kill_row == naive.kill_row
        assert fast.result.detail.endswith(naive.result.detail)
        return naive.result
