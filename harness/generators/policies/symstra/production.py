"""Produces a suite of Symstra's paths: each is solved to values of the spec's domains, and checked by execution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.generators.chance import Chance
from harness.generators.policies.symstra.options import Options
from harness.generators.policies.symstra.search import FeasiblePath, PathSearch, PathState
from harness.generators.processor_time import ExploringTime
from harness.generators.protocol import ProductionBase, ProductionFacts, SequenceTask
from harness.generators.sequences.calls import CallChoice
from harness.generators.sequences.object_check import ObjectCheck
from harness.generators.sequences.structures import Storage
from harness.generators.symbolic.caller import Caller, Ending, SymbolicCall
from harness.generators.symbolic.concretisation import concretised, extremes
from harness.generators.symbolic.path_notices import tell_of_paths
from harness.generators.symbolic.plain_replay import PlainReplay
from harness.generators.symbolic.runs import ConcreteRun
from harness.generators.symbolic.systems import Space
from harness.generators.symbolic.values import DECIDING, Integer
from harness.kernel.inputs.suites import Call, SuiteWriter


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


class Production(ProductionBase):
    """One run of Symstra; see `SequenceProduction`.

    Attributes:
        tests: the number of feasible paths that are tests, whether their values are in the domains or not.
    """

    def __init__(self, task: SequenceTask, most_calls: int, options: Options) -> None:
        self._task = task
        self._values = options.values
        self._chance = Chance(task.seed)
        self._caller = Caller(task)
        self._search = PathSearch(task, self._caller, Space().free(0), most_calls, keep=options.keep)
        self._exploring = ExploringTime()
        self.tests = 0
        self._without_values = 0

    @property
    def explored(self) -> int:
        """The number of paths executed so far."""
        return self._search.explored

    def facts(self) -> ProductionFacts:
        """Return the facts about the run: the number of kept states, and the time spent on finding paths."""
        return ProductionFacts(distinct=len(self._search.stored_states), exploring_seconds=self._exploring.seconds)

    @property
    def current(self) -> str:
        """The calls that are being executed, with symbolic arguments."""
        if self._search.at is None:
            return "a call"
        state, choice = self._search.at
        names = [self._task.bounds.routines[one.target].name for one in (*(c.choice for c in state.calls), choice)]
        return "; ".join(f"{name}(...)" for name in names)

    def write(self, writer: SuiteWriter) -> None:
        """Write the suite; see `SequenceProduction.write`."""
        witness, sequences = PathReplay(self._task, self._caller), Storage(writer)
        objects = ObjectCheck(self._task)
        for path in self._exploring.of(self._search.paths()):
            if not path.is_test:
                continue
            self.tests += 1
            solution = concretised(path.system, path.ranges, self._values, self._chance.below)
            calls = self._written(path, solution) if isinstance(solution, tuple) else None
            if calls is None or not isinstance(solution, tuple):
                self._without_values += 1
                continue
            witness.look(path, solution, calls)
            if objects.admits(calls):
                sequences.add(calls)
            self._ask_of_extremes(path, solution, objects)
        self._report_notices(witness.passing)

    def _ask_of_extremes(self, path: FeasiblePath, chosen: tuple[int, ...], objects: ObjectCheck) -> None:
        """Check the objects that the least and the greatest values of a path make, unless these values were chosen.

        Raises:
            SpecError: `rep_ok` rejects one of them.
        """
        if objects.reports:
            for solution in extremes(path.system, path.ranges):
                calls = self._written(path, solution) if solution != chosen else None
                if calls is not None:
                    objects.admits(calls)

    def _written(self, path: FeasiblePath, solution: tuple[int, ...]) -> list[Call] | None:
        written = []
        for call in path.calls:
            indexed_call = self._caller.written(call.choice, tuple([solution[x - 1] for x in call.variables]))
            if indexed_call is None:
                return None
            written.append(indexed_call)
        return written

    def _report_notices(self, passing: Mapping[str, int]) -> None:
        """Report notices about the run to the user, each in one line."""
        where, notice = self._task.module.__file__, self._task.notice
        endings = self._search.endings
        tell_of_paths(self._task, self._search.pinned, endings[Ending.LIMIT], endings[Ending.ENDLESS], passing)
        if self._without_values:
            notice(
                f"{where}: paths without values in the domains of sequences(scope), which are left out: "
                f"{self._without_values} of {self.tests}; give the parameters more integers"
            )
        for name in dict.fromkeys(self._caller.skipped):
            notice(f"{where}: {name} takes objects, with which symstra makes no calls")
