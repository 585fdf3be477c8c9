"""Symstra: breadth-first over states with symbolic integers (Xie et al. 2005; jtestcraft2010, section 6.3.1)."""

from __future__ import annotations

from importlib import metadata

from harness.generators.sequences.protocol import SequenceTask
from harness.generators.symbolic import formulas
from harness.generators.symstra.production import Production


class Symstra:
    """Each feasible path of each call on each kept state is a test; states that another one subsumes are dropped.

    A sequence has `scope` calls behind the constructor's, where the spec does not bound its length. A parameter whose
    domain is a range of integers is symbolic; all other values are tried one by one. Objects as arguments are not.
    """

    name = "symstra"

    @property
    def version(self) -> str:
        """Hangs on z3's, as values that z3 finds do."""
        return f"1 with z3 {metadata.version('z3-solver')}" if formulas.is_installed() else "1 without z3"

    def explore(self, task: SequenceTask) -> Production:
        """Starts a run; see `SequenceGenerator.explore`."""
        return Production(task, task.bounds.most_calls or task.scope + 1)
