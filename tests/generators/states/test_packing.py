"""Suites that compiled code writes in blocks are those that are written one by one, byte by byte."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from generator_samples import SAMPLES, TREE, module, task, workshop
from support.subjects import UNLIKE, loaded
from support.sweeps import WHOLE

from harness.generators.policies.korat.generator import Korat
from harness.generators.protocol import StateCheck, Task
from harness.generators.sampled import STATE_SAMPLE
from harness.generators.states.translated.search import Pace
from harness.kernel.inputs.state_space import StateSpace, item_size
from harness.kernel.inputs.suites import SuiteHeader, SuiteReader, SuiteWriter
from harness.model.finitization import Finitization
from harness.resources import subject_folders

FILES = ("states.bin", "inputs.bin")
AT_ONCE = Pace(beginning=1)
"""Compiled code begins after one candidate."""


class CountingWriter(SuiteWriter):
    """Counts the states that come in blocks."""

    in_blocks = 0

    def add_block(self, states, count):
        self.in_blocks += count
        super().add_block(states, count)


def subject_task(name: str, scope: int) -> Task:
    spec, code = loaded(name)
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


def check(job: Task, *, pace: Pace = AT_ONCE) -> CountingWriter:
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


NOT_TRANSLATED = {"disj_set_fast", "fib_heap"}
CALLS_BY_STATE = {"hash_set", "linked_list"}


@pytest.mark.parametrize(
    "name", [name for name in subject_folders() if name not in NOT_TRANSLATED and (WHOLE or name in UNLIKE)]
)
def test_every_subjects_suite_is_the_same_written_in_blocks(name):
    suite = check(subject_task(name, 2))
    assert suite.header.inputs
    assert bool(suite.in_blocks) is (name not in CALLS_BY_STATE)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_arguments_that_are_objects_come_out_the_same(sample):
    check(task(sample.module, sample.finitization(), sample.rep_ok))


def test_wide_domains_are_written_with_two_bytes():
    f = Finitization("SearchTree")
    f.set("SearchTree.root", None)
    f.set("SearchTree.size", range(300))
    f.method("add", (1, 2))
    suite = check(task(module(TREE), f, lambda tree: tree.size % 2 == 0))
    assert (suite.header.itemsize, suite.header.states) == (2, 150)
    assert suite.in_blocks


def test_blocks_between_stretches_make_the_same_suite():
    check(subject_task("search_tree", 3), pace=Pace(beginning=2, block=2, budget=200))
