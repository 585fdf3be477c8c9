"""Rostra: breadth-first over concrete states with a fixed set of arguments (jtestcraft2010, section 6.3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.generators.protocol import GeneratorBase, SequenceTask
from harness.kernel.inputs.suites import InputKind

if TYPE_CHECKING:
    from harness.generators.sequences.production import Production


class Rostra(GeneratorBase):
    """Each call executed on each state is a test, whatever its outcome; new states within the bounds are extended.

    A sequence has `scope` calls after the constructor's, unless the spec bounds its length. Constructors make the
    objects that are arguments.
    """

    name = "rostra"
    version = "2"
    input_kind = InputKind.SEQUENCES
    imports: tuple[str, ...] = ("harness.generators.sequences.production",)

    def explore(self, task: SequenceTask) -> Production:
        """Start a run; see `SequenceGenerator.explore`."""
        from harness.generators.sequences.exploration import Policy
        from harness.generators.sequences.production import Production

        most = task.bounds.most_calls or task.scope + 1
        policy = Policy(keeps_failures=True, constructed_only=True, most_calls=most)
        return Production(task, policy, extended_only=True)
