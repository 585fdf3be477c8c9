"""Names for a subject's spec.py: finitizations, sequences, axioms, dedicated generators; standard library only."""

from harness.kernel.specs.contracts import axiom as axiom
from harness.kernel.specs.dedicated.condition import and_ as and_
from harness.kernel.specs.dedicated.condition import equal as equal
from harness.kernel.specs.dedicated.condition import field as field
from harness.kernel.specs.dedicated.condition import instance_of as instance_of
from harness.kernel.specs.dedicated.condition import is_in as is_in
from harness.kernel.specs.dedicated.condition import length as length
from harness.kernel.specs.dedicated.condition import less as less
from harness.kernel.specs.dedicated.condition import not_ as not_
from harness.kernel.specs.dedicated.condition import or_ as or_
from harness.kernel.specs.dedicated.properties import all_different as all_different
from harness.kernel.specs.dedicated.properties import is_acyclic as is_acyclic
from harness.kernel.specs.dedicated.properties import is_sorted as is_sorted
from harness.kernel.specs.dedicated.properties import is_tree as is_tree
from harness.kernel.specs.dedicated.properties import requirements as requirements
from harness.model.finitization import ClassDomain as ClassDomain
from harness.model.finitization import Finitization as Finitization
from harness.model.finitization import Structures as Structures
from harness.model.sequence import SequenceScope as SequenceScope
