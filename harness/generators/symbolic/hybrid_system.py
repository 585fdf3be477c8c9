"""Differences combined with constraints that are none: z3 decides the questions that the matrix leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.generators.symbolic.differences import DifferenceFacts, Differences, Space
from harness.generators.symbolic.formulas import (
    MOST_STEPS,
    Constraint,
    Definition,
    SumConstraint,
    bounds_written,
    ranges_written,
    solved,
    written,
)
from harness.generators.symbolic.systems import (
    UNKNOWN,
    Answer,
    Defined,
    Pair,
    Ranges,
    RowConstraints,
    Solution,
    System,
    Unknown,
)
from harness.generators.symbolic.terms import Coefficients, Slot, scaled


def mixed_space(solver_steps: int = MOST_STEPS) -> Space:
    """Return a space whose systems use z3, with a limit of its steps, for constraints that are no differences."""
    return Space(_further, _general, _defining, solver_steps)


def _further(system: Differences) -> bool | Unknown:
    solution = solved(system.size, lambda x: bounds_written(system.bounds, system.holes, x), _steps(system))
    return solution if isinstance(solution, Unknown) else solution is not None


def _steps(system: Differences) -> int:
    return system.space.solver_steps


def _general(system: Differences, relation: str, coefficients: Coefficients, constant: int) -> Pair:
    return HybridSystem(system, ()).linear(relation, coefficients, constant)


def _defining(system: Differences, operation: str, parts: tuple[Slot, ...]) -> Defined:
    return HybridSystem(system, ()).defined(operation, parts)


class HybridSystem(System):
    """A system of differences and of constraints that are none."""

    __slots__ = ("_differences", "_equal", "_least", "_linear", "_other_constraints", "_solutions")

    def __init__(self, differences: Differences, other_constraints: tuple[Constraint, ...]) -> None:
        self._differences = differences
        self._other_constraints = other_constraints
        self._least: dict[tuple[int, int, int], Pair] = {}
        self._equal: dict[tuple[int, int, int], Pair] = {}
        self._linear: dict[tuple[str, Coefficients, int], Pair] = {}
        self._solutions: dict[Ranges, Solution] = {}

    @property
    def size(self) -> int:
        return self._differences.size

    def at_most(self, x: int, y: int, c: int) -> Pair:
        key = (x, y, c)
        if key not in self._least:
            yes, no = self._differences.at_most(x, y, c)
            self._least[key] = (self._with(yes), self._with(no))
        return self._least[key]

    def equal(self, x: int, y: int, d: int) -> Pair:
        key = (x, y, d)
        if key not in self._equal:
            yes, no = self._differences.equal(x, y, d)
            self._equal[key] = (self._with(yes), self._with(no))
        return self._equal[key]

    def linear(self, relation: str, coefficients: Coefficients, constant: int) -> Pair:
        key = (relation, coefficients, constant)
        if key not in self._linear:
            other = (
                SumConstraint("<=", scaled(coefficients, -1), 1 - constant)
                if relation == "<="
                else SumConstraint("!=", coefficients, constant)
            )
            self._linear[key] = (self._and(SumConstraint(*key)), self._and(other))
        return self._linear[key]

    def defined(self, operation: str, parts: tuple[Slot, ...]) -> Defined:
        for constraint in self._other_constraints:
            if isinstance(constraint, Definition) and (constraint.operation, constraint.parts) == (operation, parts):
                return self, constraint.variable
        wider = self._differences.extended(1)
        return HybridSystem(wider, (*self._other_constraints, Definition(wider.size, operation, parts))), wider.size

    def extended(self, count: int) -> HybridSystem:
        return HybridSystem(self._differences.extended(count), self._other_constraints)

    def solution(self, ranges: Ranges = ()) -> Solution:
        if ranges not in self._solutions:
            self._solutions[ranges] = self._solution(ranges)
        return self._solutions[ranges]

    def order(self) -> tuple[int, ...]:
        return tuple(range(1, self.size + 1))

    def permuted(self, order: Sequence[int]) -> HybridSystem:
        assert tuple(order) == self.order(), "the variables of such a system keep their names"
        return self

    def projected(self, slots: tuple[Slot, ...]) -> RowConstraints:
        facts = self._differences.projected(slots)
        assert isinstance(facts, DifferenceFacts)
        return DifferenceFacts(facts.system, is_exact=False)

    def _with(self, differences: Answer) -> Answer:
        """Return the system with these differences instead of its own, if it has a solution."""
        if not isinstance(differences, Differences) or differences is self._differences:
            return self if differences is self._differences else differences
        return HybridSystem(differences, self._other_constraints)._checked()

    def _and(self, constraint: Constraint) -> Answer:
        return HybridSystem(self._differences, (*self._other_constraints, constraint))._checked()

    def _checked(self) -> Answer:
        solution = self.solution()
        return UNKNOWN if isinstance(solution, Unknown) else self if solution is not None else None

    def _solution(self, ranges: Ranges) -> Solution:
        def formulas(x: Sequence[Any]) -> list[Any]:
            system = self._differences
            constraints = bounds_written(system.bounds, system.holes, x) + ranges_written(ranges, x)
            for constraint in self._other_constraints:
                constraints += written(constraint, x)
            return constraints

        return solved(self.size, formulas, _steps(self._differences))
