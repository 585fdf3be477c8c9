"""Requests to a SAT solver loaded with an invariant: for instances, and that they cover given pairs of fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from harness.errors import SpecError, UsageError
from harness.generators.sat.circuits import TRUE
from harness.generators.sat.pairs import Instance, Pair
from harness.generators.sat.solver import DEFAULT, Solver
from harness.generators.sat.symmetry import first_bounds, without_unreachable
from harness.generators.sat.tightening import tightened
from harness.generators.sat.translation import encoded
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.specs.relational.expressions import formula_of
from harness.kernel.specs.relational.terms import Term
from harness.model.finitization import Finitization

MOST_VALUES = 1_000_000
"""The largest number of values of all fields together."""


def sat_instances(
    finitization: Finitization,
    invariant: Callable[[Any, Any], object],
    solver: str = DEFAULT,
    seed: int = 0,
    begins: Callable[[str], None] = lambda stage: None,
) -> Instances:
    """Return a solver loaded with an invariant (of harness.relational) and the symmetry breaking of its finitization.

    `begins` is called with each stage of the work, because loading takes long at large scopes.

    Raises:
        SpecError: the invariant is malformed, or uses classes or fields that the finitization lacks.
        UsageError: python-sat is not installed, there is no such solver, or the formula is too large.
    """
    try:
        formula = formula_of(invariant, finitization)
        return Instances(finitization, formula, solver, seed, begins)
    except RecursionError:
        raise SpecError("invariant is nested too deeply; write all_of(*parts) or any_of(*parts) for & and |") from None
    except MemoryError:
        raise UsageError("the formula of invariant does not fit into memory; choose a smaller scope") from None


class Instances:
    """An incremental solver, loaded with an invariant and the symmetry breaking of its finitization."""

    def __init__(
        self,
        finitization: Finitization,
        invariant: Term,
        solver: str,
        seed: int,
        begins: Callable[[str], None],
    ) -> None:
        self.space = StateSpace(finitization)
        _check_size(self.space)
        self.invariant = invariant
        bounds = tightened(self.space, invariant, without_unreachable(self.space, first_bounds(self.space)), begins)
        begins("writing the formula of invariant")
        encoded_invariant = encoded(self.space, [invariant], bounds)
        self._literals = {
            pair: literal if literal == TRUE else encoded_invariant.clauses.variable(literal)
            for pair, literal in encoded_invariant.fields.pairs().items()
        }
        self._keys = dict(zip(self._literals, sorted(encoded_invariant.fields.values), strict=True))
        self._always = {pair for pair, literal in encoded_invariant.fields.pairs().items() if literal == TRUE}
        self._clauses = encoded_invariant.clauses
        self._solver = Solver(solver, encoded_invariant.clauses.clauses, seed)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """All pairs that are not known to be impossible, in the order of the state space."""
        return tuple(self._literals)

    @property
    def variables(self) -> int:
        """The number of variables of the loaded formula."""
        return self._clauses.variables

    @property
    def clauses(self) -> int:
        """The number of clauses of the loaded formula."""
        return len(self._clauses.clauses)

    def next(self) -> Instance | None:
        """Return an instance that satisfies all demands so far, or None if there is none.

        Raises:
            UsageError: the solver has no memory left.
        """
        try:
            model = self._solver.model()
        except MemoryError:
            raise UsageError("the solver has no memory left; choose a smaller scope, or fewer `instances`") from None
        if model is None:
            return None
        vector = [0] * self.space.width
        pairs = []
        for pair, variable in self._literals.items():
            if pair in self._always or variable in model:
                number, index = self._keys[pair]
                vector[number] = index
                pairs.append(pair)
        return Instance(tuple(vector), frozenset(pairs))

    def demand(self, pairs: Iterable[Pair]) -> None:
        """Require each later instance to have at least one of these pairs, of a reachable object: one clause."""
        wanted_pairs = [pair for pair in pairs if pair in self._literals]
        if self._always.isdisjoint(wanted_pairs):
            self._solver.add([self._literals[pair] for pair in wanted_pairs])

    def prefer(self, pairs: Iterable[Pair]) -> None:
        """Make the solver guess first that later instances have these pairs, and no others."""
        wanted_pairs = set(pairs)
        open_ones = ((pair, literal) for pair, literal in self._literals.items() if pair not in self._always)
        self._solver.prefer([literal if pair in wanted_pairs else -literal for pair, literal in open_ones])

    def block(self, instance: Instance) -> None:
        """Exclude this instance from later ones: a pair of it must be missing, and so another one is present."""
        self._solver.add([-self._literals[pair] for pair in sorted(instance.pairs - self._always)])


def _check_size(space: StateSpace) -> None:
    """Refuse a state space whose formula does not fit into memory, before any of it is made."""
    values = sum(len(field.domain) for field in space.fields)
    if values > MOST_VALUES:
        raise UsageError(
            f"the fields have {values:,} values at this scope, each with two kilobytes of formula or more: at least "
            f"{values * 2 / 1e6:.0f} gigabytes; choose a smaller scope"
        )
