"""Carries out sequences on the original, and tells what became of them (section 3.1: normal, exceptional, illegal)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from harness.errors import SpecError
from harness.generators.random.pool import Draft, Objects
from harness.generators.sequences.anew import Anew
from harness.generators.sequences.diagnosis import unsteady
from harness.generators.sequences.matching import Matcher
from harness.generators.sequences.object_check import ObjectCheck
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.sequences.structures import Rows
from harness.kernel.inputs.routines import ABSENT, ReadyCall, Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.inputs.written_calls import CallWriter
from harness.kernel.specs.spec import told


class Outcome(Enum):
    """What became of a sequence's last call."""

    NORMAL = "normal"
    """It returned, and all objects are within the bounds: it can be gone on from."""
    BEYOND = "beyond"
    """It returned, and an object is beyond the bounds: a test, not gone on from."""
    MISUSE = "misuse"
    """It raised what says that it was misused: a test, not gone on from."""
    UNMET = "unmet"
    """Its precondition does not hold: no test."""
    REJECTED = "rejected"
    """rep_ok rejects an object, which is beyond the bounds, or failures are discarded: no test."""
    FAILURE = "failure"
    """It raised something else: no test."""


@dataclass(frozen=True)
class Tried:
    """What became of a sequence; of one that went well, the objects that its last call had to do with, with their keys.

    What another object shares with these is not looked at.
    """

    calls: tuple[Call, ...]
    outcome: Outcome
    objects: Objects = ()
    keys: tuple[bytes, ...] = ()


class _Ended(Exception):
    """The last call did not go well."""

    def __init__(self, outcome: Outcome, why: str = "") -> None:
        super().__init__(why)
        self.outcome = outcome


class Trying:
    """Carries out drafts, each from its first call on.

    Attributes:
        calls: carried out so far, those of all drafts.
    """

    def __init__(self, task: SequenceTask) -> None:
        self._task = task
        self._routines = Routines(task.module, task.bounds)
        self._again = Anew(self._routines, Rows(task.bounds, None), task.bounds.discards_failures)
        self._writer = CallWriter(task.bounds.root, task.bounds.routines)
        self._matcher = Matcher(task.bounds)
        self._check = ObjectCheck(task)
        earlier = (name for routine in task.bounds.routines for p in routine.parameters for name in p.earlier)
        self._wanted = dict.fromkeys([task.bounds.root, *earlier])
        self._discards = task.bounds.discards_failures
        self._known: tuple[Call, ...] = ()
        self._made = 0
        self.calls = 0

    @property
    def current(self) -> str:
        """The sequence that is being carried out."""
        return self._writer.text(self._known[: self._made + 1])

    def run(self, draft: Draft) -> Tried:
        """The sequence as far as it goes well: a repetition ends with the first call that does not, or changes nothing.

        Raises:
            SpecError: a call fails or rep_ok rejects an object, unless failures are discarded; or a call that went well
                before does not now.
        """
        self._known = draft.calls(draft.times)
        results: list[Any] = []
        tried = before = Tried((), Outcome.NORMAL)
        for number, call in enumerate(self._known):
            self._made = number
            is_known = number < len(draft.before)
            try:
                if is_known:
                    self._call_again(call, results)
                else:
                    self._call(call, results)
            except _Ended as ended:
                return self._ended(ended, is_known)
            if not is_known:
                before, tried = tried, self._state(results)
                if tried.outcome is not Outcome.NORMAL or tried.keys == before.keys:
                    break
        return tried

    def step(self, calls: tuple[Call, ...], results: list[Any]) -> Tried:
        """What becomes of the last of `calls`, behind those which gave `results`; what it gives is put there, too.

        A call whose precondition does not hold gives nothing.

        Raises:
            SpecError: it fails or rep_ok rejects an object, and failures are not discarded.
        """
        self._known, self._made = calls, len(calls) - 1
        try:
            self._call(calls[-1], results, is_checked=True)
        except _Ended as ended:
            return self._ended(ended, is_known=False)
        return self._state(results)

    def check_again(self, tried: Tried) -> None:
        """Carries out once more what went well.

        Raises:
            SpecError: it leads to another state than it did.
        """
        for (number, _), key in zip(tried.objects, tried.keys, strict=True):
            self.calls += len(tried.calls)
            unsteady(self._again, self._task, tried.calls, number, key)

    def _ended(self, ended: _Ended, is_known: bool) -> Tried:
        """What a call that does not go well makes of its sequence."""
        calls = self._known[: self._made + 1]
        if is_known:
            raise SpecError(
                f"{self.current}: the last call has gone well before, and does not now; calls must do the same each "
                "time (no random, time, or state outside of the objects)"
            )
        if ended.outcome is Outcome.FAILURE and not self._discards:
            raise SpecError(
                f"{self.current}: {ended}; correct the implementation, name exceptions that say misuse with "
                "misuse(...), or have failures dropped with discard_failures()"
            )
        return Tried(calls, ended.outcome)

    def _state(self, results: Sequence[Any]) -> Tried:
        """The sequence up to a call that went well, with the state that it leads to."""
        calls = self._known[: self._made + 1]
        touched = [*calls[-1].earlier(self._routines.routines[calls[-1].target]), len(calls) - 1]
        found = list(self._objects({number: results[number] for number in touched}))
        keys = [self._matcher.key(value) for _, value, _ in found]
        within = tuple(key for key in keys if key is not None)
        if len(within) < len(keys):
            return Tried(calls, Outcome.BEYOND)
        return Tried(calls, Outcome.NORMAL, tuple((number, classes) for number, _, classes in found), within)

    def _call_again(self, call: Call, results: list[Any]) -> None:
        """As `_call`, of a call that went well before: its objects are not looked at."""
        plain = self._routines.plain(call)
        if plain is None or self._routines.routines[call.target].requires is not None:
            self._call(call, results, is_checked=False)
            return
        self.calls += 1
        try:
            results.append(getattr(results[plain.receiver], plain.name)(*plain.arguments))
        except (Exception, SystemExit):
            raise _Ended(Outcome.FAILURE) from None

    def _call(self, call: Call, results: list[Any], is_checked: bool = True) -> None:
        ready = self._routines.ready(call, results)
        self._check_requirement(ready)
        self.calls += 1
        try:
            results.append(ready.function(*ready.passed))
        except (Exception, SystemExit) as error:
            results.append(ABSENT)
            if not self._routines.is_misuse(error):
                raise _Ended(Outcome.FAILURE, f"the last call raised {told(error)}, which is no misuse") from None
            self._check_objects(results, list(call.earlier(ready.routine)))
            raise _Ended(Outcome.MISUSE) from None
        if is_checked:
            self._check_objects(results, [*call.earlier(ready.routine), len(results) - 1])

    def _check_requirement(self, ready: ReadyCall) -> None:
        requires = ready.routine.requires
        if requires is None:
            return
        try:
            holds = requires(ready.receiver, *ready.arguments)
        except Exception as error:
            raise SpecError(f"what {ready.routine.name!r} requires raised {told(error)} after {self.current}") from None
        if not holds:
            raise _Ended(Outcome.UNMET)

    def _check_objects(self, results: Sequence[Any], touched: Sequence[int]) -> None:
        """The objects of the root's class that a call had to do with must be valid."""
        rejected = [value for _, value in self._check.objects(results, touched) if not self._check.accepts(value)]
        if any(map(self._check.is_reported, rejected)):
            raise self._check.failure(self._known[: self._made + 1])
        if rejected:
            raise _Ended(Outcome.REJECTED)

    def _objects(self, results: Mapping[int, Any]) -> Iterator[tuple[int, Any, tuple[str, ...]]]:
        """Results that later calls can use: number of the call, the object, names it is asked for by; each once."""
        met: set[int] = set()
        for number, result in results.items():
            names = {name for base in type(result).__mro__ for name in (base.__name__, base.__qualname__)}
            classes = tuple(name for name in self._wanted if name in names)
            if classes and id(result) not in met:
                met.add(id(result))
                yield number, result, classes
