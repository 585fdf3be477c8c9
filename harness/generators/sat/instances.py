"""Requests to a SAT solver loaded with an invariant: for instances, and that they cover given pairs of fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from harness.errors import SpecError, UsageError
from harness.generators.sat.circuits import FALSE, TRUE
from harness.generators.sat.fields import Bounds, first_bounds, without_unreachable
from harness.generators.sat.matrices import Cells, first_steps, upwards
from harness.generators.sat.pairs import Instance, Pair
from harness.generators.sat.solver import DEFAULT, Solver
from harness.generators.sat.translation import Encoded, encoded
from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.kernel.specs.relational.expressions import formula_of
from harness.kernel.specs.relational.terms import Operator, Term
from harness.model.finitization import Finitization

_SOLVER = "minisat22"
_CONFLICTS_OF_A_STEP = 200
_CONFLICTS = 2_000
"""The conflicts after which the search for one reference stops, and the reference stays possible."""


def tightened(
    space: StateSpace, invariant: Term, bounds: Bounds, begins: Callable[[str], None] = lambda stage: None
) -> dict[int, frozenset[int]]:
    """Return the bounds without references that no instance of the invariant has; `begins` reports the progress.

    A relaxation of the invariant is solved: the conjuncts without numbers, with less than the closure where a closure
    forbids something. A reference that no state of the relaxation has is in no instance. In trees, lists and the like,
    the remaining references lead only to higher numbers, so that closures need no rounds (`closure.in_order`).
    """
    begins("writing the part of invariant that tells impossible references")
    relaxed = relaxation(space, invariant, bounds)
    if relaxed is None:
        return dict(bounds)
    paths_up = [upwards(relaxed.fields.circuits, edges) for edges in relaxed.closed]
    for edges, paths in zip(relaxed.closed, paths_up, strict=True):
        for law in first_steps(relaxed.fields.circuits, edges, paths):
            relaxed.clauses.require(law)
    with Solver(_SOLVER, relaxed.clauses.clauses) as solver:
        lost = _Search(relaxed, solver, [paths.cells for paths in paths_up], begins).impossible()
    left = {number: frozenset(i for i in allowed if (number, i) not in lost) for number, allowed in bounds.items()}
    return without_unreachable(space, left)


def relaxation(space: StateSpace, invariant: Term, bounds: Bounds) -> Encoded | None:
    """Return clauses that are weaker than the invariant; None if they would forbid no reference by a closure."""
    part = [conjunct for conjunct in conjuncts(invariant) if is_relaxable(conjunct)]
    if not any(_has_closure(conjunct) for conjunct in part):
        return None
    return encoded(space, part, bounds, is_relaxed=True)


class _Search:
    """Searches for references that no state of the relaxation has; each one makes the next ones easier to find."""

    def __init__(self, encoded: Encoded, solver: Solver, upwards: list[Cells], begins: Callable[[str], None]) -> None:
        self._encoded = encoded
        self._solver = solver
        self._upwards = upwards
        self._begins = begins
        self._objects = encoded.fields.space.objects
        self._lost: set[tuple[int, int]] = set()

    def impossible(self) -> set[tuple[int, int]]:
        """Return impossible fields and indices of values, found by unit propagation, by ancestors and by search."""
        references = {
            key: self._encoded.clauses.variable(literal)
            for key, literal in sorted(self._encoded.fields.values.items())
            if literal != TRUE and self._target(key) != PLAIN
        }
        for key, variable in references.items():
            if self._solver.refutes([variable]):
                self._lose(key, variable)
        waiting = {key: variable for key, variable in references.items() if key not in self._lost}
        count = -1
        while count != len(self._lost):  # references that were too hard before may be easier now
            count = len(self._lost)
            waiting = self._undecided(waiting)
        return self._lost

    def _undecided(self, references: dict[tuple[int, int], int]) -> dict[tuple[int, int], int]:
        """Search for each reference in turn. Return the references whose search was given up."""
        possible: set[int] = set()
        given_up = {}
        for count, (key, variable) in enumerate(references.items()):
            if variable in possible:
                continue
            self._begins(f"searching for impossible references: {count:,} of {len(references):,} looked at")
            self._exclude_ancestors(key, variable)
            model = self._solver.model([variable], _CONFLICTS)
            if model is not None:
                possible |= model
            elif self._solver.is_decided:
                self._lose(key, variable)
            else:
                given_up[key] = variable
        return {key: variable for key, variable in given_up.items() if variable not in possible}

    def _lose(self, key: tuple[int, int], variable: int) -> None:
        self._lost.add(key)
        self._solver.add([-variable])

    def _target(self, key: tuple[int, int]) -> int:
        return self._encoded.fields.space.fields[key[0]].domain.objects[key[1]]

    def _exclude_ancestors(self, key: tuple[int, int], variable: int) -> None:
        """Add lemmas about a reference to a lower number: no object, from the highest down, has paths to both its ends.

        These are the steps of the proof that a tree has no such reference; a solver would have to guess them. Each is
        added only if unit propagation or a short search proves it.
        """
        owner, target = self._encoded.fields.space.fields[key[0]].owner, self._target(key)
        if self._objects[owner].domain != self._objects[target].domain or target > owner:
            return
        for paths in self._upwards:
            for ancestor in range(owner - 1, -1, -1):
                literals = [TRUE if ancestor == end else paths.get((ancestor, end), FALSE) for end in (owner, target)]
                if FALSE in literals:
                    continue
                both = [self._encoded.clauses.variable(literal) for literal in literals if literal != TRUE]
                assumed = [variable, *both]
                if self._solver.refutes(assumed) or (
                    self._solver.model(assumed, _CONFLICTS_OF_A_STEP) is None and self._solver.is_decided
                ):
                    self._solver.add([-each for each in assumed])


def conjuncts(term: Term) -> list[Term]:
    """Return formulas that are all true if a term is: parts of `all_of`, also under `for_all`."""
    if term.operator is Operator.ALL:
        return [conjunct for part in term.parts for conjunct in conjuncts(part)]
    if term.operator is Operator.FOR_ALL:
        return [replace(term, parts=(term.parts[0], part)) for part in conjuncts(term.parts[1])]
    return [term]


def is_relaxable(term: Term, positive: bool = True) -> bool:
    """Return whether replacing closures by less makes the term true for more states, because they only forbid.

    `positive`: a term that is true for more makes the whole formula true for more.
    """
    parts, operator = term.parts, term.operator
    if term.is_number or operator in (Operator.LESS, Operator.NOT_MORE):
        return False
    if operator in (Operator.CLOSURE, Operator.REFLEXIVE_CLOSURE):
        return not positive and not any(_has_closure(part) for part in parts)
    if operator in (Operator.EQUAL, Operator.ONE):
        return all(is_relaxable(part) and not _has_closure(part) for part in parts)
    if operator in (Operator.NOT, Operator.NO, Operator.LONE):
        return is_relaxable(parts[0], not positive)
    if operator in (Operator.FOR_ALL, Operator.WITHIN):
        return is_relaxable(parts[0], not positive) and is_relaxable(parts[1], positive)
    if operator is Operator.DIFFERENCE:
        return is_relaxable(parts[0], positive) and is_relaxable(parts[1], not positive)
    return all(is_relaxable(part, positive) for part in parts)


def _has_closure(term: Term) -> bool:
    return term.operator in (Operator.CLOSURE, Operator.REFLEXIVE_CLOSURE) or any(map(_has_closure, term.parts))


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
