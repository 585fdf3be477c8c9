"""The common part of runs that draw sequences and execute them on the original, up to limits."""

from __future__ import annotations

from harness.generators.policies.random.limits import Clock, RandomLimits
from harness.generators.policies.random.options import Options
from harness.generators.policies.random.trying import SequenceExecutor
from harness.generators.productions import ProductionBase, ProductionFacts
from harness.generators.sequences.protocol import SequenceTask
from harness.model.stop_reason import StopReason


class DrawingProduction(ProductionBase):
    """A run up to the limits of the options, or without any up to `default` ones.

    Attributes:
        stop_reason: the reason why the run stopped; None while it continues.
    """

    stop_reason: StopReason | None = None

    def __init__(self, task: SequenceTask, options: Options, clock: Clock, default: RandomLimits) -> None:
        self._limits = options.limits or default
        self._clock = clock
        self._trying = SequenceExecutor(task, options)
        self._explored = 0

    @property
    def explored(self) -> int:
        """The number of sequences executed so far."""
        return self._explored + self._trying.shortened

    @property
    def current(self) -> str:
        """The sequence that is being executed."""
        return self._trying.current

    @property
    def remedy(self) -> str:
        """The option that leaves out the work in progress."""
        return self._trying.remedy

    def facts(self) -> ProductionFacts:
        """Return the facts about the run: the reason why it stopped."""
        return ProductionFacts(stop_reason=self.stop_reason)
