"""The `sat-exhaustive` generator: all instances of the declarative invariant; each is blocked once it is found."""

from __future__ import annotations

from collections.abc import Sequence

from harness.generators.protocol import Task
from harness.generators.sat.extension import chosen_fields, written
from harness.generators.sat.pairs import Instance
from harness.generators.sat.production import SatProduction, SolverGenerator
from harness.model.stop_reason import StopReason

NAME = "sat-exhaustive"


class SatExhaustive(SolverGenerator):
    """The bounded-exhaustive suite of a declarative invariant, for comparison with `korat` at small scopes.

    The solver may follow a colon, as in `sat-exhaustive:solver=minisat22`. It has no influence on the states, which
    come in the order of their vectors. With `instances=50` they are the first 50 that the solver finds.
    """

    kind = NAME
    allowed = ("solver", "instances")
    number = "1"

    def produce(self, task: Task) -> SatExhaustiveProduction:
        """Start a run that finds all instances before it yields the first.

        Raises:
            UsageError: there is no invariant, or no python-sat.
            SpecError: the invariant cannot be used.
        """
        return SatExhaustiveProduction(task, self.name, self._options)


class SatExhaustiveProduction(SatProduction):
    """All instances, or as many as the option requires, in the order of their vectors."""

    def _chosen(self) -> Sequence[Instance]:
        instances: list[Instance] = []
        while (instance := self._next()) is not None:
            instances.append(instance)
            self._instances.block(instance)
            if len(instances) == self._options.instances:
                self.stop_reason = StopReason.INSTANCES
                break
        pairs = {pair for instance in instances for pair in instance.pairs}
        fields = () if self.stop_reason else chosen_fields(self._space, (), self._name)
        self.extension = written(pairs, fields, pairs)
        return sorted(instances, key=lambda instance: instance.vector)
