"""The `hypothesis-stateful` generator: call sequences of a state machine of Hypothesis, run with the trial's seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from harness.errors import SpecError
from harness.generators.policies.hypothesis import library
from harness.generators.policies.random.generator import DrawingGenerator, DrawingProduction
from harness.generators.policies.random.options import Options
from harness.generators.policies.random.pool import NONE_ONE_IN, takes_none
from harness.generators.policies.random.trying import CallOutcome, SequenceResult
from harness.generators.protocol import SequenceTask
from harness.generators.sequences.replay import UNSTEADY
from harness.generators.sequences.structures import Storage
from harness.kernel.inputs.describe import show_sequence, values_of
from harness.kernel.inputs.suites import Call, SuiteWriter
from harness.model.routines import NONE, ArgumentDomain, Routine
from harness.model.sequence import SequenceScope
from harness.model.stop_reason import StopReason

Step = Callable[[tuple[Call, ...], list[Any]], SequenceResult]
"""A function that executes the last of some calls, as `SequenceExecutor.step`."""
Finished = Callable[[Sequence[SequenceResult], Sequence[Any]], None]
"""A function that takes the outcomes of a sequence, call by call, and the results of its calls."""


def machine_class(bounds: SequenceScope, step: Step, finished: Finished, options: Options) -> type[Any]:  # noqa: C901 (closures)
    """Return a subclass of Hypothesis' `RuleBasedStateMachine`; each of its instances executes one sequence.

    A constructor comes first. Another one is called only while there are fewer objects than some call takes at once.
    An object beyond the bounds is not used any more. A call whose precondition does not hold is not made. A failing
    call is dropped if failures are discarded. A call that raises a misuse exception stays in the sequence.
    """
    from hypothesis.stateful import RuleBasedStateMachine

    class Machine(RuleBasedStateMachine):  # type: ignore[misc, unused-ignore]
        """One sequence; `usable` maps numbers of calls to the class names by which parameters refer to results."""

        def __init__(self) -> None:
            super().__init__()
            self.tried: list[SequenceResult] = []
            self.results: list[Any] = []
            self.usable: dict[int, tuple[str, ...]] = {}
            self.calling = False

        def objects(self, names: Sequence[str]) -> list[int]:
            """Return the numbers of the calls whose results are of one of these classes."""
            return [number for number, known in self.usable.items() if set(names) & set(known)]

        def make(self, call: Call) -> None:
            """Execute one more call."""
            self.calling = True  # stays True if the call does not return, or fails
            tried = step((*(self.tried[-1].calls if self.tried else ()), call), self.results)
            self.calling = False
            if tried.outcome is CallOutcome.UNMET:
                return
            if tried.outcome in (
                CallOutcome.FAILURE,
                CallOutcome.REJECTED,
            ):  # drop the call, and the objects that it may have
                del self.results[len(self.tried) :]  # changed: later calls use other objects
                self.usable.clear()
                return
            self.tried.append(tried)
            if tried.outcome is CallOutcome.NORMAL:
                self.usable.update(dict(tried.objects))
            elif tried.outcome is CallOutcome.BEYOND:
                for number in (*call.earlier(bounds.routines[call.target]), len(self.results) - 1):
                    self.usable.pop(number, None)

        def teardown(self) -> None:
            """Report the outcomes of the sequence."""
            if self.tried and not self.calling:
                finished(self.tried, self.results)

    for number, routine in enumerate(bounds.routines):
        setattr(Machine, f"call_{number}", _rule(bounds, number, routine, options))
    return Machine


def _rule(bounds: SequenceScope, target: int, routine: Routine, options: Options) -> Any:  # noqa: C901 (closures)
    """Return the rule of a routine, which draws the receiver and each argument."""
    from hypothesis import strategies as st
    from hypothesis.stateful import precondition, rule

    def objects(names: Sequence[str], first: int) -> Any:
        return st.runner().flatmap(
            lambda machine: st.sampled_from([first + number for number in machine.objects(names)])
        )

    def argument(parameter: ArgumentDomain) -> Any:
        values = len(parameter.values)
        if not parameter.earlier:
            return st.sampled_from(range(values))
        held = objects(parameter.earlier, values)
        if not values:
            return held
        return st.runner().flatmap(
            lambda machine: (
                st.one_of(st.sampled_from(range(values)), held)
                if machine.objects(parameter.earlier)
                else st.sampled_from(range(values))
            )
        )

    def or_none(parameter: ArgumentDomain) -> Any:
        if not (options.none and takes_none(parameter)):
            return argument(parameter)
        return st.sampled_from(range(NONE_ONE_IN)).flatmap(
            lambda number: argument(parameter) if number else st.just(NONE)
        )

    drawn = [objects([bounds.root], 0)] if routine.has_receiver else []
    drawn += [or_none(parameter) for parameter in routine.parameters]
    needed: list[tuple[str, ...]] = [(bounds.root,)] if routine.has_receiver else []
    needed += [parameter.earlier for parameter in routine.parameters if not parameter.values]
    at_once = max(
        other.has_receiver + sum(bounds.root in parameter.earlier for parameter in other.parameters)
        for other in bounds.routines
    )

    def possible(machine: Any) -> bool:
        if not routine.has_receiver and len(machine.objects([bounds.root])) >= at_once:
            return False
        return all(machine.objects(names) for names in needed)

    def make_call(machine: Any, arguments: Sequence[int]) -> None:
        call = Call(target, tuple(arguments))
        if _may_be_passed(call, routine, options):
            machine.make(call)

    make_call.__name__ = f"call_{target}"
    return precondition(possible)(rule(arguments=st.tuples(*drawn))(make_call))


def _may_be_passed(call: Call, routine: Routine, options: Options) -> bool:
    """Return whether no object is passed twice, or the options allow it and no such parameter is apart."""
    objects = list(call.earlier(routine))
    if len(set(objects)) == len(objects):
        return True
    indexed_values = values_of(call, routine)
    unshared = [index - len(one.values) for one, index in indexed_values if one.apart and index >= len(one.values)]
    return options.aliases and all(objects.count(number) == 1 for number in unshared)


NAME = "hypothesis-stateful"

DEFAULT_SEQUENCES = 100
"""The default number of sequences, which is Hypothesis' default number of examples."""

STEPS = 50
"""The largest number of rules that a machine applies unless the spec bounds the length: Hypothesis' default."""

_ROUND = 100
"""The number of sequences of a round. Each round has its own seed, so a suite is a prefix of any larger one."""

_CHECKED = 32
"""The number of sequences that are executed a second time, to check that they behave the same."""


class StatefulSequences(DrawingGenerator):
    """`hypothesis-stateful`, or with limits and options `hypothesis-stateful:500,calls=9000,seconds=20,aliases=no`.

    A suite is a prefix of each suite with larger limits, for one version of Hypothesis.
    """

    kind = NAME

    @property
    def version(self) -> str:
        """The generator's version, and that of Hypothesis, on which the sequences depend as well."""
        return library.version()

    def explore(self, task: SequenceTask) -> StatefulProduction:
        """Start a run.

        Raises:
            UsageError: Hypothesis is not installed.
            SpecError: no constructor can come first.
        """
        library.check_installed(NAME)
        bounds = task.bounds
        first = [routine for routine in bounds.routines if not routine.has_receiver]
        if not any(all(parameter.values for parameter in routine.parameters) for routine in first):
            raise SpecError(
                f"{task.spec.module.__file__}: each constructor of {bounds.root} takes what an earlier call gives, so "
                "no sequence can begin; give one that takes values by s.constructor(...)"
            )
        return StatefulProduction(task, self._options)


class _Over(BaseException):
    """The end of the run; not an Exception, which Hypothesis would take for a failure of the test and try again."""


class StatefulProduction(DrawingProduction):
    """One run, in rounds of Hypothesis, up to the limits, the spec's attempts, or a round without a new sequence."""

    def __init__(self, task: SequenceTask, options: Options) -> None:
        super().__init__(task, options, DEFAULT_SEQUENCES)
        self._task = task
        self._machine = machine_class(task.bounds, self._step, self._finished, options)
        self._failure: SpecError | None = None

    def write(self, writer: SuiteWriter) -> None:
        """Write the sequences in the order in which they are executed, each once.

        Raises:
            SpecError: a call fails that should not, or behaves differently when it is repeated.
        """
        self._storage = Storage(writer)
        number = 0
        with library.without_local_constants():
            while self.stop_reason is None:
                before = self._storage.count
                try:
                    self._round(number)
                except _Over:
                    pass
                if self._failure is not None:
                    raise self._failure
                if self.stop_reason is None and self._storage.count == before:
                    self.stop_reason = StopReason.NOTHING_NEW
                number += 1

    def _round(self, number: int) -> None:
        from hypothesis import seed
        from hypothesis.errors import Flaky
        from hypothesis.stateful import run_state_machine_as_test

        steps = min(self._task.bounds.most_calls or STEPS, STEPS)
        chosen = library.drawing(max_examples=_ROUND, stateful_step_count=steps)
        seeded = seed(f"{self._task.seed} {number}")(self._machine)
        try:
            run_state_machine_as_test(seeded, settings=chosen)
        except Flaky:
            self._failure = self._unsteady(self.current)

    def _step(self, calls: tuple[Call, ...], results: list[Any]) -> SequenceResult:
        with self._ending():
            return self._trying.step(calls, results)

    @contextmanager
    def _ending(self) -> Iterator[None]:
        """End the run at a failure, which Hypothesis would execute again first."""
        try:
            yield
        except SpecError as failure:
            self._failure = failure
            raise _Over from None

    def _finished(self, tried: Sequence[SequenceResult], results: Sequence[Any]) -> None:
        """Store an executed sequence, and end the run if a limit is reached."""
        self._explored += 1
        calls = tried[-1].calls
        with self._ending():
            self._trying.check_contracts(calls, results, range(len(results)))
            if not self._storage.has(calls):
                if self._storage.count < _CHECKED:
                    self._check_again(tried)
                self._storage.add(calls)
        self.stop_reason = self._limit_reached(self._storage.count)
        if self.stop_reason is None and self._explored >= self._task.bounds.most_attempts:
            self.stop_reason = StopReason.ATTEMPTS
        if self.stop_reason is not None:
            raise _Over

    def _check_again(self, tried: Sequence[SequenceResult]) -> None:
        results: list[object] = []
        for before in tried:
            again = self._trying.step(before.calls, results)
            if again != before:
                raise self._unsteady(show_sequence(self._task.bounds, before.calls))

    def _unsteady(self, text: str) -> SpecError:
        return SpecError(
            f"{self._task.module.__file__}: {text} does something else when it is executed again; {UNSTEADY}"
        )
