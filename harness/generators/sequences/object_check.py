"""Checks the objects that calls make by `rep_ok`, and reports the first rejected one (beapi2023, section 3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from harness.errors import SpecError
from harness.generators.protocol import SequenceTask
from harness.generators.sampled import STATE_SAMPLE
from harness.generators.sequences.replay import UNSTEADY, Matcher, permitted
from harness.generators.sequences.structures import ScopeClasses, without
from harness.kernel.inputs.describe import CallWriter, show, show_sequence
from harness.kernel.inputs.routines import ABSENT, Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.objects.module_state import state_of
from harness.kernel.objects.steady import SteadyPredicate
from harness.kernel.program.loader import recursion_limited
from harness.kernel.specs.spec import always, exception_summary


class _Prefix:
    """Calls that were executed; `after` has longer ones, by the next call."""

    __slots__ = ("after", "is_rejected")

    def __init__(self, is_rejected: bool = False) -> None:
        self.is_rejected = is_rejected
        self.after: dict[Call, _Prefix] = {}


class Rejection(NamedTuple):
    """An object that `rep_ok` rejects after the calls; call `number` returned it."""

    calls: tuple[Call, ...]
    number: int
    value: Any


class ObjectCheck:
    """Checks objects of the root class of a task's sequences by `rep_ok`.

    A rejected object within the bounds is a failure, which ends the generation unless the spec discards failures.
    Beyond the bounds, `rep_ok` need not hold, because it may be written for the states of a finitization. The sequence
    is no test then, and nothing is reported.
    """

    def __init__(self, task: SequenceTask) -> None:
        self._task = task
        self._routines = Routines(task.module, task.bounds, state_of(task.module))
        self._matcher = Matcher(task.bounds)
        self._rep_ok = SteadyPredicate(task.spec.rep_ok)
        self._asked = 0
        self._empty = _Prefix()
        self._names = ScopeClasses(task.bounds).names

    @property
    def reports(self) -> bool:
        """Whether there is a `rep_ok`, and an object that it rejects may be a failure."""
        return self._task.spec.rep_ok is not always and not self._task.bounds.discards_failures

    def accepts(self, value: Any) -> bool:
        """Return whether `rep_ok` accepts an object. An exception rejects it.

        Raises:
            SpecError: it changes one of the first objects, or gives more than one answer.
        """
        self._asked += 1
        try:
            if STATE_SAMPLE.has(self._asked):
                text = show(value)
                return self._rep_ok.holds(value, lambda: text)
            return bool(self._task.spec.rep_ok(value))
        except SpecError:
            raise
        except Exception:
            return False

    def is_reported(self, value: Any) -> bool:
        """Return whether the rejection of an object by `rep_ok` is a failure."""
        return not self._task.bounds.discards_failures and self._matcher.is_within(value)

    def admits(self, calls: Sequence[Call]) -> bool:
        """Execute a sequence, and return whether `rep_ok` accepts the objects of each call; check each prefix once.

        Raises:
            SpecError: `rep_ok` rejects an object, and that is reported.
        """
        if self._task.spec.rep_ok is always:
            return True
        prefix, count = self._empty, 0
        for call in calls:
            following = prefix.after.get(call)
            if following is None:
                break
            if following.is_rejected:
                return False
            prefix, count = following, count + 1
        if count == len(calls):
            return True
        with recursion_limited():
            return self._admits_after(prefix, self._repeated(calls[:count]), tuple(calls))

    def _admits_after(self, prefix: _Prefix, results: list[Any], calls: tuple[Call, ...]) -> bool:
        """Execute the calls after those of a prefix, which returned `results`, and check what these make."""
        for executed, values in self._executed(calls, results):
            rejected = [value for _, value in values if not self.accepts(value)]
            if any(map(self.is_reported, rejected)):
                raise self.failure(executed)
            if results[-1] is not ABSENT:  # else the call was misuse, and no call follows it
                prefix.after[executed[-1]] = prefix = _Prefix(bool(rejected))
            if rejected:
                return False
        return True

    def _repeated(self, calls: Sequence[Call]) -> list[Any]:
        """Execute calls again, and return their results.

        Raises:
            SpecError: a call raises, though it did not before.
        """
        results: list[Any] = []
        try:
            for call in calls:
                ready = self._routines.ready(call, results)
                results.append(ready.function(*ready.passed))
        except (Exception, SystemExit) as error:
            name = self._routines.routines[calls[len(results)].target].name
            where = self._task.module.__file__
            raise SpecError(
                f"{where}: {name} raised {exception_summary(error)} when it was executed again; {UNSTEADY}"
            ) from None
        return results

    def failure(self, calls: Sequence[Call]) -> SpecError:
        """Return the error for a sequence that makes an object that `rep_ok` rejects, shortened as far as possible."""
        where = self._task.module.__file__
        fault = self._rejection(tuple(calls))
        if fault is None:
            text = show_sequence(self._task.bounds, calls)
            return SpecError(f"{where}: {text} makes another object when it is executed again; {UNSTEADY}")
        fault = self._shortened(fault)
        written = CallWriter(self._task.bounds.root, self._task.bounds.routines).write(fault.calls, (fault.number,))
        text, name = "; ".join(map(str, written)), written[fault.number].name
        return SpecError(
            f"{where}: a failure: {text} leaves {name} = {show(fault.value)}, {self._how(fault.value)}; correct the "
            "implementation or rep_ok, or have such sequences dropped by s.discard_failures()"
        )

    def _how(self, value: Any) -> str:
        try:
            self._task.spec.rep_ok(value)
        except Exception as error:
            return f"on which rep_ok raised {exception_summary(error)}"
        return "which rep_ok rejects"

    def _shortened(self, original: Rejection) -> Rejection:
        """Leave out calls until no call, and no run of 2, 4, 8, ... calls, can be left out."""
        while (shorter := self._shorter(original)) is not None:
            original = shorter
        return original

    def _shorter(self, original: Rejection) -> Rejection | None:
        last = len(original.calls) - 1
        for size in (1 << power for power in reversed(range(last.bit_length()))):
            for start in range(last - size + 1):
                left = without(original.calls, self._routines.routines, range(start, start + size))
                if left and (rejection := self._rejection(left)) is not None:
                    return rejection
        return None

    def _rejection(self, calls: tuple[Call, ...]) -> Rejection | None:
        """Execute calls up to the first object within the bounds that is rejected."""
        with recursion_limited():
            for prefix, values in self._executed(calls, []):
                for number, value in values:
                    if not self.accepts(value) and self._matcher.is_within(value):
                        return Rejection(prefix, number, value)
        return None

    def _executed(
        self, calls: tuple[Call, ...], results: list[Any]
    ) -> Iterator[tuple[tuple[Call, ...], list[tuple[int, Any]]]]:
        """Execute calls after those which returned `results`.

        After each call, yield its prefix and the objects that it took or made, with the numbers of their calls. Stop
        before a call that fails, needs the result of a misused call, or violates its precondition. Such calls occur
        after others were left out.
        """
        for at, call in enumerate(calls[len(results) :], start=len(results)):
            try:
                ready = self._routines.ready(call, results)
                if not permitted(ready.routine, ready.receiver, ready.arguments):
                    return
            except (LookupError, SpecError):
                return
            touched = list(call.earlier(ready.routine))
            try:
                results.append(ready.function(*ready.passed))
                touched.append(at)
            except (Exception, SystemExit) as error:
                if not self._routines.is_misuse(error):
                    return
                results.append(ABSENT)
            yield calls[: at + 1], self.objects(results, touched)

    def objects(self, results: Sequence[Any], numbers: Iterable[int]) -> list[tuple[int, Any]]:
        """Return the objects of the root's class among the results of those numbers, each once, with their numbers."""
        objects: dict[int, tuple[int, Any]] = {}
        for number in numbers:
            value = results[number]
            if self._task.bounds.root in self._names(type(value)):
                objects.setdefault(id(value), (number, value))
        return list(objects.values())
