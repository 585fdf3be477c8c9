"""The `sat-exhaustive` generator: all instances of the declarative invariant, each blocked once it is found."""

from __future__ import annotations

from collections.abc import Sequence

from harness.generators.protocol import Task
from harness.generators.sat.extension import chosen_fields, written
from harness.generators.sat.pairs import Instance
from harness.generators.sat.production import SatProduction, SolverGenerator
from harness.model.ended import Ended

NAME = "sat-exhaustive"


class SatExhaustive(SolverGenerator):
    """The bounded-exhaustive suite of a declarative invariant: witness of `korat`, for small scopes.

    Behind a colon may stand the solver, as in `sat-exhaustive:solver=minisat22`; it has no influence on the states,
    which come in the order of their vectors. With `instances=50` they are the first so many that the solver finds.
    """

    kind = NAME
    allowed = ("solver", "instances")
    number = "1"

    def produce(self, task: Task) -> SatExhaustiveProduction:
        """A run that finds all instances before it yields the first.

        Raises:
            UsageError: there is no invariant, or no python-sat.
            SpecError: the invariant cannot be used.
        """
        return SatExhaustiveProduction(task, self.name, self._options, self._opening)


class SatExhaustiveProduction(SatProduction):
    """Instances until there is no other one, or until they are enough; in the order of their vectors."""

    def _chosen(self) -> Sequence[Instance]:
        found: list[Instance] = []
        while (instance := self._next()) is not None:
            found.append(instance)
            self._instances.block(instance)
            if len(found) == self._options.instances:
                self.ended = Ended.INSTANCES
                break
        pairs = {pair for instance in found for pair in instance.pairs}
        fields = () if self.ended else chosen_fields(self._space, (), self._name)
        self.extension = written(pairs, fields, pairs)
        return sorted(found, key=lambda instance: instance.vector)
