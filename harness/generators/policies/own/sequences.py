"""Makes a suite of sequences from the lists of calls that a user's generator yields, or that are in a user's file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.errors import UsageError
from harness.generators.policies.own.runs import OwnRun
from harness.generators.policies.own.subject import CallEncoder, EncodedCall
from harness.generators.protocol import SequenceTask
from harness.generators.sequences.structures import Storage
from harness.kernel.inputs.describe import show_sequence
from harness.kernel.inputs.routines import ABSENT, ReadyCall, Routines
from harness.kernel.inputs.suites import Call, SuiteWriter
from harness.kernel.judging.prepared import outcome_of
from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.objects.module_state import state_of
from harness.kernel.specs.spec import exception_summary

if TYPE_CHECKING:
    from harness.generators.policies.own.generator import Chosen


class OwnSequences(OwnRun):
    """One run of a user's generator of call sequences."""

    def __init__(self, chosen: Chosen, task: SequenceTask) -> None:
        self._task = task
        self._encoder = CallEncoder(task.bounds)
        super().__init__(chosen, task.scope, self._encoder.outside)

    def write(self, writer: SuiteWriter) -> None:
        """Write the inputs in the order in which they are given, each once.

        Raises:
            UsageError: the generator raises, yields nothing or something else, or other inputs when it runs again.
        """
        outside = writer.header.outside = self._literals_outside()
        bounds = self._task.bounds.extended(outside)
        storage = Storage(writer)
        routines = Routines(self._task.module, bounds, state_of(self._task.module))
        last_calls = set[bytes]()
        for sequence, place in self._again():
            calls = self._encoder.calls(sequence)
            self.current = show_sequence(bounds, list(calls))
            last_call = self._last_call(routines, calls, place)
            if storage.has(calls) or (self._chosen.is_distinct and last_call in last_calls):
                continue
            storage.add(calls)
            last_calls |= {last_call} if last_call else set()
        self._counts.stored = storage.count
        for line in self._counts.lines():
            self._task.notice(line)

    def _encode(self, item: Any) -> tuple[tuple[EncodedCall, ...], bool]:
        sequence = self._encoder.sequence(item)
        return sequence, self._encoder.is_beyond(sequence)

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
                raise UsageError(f"{place}: {self.current}: {problem}; end the sequence before it") from None
            requires = ready.routine.requires
            if requires is not None and not requires(ready.receiver, *ready.arguments):
                problem = f"the precondition of call {number} does not hold"
                raise UsageError(f"{place}: {self.current}: {problem}; leave the call out")
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
