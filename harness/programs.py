"""Names for specs whose inputs are programs: their grammar, and the oracles of tools that change them."""

from harness.kernel.specs.programs.behaviour import behaviour as behaviour
from harness.kernel.specs.programs.faults import Cause as Cause
from harness.kernel.specs.programs.faults import Failure as Failure
from harness.kernel.specs.programs.faults import Fault as Fault
from harness.kernel.specs.programs.faults import failure_of as failure_of
from harness.kernel.specs.programs.faults import fault_of as fault_of
from harness.kernel.specs.programs.grammar import Grammar as Grammar
from harness.kernel.specs.programs.grammar import expression_forms as expression_forms
from harness.kernel.specs.programs.grammar import expressions_in as expressions_in
from harness.kernel.specs.programs.grammar import statement_forms as statement_forms
from harness.kernel.specs.programs.grammar import statements_of as statements_of
