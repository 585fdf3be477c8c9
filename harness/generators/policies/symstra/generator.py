"""Symstra: breadth-first over states with symbolic integers (Xie et al. 2005; jtestcraft2010, section 6.3.1)."""

from __future__ import annotations

from importlib import metadata

from harness.generators.policies.symstra.options import Options
from harness.generators.policies.symstra.production import Production
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.symbolic import formulas


class Symstra:
    """Each feasible path of each call on each kept state is a test; states that another one subsumes are dropped.

    A sequence has `scope` calls behind the constructor's, where the spec does not bound its length. A parameter whose
    domain is a range of integers is symbolic; all other values are tried one by one. Objects as arguments are not.

    Args:
        options: which states are kept, and which values a path is solved to; its name has them behind a colon.
    """

    def __init__(self, options: Options | None = None) -> None:
        self._options = options or Options()
        self.name = self._options.named("symstra")

    def with_parameter(self, text: str) -> Symstra:
        """The generator whose name has `text` behind a colon.

        Raises:
            UsageError: it tells no options.
        """
        return Symstra(Options.read("symstra", text))

    @property
    def version(self) -> str:
        """Hangs on z3's, as values that z3 finds do."""
        return f"2 with z3 {metadata.version('z3-solver')}" if formulas.is_installed() else "2 without z3"

    def explore(self, task: SequenceTask) -> Production:
        """Starts a run; see `SequenceGenerator.explore`."""
        most, asked = task.bounds.most_calls or task.scope + 1, self._options.calls
        return Production(task, most if asked is None else min(most, asked + 1), self._options)
