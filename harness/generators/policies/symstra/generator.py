"""Symstra: breadth-first over states with symbolic integers (Xie et al. 2005; jtestcraft2010, section 6.3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.generators.policies.symstra.options import Options
from harness.generators.protocol import GeneratorWithOptions, SequenceTask
from harness.generators.symbolic import formulas
from harness.kernel.inputs.suites import InputKind

if TYPE_CHECKING:
    from harness.generators.policies.symstra.production import Production


class Symstra(GeneratorWithOptions):
    """Each feasible path of each call on each kept state is a test; states that another one subsumes are dropped.

    A sequence has `scope` calls after the constructor's, unless the spec bounds its length. A parameter whose domain
    is a range of integers is symbolic; all other values are tried one by one. Objects are not passed as arguments.

    Args:
        options: which states are kept, and which values a path is solved to; they follow the colon of the name.
    """

    kind, options_class = "symstra", Options
    input_kind = InputKind.SEQUENCES
    imports: tuple[str, ...] = ("harness.generators.policies.symstra.production",)

    @property
    def version(self) -> str:
        """The version, which includes the version of z3, because the values that z3 finds depend on it."""
        return f"2 {formulas.version()}"

    def explore(self, task: SequenceTask) -> Production:
        """Start a run; see `SequenceGenerator.explore`."""
        from harness.generators.policies.symstra.production import Production

        most, length_option = task.bounds.most_calls or task.scope + 1, self._options.calls
        return Production(task, most if length_option is None else min(most, length_option + 1), self._options)
