"""A suite written in blocks by compiled code, held against the same one that is written one by one."""

from pathlib import Path
from tempfile import TemporaryDirectory

from generator_samples import workshop
from support.subjects import loaded

from harness.generators.policies.korat.generator import Korat
from harness.generators.protocol import StateCheck, Task
from harness.generators.sampled import STATE_SAMPLE
from harness.generators.states.translated.search import Pace
from harness.kernel.inputs.state_space import StateSpace, item_size
from harness.kernel.inputs.suites import SuiteHeader, SuiteReader, SuiteWriter

FILES = ("states.bin", "inputs.bin")
LITTLE_ROOM = Pace(beginning=1, states=3)
"""Compiled code begins after one candidate."""


class CountingWriter(SuiteWriter):
    """Counts the states that come in blocks, and those that come one by one."""

    in_blocks = singly = 0

    def add_block(self, states, count):
        self.in_blocks += count
        super().add_block(states, count)

    def add_state(self, vector):
        self.singly += 1
        return super().add_state(vector)


def subject_task(name: str, scope: int) -> Task:
    code, spec = loaded(name)
    return Task(spec, code, spec.finitization(scope), 0)


def header(space: StateSpace) -> SuiteHeader:
    targets = [target.name for target in space.finitization.targets]
    return SuiteHeader("s", "0", "korat", "1", 2, 0, space.width, item_size(space), targets)


def witness(job: Task, folder: Path) -> SuiteHeader:
    """Write the reference engine's groups one by one."""
    space = StateSpace(job.finitization)
    production = Korat().produce(job)
    with SuiteWriter(folder, header(space)) as writer:
        for vector, calls in production:
            state = writer.add_state(vector)
            writer.add_inputs(state, writer.row(calls))
        return writer.close()


def in_blocks(job: Task, folder: Path, looked_at: list, pace: Pace) -> CountingWriter:
    space = StateSpace(job.finitization)
    task = Task(job.spec, job.module, job.finitization, job.seed, workshop(pace=pace))
    with CountingWriter(folder, header(space)) as writer:
        check = StateCheck(lambda vector: looked_at.append(tuple(vector)) is None, frozenset())
        Korat().produce(task).write_states(writer, check)
        writer.close()
    return writer


def check(job: Task, *, pace: Pace = LITTLE_ROOM) -> CountingWriter:
    """The two suites are the same; returns the writer of the one in blocks."""
    looked_at: list = []
    with TemporaryDirectory() as folder:
        expected = witness(job, Path(folder) / "one")
        writer = in_blocks(job, Path(folder) / "blocks", looked_at, pace)
        header = writer.header
        assert header == expected
        for name in FILES:
            assert (Path(folder) / "blocks" / name).read_bytes() == (Path(folder) / "one" / name).read_bytes()
        reader = SuiteReader(Path(folder) / "blocks")
        reader.check()
        if all(target.requires is None for target in job.finitization.targets):
            numbers = [number for number in range(header.states) if STATE_SAMPLE.has(number)]
            assert looked_at == [tuple(reader.vector(number)) for number in numbers]
    return writer
