"""Checks that an input takes the path that it was solved for, by executing its calls and comparing all answers."""

from __future__ import annotations

from collections.abc import Sequence

from harness.generators.policies.symstra.search import FeasiblePath
from harness.generators.policies.symstra.states import PathState
from harness.generators.sequences.calls import CallChoice
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.symbolic.caller import Caller, Ending, SymbolicCall
from harness.generators.symbolic.plain_replay import PlainReplay
from harness.generators.symbolic.runs import ConcreteRun
from harness.generators.symbolic.values import DECIDING, Integer
from harness.kernel.inputs.suites import Call


class PathReplay(PlainReplay):
    """Executes solved inputs.

    Each input is executed on proxies with its values: the answers, the steps and the outcome of the last call must be
    those of the path. On plain integers, the outcome of the last call and the state after it must be the same.
    """

    def __init__(self, task: SequenceTask, caller: Caller) -> None:
        super().__init__(task)
        self._caller = caller
        self._state: PathState | None = None
        self._calls: list[tuple[CallChoice, list[Integer]]] = []

    def look(self, path: FeasiblePath, solution: Sequence[int], calls: Sequence[Call]) -> None:
        """Execute one input.

        Raises:
            SpecError: the input does not behave as predicted.
            NotSymbolic: the input behaves differently on plain integers.
        """
        if self._is_chosen(path.outcome):
            self._look_plainly(path, solution, calls)
        self._caller.begin()
        run = DECIDING.run = ConcreteRun(solution)
        call_count, outcome = self._caller.follow(
            (*self._before(path.state), (path.call.choice, _proxies(path.call))), path.steps
        )
        returned = len(calls) - bool(path.outcome.raised)
        did = (bytes(run.trace), call_count, outcome.steps, outcome.ending, outcome.raised)
        if did != (path.trace, returned, path.steps, path.outcome.ending, path.outcome.raised):
            self._fail(calls, "takes another path than the one that it was solved for")

    def _before(self, state: PathState) -> list[tuple[CallChoice, list[Integer]]]:
        """Return the calls of a state with their arguments; cached, because paths through one state come in a row."""
        if state is not self._state:
            self._state, self._calls = state, [(call.choice, _proxies(call)) for call in state.calls]
        return self._calls

    def _look_plainly(self, path: FeasiblePath, solution: Sequence[int], calls: Sequence[Call]) -> None:
        has_returned = path.outcome.ending is Ending.RETURNED
        expected = self._encoded_state(path.root, solution) if has_returned else None
        results = self._results(path.calls, calls, path.outcome)
        if has_returned:
            self._compare_result(path.calls, calls, path.outcome.result, solution, results)
            self._compare_state(path.calls, calls, expected, results[0])


def _proxies(call: SymbolicCall) -> list[Integer]:
    return [Integer(x) for x in call.variables]
