"""Small finitizations and invariants, and all their states by brute force, numbered breadth first."""

from collections.abc import Callable
from itertools import product
from typing import Any
from unittest.mock import patch

from support.relational_evaluation import InstanceFacts, holds
from support.relational_facts import facts_of

from harness.generators.sat import instances as instances_module
from harness.generators.sat.instances import Instances, sat_instances
from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.kernel.specs.relational.expressions import formula_of
from harness.relational import no
from harness.spec import Finitization


def rings(scope: int) -> Finitization:
    """Nodes with one link and a number, some of them missing; the root has two ways in."""
    f = Finitization("Ring")
    nodes = f.objects("Node", scope)
    f.set("Ring.first", nodes, None)
    f.set("Ring.last", None, nodes)
    f.set("Node.next", None, nodes)
    f.set("Node.value", None, -1, 2)
    return f


def two_classes() -> Finitization:
    """Nodes that refer to boxes, and boxes that do not refer back."""
    f = Finitization("Heap")
    boxes = f.objects("Box", 2)
    nodes = f.objects("Node", 2)
    f.set("Heap.top", None, nodes)
    f.set("Node.next", None, nodes)
    f.set("Node.box", None, boxes)
    f.set("Box.full", False, True)
    return f


def mixed() -> Finitization:
    """Return nodes and boxes that refer to each other: the order in which they are met depends on the state."""
    f = Finitization("Heap")
    boxes = f.objects("Box", 2)
    nodes = f.objects("Node", 2)
    f.set("Heap.top", None, nodes, boxes)
    f.set("Node.next", None, nodes)
    f.set("Node.box", None, boxes)
    f.set("Box.node", None, nodes)
    f.set("Box.next", None, boxes)
    return f


def anything(thiz: Any, heap: Any) -> Any:
    """Return a formula that is true of every state."""
    return no(thiz - thiz)


def numbered_states(space: StateSpace) -> list[tuple[int, ...]]:
    """Return all states; of those that differ only in numbers of objects, the one that is numbered breadth first."""
    every = product(*(range(len(field.domain)) for field in space.fields))
    return [vector for vector in every if _is_numbered(space, vector)]


def _is_numbered(space: StateSpace, vector: tuple[int, ...]) -> bool:
    reached, seen = [0], dict.fromkeys(range(len(space.finitization.domains)), 0)
    unread = set(range(space.width))
    for owner in (space.objects[number] for number in reached):
        for number in range(owner.first, owner.first + len(owner.names)):
            unread.discard(number)
            other = space.fields[number].domain.objects[vector[number]]
            if other != PLAIN and other not in reached:
                target = space.objects[other]
                if target.index != seen[target.domain.number]:
                    return False
                seen[target.domain.number] += 1
                reached.append(other)
    return not any(vector[number] for number in unread)


def states_of(finitization: Finitization, invariant: Any) -> list[tuple[int, ...]]:
    """Return the numbered states of which the invariant is true, plainly evaluated."""
    term = formula_of(invariant, finitization)
    return [vector for vector, facts in facts_of_states(finitization) if holds(term, facts)]


def facts_of_states(finitization: Finitization) -> list[tuple[tuple[int, ...], InstanceFacts]]:
    """Return the numbered states with the facts about them."""
    space = StateSpace(finitization)
    return [(vector, facts_of(space, vector)) for vector in numbered_states(space)]


def untightened(finitization: Finitization, invariant: Any) -> Instances:
    """Return the instances of an invariant whose impossible references are not dropped beforehand."""
    with patch.object(instances_module, "tightened", lambda space, invariant, bounds, begins: bounds):
        return sat_instances(finitization, invariant)


def solved_states(
    finitization: Finitization, invariant: Any, opened: Callable[..., Instances] = sat_instances
) -> list[tuple[int, ...]]:
    """Return the states that a solver finds, each once."""
    instances = opened(finitization, invariant)
    vectors = []
    while (instance := instances.next()) is not None:
        vectors.append(instance.vector)
        instances.block(instance)
    assert len(set(vectors)) == len(vectors)
    return sorted(vectors)
