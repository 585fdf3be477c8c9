"""Constraints that z3 decides alone: the witness of the difference-bound matrix, and what it is timed against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.generators.symbolic.formulas import (
    MOST_STEPS,
    UNKNOWN,
    Coefficients,
    Constraint,
    Definition,
    Ranges,
    Slot,
    Solution,
    SumConstraint,
    counterpart_variable,
    ranges_written,
    scaled,
    solved,
    variables,
    written,
    z3,
)
from harness.generators.symbolic.systems import Answer, Pair, RowConstraints, System


class SolverSystem(System):
    """A system as a list of constraints. Each decision is two questions, asked once."""

    __slots__ = ("_answers", "_constraints", "_size", "_solver")

    def __init__(self, size: int = 0, constraints: tuple[Constraint, ...] = ()) -> None:
        self._size = size
        self._constraints = constraints
        self._solver: Any = None
        self._answers: dict[SumConstraint, Pair] = {}

    @property
    def size(self) -> int:
        return self._size

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """All that holds, in the order in which it was decided."""
        return self._constraints

    def at_most(self, x: int, y: int, c: int) -> Pair:
        return self.linear("<=", _difference(x, y), -c)

    def equal(self, x: int, y: int, d: int) -> Pair:
        return self.linear("==", _difference(x, y), -d)

    def linear(self, relation: str, coefficients: Coefficients, constant: int) -> Pair:
        question = SumConstraint(relation, coefficients, constant)
        if question not in self._answers:
            other = (
                SumConstraint("<=", scaled(coefficients, -1), 1 - constant)
                if relation == "<="
                else SumConstraint("!=", coefficients, constant)
            )
            self._answers[question] = (self._with(question), self._with(other))
        return self._answers[question]

    def defined(self, operation: str, parts: tuple[Slot, ...]) -> tuple[System, int]:
        for constraint in self._constraints:
            if isinstance(constraint, Definition) and (constraint.operation, constraint.parts) == (operation, parts):
                return self, constraint.variable
        size = self._size + 1
        return SolverSystem(size, (*self._constraints, Definition(size, operation, parts))), size

    def extended(self, count: int) -> SolverSystem:
        return SolverSystem(self._size + count, self._constraints)

    def solution(self, ranges: Ranges = ()) -> Solution:
        return solved(self._size, lambda x: [*self.formulas(x), *ranges_written(ranges, x)])

    def order(self) -> tuple[int, ...]:
        return tuple(range(1, self._size + 1))

    def permuted(self, order: Sequence[int]) -> SolverSystem:
        assert tuple(order) == self.order(), "the variables of such a system keep their names"
        return self

    def projected(self, slots: tuple[Slot, ...]) -> AloneFacts:
        return AloneFacts(self, slots)

    def formulas(self, x: Sequence[Any]) -> list[Any]:
        """Return all constraints in z3."""
        return [formula for constraint in self._constraints for formula in written(constraint, x)]

    def _with(self, constraint: SumConstraint) -> Answer:
        x = variables(self._size)
        if self._solver is None:
            self._solver = z3().Solver()
            self._solver.set("rlimit", MOST_STEPS)
            self._solver.add(*self.formulas(x))
        self._solver.push()
        self._solver.add(*written(constraint, x))
        answer = self._solver.check()
        self._solver.pop()
        if answer == z3().unsat:
            return None
        return SolverSystem(self._size, (*self._constraints, constraint)) if answer == z3().sat else UNKNOWN


class AloneFacts(RowConstraints):
    """The constraints of a system on slots: some values of all other variables exist with theirs."""

    __slots__ = ("slots", "system")
    is_exact = True

    def __init__(self, system: SolverSystem, slots: tuple[Slot, ...]) -> None:
        self.system = system
        self.slots = slots

    def entails(self, other: RowConstraints) -> bool:
        assert isinstance(other, AloneFacts)
        mine = variables(self.system.size)
        theirs: list[Any] = [z3().IntVal(0), *(z3().Int(f"y{at}") for at in range(1, other.system.size + 1))]
        distances: dict[int, Any] = {}
        linked = []
        for (x, added), (y, more) in zip(self.slots, other.slots, strict=True):
            if y in distances or not y:
                linked.append(mine[x] + added == theirs[y] + more)
            else:
                distances[y] = mine[x] + added - more
        named = [(theirs[y], term) for y, term in distances.items()]
        body = z3().substitute(z3().And(*other.system.formulas(theirs), *linked, True), *named)
        left = [theirs[y] for y in range(1, other.system.size + 1) if y not in distances]
        divided = [one for one in other.system.constraints if isinstance(one, Definition) and one.operation in "//%"]
        left += [counterpart_variable(one, theirs) for one in divided]
        holds = z3().Exists(left, body) if left else body
        solver = z3().Solver()
        solver.set("rlimit", MOST_STEPS)
        solver.add(*self.system.formulas(mine), z3().Not(holds))
        return bool(solver.check() == z3().unsat)


def _difference(x: int, y: int) -> Coefficients:
    return tuple(sorted((one, weight) for one, weight in ((x, 1), (y, -1)) if one))
