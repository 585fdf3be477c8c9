"""Produces a suite of candidate sequence search: the paths of each target that all earlier calls influenced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from harness.errors import SpecError
from harness.generators.chance import Chance
from harness.generators.influence.candidate import CandidateSequence
from harness.generators.influence.enumeration import CandidateEnumeration
from harness.generators.policies.css.concolic import LeafMark
from harness.generators.policies.css.execution import WatchingCaller
from harness.generators.policies.css.exploration import CandidatePath, PathExploration
from harness.generators.policies.css.options import HeapMode, Options
from harness.generators.processor_time import ExploringTime
from harness.generators.protocol import ProductionBase, ProductionFacts, SequenceTask
from harness.generators.sequences.exploration import NO_ROOT
from harness.generators.sequences.object_check import ObjectCheck
from harness.generators.sequences.structures import Storage
from harness.generators.symbolic.concretisation import ValueRule
from harness.generators.symbolic.plain_replay import PlainReplay
from harness.generators.symbolic.systems import Space
from harness.kernel.inputs.suites import Call, SuiteWriter


class Production(ProductionBase):
    """One run; see `SequenceProduction`.

    Args:
        candidates: a function that returns the candidates of a routine, by the routine's number.

    Attributes:
        candidates: the number of explored candidates.
        tests: the number of paths that are inputs.
    """

    def __init__(self, task: SequenceTask, options: Options, candidates: Callable[[int], CandidateEnumeration]) -> None:
        self._candidates_of = candidates
        self._task = task
        self._options = options
        self._chance = Chance(task.seed)
        self._caller = WatchingCaller(task, options.heap is HeapMode.REASONING)
        self.exploration = PathExploration(task, self._caller, Space(options.solver).free(0), options)
        self._witness = PlainReplay(task)
        self._exploring = ExploringTime()
        self.candidates = 0
        self.tests = 0

    @property
    def explored(self) -> int:
        """The number of paths executed so far, with those of prefixes."""
        return self.exploration.explored

    @property
    def current(self) -> str:
        """The calls that are being executed."""
        return self.exploration.current

    def facts(self) -> ProductionFacts:
        """Return the facts about the run: the time spent on candidates and their paths."""
        return ProductionFacts(exploring_seconds=self._exploring.seconds)

    def write(self, writer: SuiteWriter) -> None:
        """Write the suite; see `SequenceProduction.write`."""
        sequences, objects = Storage(writer), ObjectCheck(self._task)
        for path in self._exploring.of(self.paths()):
            if self._options.values is not ValueRule.ADJACENT:
                path = self.exploration.with_values(path, self._options.values, self._chance.below)
            written = [self._caller.call_of(made, path.values) for made in path.calls]
            self._look(path, written)
            if objects.admits(written):
                sequences.add(written)
            if objects.reports:
                for values in self.exploration.extremes(path):
                    objects.admits([self._caller.call_of(made, values) for made in path.calls])
        self._report_notices()

    def paths(self) -> Iterator[CandidatePath]:
        """Yield the paths that are inputs, by target and length.

        Raises:
            SpecError: see `PathExploration.paths`; or no constructor makes an object of the root's class.
        """
        has_root = False
        for target in range(len(self._task.bounds.routines)):
            for path in self._of(self._candidates_of(target)):
                has_root = has_root or any(self._task.bounds.root in names for names in path.names)
                self.tests += 1
                yield path
        if not has_root:
            raise SpecError(NO_ROOT.format(root=self._task.bounds.root))

    def _of(self, candidates: CandidateEnumeration) -> Iterator[CandidatePath]:
        """Yield the inputs among the paths of a target's candidates."""
        opened: set[CandidateSequence] = set()
        for candidate in candidates:
            if self._options.heap is HeapMode.REASONING:
                candidate = self._opened(candidate)
                if candidate in opened:
                    continue
                opened.add(candidate)
            self.candidates += 1
            count = 0
            for path in self.exploration.paths(candidate):
                count += 1
                if path.is_test and (path.influenced() or not self._options.influence):
                    yield path
            impassable = None if count else self.exploration.impassable()
            if impassable is not None:
                candidates.leave_out(candidate.calls[:impassable])

    def _opened(self, candidate: CandidateSequence) -> CandidateSequence:
        """Return the candidate with no chosen objects except receivers and arguments that may be symbolic integers."""
        calls = []
        for call in candidate.calls:
            arguments = zip(self._task.bounds.routines[call.target].parameters, call.arguments, strict=True)
            chosen = tuple([position if self._caller.symbolic(call.target, p) else None for p, position in arguments])
            calls.append(replace(call, arguments=chosen))
        return CandidateSequence(tuple(calls))

    def _look(self, path: CandidatePath, calls: Sequence[Call]) -> None:
        """Compare the outcome, the states of all created objects, and the result with those on plain integers.

        Whether each input takes the path that it was solved for is checked earlier, by concolic execution.
        """
        assert path.executed is not None
        results = zip(path.executed.results, path.names, strict=True)
        objects = {number: result for number, (result, names) in enumerate(results) if names}
        self._witness.look([made.of_integers() for made in path.calls], calls, path.outcome, path.values, objects)

    def _report_notices(self) -> None:
        """Report notices about the run to the user, each in one line."""
        where, notice, leaves = self._task.module.__file__, self._task.notice, self.exploration.leaves
        given_up = leaves[LeafMark.TIMED_OUT], leaves[LeafMark.ENDLESS]
        self._witness.tell(self.exploration.pinned, *given_up, option="css:solver=NUMBER")
        if leaves[LeafMark.OUTSIDE]:
            notice(
                f"{where}: paths without values in the domains of sequences(scope), which are left out: "
                f"{leaves[LeafMark.OUTSIDE]}; give the parameters more integers"
            )
        if self.exploration.cut:
            notice(
                f"{where}: calls with more paths than the {self._options.paths} that are looked at: "
                f"{self.exploration.cut}; allow more by css:paths=NUMBER"
            )
