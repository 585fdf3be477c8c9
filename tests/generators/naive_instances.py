"""Instances without a solver: Korat's valid states, numbered breadth-first by a walk over real objects, and scanned."""

from collections.abc import Iterable
from typing import Any

from support.subjects import loaded

from harness.generators.protocol import Task
from harness.generators.sat.pairs import Instance, Pair
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import PLAIN, Decoder, StateSpace


def task_of(name: str, scope: int) -> Task:
    """Return the task of a subject that ships with the project."""
    spec, code = loaded(name)
    return Task(spec, code, spec.finitization(scope), seed=0)


class NaiveInstances:
    """The valid states of a task in the order of their vectors; for objects with fields, not containers."""

    variables = 0
    clauses = 0

    def __init__(self, task: Task, solver: str = "none") -> None:
        self._space = StateSpace(task.finitization)
        vectors = list(KoratSearch(self._space, task.module, task.spec.rep_ok))
        decoder = Decoder(self._space, task.module)
        self.instances = sorted((self._instance(decoder.decode(v).root) for v in vectors), key=lambda one: one.vector)
        self._demands: list[frozenset[Pair]] = []
        self._blocked: set[Instance] = set()
        self.pairs = tuple(
            Pair(f"{owner.domain.class_name}.{field.name}", owner.index, index)
            for field in self._space.fields
            for owner in [self._space.objects[field.owner]]
            for index in range(len(field.domain))
        )

    @property
    def extension(self) -> frozenset[Pair]:
        return frozenset(pair for one in self.instances for pair in one.pairs)

    @property
    def vectors(self) -> list[tuple[int, ...]]:
        return [one.vector for one in self.instances]

    def next(self) -> Instance | None:
        for one in self.instances:
            if one not in self._blocked and all(demand & one.pairs for demand in self._demands):
                return one
        return None

    def demand(self, pairs: Iterable[Pair]) -> None:
        self._demands.append(frozenset(pairs))

    def prefer(self, pairs: Iterable[Pair]) -> None:
        """Changes nothing: the order of Korat's states is that of the instances."""

    def block(self, instance: Instance) -> None:
        self._blocked.add(instance)

    def _instance(self, root: Any) -> Instance:
        """Numbers what the root reaches, level by level, and reads its fields by name."""
        order: dict[int, int] = {id(root): 0}
        used: dict[str, int] = {}
        queue, vector, pairs = [root], [0] * self._space.width, set()
        for owner_object in queue:
            owner = self._space.objects[order[id(owner_object)]]
            for field in self._space.fields[owner.first : owner.first + len(owner.names)]:
                value = getattr(owner_object, field.name)
                name = type(value).__name__
                if id(value) not in order and any(d.class_name == name for d in self._space.finitization.domains[1:]):
                    same = [o.number for o in self._space.objects[1:] if o.domain.class_name == name]
                    order[id(value)] = same[used.get(name, 0)]
                    used[name] = used.get(name, 0) + 1
                    queue.append(value)
                number = order.get(id(value), PLAIN)
                index = next(
                    at
                    for at, (other, plain) in enumerate(zip(field.domain.objects, field.domain.plain, strict=True))
                    if other == number and (number != PLAIN or (type(plain), plain) == (type(value), value))
                )
                vector[field.number] = index
                pairs.add(Pair(f"{owner.domain.class_name}.{field.name}", owner.index, index))
        return Instance(tuple(vector), frozenset(pairs))
