"""Reduces instances that cover pairs: to an irredundant subset, or to as few as possible (set cover)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace

CONFLICTS = 200_000
"""The conflicts of the solver after which the search for a smaller cover stops: some seconds, deterministic."""

Sets = Sequence[AbstractSet[Hashable]]


@dataclass(frozen=True)
class Cover:
    """Positions of sets that have all elements, ascending; `proven` is True if no smaller cover exists."""

    chosen: tuple[int, ...]
    proven: bool


def irredundant(sets: Sets) -> tuple[int, ...]:
    """Return positions of sets that have all elements, of which none can be left out.

    From the first on, a set is left out if all its elements are in other remaining sets. In Algorithm 1, later
    instances add what earlier ones lack, and not the reverse.
    """
    times = Counter(element for one in sets for element in one)
    positions = []
    for position, one in enumerate(sets):
        if all(times[element] > 1 for element in one):
            times.subtract(one)
        else:
            positions.append(position)
    return tuple(positions)


def minimal(sets: Sets, conflicts: int = CONFLICTS) -> Cover:
    """Return as few of the sets as have all elements.

    Sets that every cover needs, and redundant sets and elements, are settled first. For the rest, the search starts
    with a greedy cover; a SAT solver with a totalizer then finds smaller ones until there is none.

    Args:
        conflicts: the conflicts of the solver after which the smallest cover so far is returned, as not proven.
    """
    chosen, unsettled = _settled(sets)
    if not unsettled:
        return Cover(tuple(sorted(chosen)), True)
    smaller, proven = _smaller(unsettled, greedy(unsettled), conflicts)
    return Cover(tuple(sorted([*chosen, *smaller])), proven)


def _settled(sets: Sets) -> tuple[list[int], dict[int, frozenset[Hashable]]]:
    """Return positions of some smallest cover, and the uncovered elements of the sets that may join it."""
    chosen: list[int] = []
    left = {position: frozenset(one) for position, one in enumerate(sets)}
    while True:
        before = left
        left = _without_smaller_sets(left)
        left = _without_implied_elements(left)
        certain_positions = {next(iter(holders)) for holders in _holders(left).values() if len(holders) == 1}
        chosen += sorted(certain_positions)
        covered = frozenset(element for position in certain_positions for element in left[position])
        left = {position: one - covered for position, one in left.items() if position not in certain_positions}
        left = {position: one for position, one in left.items() if one}
        if left == before:
            return chosen, left


def _holders(sets: dict[int, frozenset[Hashable]]) -> dict[Hashable, frozenset[int]]:
    """Return, by element, the positions of the sets that have it."""
    holders: dict[Hashable, set[int]] = {}
    for position, one in sets.items():
        for element in one:
            holders.setdefault(element, set()).add(position)
    return {element: frozenset(positions) for element, positions in holders.items()}


def _without_smaller_sets(sets: dict[int, frozenset[Hashable]]) -> dict[int, frozenset[Hashable]]:
    """Return the sets without subsets of others; of equal ones, the first stays."""
    maximal: dict[int, frozenset[Hashable]] = {}
    having: dict[Hashable, list[int]] = {}
    for position, one in sorted(sets.items(), key=lambda item: (-len(item[1]), item[0])):
        rarest = min((having.get(element, []) for element in one), key=len, default=[])
        if not any(one <= maximal[other] for other in rarest):
            maximal[position] = one
            for element in one:
                having.setdefault(element, []).append(position)
    return dict(sorted(maximal.items()))


def _without_implied_elements(sets: dict[int, frozenset[Hashable]]) -> dict[int, frozenset[Hashable]]:
    """Return the sets without elements implied by another one; of elements in the same sets, one stays."""
    elements: set[Hashable] = set()
    by_first_holder: dict[int, list[frozenset[int]]] = {}
    for element, positions in sorted(_holders(sets).items(), key=lambda item: (len(item[1]), repr(item[0]))):
        holder_sets = (other for position in positions for other in by_first_holder.get(position, ()))
        if not any(other <= positions for other in holder_sets):
            elements.add(element)
            by_first_holder.setdefault(min(positions), []).append(positions)
    return {position: one & elements for position, one in sets.items() if one & elements}


def greedy(sets: Mapping[int, AbstractSet[Hashable]]) -> list[int]:
    """Return a cover made by repeatedly taking the first of the sets with the most uncovered elements.

    A set is counted again only if it could be the next: its number of uncovered elements never grows.
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
    """Return the smallest cover that the solver finds, and whether it has proven that there is no smaller one."""
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
            is_satisfiable = solver.solve_limited()
            if is_satisfiable is None:
                return cover, False
            if not is_satisfiable:
                break
            true = _true(solver.get_model())
            cover = [position for position, variable in variables.items() if variable in true]
    return cover, True


def _true(model: Iterable[int]) -> set[int]:
    return {literal for literal in model if literal > 0}
