"""Names for the `invariant(thiz, heap)` of a spec: the relational language (docs/relational.md); standard library."""

from harness.kernel.specs.relational.expressions import Formula, Number, Relation
from harness.kernel.specs.relational.functions import (
    all_of,
    any_of,
    closure,
    count,
    exists,
    for_all,
    lone,
    no,
    one,
    reflexive_closure,
    some,
    those,
    total,
)
from harness.kernel.specs.relational.heap import Heap

__all__ = [
    "Formula",
    "Heap",
    "Number",
    "Relation",
    "all_of",
    "any_of",
    "closure",
    "count",
    "exists",
    "for_all",
    "lone",
    "no",
    "one",
    "reflexive_closure",
    "some",
    "those",
    "total",
]
