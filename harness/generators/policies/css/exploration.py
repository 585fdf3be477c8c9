"""The paths through candidate sequences, call by call (jtestcraft2010, section 4.4).

Behind each path of the calls before, a constraint tree has the paths of the next call. A path is gone on from only
where each of its calls can still influence what follows. Candidates that begin with the same calls share the paths of
these (section 4.4.3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from harness.errors import SpecError
from harness.generators.influence.candidate import CandidateCall, CandidateSequence
from harness.generators.influence.protocol import PartialOrder
from harness.generators.policies.css.accesses import Accesses, Pair
from harness.generators.policies.css.concolic import ConcolicRun, WrongPath
from harness.generators.policies.css.execution import Executed, Made, WatchingCaller
from harness.generators.policies.css.options import Heap, Options
from harness.generators.policies.css.tree import ConstraintTree, Leaf, Mark
from harness.generators.policies.symstra.blame import blaming
from harness.generators.policies.symstra.calling import Ending, Outcome
from harness.generators.policies.symstra.search import ranges_of
from harness.generators.sequences.anew import UNSTEADY
from harness.generators.sequences.matching import Matcher
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.symbolic.concretisation import Below, Values, concretised, extremes
from harness.generators.symbolic.leaving import LeftSubset
from harness.generators.symbolic.systems import Ranges, System, Unknown

_MARKS = {
    Ending.RETURNED: Mark.TERMINAL,
    Ending.RAISED: Mark.TERMINAL,
    Ending.UNMET: Mark.UNMET,
    Ending.ENDLESS: Mark.ENDLESS,
    Ending.LIMIT: Mark.TIMED_OUT,
}


@dataclass(frozen=True, slots=True)
class Path:
    """A path through the first calls of a candidate, with an input that has taken it.

    Attributes:
        trace: all answers, those that follow from others included.
        begun: how many of them are of the calls before the last.
        system: what holds at its end.
        values: of all variables.
        steps: of all calls.
        outcome: of the last call.
        influences: pairs of calls of which one has influenced the other.
        lasting: calls of whose definitions some still hold.
        names: of each result, those of the classes that the scope asks for.
        in_order: whether the last two calls are in the order that is kept of two that are independent of each other.
        executed: what the input did, until the next path is asked for; None of the path without calls.
    """

    calls: tuple[Made, ...]
    trace: bytes
    begun: int
    system: System
    values: tuple[int, ...]
    steps: int
    outcome: Outcome
    influences: frozenset[Pair]
    lasting: frozenset[int]
    names: tuple[frozenset[str], ...]
    in_order: bool
    executed: Executed | None = None

    @property
    def is_test(self) -> bool:
        """Whether it ended, and was meant to be called so."""
        return self.outcome.ending in (Ending.RETURNED, Ending.RAISED)

    def influenced(self) -> bool:
        """Whether each call but the last has influenced one behind it."""
        return {earlier for earlier, _ in self.influences} == set(range(len(self.calls) - 1))


class Exploration:
    """The paths of one run's candidates.

    Attributes:
        explored: inputs carried out so far.
        leaves: how many leaves the trees had of each mark.
        cut: trees that were left with leaves unexplored, at the limit of paths.
        pruned: paths that were not gone on from, as nothing that follows could make tests of them.
        pinned: why values were pinned, by routine, and on how many paths.
        at: the calls that are being carried out.
    """

    def __init__(self, task: SequenceTask, caller: WatchingCaller, system: System, options: Options) -> None:
        self._bounds = task.bounds
        self._where = task.module.__file__
        self._caller = caller
        self._options = options
        self._matcher = Matcher(task.bounds)
        earlier = (name for routine in task.bounds.routines for p in routine.parameters for name in p.earlier)
        self._wanted = frozenset((task.bounds.root, *earlier))
        self._names: dict[type, frozenset[str]] = {}
        nothing = Outcome(Ending.RETURNED, None, "", 0)
        self._empty = Path((), b"", 0, system, (), 0, nothing, frozenset(), frozenset(), (), True)
        self._known: list[tuple[CandidateCall, list[Path]]] = []
        self.explored = 0
        self.leaves: Counter[Mark] = Counter()
        self.cut = 0
        self.pruned = 0
        self.pinned: Counter[tuple[str, str]] = Counter()
        self.at: tuple[Made, ...] = ()

    def paths(self, candidate: CandidateSequence) -> Iterator[Path]:
        """All paths through a candidate, up to the limit of each tree.

        Raises:
            SpecError: an input takes another path than predicted; there are more paths than the spec's attempts.
        """
        begun = [self._empty]
        for at in range(len(candidate) - 1):
            begun = self._level(candidate, at, begun)
        rest = candidate.calls[-1:]
        for path in begun:
            if self._can_go_on(path, rest):
                yield from self._through(path, rest[0])

    def impassable(self) -> int | None:
        """How many of the first calls of the last candidate have no path to go on from; None: all have one."""
        return next((at for at, (_, paths) in enumerate(self._known, start=1) if not paths), None)

    def _level(self, candidate: CandidateSequence, at: int, begun: Sequence[Path]) -> list[Path]:
        """The paths through one call more that can be gone on from, behind those of the calls before."""
        call = candidate.calls[at]
        if at < len(self._known) and self._options.grouped and self._known[at][0] == call:
            return self._known[at][1]
        del self._known[at:]
        found = [
            replace(path, executed=None)
            for before in begun
            if self._fits(before, call)
            for path in self._through(before, call)
            if self._is_kept(path)
        ]
        self._known.append((call, found))
        return found

    def _is_kept(self, path: Path) -> bool:
        """Whether a path may be the beginning of a test, whatever follows."""
        if path.outcome.ending is not Ending.RETURNED or not self._is_within(path):
            return False
        kept = path.in_order
        if kept and self._options.influence:
            able = {earlier for earlier, _ in path.influences} | path.lasting
            kept = all(at in able or path.names[at] for at in range(len(path.calls)))
        self.pruned += not kept
        return kept

    def _can_go_on(self, path: Path, rest: Sequence[CandidateCall]) -> bool:
        """Whether each call of a path can influence the rest, or has influenced one behind it."""
        if not self._fits(path, rest[0]):
            return False
        if not self._options.influence:
            return True
        able = {earlier for earlier, _ in path.influences} | path.lasting
        able.update(position for call in rest for position in call.objects)
        if self._options.heap is Heap.REASONING:
            able.update(at for at, names in enumerate(path.names) if names)
        kept = able.issuperset(range(len(path.calls)))
        self.pruned += not kept
        return kept

    def _fits(self, path: Path, call: CandidateCall) -> bool:
        """Whether the results that a call takes are of the classes that it takes."""
        routine = self._bounds.routines[call.target]
        if call.receiver is not None and self._bounds.root not in path.names[call.receiver]:
            return False
        given = zip(routine.parameters, call.arguments, strict=True)
        return all(at is None or not path.names[at].isdisjoint(p.earlier) for p, at in given)

    def _through(self, before: Path, call: CandidateCall) -> Iterator[Path]:
        """The paths of a call behind a path."""
        ways = self._caller.ways(call, before.system, before.names)
        made = {way.symbolic.choice: way for way, _ in ways}
        tree = ConstraintTree((way.symbolic.choice, system) for way, system in ways)
        found = 0
        while (leaf := tree.next_unexplored()) is not None:
            if found == self._options.paths:
                self.cut += 1
                break
            path = self._solved(tree, leaf, before, made[leaf.choice])
            if path is not None:
                found += 1
                yield path
        self.leaves += tree.counts()

    def with_values(self, path: Path, values: Values, below: Below) -> Path:
        """The same path, solved to other values: it is carried out on them, and takes the same way.

        Raises:
            SpecError: it does not.
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

    def extremes(self, path: Path) -> list[tuple[int, ...]]:
        """Return the solutions of a path with the least and with the greatest values, each once."""
        return extremes(path.system, self._ranges(path.calls, path.system))

    def _ranges(self, calls: Sequence[Made], system: System) -> Ranges:
        return ranges_of(self._caller, tuple([one.symbolic for one in calls]), system.size)

    def _solved(self, tree: ConstraintTree, leaf: Leaf, before: Path, made: Made) -> Path | None:
        """The path that an input takes which is solved for a leaf; None where there is no such input."""
        assert leaf.system is not None
        calls = (*before.calls, made)
        values = leaf.system.solution(self._ranges(calls, leaf.system))
        if not isinstance(values, tuple):
            tree.close(leaf, Mark.TIMED_OUT if isinstance(values, Unknown) else Mark.OUTSIDE)
            return None
        self._count()
        self.at = calls
        run = ConcolicRun(before.trace + leaf.answers, leaf.system)
        try:
            executed = self._caller.carry_out(calls, values, run, before.steps)
        except LeftSubset as left:
            raise blaming([made.of_integers() for made in calls], left) from None
        except WrongPath as wrong:
            raise SpecError(f"{self._where}: {self.current} {wrong}: {UNSTEADY}") from None
        try:
            tree.grow(leaf, run.decisions, _MARKS[executed.outcome.ending])
        except SpecError as error:
            raise SpecError(f"{self._where}: {self.current}: {error}: {UNSTEADY}") from None
        return self._path(calls, executed, len(before.trace))

    def _path(self, calls: tuple[Made, ...], executed: Executed, begun: int) -> Path:
        run, accesses = executed.run, executed.accesses
        if run.notices:
            self.pinned.update({(calls[-1].call.name, reason) for reason in run.notices})
        return Path(
            calls,
            bytes(run.trace),
            begun,
            run.system,
            tuple(run.values[1:]),
            executed.steps,
            executed.outcome,
            frozenset(accesses.influences),
            frozenset(accesses.lasting()),
            tuple([self._names_of(type(result)) for result in executed.results]),
            self._in_order(calls, accesses),
            executed,
        )

    def _in_order(self, calls: tuple[Made, ...], accesses: Accesses) -> bool:
        """Whether the last two calls stand as they are kept (section 4.3.4): the other way round is another path."""
        how, last = self._options.partial_order, len(calls) - 1
        if how is PartialOrder.NO or not last or calls[-2].call.target <= calls[-1].call.target:
            return True
        if any(calls[-1].options):
            return True  # it may be given what the one before has made
        if how is PartialOrder.PRINTED:
            return (last - 1, last) in accesses.influences
        return accesses.are_ordered(last - 1, last)

    @property
    def current(self) -> str:
        """The calls that are being carried out."""
        return "; ".join(made.call.name + "(...)" for made in self.at) or "a call"

    def _is_within(self, path: Path) -> bool:
        """Whether all objects that the scope asks for are within its bounds."""
        assert path.executed is not None
        results = zip(path.executed.results, path.names, strict=True)
        return all(self._matcher.is_within(result) for result, names in results if names)

    def _names_of(self, cls: Any) -> frozenset[str]:
        """Of the classes that the scope asks for, those that objects of `cls` are of."""
        found = self._names.get(cls)
        if found is None:
            own = {name for base in cls.__mro__ for name in (base.__name__, base.__qualname__)}
            found = self._names[cls] = self._wanted & own
        return found

    def _count(self) -> None:
        self.explored += 1
        if self.explored > self._bounds.most_attempts:
            raise SpecError(
                f"{self._where}: more than {self._bounds.most_attempts} paths; bound the calls of a sequence by "
                "s.length(...), or allow more by s.attempts(...)"
            )
