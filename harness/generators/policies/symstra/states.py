"""The states that Symstra keeps: calls with symbolic arguments, their object graphs, and a filter of maximal ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from harness.generators.policies.symstra.options import Keep
from harness.generators.symbolic.caller import SymbolicCall
from harness.generators.symbolic.heap import Shape
from harness.generators.symbolic.systems import RowConstraints, System


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


@dataclass(frozen=True, slots=True)
class Candidate:
    """A state that may be kept, with the constraints on its symbolic integers."""

    facts: RowConstraints
    state: PathState


class Frontier:
    """The states kept so far by shape, and the candidates of one level, of which the maximal ones are kept.

    A state is subsumed by one of the same shape if the constraints on its integers entail those of the other. Of equal
    states, the first is kept. The candidates of a level are compared once all are known, so the result does not depend
    on the order in which branches are tried.

    Args:
        keep: the rule for which states are kept; rules other than the maximal ones show the effect of subsumption.

    Attributes:
        subsumed: the number of dropped states.
    """

    def __init__(self, keep: Keep = Keep.MAXIMAL) -> None:
        self._keep = keep
        self._facts_by_shape: dict[Shape, list[RowConstraints]] = {}
        self._candidates: dict[Shape, list[Candidate]] = {}
        self.subsumed = 0

    def is_new(self, shape: Shape, facts: RowConstraints) -> bool:
        """Return whether neither a kept state nor an equal candidate subsumes a state; count it if it is subsumed."""
        if self._keep is Keep.ALL:
            return True
        kept_facts = self._facts_by_shape.get(shape, ())
        candidates = [one.facts for one in self._candidates.get(shape, ())]
        if self._keep is Keep.UNEQUAL:
            is_subsumed = any(_subsumes(one, facts) and _subsumes(facts, one) for one in (*kept_facts, *candidates))
        elif self._keep is Keep.FIRST:
            is_subsumed = any(_subsumes(one, facts) for one in (*kept_facts, *candidates))
        else:
            same = any(one is facts for one in candidates) and facts.is_exact
            is_subsumed = same or any(_subsumes(one, facts) for one in kept_facts)
        self.subsumed += is_subsumed
        return not is_subsumed

    def add(self, shape: Shape, candidate: Candidate) -> None:
        """Add a candidate."""
        self._candidates.setdefault(shape, []).append(candidate)

    def next_level(self) -> list[PathState]:
        """Keep the maximal candidates, or all under another rule, and return their states in order of shapes."""
        level: list[PathState] = []
        for shape, candidates in self._candidates.items():
            maximal = list(_maximal(candidates)) if self._keep is Keep.MAXIMAL else candidates
            self.subsumed += len(candidates) - len(maximal)
            self._facts_by_shape.setdefault(shape, []).extend(one.facts for one in maximal)
            level += [with_new_names(one.state) for one in maximal]
        self._candidates = {}
        return level


def _subsumes(one: RowConstraints, other: RowConstraints) -> bool:
    return one.is_exact and (one is other or other.entails(one))


def _maximal(candidates: list[Candidate]) -> Iterable[Candidate]:
    """Yield the candidates that no other candidate subsumes, and of equal ones the first."""
    for number, one in enumerate(candidates):
        rivals = [(at < number, other.facts) for at, other in enumerate(candidates) if at != number]
        if not any(_subsumes(f, one.facts) and (is_first or not _subsumes(one.facts, f)) for is_first, f in rivals):
            yield one
