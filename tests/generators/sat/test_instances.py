"""A solver loaded with an invariant, as generators use it."""

import signal
import sys
from itertools import combinations
from typing import Any

import pytest
from sat.relational_samples import solved_states, states_of
from support.search_trees import search_tree, trees

from harness.errors import SpecError, UsageError
from harness.generators.sat import solver as solver_module
from harness.generators.sat.instances import Instances, sat_instances
from harness.generators.sat.pairs import Instance, Pair
from harness.generators.sat.solver import SOLVERS, Solver
from harness.kernel.process.talk import Alarm
from harness.relational import some
from harness.spec import Finitization


def _all(instances: Instances) -> list[Instance]:
    all_instances = []
    while (instance := instances.next()) is not None:
        all_instances.append(instance)
        instances.block(instance)
    return all_instances


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", [0, 7])
def test_each_solver_and_seed_finds_the_51_search_trees_of_figure_4(solver, seed):
    trees_of_size = _all(sat_instances(trees(4), search_tree, solver=solver, seed=seed))
    assert len({instance.vector for instance in trees_of_size}) == len(trees_of_size) == 51


def test_instances_have_a_pair_that_is_demanded():
    instances = sat_instances(trees(3), search_tree)
    demanded = [Pair("Node.key", 2, 1), Pair("Node.key", 1, 0)]
    assert set(demanded) <= set(instances.pairs)
    instances.demand(demanded)
    assert all(not instance.pairs.isdisjoint(demanded) for instance in _all(instances))
    instances.demand([])
    assert instances.next() is None


def test_a_pair_that_every_state_has_demands_nothing():
    f = Finitization("Tree")
    f.set("Tree.size", 5)
    f.set("Tree.colour", "red", "blue")
    instances = sat_instances(f, lambda thiz, heap: thiz.size == 5)
    instances.demand([Pair("Tree.size", 0, 0)])
    assert len(_all(instances)) == 2


def test_two_class_domains_of_a_class_are_told_apart():
    f = Finitization("Heap")
    one, other = f.objects("Node", 1), f.objects("Node", 1)
    f.set("Heap.one", one)
    f.set("Heap.other", None, other)
    f.set("Node.key", 1, 2)

    def invariant(thiz: Any, heap: Any) -> Any:
        return thiz.other.key < thiz.one.key

    assert solved_states(f, invariant) == states_of(f, invariant)
    assert {pair.field for pair in sat_instances(f, invariant).pairs} == {
        "Heap.one",
        "Heap.other",
        "Node.key",
        "Node#2.key",
    }


def nested(thiz: Any, heap: Any) -> Any:
    """Return a formula that is nested too deeply."""
    condition = some(thiz)
    for _ in range(5000):
        condition = ~(condition & some(thiz.root))
    return condition


@pytest.mark.parametrize(
    ("scope", "invariant", "solver", "message"),
    [
        (2, search_tree, "zchaff", "no SAT solver 'zchaff'; there are cadical195, minisat22"),
        (
            1000,
            search_tree,
            "cadical195",
            "have 3,004,002 values at this scope, .* at least 6 gigabytes; choose a small",
        ),
        (2, nested, "cadical195", "invariant is nested too deeply; write all_of"),
    ],
)
def test_what_cannot_be_solved_is_refused(scope, invariant, solver, message):
    with pytest.raises((UsageError, SpecError), match=message):
        sat_instances(trees(scope), invariant, solver=solver)


def test_a_missing_python_sat_is_named_in_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "pysat", None)
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    with pytest.raises(UsageError, match=r"need python-sat, which is not installed; .* the extra \[sat\]"):
        sat_instances(trees(2), search_tree)


def test_loading_tells_how_far_the_search_for_impossible_references_is():
    messages: list[str] = []
    sat_instances(trees(5), search_tree, begins=messages.append)
    assert messages[0] == "writing the part of invariant that tells impossible references"
    assert any(text.startswith("searching for impossible references: ") for text in messages)
    assert messages[-1] == "writing the formula of invariant"


def test_a_solver_without_memory_is_told_in_one_line(monkeypatch):
    def out_of_memory(*arguments: object) -> None:
        raise MemoryError

    instances = sat_instances(trees(3), search_tree)
    monkeypatch.setattr(solver_module.Solver, "model", out_of_memory)
    with pytest.raises(UsageError, match="the solver has no memory left; choose a smaller scope"):
        instances.next()
    monkeypatch.setattr(solver_module.Solver, "add", out_of_memory)
    with pytest.raises(UsageError, match="the formula of invariant does not fit into memory; choose a smaller scope"):
        sat_instances(trees(3), search_tree)


def test_a_solver_that_takes_long_hears_of_signals():
    """An exception from a signal handler ends the search for a formula of pigeons in holes, which takes any solver
    hours.
    """
    holes = range(12)
    pigeons = [[12 * pigeon + hole + 1 for hole in holes] for pigeon in range(13)]
    exclusions = [[-one[hole], -other[hole]] for one, other in combinations(pigeons, 2) for hole in holes]

    class Rang(Exception):
        pass

    class Bell(Alarm):
        """Rings once: a second exception, while the first one ends the block, would leave the timer on."""

        def ring(self, number, frame):
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise Rang

    with Solver("cadical195", [*pigeons, *exclusions]) as solver, pytest.raises(Rang), Bell(0.01):
        solver.model()
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
