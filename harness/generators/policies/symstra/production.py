"""Produces a suite of Symstra's paths: each is solved to values of the spec's domains, and checked by execution.

The search is breadth-first over states with symbolic integers, with all feasible paths of each call on them (Xie,
Marinov, Schulte and Notkin 2005, as jtestcraft2010 describes it in section 6.3.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from harness.errors import SpecError
from harness.generators.chance import Chance
from harness.generators.policies.symstra.options import Keep, Options
from harness.generators.processor_time import ExploringTime
from harness.generators.protocol import ProductionBase, ProductionFacts, SequenceTask
from harness.generators.sequences.exploration import NO_ROOT
from harness.generators.sequences.object_check import ObjectCheck
from harness.generators.sequences.replay import UNSTEADY
from harness.generators.sequences.structures import CallChoice, Storage
from harness.generators.symbolic.caller import Caller, Ending, PathResult, SymbolicCall, blaming, check_attempts
from harness.generators.symbolic.concretisation import concretised, extremes
from harness.generators.symbolic.formulas import Ranges, Slot
from harness.generators.symbolic.heap import Painter, Shape
from harness.generators.symbolic.plain_replay import PlainReplay
from harness.generators.symbolic.rewriting import SymbolicArgumentEscaped
from harness.generators.symbolic.systems import RowConstraints, Space, System
from harness.generators.symbolic.values import DECIDING, ConcreteRun, Integer, SymbolicRun
from harness.kernel.inputs.suites import Call, SuiteWriter
from harness.model.sequence import SequenceScope


@dataclass(frozen=True, slots=True)
class PathState:
    """The state after one path.

    Attributes:
        calls: the calls, with the variable names of `system`.
        system: the constraints on all variables of the calls, including dead ones.
        trace: the answers of all calls, as stored by runs.
        steps: the steps of all calls.
    """

    calls: tuple[SymbolicCall, ...]
    system: System
    trace: bytes
    steps: int


def with_new_names(state: PathState) -> PathState:
    """Return the state with variables renamed in the order of its system, so that similar systems become equal."""
    order = state.system.order()
    if order == tuple(range(1, len(order) + 1)):
        return state
    names = {0: 0} | {x: at for at, x in enumerate(order, start=1)}
    calls = tuple([SymbolicCall(c.choice, tuple([names[x] for x in c.variables])) for c in state.calls])
    return PathState(calls, state.system.permuted(order), state.trace, state.steps)


Candidate: TypeAlias = tuple[RowConstraints, PathState]
"""The constraints on the symbolic integers of a state that may be kept, and the state."""


class Frontier:
    """The states kept so far by shape, and the candidates of one level, of which the maximal ones are kept.

    A state is subsumed by one of the same shape if the constraints on its integers entail those of the other. Of equal
    states, the first is kept. The candidates of a level are compared once all are known, so the result does not depend
    on the order in which branches are tried.

    Args:
        keep: the rule for which states are kept; rules other than the maximal ones show the effect of subsumption.
    """

    def __init__(self, keep: Keep = Keep.MAXIMAL) -> None:
        self._keep = keep
        self._facts_by_shape: dict[Shape, list[RowConstraints]] = {}
        self._candidates: dict[Shape, list[Candidate]] = {}

    def is_new(self, shape: Shape, facts: RowConstraints) -> bool:
        """Return whether neither a kept state nor an equal candidate subsumes a state."""
        if self._keep is Keep.ALL:
            return True
        kept_facts = self._facts_by_shape.get(shape, ())
        candidates = [facts for facts, _ in self._candidates.get(shape, ())]
        if self._keep is Keep.UNEQUAL:
            return not any(_subsumes(one, facts) and _subsumes(facts, one) for one in (*kept_facts, *candidates))
        if self._keep is Keep.FIRST:
            return not any(_subsumes(one, facts) for one in (*kept_facts, *candidates))
        same = any(one is facts for one in candidates) and facts.is_exact
        return not same and not any(_subsumes(one, facts) for one in kept_facts)

    def add(self, shape: Shape, facts: RowConstraints, state: PathState) -> None:
        """Add a candidate."""
        self._candidates.setdefault(shape, []).append((facts, state))

    def next_level(self) -> list[PathState]:
        """Keep the maximal candidates, or all under another rule, and return their states in order of shapes."""
        level: list[PathState] = []
        for shape, candidates in self._candidates.items():
            maximal = list(_maximal(candidates)) if self._keep is Keep.MAXIMAL else candidates
            self._facts_by_shape.setdefault(shape, []).extend(facts for facts, _ in maximal)
            level += [with_new_names(state) for _, state in maximal]
        self._candidates = {}
        return level


def _subsumes(one: RowConstraints, other: RowConstraints) -> bool:
    return one.is_exact and (one is other or other.entails(one))


def _maximal(candidates: list[Candidate]) -> Iterable[Candidate]:
    """Yield the candidates that no other candidate subsumes, and of equal ones the first."""
    for number, (own, state) in enumerate(candidates):
        rivals = [(at < number, facts) for at, (facts, _) in enumerate(candidates) if at != number]
        if not any(_subsumes(f, own) and (is_first or not _subsumes(own, f)) for is_first, f in rivals):
            yield own, state


@dataclass(frozen=True, slots=True)
class FeasiblePath:
    """A feasible path of a call on a kept state.

    Attributes:
        call: the call on the state.
        system: the constraints at the end of the path.
        answers: the answers of the call, as stored by runs.
        root: the object after the path, until the next path is requested.
        ranges: the ranges in which the values of the calls' variables should be.
    """

    state: PathState
    call: SymbolicCall
    system: System
    answers: bytes
    outcome: PathResult
    root: Any
    ranges: Ranges

    @property
    def calls(self) -> tuple[SymbolicCall, ...]:
        """All calls of the sequence."""
        return (*self.state.calls, self.call)

    @property
    def trace(self) -> bytes:
        """The answers of all calls."""
        return self.state.trace + self.answers

    @property
    def steps(self) -> int:
        """The steps of all calls."""
        return self.state.steps + self.outcome.steps

    @property
    def is_test(self) -> bool:
        """Whether the path is a test: the call returned or raised, and its precondition held."""
        return self.outcome.ending in (Ending.RETURNED, Ending.RAISED)


class PathSearch:
    """One search. `paths` does the work.

    Args:
        system: the system without variables, whose class decides constraints.
        most_calls: the largest number of calls of a sequence, with the constructor's.
        keep: the rule for which states are extended.

    Attributes:
        explored: the number of paths executed so far.
        stored_states: the kept states, in order.
        endings: the number of paths by ending.
        pinned: the number of paths on which values were pinned, by routine and reason.
        at: the call that is being executed.
    """

    def __init__(
        self,
        task: SequenceTask,
        caller: Caller,
        system: System,
        most_calls: int,
        keep: Keep = Keep.MAXIMAL,
    ) -> None:
        self._task = task
        self._bounds = task.bounds
        self._where = task.module.__file__
        self._caller = caller
        self._empty = PathState((), system, b"", 0)
        self._most_calls = most_calls
        self._omits = task.bounds.omission()
        self._painter = Painter()
        self.frontier = Frontier(keep)
        self.explored = 0
        self.stored_states: list[PathState] = []
        self.endings: Counter[Ending] = Counter()
        self.pinned: Counter[tuple[str, str]] = Counter()
        self.at: tuple[PathState, CallChoice] | None = None

    def paths(self) -> Iterator[FeasiblePath]:
        """Yield all feasible paths, level by level, each once.

        Raises:
            SpecError: no constructor makes an object of the root's class within the bounds, a state cannot be kept, the
                program behaves differently when called again, or there are too many paths.
        """
        level, choices = [self._empty], self._caller.constructing
        for length in range(1, self._most_calls + 1):
            is_last = length == self._most_calls
            for state in level:
                for choice in choices:
                    for path in self._through(state, choice):
                        if path.outcome.ending is Ending.RETURNED and not is_last and self._caller.is_root(path.root):
                            self._consider(path)
                        yield path
            level, choices = self.frontier.next_level(), self._caller.calling
            self.stored_states += level
            if not self.stored_states and not is_last:
                raise SpecError(NO_ROOT.format(root=self._bounds.root))
            if not level:
                return

    def _through(self, state: PathState, choice: CallChoice) -> Iterator[FeasiblePath]:
        """Yield the paths of one call on one state depth-first: the first way at each fork, then the last open fork."""
        self.at = (state, choice)
        caller = self._caller
        ranges = caller.ranges_of((*state.calls, SymbolicCall(choice, ())), state.system.size)
        count = choice.indices.count(None)
        first = state.system.size + 1
        system = state.system.extended(count) if count else state.system
        variables = tuple(range(first, first + count))
        proxies = [Integer(x) for x in variables]
        call = SymbolicCall(choice, variables)
        open_paths = [b""]
        while open_paths:
            self.explored += 1
            check_attempts(self._task, self.explored)
            run = DECIDING.run = SymbolicRun(system, open_paths.pop(), ranges)
            caller.begin()
            root = self._again(state, run)
            try:
                outcome = caller.call(choice, root, proxies)
            except SymbolicArgumentEscaped as left_by:
                raise blaming((*state.calls, call), left_by) from None
            open_paths += run.sibling_paths()
            self._note(choice, run, outcome)
            left = root if state.calls else outcome.result
            yield FeasiblePath(state, call, run.system, bytes(run.trace), outcome, left, ranges)

    def _again(self, state: PathState, run: SymbolicRun) -> Any:
        """Return the receiver, made by executing a state's calls on their known path."""
        _, outcome, root = self._caller.follow(state.calls)
        if run.forks or bytes(run.trace) != state.trace or outcome.steps != state.steps:
            raise SpecError(f"{self._where}: a call takes another path when it is executed again; {UNSTEADY}")
        run.trace = bytearray()
        return root

    def _consider(self, path: FeasiblePath) -> None:
        """Add the state after a path to the candidates, unless it is beyond the bounds or subsumed."""
        picture = self._painter.picture(path.root, self._omits)
        if not is_within(picture.shape, self._bounds):
            return
        run = DECIDING.run
        assert isinstance(run, SymbolicRun)
        facts = self._facts(run.system, picture.slots)
        if self.frontier.is_new(picture.shape, facts):
            self.frontier.add(picture.shape, facts, PathState(path.calls, run.system, path.trace, path.steps))

    def _facts(self, system: System, slots: tuple[Slot, ...]) -> RowConstraints:
        """Return the constraints on the integers in a state."""
        return system.projected(slots)

    def _note(self, choice: CallChoice, run: SymbolicRun, outcome: PathResult) -> None:
        self.endings[outcome.ending] += 1
        if run.notices:
            name = self._bounds.routines[choice.target].name
            self.pinned.update({(name, reason) for reason in run.notices})


def is_within(shape: Shape, bounds: SequenceScope) -> bool:
    """Return whether a state has no more elements and objects of a class, except the root, than the scope allows."""
    counts: Counter[str] = Counter()
    most = bounds.most_elements
    for number, (kind, names, *held) in enumerate(shape):
        if names is not None:
            counts[kind.__qualname__] += number > 0
        elif most is not None and kind not in (tuple, frozenset) and len(held) // (1 + (kind is dict)) > most:
            return False
    limits = ((bounds.most_of(name), count) for name, count in counts.items())
    return all(limit is None or count <= limit for limit, count in limits)


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
