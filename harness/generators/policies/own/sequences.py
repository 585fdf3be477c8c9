"""Makes a suite of sequences from the lists of calls that a user's generator yields, or that are in a user's file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from harness.errors import UsageError
from harness.generators.policies.own.calls import CallEncoder, EncodedCall, WrongCalls
from harness.generators.policies.own.report import NOT_THE_SAME, InputCounts
from harness.generators.protocol import ProductionBase, ProductionFacts, SequenceTask
from harness.generators.sequences.structures import Storage
from harness.kernel.inputs.call_source import show_sequence
from harness.kernel.inputs.routines import ABSENT, ReadyCall, Routines
from harness.kernel.inputs.suites import Call, SuiteWriter
from harness.kernel.judging.prepared import outcome_of
from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.objects.module_state import state_of
from harness.kernel.specs.spec import exception_summary

if TYPE_CHECKING:
    from harness.generators.policies.own.generator import Chosen


class OwnSequences(ProductionBase):
    """One run of a user's generator of call sequences.

    The first pass finds the values beyond the bounds. The second one writes the inputs, and notices different ones.
    """

    def __init__(self, chosen: Chosen, task: SequenceTask) -> None:
        self._chosen = chosen
        self._task = task
        self._encoder = CallEncoder(task.bounds)
        self._counts = InputCounts(chosen.file)
        self._current = ""
        self.explored = 0

    @property
    def current(self) -> str:
        """The sequence that is being executed, as short text."""
        return self._current

    def write(self, writer: SuiteWriter) -> None:
        """Write the inputs in the order in which they are given, each once.

        Raises:
            UsageError: the generator raises, yields nothing or something else, or other inputs when it runs again.
        """
        first, again = hashlib.sha256(), hashlib.sha256()
        for sequence, _ in self._encoded():
            first.update(repr(sequence).encode())
            self._counts.beyond += self._encoder.is_beyond(sequence)
            self._counts.total += 1
        self._counts.check(self._task.scope)
        outside, count = self._encoder.outside, self._encoder.outside_count
        writer.header.outside = outside
        bounds = self._task.bounds.extended(outside)
        storage, routines, last_calls = (
            Storage(writer),
            Routines(self._task.module, bounds, state_of(self._task.module)),
            set[bytes](),
        )
        for sequence, place in self._encoded():
            again.update(repr(sequence).encode())
            if self._encoder.outside_count != count:
                break
            calls = self._encoder.calls(sequence)
            self._current = show_sequence(bounds, list(calls))
            last_call = self._last_call(routines, calls, place)
            if storage.has(calls) or (self._chosen.is_distinct and last_call in last_calls):
                continue
            storage.add(calls)
            last_calls |= {last_call} if last_call else set()
        if again.digest() != first.digest():
            raise UsageError(f"{self._chosen.file}: {NOT_THE_SAME}")
        self._counts.stored = storage.count
        for line in self._counts.lines():
            self._task.notice(line)

    def facts(self) -> ProductionFacts:
        """Return the numbers of inputs that are repeated, or beyond the bounds."""
        return ProductionFacts(details=self._counts.details())

    def _encoded(self) -> Iterator[tuple[tuple[EncodedCall, ...], str]]:
        """Yield the inputs encoded, each with its place in the user's file."""
        self.explored = 0
        inputs = self._chosen.inputs()
        for item in inputs:
            self.explored += 1
            try:
                yield self._encoder.sequence(item), inputs.place
            except WrongCalls as error:
                raise UsageError(f"{inputs.place}: {error}") from None

    def _last_call(self, routines: Routines, calls: tuple[Call, ...], place: str) -> bytes:
        """Run a sequence on the original, as far as calls return what later ones take.

        Returns: the last call with the state that it is made on, if inputs are to be distinct; else nothing.

        Raises:
            UsageError: the precondition of a call does not hold, or it takes what no call has returned.
        """
        results: list[Any] = []
        raised = ""
        for number, call in enumerate(calls):
            try:
                ready = routines.ready(call, results)
            except LookupError:
                problem = f"{raised}, so call {number} has no result to take"
                raise UsageError(f"{place}: {self._current}: {problem}; end the sequence before it") from None
            requires = ready.routine.requires
            if requires is not None and not requires(ready.receiver, *ready.arguments):
                problem = f"the precondition of call {number} does not hold"
                raise UsageError(f"{place}: {self._current}: {problem}; leave the call out")
            if number == len(calls) - 1 and self._chosen.is_distinct:
                return _key(call, ready)
            done = outcome_of(ready.function, *ready.passed)
            results.append(done.returned if done.raised is None else ABSENT)
            if done.raised is not None:
                raised = f"call {number} raised {exception_summary(done.raised)}"
        return b""


def _key(call: Call, ready: ReadyCall) -> bytes:
    """Return bytes that are equal for equal calls on equal states; nothing for a state that cannot be compared."""
    try:
        return repr(call.target).encode() + concrete(ready.receiver, *ready.arguments)
    except (NotCanonical, RecursionError):
        return b""
