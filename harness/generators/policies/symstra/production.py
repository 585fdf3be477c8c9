"""Produces a suite of Symstra's paths: each is solved to values of the spec's domains, and checked by execution."""

from __future__ import annotations

from collections.abc import Sequence

from harness.generators.chance import Chance
from harness.generators.policies.symstra.options import Options
from harness.generators.policies.symstra.search import FeasiblePath, PathSearch
from harness.generators.processor_time import ExploringTime
from harness.generators.protocol import ProductionBase, ProductionFacts, SequenceTask
from harness.generators.sequences.object_check import ObjectCheck
from harness.generators.sequences.structures import Storage
from harness.generators.symbolic.caller import Caller, Ending
from harness.generators.symbolic.concretisation import concretised, extremes
from harness.generators.symbolic.plain_replay import PlainReplay
from harness.generators.symbolic.systems import Space
from harness.generators.symbolic.values import DECIDING, ConcreteRun
from harness.kernel.inputs.suites import Call, SuiteWriter


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
        self._witness = PlainReplay(task)
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
        sequences, objects = Storage(writer), ObjectCheck(self._task)
        for path in self._exploring.of(self._search.paths()):
            if not path.is_test:
                continue
            self.tests += 1
            solution = concretised(path.system, path.ranges, self._values, self._chance.below)
            calls = self._written(path, solution) if isinstance(solution, tuple) else None
            if calls is None or not isinstance(solution, tuple):
                self._without_values += 1
                continue
            self._look(path, solution, calls)
            if objects.admits(calls):
                sequences.add(calls)
            self._ask_of_extremes(path, solution, objects)
        self._report_notices()

    def _look(self, path: FeasiblePath, solution: Sequence[int], calls: Sequence[Call]) -> None:
        """Execute an input on plain integers, and on proxies with its values, where it must take its path.

        Raises:
            SpecError: the input does not behave as predicted.
            NotSymbolic: the input behaves differently on plain integers.
        """
        has_returned = path.outcome.ending is Ending.RETURNED
        self._witness.look(path.calls, calls, path.outcome, solution, {0: path.root} if has_returned else {})
        self.check_path(path, solution, calls)

    def check_path(self, path: FeasiblePath, solution: Sequence[int], calls: Sequence[Call]) -> None:
        """Check that the answers, the steps and the ending of an input are those of its path.

        Raises:
            SpecError: the input takes another path.
        """
        self._caller.begin()
        run = DECIDING.run = ConcreteRun(solution)
        returned, outcome, _ = self._caller.follow(path.calls)
        taken = (bytes(run.trace), returned, outcome.steps, outcome.ending, outcome.raised)
        foretold_returns = len(calls) - bool(path.outcome.raised)
        if taken != (path.trace, foretold_returns, path.steps, path.outcome.ending, path.outcome.raised):
            self._witness.fail(calls, "takes another path than the one that it was solved for")

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

    def _report_notices(self) -> None:
        """Report notices about the run to the user, each in one line."""
        where, notice = self._task.module.__file__, self._task.notice
        endings = self._search.endings
        self._witness.tell(self._search.pinned, endings[Ending.LIMIT], endings[Ending.ENDLESS])
        if self._without_values:
            notice(
                f"{where}: paths without values in the domains of sequences(scope), which are left out: "
                f"{self._without_values} of {self.tests}; give the parameters more integers"
            )
        for name in dict.fromkeys(self._caller.skipped):
            notice(f"{where}: {name} takes objects, with which symstra makes no calls")
