"""Suites that compiled code writes in blocks are those that are written one by one, byte by byte."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from generator_samples import SAMPLES, TREE, module, shared_objects, task
from hypothesis import HealthCheck, assume, given, settings
from random_samples import RANDOM_SOURCE, random_tasks, small
from support.subjects import UNLIKE, load_subject
from support.sweeps import with_rest

from harness.generators.policies.korat import production
from harness.generators.policies.korat.generator import Korat
from harness.generators.protocol import Task
from harness.generators.states import joint, packing
from harness.generators.states.engine import Search, Workshop
from harness.generators.states.packing import Packer
from harness.generators.states.unchanged import FIRST, is_sampled, sampled
from harness.kernel.inputs.state_space import StateSpace, item_size
from harness.kernel.inputs.suites import SuiteHeader, SuiteReader, SuiteWriter
from harness.kernel.program.loader import ModuleText, execute
from harness.model.finitization import Finitization
from harness.resources import subject_folders

FILES = ("states.bin", "inputs.bin")


@pytest.fixture(autouse=True)
def _blocks_at_once(monkeypatch):
    """Compiled code begins after one candidate, and has little room."""
    monkeypatch.setattr(production, "Search", partial(Search, beginning=1))
    monkeypatch.setattr(joint, "Search", partial(Search, beginning=1))
    monkeypatch.setattr(packing, "STATES", 3)
    monkeypatch.setattr(packing, "INPUTS", 4)


@pytest.fixture
def packed(monkeypatch):
    """How many vectors were written in blocks, and how many templates were made."""
    found = {"blocks": 0, "templates": 0}
    pack, add = Packer._pack, Packer._add_template

    def counted(self, *arguments):
        status = pack(self, *arguments)
        found["blocks"] += self._packed.vectors
        return status

    def added(self, *arguments):
        found["templates"] += 1
        add(self, *arguments)

    monkeypatch.setattr(Packer, "_pack", counted)
    monkeypatch.setattr(Packer, "_add_template", added)
    return found


def subject_task(name: str, scope: int) -> Task:
    subject, spec = load_subject(name)
    code = execute(ModuleText(subject.module, subject.source, str(subject.source_path), subject.blocked))
    return Task(spec, code, spec.finitization(scope), 0)


def header(space: StateSpace) -> SuiteHeader:
    targets = [target.name for target in space.finitization.targets]
    return SuiteHeader("s", "0", "korat", "1", 2, 0, space.width, item_size(space), targets)


def witness(job: Task, folder: Path) -> SuiteHeader:
    """The reference engine's groups, written one by one."""
    space = StateSpace(job.finitization)
    production = Korat().produce(job)
    with SuiteWriter(folder, header(space)) as writer:
        for vector, calls in production:
            state = writer.add_state(vector)
            for call in calls:
                writer.add_input(state, call)
        return writer.close()


def in_blocks(job: Task, folder: Path, looked_at: list, **options) -> SuiteHeader:
    space = StateSpace(job.finitization)
    workshop = Workshop(shared_objects(), lambda text: None, **options)
    production = Korat().produce(Task(job.spec, job.module, job.finitization, job.seed, workshop))
    with SuiteWriter(folder, header(space)) as writer:
        production.write(writer, lambda vector: looked_at.append(tuple(vector)))
        return writer.close()


def check(job: Task, **options) -> SuiteHeader:
    """The two suites are the same; returns the header."""
    looked_at: list = []
    with TemporaryDirectory() as folder:
        expected = witness(job, Path(folder) / "one")
        found = in_blocks(job, Path(folder) / "blocks", looked_at, **options)
        assert found == expected
        for name in FILES:
            assert (Path(folder) / "blocks" / name).read_bytes() == (Path(folder) / "one" / name).read_bytes()
        reader = SuiteReader(Path(folder) / "blocks")
        reader.check()
        if all(target.requires is None for target in job.finitization.targets):
            numbers = [number for number in range(found.states) if is_sampled(number)]
            assert looked_at == [tuple(reader.vector(number)) for number in numbers]
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("name", with_rest(UNLIKE, subject_folders()))
def test_every_subjects_suite_is_the_same_written_in_blocks(name, packed):
    made = check(subject_task(name, 2))
    assert made.inputs
    assert packed["blocks"] or made.states == 1  # the first state of its kind makes a template


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_arguments_that_are_objects_come_out_the_same(sample, packed):
    check(task(sample.module, sample.finitization(), sample.rep_ok))
    assert packed["blocks"] + packed["templates"] or sample.name == "ring"


def test_several_processes_write_the_same(packed, monkeypatch):
    monkeypatch.setattr("harness.generators.states.engine.ALONE", 0.0)
    monkeypatch.setattr("harness.generators.states.translated.search.BUDGET", 500)
    check(subject_task("search_tree", 3), jobs=2)
    assert packed["blocks"]


def test_objects_that_a_state_does_not_reach_bring_fields_of_their_own(packed):
    f = Finitization("R")
    f.set("R.p", None, f.objects("A", 2))
    f.set("A.x", 0, 1, None)
    f.set("A.y", 0, f.domains[1])
    f.method("m", (None, f.domains[1]), (f.domains[1],))
    assert check(task(module(RANDOM_SOURCE), f, lambda root: root.p is None or root.p.x != 1)).inputs > 50
    assert packed["blocks"] > packed["templates"] > 1


def test_wide_domains_are_written_with_two_bytes(packed):
    f = Finitization("SearchTree")
    f.set("SearchTree.root", None)
    f.set("SearchTree.size", range(300))
    f.method("add", (1, 2))
    made = check(task(module(TREE), f, lambda tree: tree.size % 2 == 0))
    assert (made.itemsize, made.states) == (2, 150)
    assert packed["blocks"]


def test_where_there_are_too_many_keys_vectors_are_written_one_by_one(packed, monkeypatch):
    monkeypatch.setattr(packing, "MOST_KEYS", 2)
    f = Finitization("R")
    f.set("R.p", None, f.objects("A", 2))
    f.set("A.x", 0, 1)
    f.method("m", f.domains[1])
    check(task(module(RANDOM_SOURCE), f, lambda root: root.p is None or root.p.x == 1))
    assert packed == {"blocks": 0, "templates": 0}


@given(random_tasks())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_arguments_come_out_the_same(drawn):
    f, predicate = drawn
    assume(small(f))
    check(task(module(RANDOM_SOURCE), f, predicate))


@pytest.mark.parametrize("first", [0, 1, 63, 64, 65, 1000, 1 << 20])
def test_sampled_numbers_are_those_that_are_sampled(first):
    for end in (first, first + 1, first + 100, first + 2 * FIRST):
        assert sampled(first, end) == [number for number in range(first, end) if is_sampled(number)]
