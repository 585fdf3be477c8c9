"""The common part of generators that draw sequences and execute them on the original, up to limits."""

from __future__ import annotations

from time import process_time
from typing import Self

from harness.generators.policies.random.options import Options
from harness.generators.policies.random.trying import SequenceExecutor
from harness.generators.protocol import GeneratorWithOptions, ProductionBase, ProductionFacts, SequenceTask
from harness.kernel.inputs.suites import InputKind
from harness.model.stop_reason import StopReason


class DrawingGenerator(GeneratorWithOptions):
    """A generator of drawn sequences. A suite is a prefix of each suite with larger limits."""

    options_class = Options
    input_kind = InputKind.SEQUENCES

    def repeating(self, inputs: int) -> Self:
        """Return the generator that repeats a suite of `inputs` inputs of this one, without a limit of time."""
        return type(self)(self._options.repeating(inputs))


class DrawingProduction(ProductionBase):
    """A run up to the limits of the options, or without any up to `default` inputs.

    Attributes:
        stop_reason: the reason why the run stopped; None while it continues.
    """

    stop_reason: StopReason | None = None

    def __init__(self, task: SequenceTask, options: Options, default: int) -> None:
        self._options = options
        self._most_inputs = options.most_inputs(default)
        self._begun = process_time()
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

    def _limit_reached(self, inputs: int) -> StopReason | None:
        """Return the limit that is reached after this number of found inputs."""
        calls, seconds = self._options.calls, self._options.seconds
        if inputs >= self._most_inputs:
            return StopReason.INPUTS
        if calls is not None and self._trying.calls >= calls:
            return StopReason.CALLS
        if seconds is not None and process_time() - self._begun >= seconds:
            return StopReason.PROCESSOR_TIME
        return None
