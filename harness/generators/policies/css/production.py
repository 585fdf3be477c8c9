"""Produces a suite of candidate sequence search: the paths of each target that all earlier calls influenced.

Paths go through candidate sequences call by call (jtestcraft2010, section 4.4). After each path of the earlier calls, a
constraint tree holds the paths of the next call. A path is extended only if each of its calls can still influence a
later one. Candidates that begin with the same calls share the paths of these calls (section 4.4.3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from harness.errors import SpecError
from harness.generators.chance import Chance
from harness.generators.influence.candidate import CandidateCall, CandidateSequence, PartialOrder
from harness.generators.influence.enumeration import CandidateEnumeration
from harness.generators.policies.css.concolic import ConcolicRun, ConstraintTree, Leaf, LeafMark, WrongPath
from harness.generators.policies.css.execution import Executed, PathCall, WatchingCaller
from harness.generators.policies.css.options import HeapMode, Options
from harness.generators.policies.css.watching import Accesses, Pair
from harness.generators.processor_time import ExploringTime
from harness.generators.protocol import ProductionBase, ProductionFacts, SequenceTask
from harness.generators.sequences.exploration import NO_ROOT
from harness.generators.sequences.object_check import ObjectCheck
from harness.generators.sequences.replay import UNSTEADY, Matcher
from harness.generators.sequences.structures import ScopeClasses, Storage
from harness.generators.symbolic.caller import NOTHING, Ending, PathResult, blaming, check_attempts
from harness.generators.symbolic.concretisation import Below, ValueRule, concretised, extremes
from harness.generators.symbolic.formulas import Ranges, Unknown
from harness.generators.symbolic.plain_replay import PlainReplay
from harness.generators.symbolic.rewriting import SymbolicArgumentEscaped
from harness.generators.symbolic.systems import Space, System
from harness.kernel.inputs.suites import Call, SuiteWriter

_MARKS = {
    Ending.RETURNED: LeafMark.TERMINAL,
    Ending.RAISED: LeafMark.TERMINAL,
    Ending.UNMET: LeafMark.UNMET,
    Ending.ENDLESS: LeafMark.ENDLESS,
    Ending.LIMIT: LeafMark.TIMED_OUT,
}


@dataclass(frozen=True, slots=True)
class CandidatePath:
    """A path through the first calls of a candidate, with an input that has taken it.

    Attributes:
        trace: all answers, including those that follow from others.
        begun: the number of answers before the last call.
        system: the constraints at the end of the path.
        values: the values of all variables.
        steps: the steps of all calls.
        outcome: the outcome of the last call.
        influences: pairs of calls of which one has influenced the other.
        lasting: the calls with definitions that still hold.
        names: for each result, the names of its classes that the scope refers to.
        in_order: whether the last two calls have the order that is explored if they are independent of each other.
        executed: the execution of the input, until the next path is requested; None for the path without calls.
    """

    calls: tuple[PathCall, ...]
    trace: bytes
    begun: int
    system: System
    values: tuple[int, ...]
    steps: int
    outcome: PathResult
    influences: frozenset[Pair]
    lasting: frozenset[int]
    names: tuple[frozenset[str], ...]
    in_order: bool
    executed: Executed | None = None

    @property
    def is_test(self) -> bool:
        """Whether the last call returned or raised, and its precondition held."""
        return self.outcome.ending in (Ending.RETURNED, Ending.RAISED)

    def influenced(self) -> bool:
        """Return whether each call but the last has influenced a later one."""
        return {earlier for earlier, _ in self.influences} == set(range(len(self.calls) - 1))


class PathExploration:
    """The paths of one run's candidates.

    Attributes:
        explored: the number of inputs executed so far.
        leaves: the number of leaves of the trees by mark.
        cut: the number of trees left with unexplored leaves because of the limit of paths.
        pruned: the number of paths not extended because no extension could be a test.
        pinned: the number of paths on which values were pinned, by routine and reason.
        at: the calls that are being executed.
    """

    def __init__(self, task: SequenceTask, caller: WatchingCaller, system: System, options: Options) -> None:
        self._task = task
        self._bounds = task.bounds
        self._where = task.module.__file__
        self._caller = caller
        self._options = options
        self._matcher = Matcher(task.bounds)
        self._names = ScopeClasses(task.bounds).names
        self._empty = CandidatePath((), b"", 0, system, (), 0, NOTHING, frozenset(), frozenset(), (), True)
        self._prefixes: list[tuple[CandidateCall, list[CandidatePath]]] = []
        self.explored = 0
        self.leaves: Counter[LeafMark] = Counter()
        self.cut = 0
        self.pruned = 0
        self.pinned: Counter[tuple[str, str]] = Counter()
        self.at: tuple[PathCall, ...] = ()

    def paths(self, candidate: CandidateSequence) -> Iterator[CandidatePath]:
        """Yield the paths through a candidate, up to the limit of each tree.

        Raises:
            SpecError: an input takes another path than predicted; there are more paths than the spec's attempts.
        """
        begun = [self._empty]
        for at in range(len(candidate) - 1):
            begun = self._level(candidate, at, begun)
        last_call = candidate.calls[-1:]
        for path in begun:
            if self._can_go_on(path, last_call):
                yield from self._through(path, last_call[0])

    def impassable(self) -> int | None:
        """Return how many first calls of the last candidate lead to no path to extend; None if all lead to one."""
        return next((at for at, (_, paths) in enumerate(self._prefixes, start=1) if not paths), None)

    def _level(self, candidate: CandidateSequence, at: int, begun: Sequence[CandidatePath]) -> list[CandidatePath]:
        """Return the paths through one more call that can be extended, after the paths of the calls before."""
        call = candidate.calls[at]
        if at < len(self._prefixes) and self._options.grouped and self._prefixes[at][0] == call:
            return self._prefixes[at][1]
        del self._prefixes[at:]
        paths = [
            replace(path, executed=None)
            for before in begun
            if self._fits(before, call)
            for path in self._through(before, call)
            if self._is_kept(path)
        ]
        self._prefixes.append((call, paths))
        return paths

    def _is_kept(self, path: CandidatePath) -> bool:
        """Return whether a path may be the prefix of a test."""
        if path.outcome.ending is not Ending.RETURNED or not self._is_within(path):
            return False
        is_kept = path.in_order
        if is_kept and self._options.influence:
            able = {earlier for earlier, _ in path.influences} | path.lasting
            is_kept = all(at in able or path.names[at] for at in range(len(path.calls)))
        self.pruned += not is_kept
        return is_kept

    def _can_go_on(self, path: CandidatePath, later_calls: Sequence[CandidateCall]) -> bool:
        """Return whether each call of a path can influence the rest, or has influenced a later call."""
        if not self._fits(path, later_calls[0]):
            return False
        if not self._options.influence:
            return True
        able = {earlier for earlier, _ in path.influences} | path.lasting
        able.update(position for call in later_calls for position in call.objects)
        if self._options.heap is HeapMode.REASONING:
            able.update(at for at, names in enumerate(path.names) if names)
        is_kept = able.issuperset(range(len(path.calls)))
        self.pruned += not is_kept
        return is_kept

    def _fits(self, path: CandidatePath, call: CandidateCall) -> bool:
        """Return whether the results that a call takes have the classes that its parameters require."""
        routine = self._bounds.routines[call.target]
        if call.receiver is not None and self._bounds.root not in path.names[call.receiver]:
            return False
        arguments = zip(routine.parameters, call.arguments, strict=True)
        return all(at is None or not path.names[at].isdisjoint(p.earlier) for p, at in arguments)

    def _through(self, before: CandidatePath, call: CandidateCall) -> Iterator[CandidatePath]:
        """Yield the paths of a call after a path."""
        ways = self._caller.ways(call, before.system, before.names)
        way_of_choice = {way.symbolic.choice: way for way, _ in ways}
        tree = ConstraintTree((way.symbolic.choice, system) for way, system in ways)
        count = 0
        while (leaf := tree.next_unexplored()) is not None:
            if count == self._options.paths:
                self.cut += 1
                break
            path = self._solved(tree, leaf, before, way_of_choice[leaf.choice])
            if path is not None:
                count += 1
                yield path
        self.leaves += tree.counts()

    def with_values(self, path: CandidatePath, values: ValueRule, below: Below) -> CandidatePath:
        """Return the same path solved to other values; execute it on them and check that they take the same path.

        Raises:
            SpecError: they take another path.
        """
        solution = concretised(path.system, self._ranges(path.calls, path.system), values, below)
        if not isinstance(solution, tuple):
            return path
        run = ConcolicRun(path.trace, path.system)
        try:
            executed = self._caller.carry_out(path.calls, solution, run, path.steps - path.outcome.steps)
            if len(run.trace) != len(path.trace):
                raise WrongPath("goes on behind the path that it was solved for")
        except WrongPath as wrong:
            raise SpecError(f"{self._where}: {self.current} {wrong}: {UNSTEADY}") from None
        return replace(path, values=tuple(run.values[1:]), outcome=executed.outcome, executed=executed)

    def extremes(self, path: CandidatePath) -> list[tuple[int, ...]]:
        """Return the solutions of a path with the least and with the greatest values, each once."""
        return extremes(path.system, self._ranges(path.calls, path.system))

    def _ranges(self, calls: Sequence[PathCall], system: System) -> Ranges:
        return self._caller.ranges_of(tuple([one.symbolic for one in calls]), system.size)

    def _solved(
        self, tree: ConstraintTree, leaf: Leaf, before: CandidatePath, last_call: PathCall
    ) -> CandidatePath | None:
        """Return the path of an input that is solved for a leaf; None if there is no such input."""
        assert leaf.system is not None
        calls = (*before.calls, last_call)
        values = leaf.system.solution(self._ranges(calls, leaf.system))
        if not isinstance(values, tuple):
            tree.close(leaf, LeafMark.TIMED_OUT if isinstance(values, Unknown) else LeafMark.OUTSIDE)
            return None
        self.explored += 1
        check_attempts(self._task, self.explored)
        self.at = calls
        run = ConcolicRun(before.trace + leaf.answers, leaf.system)
        try:
            executed = self._caller.carry_out(calls, values, run, before.steps)
        except SymbolicArgumentEscaped as left:
            raise blaming([made.of_integers() for made in calls], left) from None
        except WrongPath as wrong:
            raise SpecError(f"{self._where}: {self.current} {wrong}: {UNSTEADY}") from None
        tree.grow(leaf, run.decisions, _MARKS[executed.outcome.ending])
        return self._path(calls, executed, len(before.trace))

    def _path(self, calls: tuple[PathCall, ...], executed: Executed, begun: int) -> CandidatePath:
        run, accesses = executed.run, executed.accesses
        if run.notices:
            self.pinned.update({(calls[-1].call.name, reason) for reason in run.notices})
        return CandidatePath(
            calls,
            bytes(run.trace),
            begun,
            run.system,
            tuple(run.values[1:]),
            executed.steps,
            executed.outcome,
            frozenset(accesses.influences),
            frozenset(accesses.lasting()),
            tuple([frozenset(self._names(type(result))) for result in executed.results]),
            self._in_order(calls, accesses),
            executed,
        )

    def _in_order(self, calls: tuple[PathCall, ...], accesses: Accesses) -> bool:
        """Return whether the last two calls are in the explored order (section 4.3.4); the reverse is another path."""
        how, last = self._options.partial_order, len(calls) - 1
        if how is PartialOrder.NO or not last or calls[-2].call.target <= calls[-1].call.target:
            return True
        if any(calls[-1].options):
            return True  # it may take the result of the call before
        if how is PartialOrder.PRINTED:
            return (last - 1, last) in accesses.influences
        return accesses.are_ordered(last - 1, last)

    @property
    def current(self) -> str:
        """The calls that are being executed."""
        return "; ".join(made.call.name + "(...)" for made in self.at) or "a call"

    def _is_within(self, path: CandidatePath) -> bool:
        """Return whether all objects that the scope refers to are within its bounds."""
        assert path.executed is not None
        results = zip(path.executed.results, path.names, strict=True)
        return all(self._matcher.is_within(result) for result, names in results if names)


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
