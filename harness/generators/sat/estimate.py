"""Estimates the size of an invariant's formula from smaller scopes before the formula is written."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from harness.errors import MutascopeError, UsageError
from harness.generators.protocol import Task
from harness.generators.sat.circuits import MOST_GATES
from harness.generators.sat.symmetry import first_bounds, without_unreachable
from harness.generators.sat.tightening import relaxation
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.specs.relational.heap import formula_of
from harness.model.finitization import Finitization

SMALLEST = 128
"""The smallest scope that is estimated; the formulas of smaller ones are written at once."""

_LOOKED_AT = ((16, 25), (8, 50))
"""For each of the two smaller scopes, the divisor of the scope, and the largest value."""


def check_gates(task: Task, invariant: Callable[[Any, Any], object]) -> None:
    """Refuse a scope at which the formula does not fit into memory, within seconds.

    The number of gates is extrapolated by a power law from two smaller scopes. The power grows with the scope,
    towards three, so the estimate is too small if anything. A spec that cannot be executed at these is not estimated.
    Logarithms and powers are decimal, because those of floats differ between mathematical libraries.

    Raises:
        UsageError: there would be more than `MOST_GATES` gates.
    """
    if task.scope is None or task.scope < SMALLEST:
        return
    scopes = [min(task.scope // part, largest) for part, largest in _LOOKED_AT]
    try:
        smaller, larger = (gates(task.spec.finitization(scope), invariant) for scope in scopes)
    except MutascopeError:  # the error is reported at the scope itself
        return
    if not smaller:
        return
    power = (Decimal(larger) / smaller).ln() / (Decimal(scopes[1]) / scopes[0]).ln()
    expected = larger * (Decimal(task.scope) / scopes[1]) ** power
    if expected > MOST_GATES:
        raise UsageError(
            f"the formula of invariant would have some {expected / 10**6:,.0f} million gates at scope {task.scope} (by "
            f"the {smaller:,} of scope {scopes[0]} and the {larger:,} of {scopes[1]}), more than the "
            f"{MOST_GATES // 10**6} million that fit into 10 gigabytes of memory; choose a smaller scope"
        )


def gates(finitization: Finitization, invariant: Callable[[Any, Any], object]) -> int:
    """Return the number of gates of an invariant's relaxation, which is written first; 0 if there is none."""
    space = StateSpace(finitization)
    bounds = without_unreachable(space, first_bounds(space))
    encoded_part = relaxation(space, formula_of(invariant, finitization), bounds)
    return 0 if encoded_part is None else len(encoded_part.fields.circuits.gates)
