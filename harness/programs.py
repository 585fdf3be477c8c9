"""Names for specs whose inputs are programs: their grammar, and the oracles of tools that change them."""

from harness.kernel.specs.programs import Cause as Cause
from harness.kernel.specs.programs import Failure as Failure
from harness.kernel.specs.programs import Fault as Fault
from harness.kernel.specs.programs import Grammar as Grammar
from harness.kernel.specs.programs import behaviour as behaviour
from harness.kernel.specs.programs import expression_forms as expression_forms
from harness.kernel.specs.programs import expressions_in as expressions_in
from harness.kernel.specs.programs import failure_of as failure_of
from harness.kernel.specs.programs import fault_of as fault_of
from harness.kernel.specs.programs import statement_forms as statement_forms
from harness.kernel.specs.programs import statements_of as statements_of
