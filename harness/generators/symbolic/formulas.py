"""Questions to z3: whether bounds, holes and general constraints on integers have a solution.

z3 is asked with a limit of its own steps, never of seconds, so that its answers hang on no clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from harness.generators.symbolic.systems import UNKNOWN, Ranges, Solution
from harness.generators.symbolic.terms import INFINITE, Coefficients, Slot

MOST_STEPS = 2_000_000
"""z3's resource limit for one question."""


class Sum(NamedTuple):
    """The sum of the products and the constant is (`relation`) "<=", "==" or "!=" zero."""

    relation: str
    coefficients: Coefficients
    constant: int


class Definition(NamedTuple):
    """Variable `variable` is what an operation ("*", "//", "%" as Python has them, "+") gives of its parts."""

    variable: int
    operation: str
    parts: tuple[Slot, ...]


Constraint = Sum | Definition


def is_installed() -> bool:
    """Whether z3 is there."""
    return find_spec("z3") is not None


@cache
def z3() -> Any:
    """The module, which is imported when it is first asked for."""
    return import_module("z3")


def variables(size: int) -> list[Any]:
    """The number zero, and the variables 1, 2, ... in z3."""
    return [z3().IntVal(0), *(z3().Int(f"x{number}") for number in range(1, size + 1))]


def beside(definition: Definition, x: Sequence[Any]) -> Any:
    """The rest beside a quotient, or the quotient beside a rest: a variable of z3 of its own."""
    return z3().Int(f"beside {x[definition.variable]}")


def written(constraint: Constraint, x: Sequence[Any]) -> list[Any]:
    """A constraint in z3."""
    if isinstance(constraint, Sum):
        total = _total(constraint.coefficients, constraint.constant, x)
        return [{"<=": total <= 0, "==": total == 0, "!=": total != 0}[constraint.relation]]
    result = x[constraint.variable]
    if constraint.operation == "+":
        return [result == _total(constraint.parts, 0, x)]
    a, b = (x[part] + added for part, added in constraint.parts)
    if constraint.operation == "*":
        return [result == a * b]
    # Python rounds down: a = b * quotient + rest, and the rest has the sign of b.
    other = beside(constraint, x)
    quotient, rest = (result, other) if constraint.operation == "//" else (other, result)
    sign = z3().If(b > 0, z3().And(rest >= 0, rest < b), z3().And(rest <= 0, rest > b))
    return [b != 0, a == b * quotient + rest, sign]


def bounds_written(
    bounds: Sequence[Sequence[float]], holes: Iterable[tuple[int, int, int]], x: Sequence[Any]
) -> list[Any]:
    """A matrix and holes in z3."""
    found = [
        x[one] - x[other] <= int(bound)
        for one, row in enumerate(bounds)
        for other, bound in enumerate(row)
        if one != other and bound < INFINITE
    ]
    return found + [x[one] - x[other] != d for one, other, d in holes]


def ranges_written(ranges: Ranges, x: Sequence[Any]) -> list[Any]:
    """Ranges of variables in z3."""
    known = [(x[at], limits) for at, limits in enumerate(ranges, start=1) if limits is not None]
    return [formula for one, (low, high) in known for formula in (one >= low, one <= high)]


def solved(size: int, formulas: Callable[[Sequence[Any]], Iterable[Any]], most_steps: int = MOST_STEPS) -> Solution:
    """A value for each variable; None where there is no solution; UNKNOWN at the limit, or where z3 is not there."""
    if not is_installed():
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
    """The sum; the weight of variable 0 is added as it is."""
    return sum((weight * x[one] if one else weight for one, weight in weighted), z3().IntVal(constant))
