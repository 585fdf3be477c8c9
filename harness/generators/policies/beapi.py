"""BEAPI: bounded exhaustive generation from the API, in its four configurations (beapi2023, sections 3 and 4.2)."""

from __future__ import annotations

from functools import partial

from harness.generators.sequences.exploration import Policy
from harness.generators.sequences.production import Production
from harness.generators.sequences.protocol import SequenceTask


class Beapi:
    """Every structure that the API makes within the scope, with every call of every routine.

    `beapi` extends sequences with the builders that the spec has pinned (with all routines, where it has none), and
    drops what leads to a known structure: SM/BLD of the paper's Table 2. `beapi-sm` extends with all routines (SM),
    `beapi-bld` drops nothing (BLD), `beapi-noopt` does neither (NoOPT). What drops nothing ends by the length of
    sequences: `scope` + 1 calls where the spec says nothing.
    """

    version = "2"

    def __init__(self, name: str = "beapi", *, builders: bool = True, matches: bool = True) -> None:
        self._name = name
        self._builders = builders
        self._matches = matches

    @property
    def name(self) -> str:
        """As on the command line."""
        return self._name

    def explore(self, task: SequenceTask) -> Production:
        """Starts a run; see `SequenceGenerator.explore`."""
        return Production(task, self.policy(task))

    def policy(self, task: SequenceTask) -> Policy:
        """What the run does."""
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
"""Make the other configurations; `Beapi()` is SM/BLD."""
