"""Builds a rule-based state machine of Hypothesis with a rule for each routine of a scope."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from harness.generators.policies.random.options import Options
from harness.generators.policies.random.pool import NONE_ONE_IN, takes_none
from harness.generators.policies.random.trying import CallOutcome, SequenceResult
from harness.kernel.inputs.call_source import values_of
from harness.kernel.inputs.suites import Call
from harness.model.routines import NONE, ArgumentDomain, Routine
from harness.model.sequence import SequenceScope

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
