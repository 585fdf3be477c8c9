"""How large the formula of an invariant becomes, estimated by smaller scopes before it is written."""

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
"""The smallest scope that is estimated: smaller ones are written at once."""

_LOOKED_AT = ((16, 25), (8, 50))
"""The two scopes looked at: parts of the scope, and the largest that they are."""


def check_gates(task: Task, invariant: Callable[[Any, Any], object]) -> None:
    """Refuses a scope at which the formula is beyond memory, within seconds.

    Gates are estimated by a power of the scope through two smaller ones. The power grows with the scope, towards
    three, so that the estimate is too small if anything. A spec that cannot be executed at these is not estimated.
    Logarithms and powers are decimal: those of floats are not the same in every mathematical library.

    Raises:
        UsageError: there would be more than `MOST_GATES` gates.
    """
    if task.scope is None or task.scope < SMALLEST:
        return
    scopes = [min(task.scope // part, largest) for part, largest in _LOOKED_AT]
    try:
        smaller, larger = (gates(task.spec.finitization(scope), invariant) for scope in scopes)
    except MutascopeError:  # it is told of the scope itself
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
    """Gates of what is written first of an invariant; 0 where there is nothing to write first."""
    space = StateSpace(finitization)
    bounds = without_unreachable(space, first_bounds(space))
    made = relaxation(space, formula_of(invariant, finitization), bounds)
    return 0 if made is None else len(made.fields.circuits.gates)
