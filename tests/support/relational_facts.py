"""A candidate vector as the facts that the plain evaluator of the relational language reads."""

from collections import defaultdict
from collections.abc import Sequence

from support.relational_evaluation import Atom, InstanceFacts

from harness.generators.sat.fields import value_of
from harness.generators.states.layout import Layout
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Reference


def facts_of(space: StateSpace, vector: Sequence[int]) -> InstanceFacts:
    """Return the facts about the state that a candidate vector describes."""
    fields, objects = Layout(space).reachable(vector)
    classes: dict[str, set[Atom]] = defaultdict(set)
    relations: dict[str, set[tuple[Atom, Atom]]] = defaultdict(set)
    atoms = {number: Reference(space.objects[number].domain.number, space.objects[number].index) for number in objects}
    for number, atom in atoms.items():
        classes[space.objects[number].domain.class_name].add(atom)
    for number in fields:
        field = space.fields[number]
        value = value_of(space, number, vector[number])
        if value is not None:
            name = f"{space.objects[field.owner].domain.class_name}.{field.name}"
            relations[name].add((atoms[field.owner], value))
    return InstanceFacts(
        atoms[0],
        {name: frozenset(found) for name, found in classes.items()},
        {name: frozenset(found) for name, found in relations.items()},
    )
