"""Tells from samples of an exploration's rounds that it does not end, and names what grows and the line that bounds it.

Without an end, some number, text, container or class of objects exceeds every bound. An exploration with an end may
look alike for a while. So a verdict before the attempts are used up needs more: the size is beyond what the domains
explain while nothing else still grows up to its bound, or each round finds as many times more structures than the one
before.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from harness.generators.sequences.matching import Size, growing, sizes_of
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.sequences.replay import ReplayExecutor
from harness.generators.sequences.structures import Rows, Structure
from harness.model.sequence import DEFAULT_ATTEMPTS

SAMPLED = 64
"""The most structures of a round that are looked at."""
FIRST_LOOK = 30_000
"""The counted work before the first look. The next one comes after twice as much."""
FEWEST_ROUNDS = 8
"""The rounds before something counts as grown beyond what the domains explain."""
MOST_BEFORE_MULTIPLYING = 100_000
"""The structures that may be found before multiplying ones count as endless: lists and heaps multiply, too."""
EXPLAINED = 16
"""Any size up to this may be one of finitely many."""


class Growth:
    """Samples of the structures of each round, and the verdict on them."""

    def __init__(self, task: SequenceTask, rows: Rows) -> None:
        self._task = task
        self._rows = rows
        self._found = [0]
        self._rounds: list[list[Structure]] = [[]]
        self._stride = 1
        self._work = 0
        self._next_look = FIRST_LOOK

    def next_round(self) -> None:
        """Begin a round."""
        self._found.append(0)
        self._rounds.append([])
        self._stride = 1

    def add(self, structure: Structure, key: bytes) -> None:
        """Note a new structure of the round; what it takes to make it again, and to read it, counts as work."""
        sample = self._rounds[-1]
        if self._found[-1] % self._stride == 0:
            sample.append(structure)
            if len(sample) > SAMPLED:
                del sample[1::2]
                self._stride *= 2
        self._found[-1] += 1
        self._work += len(self._rounds) + (len(key) >> 4)

    def ends(self, executed: int, path: ReplayExecutor) -> bool:
        """Count executed calls, and return False if the exploration is seen to have no end.

        It is never seen where the spec gives the number of attempts itself.
        """
        self._work += executed
        if self._work < self._next_look or self._task.bounds.most_attempts != DEFAULT_ATTEMPTS:
            return True
        self._next_look = 2 * self._work
        first, middle, last = self._looked_at(path)
        explained = _explained(self._task)
        grown = [name for name in last if _at(first, name) < _at(middle, name) < last[name].most]
        still = [name for name in last if _at(first, name) < last[name].most]
        ends = any(last[name].bounded or last[name].most <= explained for name in still)
        if grown and not ends and len(self._rounds) > FEWEST_ROUNDS:
            return False
        found = self._found[-5:-1]
        multiplies = len(found) == 4 and all(found[at - 1] * found[at + 1] >= found[at] ** 2 for at in (1, 2))
        is_late = sum(self._found) > MOST_BEFORE_MULTIPLYING
        return not (is_late and multiplies and found[0] < found[-1] and any(not last[name].bounded for name in grown))

    def cause(self, path: ReplayExecutor) -> str:
        """Name what grows, and the line of the spec that bounds it, as the end of a line."""
        first, _, last = self._looked_at(path)
        grown = {name: last[name] for name in last if _at(first, name) < last[name].most}
        where = "in sequences(scope) of the spec"
        if self._task.spec.sequences_of is None:
            where += ", whose s is SequenceScope.of_finitization(finitization(scope), scope)"
        return f"{growing(grown, self._task.bounds)}, {where}; s.attempts(...) allows more sequences"

    def _looked_at(self, path: ReplayExecutor) -> list[Mapping[str, Size]]:
        """Return the sizes in a round in the middle, in a later one, and in the last one that found something."""
        rounds = [sample for sample in self._rounds if sample]
        last = len(rounds) - 1
        return [self._sizes(rounds[at], path) for at in (last // 2, (last // 2 + last) // 2, last)]

    def _sizes(self, sample: list[Structure], path: ReplayExecutor) -> Mapping[str, Size]:
        sizes: dict[str, Size] = {}
        for one in sample:
            for name, size in sizes_of(path.execute(self._rows.sequence(one.state))[one.result], self._task.bounds):
                if name not in sizes or sizes[name].most < size.most:
                    sizes[name] = size
        return sizes


def _at(sizes: Mapping[str, Size], name: str) -> float:
    return sizes[name].most if name in sizes else 0


def _explained(task: SequenceTask) -> float:
    """Return the largest size that the numbers and the choices of the domains may explain."""
    bounds = task.bounds
    pieces = [value for routine in bounds.routines for parameter in routine.parameters for value in parameter.values]
    if task.spec.finitization_of is not None:
        finitization = task.spec.finitization_of(task.scope)
        for domain in finitization.domains:
            pieces += [value for _, values in finitization.fields_of(domain) for value in values]
            pieces += [*domain.elements, *domain.keys]
    largest = max((abs(value) for value in pieces if isinstance(value, (int, float))), default=0)
    choices = max(prod(max(1, len(p.values)) for p in routine.parameters) for routine in bounds.routines)
    return max(EXPLAINED, choices, largest * (bounds.most_elements or 1))
