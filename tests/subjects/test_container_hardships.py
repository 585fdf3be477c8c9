"""Difficulties of Python in containers of packages as installed, one kind after the other (docs/real_containers.md)."""

from types import FunctionType, ModuleType
from typing import Any

import pytest
from support.sequence_suites import task_of
from support.subjects import loaded

from harness.errors import SpecError
from harness.generators.sequences.exploration import Policy, SequenceExploration
from harness.generators.sequences.replay import Matcher
from harness.kernel.objects.equality import concrete
from harness.model.sequence import SequenceScope
from harness.mutation.reach import reachable
from harness.runner.subjects import load_subject


def mutated(name: str, *targets: str) -> set[str]:
    subject = load_subject(f"containers/{name}")
    return set(reachable(subject.source, targets, helpers=()))


def test_a_blocked_accelerator_in_c_leaves_the_class_in_python():
    _, module = loaded("containers/ordered_dict")
    assert type(vars(module.OrderedDict)["move_to_end"]) is FunctionType


@pytest.mark.parametrize(
    ("name", "inherited", "own"),
    [
        ("sorted_dict", "SortedDict.__eq__", "SortedDict.popitem"),
        ("heap_dict", "heapdict.setdefault", "heapdict.popitem"),
    ],
)
def test_what_is_inherited_of_c_or_another_module_is_called_and_not_mutated(name, inherited, own):
    called = {routine.name for routine in task_of(f"containers/{name}", 1).bounds.routines}
    assert {inherited.partition(".")[2], own.partition(".")[2]} <= called
    assert mutated(name, inherited, own) == {own}


def of_sorted_list(module: ModuleType) -> Any:
    held = module.SortedList(range(6))
    held._reset(2)
    return held


def of_dllist(module: ModuleType) -> Any:
    return module.dllist([0, 1, 2])


def of_digraph(module: ModuleType) -> Any:
    held = module.DiGraph()
    held.add_edge(0, 1)
    return held


@pytest.mark.parametrize(
    ("name", "make", "look"),
    [
        ("sorted_list", of_sorted_list, lambda held: held[3]),
        ("dllist", of_dllist, lambda held: held[1]),
        ("digraph", of_digraph, lambda held: (held.nodes, held.adj, held.degree)),
    ],
)
def test_lazy_fields_and_cached_properties_are_no_part_of_a_state(name, make, look):
    task = task_of(f"containers/{name}", 3)
    task.bounds.elements(6)
    held = make(task.module)
    key, whole = Matcher(task.bounds).key(held), concrete(held)
    look(held)
    assert concrete(held) != whole
    assert Matcher(task.bounds).key(held) == key is not None


def test_tasks_that_can_be_more_and_more_are_told_where_nothing_bounds_the_calls():
    def unbounded(bounds: SequenceScope) -> None:
        bounds.most_calls = None
        bounds.attempts(500)

    with pytest.raises(SpecError, match="unfinished_tasks"):
        list(SequenceExploration(task_of("containers/priority_queue", 1, unbounded), Policy()))
