"""Sums of variables with whole coefficients, and questions to z3: whether constraints on integers have a solution.

z3 is asked with a limit of its own steps, never of seconds, so that its answers depend on no clock. It answers with a
value of each variable, with None if there is no solution, or with UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module, metadata
from importlib.util import find_spec
from math import gcd
from typing import Any, NamedTuple, TypeAlias

Coefficients: TypeAlias = tuple[tuple[int, int], ...]
"""Pairs of a variable and its coefficient, which is not 0, in the order of the variables."""
Slot: TypeAlias = tuple[int, int]
"""A variable (0: the number zero), and the constant that is added to it."""
Bound: TypeAlias = float
"""A whole number, or INFINITE."""
Row: TypeAlias = tuple[Bound, ...]
Hole: TypeAlias = tuple[int, int, int]
"""(x, y, d) with x < y: x - y is not d."""
INFINITE = float("inf")
"""The bound of a difference that is unbounded."""


class Unknown:
    """The answer of a solver that has reached its limit."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()

Range: TypeAlias = tuple[int, int] | None
"""The least and the largest value; None means any value."""
Ranges: TypeAlias = tuple[Range, ...]
"""The ranges of the variables 1, 2, ..., as far as they have one."""
Solution: TypeAlias = tuple[int, ...] | None | Unknown


def combined(one: Coefficients, other: Coefficients, factor: int) -> Coefficients:
    """Return the coefficients of `one + factor * other`."""
    total = dict(one)
    for x, weight in other:
        total[x] = total.get(x, 0) + factor * weight
    return tuple(sorted((x, weight) for x, weight in total.items() if weight))


def scaled(coefficients: Coefficients, factor: int) -> Coefficients:
    """Return the coefficients, each multiplied by the factor."""
    return tuple((x, weight * factor) for x, weight in coefficients) if factor else ()


def difference(coefficients: Coefficients) -> tuple[int, int, int] | None:
    """Return x, y and k for coefficients that are k (x - y), where k > 0 and x or y may be 0; None for all others."""
    if len(coefficients) == 1:
        x, weight = coefficients[0]
        return (x, 0, weight) if weight > 0 else (0, x, -weight)
    if len(coefficients) == 2:
        (x, one), (y, other) = coefficients
        if one == -other:
            return (x, y, one) if one > 0 else (y, x, other)
    return None


def content(coefficients: Coefficients) -> int:
    """Return the greatest whole number that divides all coefficients."""
    return gcd(*(weight for _, weight in coefficients))


def value(coefficients: Iterable[tuple[int, int]], values: list[int] | tuple[int, ...]) -> int:
    """Return the sum for the values of all variables, where `values[0]` belongs to variable 0 and is 0."""
    return sum(weight * values[x] for x, weight in coefficients)


MOST_STEPS = 2_000_000
"""z3's resource limit for one question."""


class SumConstraint(NamedTuple):
    """A constraint: the sum of the products and the constant is (`relation`) "<=", "==" or "!=" zero."""

    relation: str
    coefficients: Coefficients
    constant: int


class Definition(NamedTuple):
    """A constraint: `variable` is the result of an operation ("*", "//", "%" as in Python, "+") on its parts."""

    variable: int
    operation: str
    parts: tuple[Slot, ...]


Constraint = SumConstraint | Definition


def is_installed() -> bool:
    """Return whether z3 is installed."""
    return find_spec("z3") is not None


def version() -> str:
    """Return the version of z3 as part of a generator's version, because the values that z3 finds depend on it."""
    return f"with z3 {metadata.version('z3-solver')}" if is_installed() else "without z3"


@cache
def z3() -> Any:
    """Return the module, which is imported on the first call."""
    return import_module("z3")


def variables(size: int) -> list[Any]:
    """Return the number zero, and the variables 1, 2, ... in z3."""
    return [z3().IntVal(0), *(z3().Int(f"x{number}") for number in range(1, size + 1))]


def counterpart_variable(definition: Definition, x: Sequence[Any]) -> Any:
    """Return z3's variable for the remainder that belongs to a quotient, or the reverse."""
    return z3().Int(f"beside {x[definition.variable]}")


def written(constraint: Constraint, x: Sequence[Any]) -> list[Any]:
    """Return the formulas of a constraint in z3."""
    if isinstance(constraint, SumConstraint):
        total = _total(constraint.coefficients, constraint.constant, x)
        return [{"<=": total <= 0, "==": total == 0, "!=": total != 0}[constraint.relation]]
    result = x[constraint.variable]
    if constraint.operation == "+":
        return [result == _total(constraint.parts, 0, x)]
    a, b = (x[part] + added for part, added in constraint.parts)
    if constraint.operation == "*":
        return [result == a * b]
    # Python rounds down: a = b * quotient + remainder, and the remainder has the sign of b.
    other = counterpart_variable(constraint, x)
    quotient, remainder = (result, other) if constraint.operation == "//" else (other, result)
    sign = z3().If(b > 0, z3().And(remainder >= 0, remainder < b), z3().And(remainder <= 0, remainder > b))
    return [b != 0, a == b * quotient + remainder, sign]


def bounds_written(
    bounds: Sequence[Sequence[float]], holes: Iterable[tuple[int, int, int]], x: Sequence[Any]
) -> list[Any]:
    """Return the formulas of a matrix and its holes in z3."""
    formulas = [
        x[one] - x[other] <= int(bound)
        for one, row in enumerate(bounds)
        for other, bound in enumerate(row)
        if one != other and bound < INFINITE
    ]
    return formulas + [x[one] - x[other] != d for one, other, d in holes]


def ranges_written(ranges: Ranges, x: Sequence[Any]) -> list[Any]:
    """Return the formulas of ranges of variables in z3."""
    limited = [(x[at], limits) for at, limits in enumerate(ranges, start=1) if limits is not None]
    return [formula for one, (low, high) in limited for formula in (one >= low, one <= high)]


def solved(size: int, formulas: Callable[[Sequence[Any]], Iterable[Any]], most_steps: int = MOST_STEPS) -> Solution:
    """Return a value for each variable, or None if there is no solution; UNKNOWN at the limit, at once if it is 0."""
    if not most_steps or not is_installed():
        return UNKNOWN
    x = variables(size)
    solver = z3().Solver()
    solver.set("rlimit", most_steps)
    solver.add(*formulas(x))
    answer = solver.check()
    if answer == z3().unsat:
        return None
    if answer != z3().sat:
        return UNKNOWN
    model = solver.model()
    return tuple(model.eval(one, model_completion=True).as_long() for one in x[1:])


def _total(weighted: Iterable[tuple[int, int]], constant: int, x: Sequence[Any]) -> Any:
    """Return the sum; the weight of variable 0 is added as it is."""
    return sum((weight * x[one] if one else weight for one, weight in weighted), z3().IntVal(constant))
