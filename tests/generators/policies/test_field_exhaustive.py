"""Field-exhaustive suites cover the extension of each field, by a naive solver whose instances are Korat's states."""

import re
from dataclasses import replace
from math import ceil
from unittest.mock import patch

import pytest
from generator_samples import inputs, module
from naive_instances import NaiveInstances, task_of
from support.generations import generation
from support.subjects import load_subject

from harness.errors import InstrumentError, InvariantError, SpecError, UsageError
from harness.generators.generate import generate
from harness.generators.policies.field_exhaustive import FieldExhaustive
from harness.generators.policies.korat.generator import Korat
from harness.generators.policies.sat_exhaustive import SatExhaustive
from harness.generators.protocol import Task
from harness.generators.sat import production as sat_production
from harness.generators.sat.extension import read, size
from harness.generators.sat.options import Options
from harness.generators.sat.pairs import Instance, field_names, pairs_of
from harness.generators.sat.production import NOT_PROVEN_MINIMAL, opened
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.program.loader import ModuleText
from harness.model.finitization import Finitization, Structures

SUBJECTS = [("search_tree", 3), ("red_black_tree", 3), ("fibonacci_heap", 2), ("parent_tree", 2)]
ALL = ("fields", "part", "reduce", "solver", "instances")


@pytest.fixture(autouse=True)
def _naively(monkeypatch):
    """Finds instances without a solver."""
    monkeypatch.setattr(sat_production, "opened", NaiveInstances)


def solved_by(instances: NaiveInstances):
    return patch.object(sat_production, "opened", lambda task, solver: instances)


def run(task: Task, text: str = "", instances=None):
    """Return the instances of a suite in order, without states that arguments extend, and its production."""
    options = Options.read("field-exhaustive", text, ALL) if text else Options()
    with solved_by(instances or NaiveInstances(task)):
        production = FieldExhaustive(options).produce(task)
    valid_states = set((instances or NaiveInstances(task)).vectors)
    states = list(dict.fromkeys(tuple(vector) for vector, _ in production))
    return [state for state in states if state in valid_states], production


def pairs_by_vector(task: Task):
    naive = NaiveInstances(task)
    return {one.vector: one.pairs for one in naive.instances}, naive.extension


def test_each_instance_has_a_pair_that_no_earlier_one_has():
    task = task_of("search_tree", 4)
    pairs, _ = pairs_by_vector(task)
    states, _ = run(task)
    covered = set()
    for state in states:
        assert not pairs[state] <= covered
        covered |= pairs[state]


def test_the_extension_of_left_is_the_one_that_the_paper_prints():
    """Section 4: at scope 4, with None at index 0."""
    _, production = run(task_of("search_tree", 4))
    assert production.extension["Node.left"]["feasible"] == ["0,2", "0,3-4", "0,4", "0"]


@pytest.mark.parametrize("text", ["fields=left+right", "fields=Node.left+root", "fields=references"])
def test_of_a_subset_of_fields_their_extension_alone_is_covered(text):
    task = task_of("search_tree", 4)
    pairs, extension = pairs_by_vector(task)
    states, production = run(task, text)
    names = {
        "fields=left+right": {"Node.left", "Node.right"},
        "fields=Node.left+root": {"Node.left", "SearchTree.root"},
    }
    fields = names.get(text, {"Node.left", "Node.right", "SearchTree.root"})
    expected_pairs = {pair for pair in extension if pair.field in fields}
    covered = frozenset().union(*(pairs[state] for state in states))
    assert expected_pairs <= covered
    assert len(states) <= len(expected_pairs)
    assert {one.field for one in read(production.extension) if one.feasible is not None} == fields
    assert sum(one.covered_size for one in read(production.extension)) == len(covered)


@pytest.mark.parametrize("part", [1, 50, 90, 99, 100])
def test_a_part_is_the_beginning_of_the_suite_that_first_reaches_it(part):
    task = task_of("search_tree", 4)
    pairs, extension = pairs_by_vector(task)
    whole, _ = run(task)
    states, production = run(task, f"part={part}")
    assert states == whole[: len(states)]
    enough = ceil(part * len(extension) / 100)
    assert len(frozenset().union(*(pairs[state] for state in states))) >= enough
    assert len(frozenset().union(*(pairs[state] for state in states[:-1]))) < enough
    assert size(production.extension) == len(extension)


def test_the_first_instances_alone_are_a_suite_whose_extension_is_not_known():
    task = task_of("search_tree", 4)
    whole, _ = run(task)
    states, production = run(task, "instances=5")
    assert states == whole[:5]
    assert production.stop_reason == "instances"
    assert {one.feasible for one in read(production.extension)} == {None}
    assert run(task, f"instances={len(whole) + 1}")[1].stop_reason is None


@pytest.mark.parametrize(("name", "scope"), SUBJECTS)
def test_a_reduced_suite_covers_the_same_with_no_more_instances(name, scope):
    task = task_of(name, scope)
    pairs, extension = pairs_by_vector(task)
    whole, _ = run(task)
    fewer, _ = run(task, "reduce=irredundant")
    fewest, production = run(task, "reduce=minimal")
    for states in (fewer, fewest):
        assert frozenset().union(*(pairs[state] for state in states)) == extension
        assert [state for state in whole if state in states] == states
    assert len(fewest) <= len(fewer) <= len(whole)
    assert production.solving["proven_minimal"] is True
    assert list(production.facts().notices) == []
    production.solving["proven_minimal"] = False
    assert list(production.facts().notices) == [NOT_PROVEN_MINIMAL]


CELLS = module("class Cell:\n    def take(self, other): pass\n    def join(self, cell): pass\nclass Item: pass")


def cells(**requires) -> Finitization:
    f = Finitization("Cell")
    items = f.objects("Item", 2)
    f.set("Cell.item", None, items)
    f.set("Cell.key", [1, 2, 3])
    f.set("Item.weight", [4, 5])
    f.method("take", (None, items), requires=requires.get("take"))
    g = Finitization("Cell")
    g.set("Cell.item", None)
    g.set("Cell.key", [1, 2])
    f.method("join", Structures(g, lambda cell: cell.key == 2), requires=requires.get("join"))
    return f


def of_cells(finitization: Finitization, rep_ok=lambda cell: cell.key < 3) -> Task:
    task = task_of("search_tree", 1)
    return replace(task, module=CELLS, finitization=finitization, spec=replace(task.spec, rep_ok=rep_ok))


def inputs_of(production, finitization: Finitization):
    return sorted(inputs(production, StateSpace(finitization)))


def test_objects_and_structures_as_arguments_are_those_of_korat():
    task = of_cells(cells())
    production, korat = SatExhaustive().produce(task), Korat().produce(task)
    assert inputs_of(production, task.finitization) == inputs_of(korat, task.finitization)
    assert production.structures == korat.structures == {"1:0": [[0, 1]]}


def test_a_precondition_of_a_target_is_held_against_its_arguments():
    finitization = cells(
        take=lambda this, other: other is None or (other is not this.item and other.weight == 5),
        join=lambda this, cell: this.key < cell.key,
    )
    task = of_cells(finitization, lambda cell: True)
    inputs = inputs_of(SatExhaustive().produce(task), finitization)
    assert inputs == inputs_of(Korat().produce(task), finitization)
    assert {target for _, target, _ in inputs} == {0, 1}


def test_states_that_the_invariant_refuses_are_no_pre_states_whatever_a_target_requires():
    finitization = cells(take=lambda this, other: other is None, join=lambda this, cell: True)
    finitization._targets = [replace(target, any_state=True) for target in finitization.targets]
    inputs = inputs_of(SatExhaustive().produce(of_cells(finitization)), finitization)
    every = inputs_of(Korat().produce(of_cells(finitization)), finitization)
    assert inputs == [one for one in every if one[0][1] < 2]
    assert len(inputs) < len(every)


def test_the_first_instances_of_all_are_a_suite_in_the_order_of_their_vectors():
    task = task_of("search_tree", 3)
    production = SatExhaustive(Options(instances=5)).produce(task)
    vectors = [tuple(vector) for vector, _ in production]
    assert vectors == sorted(tuple(instance.vector) for instance in NaiveInstances(task).instances[:5])
    assert production.stop_reason == "instances"
    assert {one.feasible for one in read(production.extension)} == {None}


def test_a_precondition_that_raises_is_told_with_the_state():
    task = of_cells(cells(join=lambda this, cell: this.nothing))
    with pytest.raises(SpecError, match=r"reads Cell\.nothing"):
        list(SatExhaustive().produce(task))


@pytest.mark.parametrize("generator", [FieldExhaustive, SatExhaustive])
def test_instances_that_rep_ok_refuses_are_a_finding_with_the_smallest(generator):
    task = task_of("search_tree", 3)
    naive = NaiveInstances(task)
    strict = replace(task, spec=replace(task.spec, rep_ok=lambda tree: tree.size < 2))
    with solved_by(naive):
        production = generator().produce(strict)
    with pytest.raises(InvariantError, match=r"rep_ok refuses [\d,]+ of the \d+ instances of invariant") as raised:
        list(production)
    assert raised.value.exit_status == 1
    assert "size=2" in str(raised.value)


def test_an_unknown_field_is_told_with_those_that_there_are():
    message = "the finitization has no field 'lft'; did you mean 'Node.left'"
    with pytest.raises(UsageError, match=re.escape(message)):
        run(task_of("search_tree", 2), "fields=lft")


def test_an_invariant_that_nothing_satisfies_is_told():
    task = task_of("search_tree", 2)
    nothing = replace(task, spec=replace(task.spec, rep_ok=lambda tree: False))
    with pytest.raises(SpecError, match="no instance of the finitization satisfies invariant; correct it"):
        run(nothing)


def test_a_spec_without_an_invariant_is_told_what_to_write():
    task = task_of("sorted_list", 1)
    with pytest.raises(UsageError, match=r"spec\.py has no function invariant\(thiz, heap\)"):
        opened(task, "cadical195")


class Lying(NaiveInstances):
    """Gives its first instance otherwise than it is."""

    def __init__(self, task, change):
        super().__init__(task)
        self.instances[0] = change(self.instances[0], self.instances[1])


def skewed(first, other):
    """Return an instance that is not numbered breadth-first."""
    space, vector = StateSpace(task_of("search_tree", 2).finitization), (2, 1, 0, 0, 0, 0, 0, 0)
    return Instance(vector, frozenset(pairs_of(space, field_names(space), vector)))


@pytest.mark.parametrize(
    ("scope", "change", "message"),
    [
        (3, lambda first, other: Instance(first.vector, other.pairs), "has pairs that its vector does not have"),
        (3, lambda first, other: Instance(other.vector, first.pairs), "has pairs that its vector does not have"),
        (2, skewed, "is not numbered breadth-first"),
    ],
)
def test_an_instance_that_is_not_as_it_should_be_is_a_fault_of_ours(scope, change, message):
    task = task_of("search_tree", scope)
    with pytest.raises(InstrumentError, match=message):
        run(task, instances=Lying(task, change))


@pytest.mark.parametrize(
    ("unheard", "text", "message"),
    [
        ("block", "", "is isomorphic to an earlier one"),
        ("demand", "fields=Node.left", "without any of the pairs demanded"),
    ],
)
def test_an_instance_that_is_there_already_or_has_not_what_was_demanded_is_a_fault_of_ours(unheard, text, message):
    task = task_of("search_tree", 3)
    naive = NaiveInstances(task)
    setattr(naive, unheard, lambda told: None)
    with pytest.raises(InstrumentError, match=message), solved_by(naive):
        run(task, text, instances=naive) if text else [*SatExhaustive().produce(task)]


def test_the_header_keeps_extension_solver_and_processor_seconds(tmp_path):
    task = task_of("search_tree", 3)
    subject, spec = load_subject("search_tree")
    text = ModuleText("impl", subject.source, "impl.py")
    wanted = generation(spec, task.module, text, tmp_path / "suite", subject="search_tree", scope=3, seed=7)
    header = generate(FieldExhaustive(), wanted)
    assert header.details["sat.extension"] == 26
    solving = header.details["sat.solving"]
    assert (solving["solver"], solving["seed"]) == ("cadical195", 7)
    assert solving["version"].startswith("python-sat 1.")
    assert solving["calls"] >= header.states
    assert (header.notices, header.searchable) == ([], False)
    assert header.explored == header.states
    assert list(header.cpu_seconds) == ["generate"]
    assert header.cpu_seconds["generate"] > 0
