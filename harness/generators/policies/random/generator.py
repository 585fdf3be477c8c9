"""Random call sequences, feedback-directed like Randoop's (Pacheco, Lahiri, Ernst, Ball: ICSE 2007, section 3.1).

Each attempt concatenates sequences that went well, adds a call of a routine, and executes the result. A sequence that
went well and led to a new object is extended later. Each new sequence is a test if it went well, or if its last call
was misuse or led beyond the bounds.
"""

from __future__ import annotations

from time import process_time
from typing import Self

from harness.generators.chance import Chance
from harness.generators.policies.random.options import Options
from harness.generators.policies.random.pool import Draft, Pool
from harness.generators.policies.random.trying import TESTS, CallOutcome, SequenceExecutor, SequenceResult
from harness.generators.protocol import GeneratorWithOptions, ProductionBase, ProductionFacts, SequenceTask
from harness.generators.sampled import SEQUENCE_SAMPLE
from harness.generators.sequences.structures import Storage
from harness.kernel.inputs.suites import InputKind, SuiteWriter
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


DEFAULT_INPUTS = 1_000
"""The number of inputs of a suite whose name has no limits."""

DEFAULT_CALLS = 100
"""The largest number of calls of a sequence, unless the spec bounds it."""

FRUITLESS = 10_000
"""The number of attempts in a row without a new sequence after which the search stops."""


class RandomSequences(DrawingGenerator):
    """`random`, or with limits and options `random:5000`, `random:10000,calls=50000,seconds=20,aliases=no`."""

    kind = "random"
    version = "2"

    def explore(self, task: SequenceTask) -> RandomProduction:
        """Start a run."""
        return RandomProduction(task, self._options)


class RandomProduction(DrawingProduction):
    """One run: sequences drawn by the seed, up to the limits, the spec's attempts, or until nothing is new."""

    def __init__(self, task: SequenceTask, options: Options) -> None:
        super().__init__(task, options, DEFAULT_INPUTS)
        bounds = task.bounds
        self._most_attempts = bounds.most_attempts
        self._pool = Pool(bounds, Chance(task.seed), bounds.most_calls or DEFAULT_CALLS, options)
        self._keys: set[bytes] = set()
        self._sequence_count = 0

    def write(self, writer: SuiteWriter) -> None:
        """Write the sequences in the order in which they are found.

        Raises:
            SpecError: a call fails that should not.
        """
        storage = Storage(writer)
        fruitless = 0
        for _ in range(self._most_attempts):
            self.stop_reason = self._limit_reached(storage.count)
            if self.stop_reason is None and fruitless >= max(FRUITLESS, 10 * storage.count):
                self.stop_reason = StopReason.NOTHING_NEW
            if self.stop_reason is not None:
                return
            draft = self._pool.draft()
            fruitless += 1
            if draft is not None and not storage.has(draft.calls(draft.times)) and self._try(draft, storage):
                fruitless = 0
        self.stop_reason = StopReason.ATTEMPTS

    def _try(self, draft: Draft, storage: Storage) -> bool:
        """Execute a draft. Return whether the sequence is a new test."""
        self._explored += 1
        tried = self._trying.run(draft)
        if tried.outcome not in TESTS or storage.has(tried.calls):
            return False
        storage.add(tried.calls)
        if tried.outcome is CallOutcome.NORMAL:
            self._keep(tried)
        return True

    def _keep(self, tried: SequenceResult) -> None:
        new = []
        for numbered_object, key in zip(tried.objects, tried.keys, strict=True):
            if key not in self._keys:
                self._keys.add(key)
                new.append(numbered_object)
        if SEQUENCE_SAMPLE.has(self._sequence_count):
            self._trying.check_again(tried)
        self._sequence_count += 1
        self._pool.add(tried.calls, tuple(new))
