"""Names for the `invariant(thiz, heap)` of a spec: the relational language (docs/relational.md); standard library."""

from harness.kernel.specs.relational.expressions import Formula as Formula
from harness.kernel.specs.relational.expressions import Heap as Heap
from harness.kernel.specs.relational.expressions import Number as Number
from harness.kernel.specs.relational.expressions import Relation as Relation
from harness.kernel.specs.relational.expressions import all_of as all_of
from harness.kernel.specs.relational.expressions import any_of as any_of
from harness.kernel.specs.relational.expressions import closure as closure
from harness.kernel.specs.relational.expressions import count as count
from harness.kernel.specs.relational.expressions import exists as exists
from harness.kernel.specs.relational.expressions import for_all as for_all
from harness.kernel.specs.relational.expressions import lone as lone
from harness.kernel.specs.relational.expressions import no as no
from harness.kernel.specs.relational.expressions import one as one
from harness.kernel.specs.relational.expressions import reflexive_closure as reflexive_closure
from harness.kernel.specs.relational.expressions import some as some
from harness.kernel.specs.relational.expressions import those as those
from harness.kernel.specs.relational.expressions import total as total
