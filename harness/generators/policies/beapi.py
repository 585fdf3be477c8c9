"""Generation from the API, breadth-first over concrete states: BEAPI and Rostra.

BEAPI is bounded exhaustive, in its four configurations (beapi2023, sections 3 and 4.2). Rostra has a fixed set of
arguments (jtestcraft2010, section 6.3.1).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from harness.generators.protocol import GeneratorBase, SequenceTask
from harness.kernel.inputs.suites import InputKind

if TYPE_CHECKING:
    from harness.generators.sequences.exploration import Policy
    from harness.generators.sequences.production import Production


class Beapi(GeneratorBase):
    """Every structure that the API makes within the scope, with every call of every routine.

    `beapi` extends sequences with the builders that the spec pins, or with all routines if it pins none. It drops
    sequences that lead to a known structure: SM/BLD of the paper's Table 2. `beapi-sm` extends with all routines (SM),
    `beapi-bld` drops nothing (BLD), `beapi-noopt` does neither (NoOPT). A configuration that drops nothing bounds the
    length of sequences: `scope` + 1 calls unless the spec bounds it.
    """

    version = "2"
    input_kind = InputKind.SEQUENCES
    imports: tuple[str, ...] = ("harness.generators.sequences.production",)

    def __init__(self, name: str = "beapi", *, builders: bool = True, matches: bool = True) -> None:
        self.name = name
        self._builders = builders
        self._matches = matches

    def explore(self, task: SequenceTask) -> Production:
        """Start a run; see `SequenceGenerator.explore`."""
        from harness.generators.sequences.production import Production

        return Production(task, self.policy(task))

    def policy(self, task: SequenceTask) -> Policy:
        """Return the policy of a run."""
        from harness.generators.sequences.exploration import Policy

        bounds = task.bounds
        most = bounds.most_calls
        if most is None and not self._matches:
            most = task.scope + 1
        return Policy(
            builders=bounds.pinned_builders if self._builders else None, matches=self._matches, most_calls=most
        )


SM = partial(Beapi, "beapi-sm", builders=False)
BLD = partial(Beapi, "beapi-bld", matches=False)
NOOPT = partial(Beapi, "beapi-noopt", builders=False, matches=False)
"""Functions that make the other configurations; `Beapi()` is SM/BLD."""


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
