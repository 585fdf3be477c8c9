"""Names for a subject's spec.py: finitizations, sequences, axioms, dedicated generators; standard library only."""

from harness.kernel.specs.contracts import axiom
from harness.kernel.specs.dedicated import (
    all_different,
    and_,
    equal,
    field,
    instance_of,
    is_acyclic,
    is_in,
    is_sorted,
    is_tree,
    length,
    less,
    not_,
    or_,
    requirements,
)
from harness.model.finitization import ClassDomain, Finitization, Structures
from harness.model.sequence import SequenceScope

__all__ = [
    "ClassDomain",
    "Finitization",
    "SequenceScope",
    "Structures",
    "all_different",
    "and_",
    "axiom",
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
