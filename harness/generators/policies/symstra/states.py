"""The states that Symstra keeps: calls with symbolic arguments, what is there after them, and which are maximal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from harness.generators.policies.symstra.options import Keep
from harness.generators.sequences.calls import Choice
from harness.generators.symbolic.heap import Picture, Shape
from harness.generators.symbolic.systems import Facts, System


@dataclass(frozen=True, slots=True)
class SymbolicCall:
    """A call whose symbolic arguments are variables: those parameters where the choice has no index, in order."""

    choice: Choice
    variables: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class State:
    """What one path leads to.

    Attributes:
        calls: with the names that variables have in `system`.
        system: what holds of all variables of the calls, dead ones included.
        picture: the object graph, whose slots are of `system`.
        trace: the answers of all calls, as runs keep them.
        steps: of all calls.
    """

    calls: tuple[SymbolicCall, ...]
    system: System
    picture: Picture
    trace: bytes
    steps: int


def named_anew(state: State) -> State:
    """The state with its variables in the order that its system has for them, so that like systems are one."""
    order = state.system.order()
    if order == tuple(range(1, len(order) + 1)):
        return state
    names = {0: 0} | {x: at for at, x in enumerate(order, start=1)}
    calls = tuple([SymbolicCall(c.choice, tuple([names[x] for x in c.variables])) for c in state.calls])
    slots = tuple([(names[x], added) for x, added in state.picture.slots])
    picture = Picture(state.picture.shape, slots)
    return State(calls, state.system.permuted(order), picture, state.trace, state.steps)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A state that may be kept, with what holds of the symbolic integers in it."""

    facts: Facts
    state: State


class Frontier:
    """The states kept so far by shape, and the candidates of one level, of which the maximal ones are kept.

    A state is subsumed by one of the same shape if what holds of its integers entails what holds of the other's.
    Of equal ones, the first counts. Comparing the candidates with each other once all of a level are there makes the
    result hang on no order in which branches are tried.

    Args:
        keep: whether the maximal ones are kept, or others, to see what subsumption is worth.

    Attributes:
        subsumed: states that were dropped.
    """

    def __init__(self, keep: Keep = Keep.MAXIMAL) -> None:
        self._keep = keep
        self._kept: dict[Shape, list[Facts]] = {}
        self._candidates: dict[Shape, list[Candidate]] = {}
        self.subsumed = 0

    def is_new(self, shape: Shape, facts: Facts) -> bool:
        """Whether neither a kept state nor an equal candidate subsumes that one; a subsumed one is counted."""
        if self._keep is Keep.ALL:
            return True
        kept = self._kept.get(shape, ())
        candidates = [one.facts for one in self._candidates.get(shape, ())]
        if self._keep is Keep.UNEQUAL:
            known = any(_subsumes(one, facts) and _subsumes(facts, one) for one in (*kept, *candidates))
        elif self._keep is Keep.FIRST:
            known = any(_subsumes(one, facts) for one in (*kept, *candidates))
        else:
            same = any(one is facts for one in candidates) and facts.is_exact
            known = same or any(_subsumes(one, facts) for one in kept)
        self.subsumed += known
        return not known

    def add(self, shape: Shape, candidate: Candidate) -> None:
        """Takes in a candidate."""
        self._candidates.setdefault(shape, []).append(candidate)

    def next_level(self) -> list[State]:
        """Keeps the maximal candidates, or all where others are kept, in the order in which their shapes were found."""
        level: list[State] = []
        for shape, candidates in self._candidates.items():
            maximal = list(_maximal(candidates)) if self._keep is Keep.MAXIMAL else candidates
            self.subsumed += len(candidates) - len(maximal)
            self._kept.setdefault(shape, []).extend(one.facts for one in maximal)
            level += [named_anew(one.state) for one in maximal]
        self._candidates = {}
        return level


def _subsumes(one: Facts, other: Facts) -> bool:
    return one.is_exact and (one is other or other.entails(one))


def _maximal(candidates: list[Candidate]) -> Iterable[Candidate]:
    """Those that no other candidate subsumes, and of equal ones the first."""
    for number, one in enumerate(candidates):
        others = [(at < number, other.facts) for at, other in enumerate(candidates) if at != number]
        if not any(_subsumes(f, one.facts) and (is_first or not _subsumes(one.facts, f)) for is_first, f in others):
            yield one
