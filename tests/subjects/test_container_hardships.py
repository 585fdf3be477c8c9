"""Difficulties of Python in containers of packages as installed, one kind after the other (docs/real_containers.md)."""

from __future__ import annotations

import tomllib
import weakref
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from support.sequence_suites import loaded, task_of

from harness.errors import SpecError
from harness.generators.sequences.exploration import Policy, SequenceExploration
from harness.generators.sequences.matching import Matcher
from harness.kernel.inputs.restoring import NotRestorable
from harness.kernel.inputs.snapshots import decode, encode
from harness.kernel.objects.equality import concrete
from harness.kernel.program.loader import ModuleText, execute
from harness.model.sequence import SequenceScope
from harness.mutation.reach import reachable
from harness.runner.subjects import load_subject

REPOSITORY = Path(__file__).parents[2]


def mutated(name: str, *targets: str) -> set[str]:
    subject = load_subject(f"containers/{name}")
    return set(reachable(subject.source, targets, helpers=()))


def restored(held: Any, name: str, original: ModuleType) -> tuple[Any, ModuleType]:
    """Return the object that a snapshot of `held` restores in another copy of the module, and that copy."""
    _, copy = loaded(f"containers/{name}")
    (rebuilt,) = decode(encode([held], original), copy)
    assert type(rebuilt) is vars(copy)[type(held).__name__]
    return rebuilt, copy


def test_a_blocked_accelerator_in_c_leaves_the_class_in_python() -> None:
    _, module = loaded("containers/ordered_dict")
    assert type(vars(module.OrderedDict)["move_to_end"]) is FunctionType


@pytest.mark.parametrize(
    ("name", "inherited", "own"),
    [
        ("sorted_dict", "SortedDict.__eq__", "SortedDict.popitem"),
        ("heap_dict", "heapdict.setdefault", "heapdict.popitem"),
    ],
)
def test_what_is_inherited_of_c_or_another_module_is_called_and_not_mutated(
    name: str, inherited: str, own: str
) -> None:
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


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "make", "look"),
    [
        ("sorted_list", of_sorted_list, lambda held: held[3]),
        ("dllist", of_dllist, lambda held: held[1]),
        ("digraph", of_digraph, lambda held: (held.nodes, held.adj, held.degree)),
    ],
)
def test_lazy_fields_and_cached_properties_are_no_part_of_a_state(
    name: str, make: Callable[[ModuleType], Any], look: Callable[[Any], object]
) -> None:
    task = task_of(f"containers/{name}", 3)
    task.bounds.elements(6)
    held = make(task.module)
    key, whole = Matcher(task.bounds).key(held), concrete(held)
    look(held)
    assert concrete(held) != whole
    assert Matcher(task.bounds).key(held) == key is not None


def test_bound_methods_in_fields_are_bound_to_what_a_snapshot_restored() -> None:
    _, module = loaded("containers/sorted_set")
    held = module.SortedSet([2, 1])
    rebuilt, _ = restored(held, "sorted_set", module)
    assert rebuilt.issubset.__self__ is rebuilt._set is not held._set
    rebuilt.add(0)
    assert (list(rebuilt), rebuilt.bisect(1), list(held)) == ([0, 1, 2], 2, [1, 2])


def test_weak_proxies_are_proxies_of_what_a_snapshot_restored() -> None:
    _, module = loaded("containers/ordered_dict")
    held = module.OrderedDict([(0, 1), (1, 1)])
    rebuilt, _ = restored(held, "ordered_dict", module)
    first = vars(rebuilt)["_OrderedDict__map"][0]
    assert type(first.prev) is weakref.ProxyType
    assert first.prev.next is first
    rebuilt.move_to_end(0)
    assert (list(rebuilt), list(held)) == ([1, 0], [0, 1])


def test_free_locks_are_made_anew_in_snapshots_and_held_ones_are_refused() -> None:
    _, module = loaded("containers/priority_queue")
    held = module.PriorityQueue()
    held.put_nowait(1)
    rebuilt, _ = restored(held, "priority_queue", module)
    assert rebuilt.mutex is not held.mutex
    assert rebuilt.not_empty._lock is rebuilt.mutex
    assert (rebuilt.get_nowait(), held.qsize()) == (1, 1)
    with held.mutex, pytest.raises(NotRestorable, match="is a lock that is held"):
        encode([held], module)


def test_slots_with_mangled_names_are_read_and_filled() -> None:
    _, module = loaded("containers/dllist")
    held = module.dllist([0, 1])
    assert "_dllistnode__next" in vars(module.dllistnode)
    rebuilt, copy = restored(held, "dllist", module)
    assert type(rebuilt.first) is copy.dllistnode
    assert (list(rebuilt), rebuilt.first.next.prev is rebuilt.first) == ([0, 1], True)


def test_a_module_that_registers_its_functions_by_name_is_refused_a_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package, registry = tmp_path / "mutascope_graphs", tmp_path / "mutascope_registry.py"
    source = "from mutascope_registry import registered\n\n@registered\ndef new():\n    pass\n"
    registry.write_text(
        "names = []\n\ndef registered(function):\n"
        "    if function.__name__ in names:\n        raise KeyError(f'{function.__name__} is there already')\n"
        "    names.append(function.__name__)\n    return function\n"
    )
    package.mkdir()
    (package / "__init__.py").write_text("from mutascope_graphs import graph\n")
    (package / "graph.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(KeyError, match="new is there already"):
        execute(ModuleText("mutascope_graphs.graph", source, str(package / "graph.py")))


def test_the_extra_asks_for_a_networkx_that_registers_nothing_in_its_classes() -> None:
    extras = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert [package for package in extras["real"] if package.startswith("networkx")] == ["networkx>=3.2,<3.5"]


def test_tasks_that_can_be_more_and_more_are_told_where_nothing_bounds_the_calls() -> None:
    def unbounded(bounds: SequenceScope) -> None:
        bounds.most_calls = None
        bounds.attempts(500)

    with pytest.raises(SpecError, match="unfinished_tasks"):
        list(SequenceExploration(task_of("containers/priority_queue", 1, unbounded), Policy()))


def test_names_that_a_class_body_assigns_stand_for_the_functions_behind_them() -> None:
    assert mutated("sorted_list", "SortedList.__radd__") == {"SortedList.__add__"}
    assert mutated("ordered_dict", "OrderedDict.update") == set()
