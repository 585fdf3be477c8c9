"""Checks that an input takes the path that it was solved for, by executing its calls and comparing all answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harness.errors import SpecError
from harness.generators.policies.symstra.blame import difference_text, different
from harness.generators.policies.symstra.calling import Caller, Ending
from harness.generators.policies.symstra.plain import ResultComparison, compared, plain_encoding
from harness.generators.policies.symstra.search import FeasiblePath
from harness.generators.policies.symstra.states import PathState, SymbolicCall
from harness.generators.sampled import SEQUENCE_SAMPLE
from harness.generators.sequences.calls import CallChoice
from harness.generators.sequences.plainly import carried_out
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.sequences.replay import UNSTEADY
from harness.generators.symbolic.foreign_calls import is_risky
from harness.generators.symbolic.heap import Painter
from harness.generators.symbolic.runs import ConcreteRun
from harness.generators.symbolic.values import DECIDING, Integer
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call


class PathReplay:
    """Executes solved inputs.

    Each input is executed on proxies with its values: the answers, the steps and the outcome of the last call must be
    those of the path. The first 32 inputs, every 1024th and each one that raises are also executed on plain integers
    by the unchanged implementation. The outcome of the last call and the state after it must be the same. If a program
    passes its integers to functions of other modules, or catches exceptions, all its inputs are executed so.

    Attributes:
        passing: by routine, the number of inputs whose results differ when they are executed again.
    """

    def __init__(self, task: SequenceTask, caller: Caller) -> None:
        self._where = task.module.__file__
        self._caller = caller
        self._plain = Routines(task.module, task.bounds)
        self._omits = task.bounds.omission()
        self._painter = Painter()
        self._looks_at_all = task.text is not None and is_risky(task.text)
        self._looked = 0
        self._state: PathState | None = None
        self._calls: list[tuple[CallChoice, list[Integer]]] = []
        self.passing: Counter[str] = Counter()

    def look(self, path: FeasiblePath, solution: Sequence[int], calls: Sequence[Call]) -> None:
        """Execute one input.

        Raises:
            SpecError: the input does not behave as predicted.
            NotSymbolic: the input behaves differently on plain integers.
        """
        is_chosen = SEQUENCE_SAMPLE.has(self._looked)
        self._looked += 1
        if is_chosen or self._looks_at_all or path.outcome.raised:
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
        expected = None
        if path.outcome.ending is Ending.RETURNED:
            run = DECIDING.run = ConcreteRun(solution)
            expected = plain_encoding(self._painter.picture(path.root, self._omits), run.values)
        results, raised = carried_out(self._plain, calls)
        if raised != path.outcome.raised or len(results) != len(calls) - bool(raised):
            difference = f"raises {raised or 'nothing'} on plain integers, not {path.outcome.raised or 'nothing'}"
            self._differs(path, calls, difference_text(path.outcome, raised), difference)
        if expected is None:
            return
        result = path.outcome.result
        comparison = compared(result, solution, results[-1], lambda: carried_out(self._plain, calls)[0][-1])
        if comparison is ResultComparison.DIFFERENT:
            difference = f"returns {results[-1]!r} on plain integers"
            self._differs(path, calls, "it returns something else on plain integers", difference)
        self.passing[self._plain.routines[calls[-1].target].name] += comparison is ResultComparison.PASSING
        if plain_encoding(self._painter.picture(results[0], self._omits), []) != expected:
            difference = "leads to another state on plain integers"
            self._differs(path, calls, f"it {difference}", difference)

    def _differs(self, path: FeasiblePath, calls: Sequence[Call], why: str, difference: str) -> None:
        """End the run: it begins again without symbolic integers if there are any, else it fails."""
        restart = different(path.calls, why)
        if restart is not None:
            raise restart
        self._fail(calls, difference)

    def _fail(self, calls: Sequence[Call], difference: str) -> None:
        written = "; ".join(f"{self._plain.routines[call.target].name}{call.arguments}" for call in calls)
        raise SpecError(f"{self._where}: {written} {difference}: {UNSTEADY}")


def _proxies(call: SymbolicCall) -> list[Integer]:
    return [Integer(x) for x in call.variables]
