"""Fewer of some instances that cover the same pairs: none that can be left out, or as few as possible (set cover)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace

CONFLICTS = 200_000
"""Of the solver, after which the search for a smaller cover is given up: some seconds, and the same everywhere."""

Sets = Sequence[AbstractSet[Hashable]]


@dataclass(frozen=True)
class Cover:
    """Positions of sets that have all elements, ascending; `proven` where no fewer do."""

    chosen: tuple[int, ...]
    proven: bool


def irredundant(sets: Sets) -> tuple[int, ...]:
    """Positions of sets that have all elements, of which none can be left out.

    From the first on, each set is left out whose elements are all in others that are left: in Algorithm 1 later
    instances are there for what earlier ones lack, and not the other way round.
    """
    times = Counter(element for one in sets for element in one)
    kept = []
    for position, one in enumerate(sets):
        if all(times[element] > 1 for element in one):
            times.subtract(one)
        else:
            kept.append(position)
    return tuple(kept)


def minimal(sets: Sets, conflicts: int = CONFLICTS) -> Cover:
    """As few of the sets as have all elements.

    What every cover has, and what another set or element makes needless, is settled first. Of the rest, a greedy
    cover is the beginning; a SAT solver with a totalizer is asked for a smaller one until there is none.

    Args:
        conflicts: of the solver, after which the smallest cover so far is taken, not proven to be minimal.
    """
    chosen, rest = _settled(sets)
    if not rest:
        return Cover(tuple(sorted(chosen)), True)
    smaller, proven = _smaller(rest, greedy(rest), conflicts)
    return Cover(tuple(sorted([*chosen, *smaller])), proven)


def _settled(sets: Sets) -> tuple[list[int], dict[int, frozenset[Hashable]]]:
    """Positions that some smallest cover has, and what is left to be covered of the sets that may be in it."""
    chosen: list[int] = []
    left = {position: frozenset(one) for position, one in enumerate(sets)}
    while True:
        before = left
        left = _without_smaller_sets(left)
        left = _without_implied_elements(left)
        alone = {next(iter(holders)) for holders in _holders(left).values() if len(holders) == 1}
        chosen += sorted(alone)
        covered = frozenset(element for position in alone for element in left[position])
        left = {position: one - covered for position, one in left.items() if position not in alone}
        left = {position: one for position, one in left.items() if one}
        if left == before:
            return chosen, left


def _holders(sets: dict[int, frozenset[Hashable]]) -> dict[Hashable, frozenset[int]]:
    """By element, the positions of the sets that have it."""
    found: dict[Hashable, set[int]] = {}
    for position, one in sets.items():
        for element in one:
            found.setdefault(element, set()).add(position)
    return {element: frozenset(positions) for element, positions in found.items()}


def _without_smaller_sets(sets: dict[int, frozenset[Hashable]]) -> dict[int, frozenset[Hashable]]:
    """Without sets that are part of another one; of equal ones, the first stays."""
    kept: dict[int, frozenset[Hashable]] = {}
    having: dict[Hashable, list[int]] = {}
    for position, one in sorted(sets.items(), key=lambda item: (-len(item[1]), item[0])):
        rarest = min((having.get(element, []) for element in one), key=len, default=[])
        if not any(one <= kept[other] for other in rarest):
            kept[position] = one
            for element in one:
                having.setdefault(element, []).append(position)
    return dict(sorted(kept.items()))


def _without_implied_elements(sets: dict[int, frozenset[Hashable]]) -> dict[int, frozenset[Hashable]]:
    """Without elements that whoever covers another element covers; of those in the same sets, one stays."""
    kept: set[Hashable] = set()
    by_first_holder: dict[int, list[frozenset[int]]] = {}
    for element, positions in sorted(_holders(sets).items(), key=lambda item: (len(item[1]), repr(item[0]))):
        others = (other for position in positions for other in by_first_holder.get(position, ()))
        if not any(other <= positions for other in others):
            kept.add(element)
            by_first_holder.setdefault(min(positions), []).append(positions)
    return {position: one & kept for position, one in sets.items() if one & kept}


def greedy(sets: Mapping[int, AbstractSet[Hashable]]) -> list[int]:
    """A cover by taking, again and again, the first of the sets with most elements that are not covered.

    Sets are counted anew only where they could be the next: what one has left never grows.
    """
    chosen: list[int] = []
    missing = {element for one in sets.values() for element in one}
    waiting = [(-len(one), position) for position, one in sets.items()]
    heapify(waiting)
    while missing:
        fewer, position = waiting[0]
        left = len(sets[position] & missing)
        if left < -fewer:
            heapreplace(waiting, (-left, position))
            continue
        heappop(waiting)
        chosen.append(position)
        missing -= sets[position]
    return chosen


def _smaller(sets: dict[int, frozenset[Hashable]], cover: list[int], conflicts: int) -> tuple[list[int], bool]:
    """The smallest cover that the solver finds, and whether it has shown that there is no smaller one."""
    from pysat.card import ITotalizer
    from pysat.solvers import Solver

    variables = {position: number for number, position in enumerate(sets, start=1)}
    with ITotalizer(lits=list(variables.values()), ubound=len(cover)) as counted, Solver(name="minisat22") as solver:
        for clause in counted.cnf.clauses:
            solver.add_clause(clause)
        for _, holders in sorted(_holders(sets).items(), key=lambda item: sorted(item[1])):
            solver.add_clause([variables[position] for position in sorted(holders)])
        solver.conf_budget(conflicts)
        while len(cover) > 1:
            solver.add_clause([-counted.rhs[len(cover) - 1]])
            found = solver.solve_limited()
            if found is None:
                return cover, False
            if not found:
                break
            true = _true(solver.get_model())
            cover = [position for position, variable in variables.items() if variable in true]
    return cover, True


def _true(model: Iterable[int]) -> set[int]:
    return {literal for literal in model if literal > 0}
