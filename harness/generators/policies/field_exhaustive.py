"""The `field-exhaustive` generator: instances that cover the extension of each field (field_exhaustive2016)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

from harness.errors import InstrumentError
from harness.generators.protocol import Task
from harness.generators.sat.covering import irredundant, minimal
from harness.generators.sat.extension import chosen_fields, written
from harness.generators.sat.instances import Instances
from harness.generators.sat.options import Options, Prefer, Reduce
from harness.generators.sat.pairs import Instance, Pair
from harness.generators.sat.production import SatProduction, SolverGenerator
from harness.model.stop_reason import StopReason

NAME = "field-exhaustive"


class FieldExhaustive(SolverGenerator):
    """A suite in which each feasible pair of an object and a value of its field is in some instance (section 4).

    Options follow a colon, as in `field-exhaustive:fields=left+right,part=90,reduce=minimal,solver=minisat22`.
    """

    kind = NAME
    allowed = ("fields", "part", "reduce", "prefer", "solver", "instances")
    number = "2"

    def produce(self, task: Task) -> FieldExhaustiveProduction:
        """Start a run that finds all instances before it yields the first; the seed is passed to the solver.

        Raises:
            UsageError: there is no invariant, no python-sat, or no such field.
            SpecError: the invariant cannot be used.
        """
        return FieldExhaustiveProduction(task, self.name, self._options)


def algorithm_1(
    instances: Instances,
    is_wanted: Callable[[Pair], bool],
    following: Callable[[], Instance | None],
    prefer: Prefer = Prefer.NEW,
) -> Iterator[tuple[Instance, list[Pair]]]:
    """Yield each next instance with pairs that no earlier one has, and these pairs (Algorithm 1, section 5).

    Args:
        is_wanted: a function that returns whether a pair counts.
        following: a function that returns the next instance; it may check the instance as well.
        prefer: NEW makes the solver first guess that all missing pairs are present, so that an instance adds many.
    """
    missing = {pair: None for pair in instances.pairs if is_wanted(pair)}
    while missing:
        instances.demand(missing)
        if prefer is Prefer.NEW:
            instances.prefer(missing)
        instance = following()
        if instance is None:
            return
        new = sorted(pair for pair in instance.pairs if pair in missing)
        yield instance, new
        for pair in new:
            del missing[pair]


class FieldExhaustiveProduction(SatProduction):
    """Instances by Algorithm 1: the first ones that have the required part of the pairs, reduced by an option."""

    def __init__(self, task: Task, name: str, options: Options) -> None:
        super().__init__(task, name, options)
        self._fields = chosen_fields(self._space, options.fields, name)
        self._proven: bool | None = None

    def _chosen(self) -> Sequence[Instance]:
        suite, feasible = self._field_exhaustive()
        self._check_theorem_2(len(suite), len(feasible))
        chosen = self._reduced(self._part(suite, len(feasible)))
        covered = {pair for instance in chosen for pair in instance.pairs}
        self.extension = written(feasible, () if self.stop_reason else self._fields, covered)
        return chosen

    def _field_exhaustive(self) -> tuple[list[Instance], set[Pair]]:
        """Return instances that cover the extension of the chosen fields, in the order found, and this extension."""
        suite: list[Instance] = []
        feasible: set[Pair] = set()
        wanted_pairs = {pair for pair in self._instances.pairs if pair.field in self._fields}
        for instance, new in algorithm_1(self._instances, wanted_pairs.__contains__, self._next, self._options.prefer):
            if not new:
                raise InstrumentError(
                    f"{self._name}: the solver gave an instance without any of the pairs demanded: {self.current}; "
                    f"please report this with {self._task.spec.module.__file__}"
                )
            feasible.update(new)
            suite.append(instance)
            if len(suite) == self._options.instances:
                self.stop_reason = StopReason.INSTANCES
                break
        return suite, feasible

    def _check_theorem_2(self, instances: int, extension: int) -> None:
        """Check Theorem 2: a suite has at most as many instances as the extensions have pairs together.

        Raises:
            InstrumentError: the suite has more instances.
        """
        if instances > extension:
            raise InstrumentError(
                f"{self._name}: {instances} instances cover {extension} pairs, against Theorem 2 of "
                f"field_exhaustive2016; please report this with {self._task.spec.module.__file__}"
            )

    def _part(self, suite: list[Instance], extension: int) -> list[Instance]:
        """Return the first instances that together have the required percentage of the pairs."""
        enough = ceil(Fraction(self._options.part, 100) * extension)
        covered: set[Pair] = set()
        for count, instance in enumerate(suite, start=1):
            covered |= self._of_fields(instance)
            if len(covered) >= enough:
                return suite[:count]
        return suite

    def _reduced(self, suite: list[Instance]) -> list[Instance]:
        sets = [self._of_fields(instance) for instance in suite]
        if self._options.reduce is Reduce.IRREDUNDANT:
            return [suite[position] for position in irredundant(sets)]
        if self._options.reduce is Reduce.MINIMAL:
            cover = minimal(sets)
            self._proven = cover.proven
            return [suite[position] for position in cover.chosen]
        return suite

    def _of_fields(self, instance: Instance) -> frozenset[Pair]:
        return frozenset(pair for pair in instance.pairs if pair.field in self._fields)

    def _further_details(self) -> dict[str, Any]:
        return {} if self._proven is None else {"proven_minimal": self._proven}
