"""Names for specs whose inputs are programs: their grammar, and the oracles of tools that change them."""

from harness.kernel.specs.programs.behaviour import behaviour
from harness.kernel.specs.programs.faults import Cause, Failure, Fault, failure_of, fault_of
from harness.kernel.specs.programs.grammar import (
    Grammar,
    expression_forms,
    expressions_in,
    statement_forms,
    statements_of,
)

__all__ = [
    "Cause",
    "Failure",
    "Fault",
    "Grammar",
    "behaviour",
    "expression_forms",
    "expressions_in",
    "failure_of",
    "fault_of",
    "statement_forms",
    "statements_of",
]
