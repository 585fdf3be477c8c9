"""Executes sequences on the original and classifies them (section 3.1: normal, exceptional, illegal).

Their objects are checked by Randoop's contracts, as Python has them (Pacheco, Lahiri, Ernst, Ball 2007, Figure 4;
decision 140). Checking may change objects, for example if `__hash__` caches its result. So only objects that no later
call takes are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import combinations
from types import FunctionType
from typing import Any, NamedTuple

from harness.errors import SpecError
from harness.generators.policies.random.options import Options
from harness.generators.policies.random.pool import Draft, Objects
from harness.generators.protocol import SequenceTask
from harness.generators.sequences.object_check import ObjectCheck
from harness.generators.sequences.replay import Matcher, ReplayExecutor, unsteady
from harness.generators.sequences.structures import Rows, ScopeClasses, moved
from harness.kernel.inputs.describe import CallWriter
from harness.kernel.inputs.routines import ABSENT, ReadyCall, Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.objects.module_state import state_of
from harness.kernel.specs.spec import exception_summary
from harness.model.routines import NONE
from harness.model.sequence import SequenceScope

MOST_KEPT = 32
"""The largest number of unequal objects of one class with which further objects are compared."""

_PRINTED_TYPES = (type(None), bool, int, float, str)
"""Types with short false values, which messages show."""


class Contract(Enum):
    """A property that every object has, whatever its class; the value describes it in words."""

    REFLEXIVE = "an object is equal to itself"
    HASH = "equal objects have equal hashes"
    REPR = "repr raises no exception"


@dataclass(frozen=True)
class Check:
    """One contract for one or two objects, given by the numbers of their calls; `violation` says how it is broken."""

    contract: Contract
    calls: tuple[Call, ...]
    numbers: tuple[int, ...]
    classes: tuple[str, ...]
    violation: str = ""

    def text(self, scope: SequenceScope) -> str:
        """Return the sequence as text, with the checked expression or with the way in which the contract is broken."""
        written = CallWriter(scope.root, scope.routines).write(self.calls, self.numbers)
        names = [str(written[number].name) for number in self.numbers]
        sequence = "; ".join(map(str, written))
        if not self.violation:
            expression = _EXPRESSIONS[self.contract, len(names)].format(*names)
            return f"{sequence}; {expression} (the contract that {self.contract.value})"
        objects = " and ".join(f"{name}, a {kind}," for name, kind in zip(names, self.classes, strict=True))
        verb = "breaks" if len(names) == 1 else "break"
        return f"{sequence}: {objects} {verb} the contract that {self.contract.value}: {self.violation.format(*names)}"


_EXPRESSIONS = {
    (Contract.REFLEXIVE, 1): "{0} == {0}",
    (Contract.HASH, 1): "hash({0})",
    (Contract.HASH, 2): "{0} == {1} and hash({0}) == hash({1})",
    (Contract.REPR, 1): "repr({0})",
}


class _CheckedObject(NamedTuple):
    value: Any
    calls: tuple[Call, ...]
    number: int


class ContractChecker:
    """Checks objects alone, and in pairs with unequal objects that were checked before.

    Attributes:
        at: a function that makes the check in progress; None if there is none.
    """

    at: Callable[[], Check] | None = None

    def __init__(self, scope: SequenceScope) -> None:
        self._routines = scope.routines
        self._checks_by_class: dict[type, _ClassChecks | None] = {}
        self._objects_by_class: dict[type, list[_CheckedObject]] = {}

    def broken(self, calls: tuple[Call, ...], results: Sequence[Any], numbers: Iterable[int]) -> Check | None:
        """Return the first broken contract of the results with these numbers, alone or with an earlier object."""
        seen: set[int] = set()
        for number in numbers:
            value = results[number]
            kind = type(value)
            if kind not in self._checks_by_class:
                self._checks_by_class[kind] = _ClassChecks.of(kind)
            checks = self._checks_by_class[kind]
            if checks is None or value is ABSENT or id(value) in seen:
                continue
            seen.add(id(value))
            for contract, flaw in checks.single_checks:
                self.at = check = partial(Check, contract, calls, (number,), (kind.__name__,))
                violation = flaw(value)
                if violation:
                    return check(violation)
            pair = self._pair_violation(calls, results, number) if checks.is_paired else None
            if pair is not None:
                return pair
        self.at = None
        return None

    def _pair_violation(self, calls: tuple[Call, ...], results: Sequence[Any], number: int) -> Check | None:
        value = results[number]
        kind = type(value)
        unequal_objects = self._objects_by_class.setdefault(kind, [])
        for other in unequal_objects:
            if other.value is value:
                return None
            self.at = check = partial(self._check_of_two, other, calls, results, number)
            equal, differ = _hashed_apart(other.value, value)
            if differ:
                return check("{0} == {1}, and their hashes differ")
            if equal:
                return None
        if len(unequal_objects) < MOST_KEPT:
            unequal_objects.append(_CheckedObject(value, calls, number))
        return None

    def _check_of_two(
        self, other: _CheckedObject, calls: tuple[Call, ...], results: Sequence[Any], number: int, violation: str = ""
    ) -> Check:
        """Return the check of a stored object and a result, with their sequences one after the other."""
        first = 0
        if not (other.number < len(results) and results[other.number] is other.value):
            first = len(other.calls)
            moved_calls = (moved(call, self._routines[call.target], first) for call in calls)
            calls = (*other.calls, *moved_calls)
        kind = type(other.value).__name__
        return Check(Contract.HASH, calls, (other.number, first + number), (kind, kind), violation)


def _unequal(value: Any) -> str:
    """Return the way in which an object is not equal to itself, or "" if it is equal."""
    try:
        result = value == value
        if result:
            return ""
    except (Exception, SystemExit) as error:
        return f"{{0}} == {{0}} raised {_raised(error)}"
    result_text = repr(result) if type(result) in _PRINTED_TYPES else f"a {type(result).__name__} that is not true"
    return f"{{0}} == {{0}} is {result_text}"


def _no_hash(value: Any) -> str:
    """Return the way in which hash fails; empty if it succeeds, or raises TypeError because the object has no hash."""
    try:
        hash(value)
    except TypeError:
        return ""
    except (Exception, SystemExit) as error:
        return f"hash({{0}}) raised {_raised(error)}"
    return ""


def _no_repr(value: Any) -> str:
    try:
        repr(value)
    except (Exception, SystemExit) as error:
        return f"repr({{0}}) raised {_raised(error)}"
    return ""


def _hashed_apart(one: Any, other: Any) -> tuple[bool, bool]:
    """Return whether two objects are equal, and if so whether their hashes differ; errors break no contract here."""
    try:
        return (True, hash(one) != hash(other)) if one == other else (False, False)
    except (Exception, SystemExit):
        return False, False


def _raised(error: BaseException) -> str:
    """Return an exception as text that `str.format` leaves unchanged."""
    return exception_summary(error).replace("{", "{{").replace("}", "}}")


class _ClassChecks(NamedTuple):
    """The checks of a class's objects, chosen by its methods in Python; methods in C satisfy these contracts."""

    single_checks: tuple[tuple[Contract, Callable[[Any], str]], ...]
    is_paired: bool

    @classmethod
    def of(cls, kind: type) -> _ClassChecks | None:
        """Return the checks for a class, or None if there are none."""
        own = [name for name in _OF_METHODS if isinstance(getattr(kind, name, None), FunctionType)]
        is_paired = "__eq__" in own and kind.__hash__ is not None
        return cls(tuple(_OF_METHODS[name] for name in own), is_paired) if own else None


_OF_METHODS: dict[str, tuple[Contract, Callable[[Any], str]]] = {
    "__eq__": (Contract.REFLEXIVE, _unequal),
    "__hash__": (Contract.HASH, _no_hash),
    "__repr__": (Contract.REPR, _no_repr),
}


class CallOutcome(Enum):
    """The outcome of a sequence's last call, which decides whether the sequence is a test and is extended."""

    NORMAL = "normal"
    """It returned, and all objects are within the bounds: a test that can be extended."""
    BEYOND = "beyond"
    """It returned, and an object is beyond the bounds: a test that is not extended."""
    MISUSE = "misuse"
    """It raised an exception that signals misuse: a test that is not extended."""
    UNMET = "unmet"
    """Its precondition does not hold: no test."""
    REJECTED = "rejected"
    """rep_ok rejects an object, which is beyond the bounds, or failures are discarded: no test."""
    FAILURE = "failure"
    """It raised another exception: no test."""


TESTS = (CallOutcome.NORMAL, CallOutcome.BEYOND, CallOutcome.MISUSE)
"""The outcomes that make a sequence a test."""


OF_NONE = (TypeError, AttributeError)
"""The exceptions that count as misuse if `none=yes` passed None to the call."""


@dataclass(frozen=True)
class SequenceResult:
    """The outcome of a sequence; if it went well, also the objects that its last call used or returned, and their keys.

    Objects that share parts with these are not examined.
    """

    calls: tuple[Call, ...]
    outcome: CallOutcome
    objects: Objects = ()
    keys: tuple[bytes, ...] = ()


class _CallFailed(Exception):
    """The last call did not go well."""

    def __init__(self, outcome: CallOutcome, why: str = "") -> None:
        super().__init__(why)
        self.outcome = outcome


_UNCHECKED = "leave contracts unchecked by contracts=no"
_WITHOUT_ALIASES = "leave out calls with one object for two parameters by aliases=no"


class SequenceExecutor:
    """Executes drafts, each from its first call on.

    Attributes:
        calls: the number of calls executed so far, in all drafts.
        shortened: the number of sequences executed so far to find a shorter one that breaks a contract.
    """

    def __init__(self, task: SequenceTask, options: Options) -> None:
        self._task = task
        self._routines = Routines(task.module, task.bounds, state_of(task.module))
        self._again = ReplayExecutor(self._routines, Rows(task.bounds, None), task.bounds.discards_failures)
        self._writer = CallWriter(task.bounds.root, task.bounds.routines)
        self._matcher = Matcher(task.bounds)
        self._check = ObjectCheck(task)
        self._names = ScopeClasses(task.bounds).names
        self._discards = task.bounds.discards_failures
        self._contracts = ContractChecker(task.bounds) if options.contracts and not self._discards else None
        self._calls: tuple[Call, ...] = ()
        self._position = 0
        self.calls = 0
        self.shortened = 0

    @property
    def current(self) -> str:
        """The sequence that is being executed, or the contract of its objects that is being checked."""
        if self._contracts is not None and self._contracts.at is not None:
            return self._contracts.at().text(self._task.bounds)
        return self._writer.text(self._calls[: self._position + 1])

    @property
    def remedy(self) -> str:
        """The option that leaves out the work in progress, as text for users; empty if there is none."""
        if self._contracts is not None and self._contracts.at is not None:
            return _UNCHECKED
        calls = self._calls[: self._position + 1]
        arguments = [list(call.earlier(self._routines.routines[call.target])) for call in calls]
        return _WITHOUT_ALIASES if any(len(set(numbers)) < len(numbers) for numbers in arguments) else ""

    def run(self, draft: Draft) -> SequenceResult:
        """Execute a draft as far as it goes well; repetition ends at the first call that fails or changes nothing.

        Raises:
            SpecError: a call fails, rep_ok rejects an object, or an object breaks a contract, unless failures are
                discarded; or a call that went well before fails now.
        """
        results: list[Any] = []
        tried = self._run(draft, results)
        if tried.outcome in TESTS:
            last = tried.calls[-1]
            touched = [*last.earlier(self._routines.routines[last.target]), len(tried.calls) - 1]
            self.check_contracts(tried.calls, results, touched)
        return tried

    def _run(self, draft: Draft, results: list[Any]) -> SequenceResult:
        self._calls = draft.calls(draft.times)
        tried = before = SequenceResult((), CallOutcome.NORMAL)
        for number, call in enumerate(self._calls):
            self._position = number
            is_known = number < len(draft.before)
            try:
                self._call(call, results, is_checked=not is_known)
            except _CallFailed as ended:
                return self._failed_sequence(ended, is_known)
            if not is_known:
                before, tried = tried, self._state(results)
                if tried.outcome is not CallOutcome.NORMAL or tried.keys == before.keys:
                    break
        return tried

    def step(self, calls: tuple[Call, ...], results: list[Any]) -> SequenceResult:
        """Execute the last of `calls` after those which returned `results`; append its result, return the outcome.

        A call whose precondition does not hold adds no result.

        Raises:
            SpecError: the call fails or rep_ok rejects an object, and failures are not discarded.
        """
        self._calls, self._position = calls, len(calls) - 1
        try:
            self._call(calls[-1], results, is_checked=True)
        except _CallFailed as ended:
            return self._failed_sequence(ended, is_known=False)
        return self._state(results)

    def check_contracts(self, calls: tuple[Call, ...], results: Sequence[Any], numbers: Iterable[int]) -> None:
        """Check the results of some calls, which no call may take afterwards.

        Raises:
            SpecError: an object breaks a contract; the message has the shortest sequence found that shows this.
        """
        broken = None if self._contracts is None else self._contracts.broken(calls, results, numbers)
        if broken is not None:
            text = self._shorter(broken).text(self._task.bounds)
            raise SpecError(f"{text}; correct the implementation, or {_UNCHECKED}")

    def _shorter(self, broken: Check) -> Check:
        """Leave out calls, one or two at a time, as long as the same contract is broken.

        The last calls are dropped first, and again after each success, to find another object that breaks it earlier.
        """
        while True:
            calls = range(len(broken.calls))
            for dropped in (*((at,) for at in reversed(calls)), *combinations(reversed(calls), 2)):
                shorter = self._without(broken, dropped)
                if shorter is not None:
                    broken = shorter
                    break
            else:
                return broken

    def _without(self, broken: Check, dropped: Sequence[int]) -> Check | None:
        """Leave out calls, given from the last to the first. Return None if the contract is not broken then."""
        routines = self._routines.routines
        calls = broken.calls
        for at in dropped:
            later = calls[at + 1 :]
            if any(at in call.earlier(routines[call.target]) for call in later):
                return None
            calls = (*calls[:at], *(moved(call, routines[call.target], -1, at + 1) for call in later))
        results: list[Any] = []
        self.shortened += 1
        try:
            for number in range(len(calls)):
                self.step(calls[: number + 1], results)
                if len(results) == number:  # its precondition does not hold
                    return None
        except SpecError:
            return None
        violation = ContractChecker(self._task.bounds).broken(calls, results, range(len(calls)))
        return violation if violation is not None and violation.contract is broken.contract else None

    def check_again(self, tried: SequenceResult) -> None:
        """Execute a successful sequence once more.

        Raises:
            SpecError: it leads to another state than before.
        """
        for (number, _), key in zip(tried.objects, tried.keys, strict=True):
            self.calls += len(tried.calls)
            unsteady(self._again, self._task, tried.calls, number, key)

    def _failed_sequence(self, failed_call: _CallFailed, is_known: bool) -> SequenceResult:
        """Return the outcome of a sequence whose last call did not go well; raise SpecError for reported failures."""
        calls = self._calls[: self._position + 1]
        if is_known:
            raise SpecError(
                f"{self.current}: the last call has gone well before, and does not now; calls must do the same each "
                "time (no random, time, or state outside of the objects)"
            )
        if failed_call.outcome is CallOutcome.FAILURE and not self._discards:
            raise SpecError(
                f"{self.current}: {failed_call}; correct the implementation, name exceptions that say misuse with "
                f"misuse(...), or have failures dropped with discard_failures(){self.remedy and f', or {self.remedy}'}"
            )
        return SequenceResult(calls, failed_call.outcome)

    def _state(self, results: Sequence[Any]) -> SequenceResult:
        """Return the sequence up to a call that went well, with the state that it leads to."""
        calls = self._calls[: self._position + 1]
        touched = [*calls[-1].earlier(self._routines.routines[calls[-1].target]), len(calls) - 1]
        objects = list(self._objects({number: results[number] for number in touched}))
        keys = [self._matcher.key(value) for _, value, _ in objects]
        within = tuple(key for key in keys if key is not None)
        if len(within) < len(keys):
            return SequenceResult(calls, CallOutcome.BEYOND)
        return SequenceResult(
            calls, CallOutcome.NORMAL, tuple((number, classes) for number, _, classes in objects), within
        )

    def _call(self, call: Call, results: list[Any], is_checked: bool = True) -> None:
        ready = self._routines.ready(call, results)
        has_none = NONE in call.arguments
        self._check_requirement(ready, has_none)
        self.calls += 1
        try:
            results.append(ready.function(*ready.passed))
        except (Exception, SystemExit) as error:
            results.append(ABSENT)
            if not self._routines.is_misuse(error) and not (has_none and isinstance(error, OF_NONE)):
                raise _CallFailed(
                    CallOutcome.FAILURE, f"the last call raised {exception_summary(error)}, which is no misuse"
                ) from None
            self._check_objects(results, list(call.earlier(ready.routine)))
            raise _CallFailed(CallOutcome.MISUSE) from None
        if is_checked:
            self._check_objects(results, [*call.earlier(ready.routine), len(results) - 1])

    def _check_requirement(self, ready: ReadyCall, has_none: bool) -> None:
        requires = ready.routine.requires
        if requires is None:
            return
        try:
            holds = requires(ready.receiver, *ready.arguments)
        except Exception as error:
            if has_none and isinstance(error, OF_NONE):
                raise _CallFailed(CallOutcome.UNMET) from None
            raise SpecError(
                f"what {ready.routine.name!r} requires raised {exception_summary(error)} after {self.current}"
            ) from None
        if not holds:
            raise _CallFailed(CallOutcome.UNMET)

    def _check_objects(self, results: Sequence[Any], touched: Sequence[int]) -> None:
        """Check that the objects of the root's class that a call used or returned are valid."""
        rejected = [value for _, value in self._check.objects(results, touched) if not self._check.accepts(value)]
        if any(map(self._check.is_reported, rejected)):
            raise self._check.failure(self._calls[: self._position + 1])
        if rejected:
            raise _CallFailed(CallOutcome.REJECTED)

    def _objects(self, results: Mapping[int, Any]) -> Iterator[tuple[int, Any, tuple[str, ...]]]:
        """Yield each result that later calls can use once: the call's number, the object, and its class names."""
        seen: set[int] = set()
        for number, result in results.items():
            classes = self._names(type(result))
            if classes and id(result) not in seen:
                seen.add(id(result))
                yield number, result, classes
