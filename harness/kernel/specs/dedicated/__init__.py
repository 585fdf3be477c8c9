"""Dedicated generators: checks that, while Korat searches, narrow the values it tries (exhaustive2003, section 5)."""

from harness.kernel.specs.dedicated.condition import (
    Condition,
    Operand,
    and_,
    equal,
    field,
    instance_of,
    is_in,
    length,
    less,
    not_,
    or_,
)
from harness.kernel.specs.dedicated.properties import all_different, is_acyclic, is_sorted, is_tree, requirements

__all__ = [
    "Condition",
    "Operand",
    "all_different",
    "and_",
    "equal",
    "field",
    "instance_of",
    "is_acyclic",
    "is_in",
    "is_sorted",
    "is_tree",
    "length",
    "less",
    "not_",
    "or_",
    "requirements",
]
