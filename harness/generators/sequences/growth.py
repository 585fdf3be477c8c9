"""Tells that an exploration does not end, and names what grows and the line of the spec that bounds it.

Without an end, some number, text, container or class of objects exceeds every bound. An exploration with an end may
look alike for long, as its structures multiply up to their bound. So one structure is followed up to where the
exploration is late: it is endless if calls make the structure larger ever again, within the bounds of the scope.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import isfinite

from harness.generators.protocol import SequenceTask
from harness.generators.sequences.calls import CallChoice
from harness.generators.sequences.matching import Size, growing, sizes_of
from harness.generators.sequences.object_check import ObjectCheck
from harness.generators.sequences.replay import ReplayExecutor
from harness.generators.sequences.structures import Rows, Structure, length
from harness.kernel.inputs.routines import Routines
from harness.kernel.objects.module_state import state_of
from harness.model.sequence import DEFAULT_ATTEMPTS

CLIMBED = 64
"""How often calls make something larger in a row before it grows without end, if no number of the spec is larger."""
MOST_CLIMBED = 256
"""The largest number of such calls, whatever numbers the spec has."""
LARGE = 1 << 13
"""The bytes of a canonical form that say as much if it has become MANY_TIMES as large."""
MANY_TIMES = 8
SAMPLED = 64
"""The most structures of a round that are looked at, and the most calls that are tried on one."""
MOST_PAIRED = 16
"""The most calls that are tried in pairs, where none makes a structure larger on its own."""
FIRST_LOOK = 30_000
"""The counted work before the first look. The next one comes after twice as much."""


Step = tuple[CallChoice, list[Structure], int]
"""A call, the structures that it takes, and the number of the one that is followed."""


class Growth:
    """Samples of the structures of each round, and the verdict on them.

    Args:
        choices: the calls that extend structures.
    """

    def __init__(self, task: SequenceTask, rows: Rows, choices: Sequence[CallChoice]) -> None:
        self._task = task
        self._rows = rows
        self._choices = choices
        self._found = 0
        self._rounds: list[list[Structure]] = [[]]
        self._stride = 1
        self._work = 0
        self._next_look = FIRST_LOOK
        self._own_rows = Rows(task.bounds, None)
        check = ObjectCheck(task)
        self._path = ReplayExecutor(
            Routines(task.module, task.bounds, state_of(task.module)),
            self._own_rows,
            True,
            lambda key, names, value: task.bounds.root in names and not check.accepts(value),
        )

    def next_round(self) -> None:
        """Begin a round."""
        self._found = 0
        self._rounds.append([])
        self._stride = 1

    def add(self, structure: Structure, key: bytes) -> None:
        """Note a new structure of the round; what it takes to make it again, and to read it, counts as work."""
        sample = self._rounds[-1]
        if self._found % self._stride == 0:
            sample.append(structure)
            if len(sample) > SAMPLED:
                del sample[1::2]
                self._stride *= 2
        self._found += 1
        self._work += len(self._rounds) + (len(key) >> 4)

    def ends(self, executed: int) -> bool:
        """Count executed calls, and return False if the exploration is seen to have no end.

        It is never seen where the spec gives the number of attempts, or the length of sequences, itself.
        """
        self._work += executed
        bounds = self._task.bounds
        is_bounded = bounds.most_attempts != DEFAULT_ATTEMPTS or bounds.most_calls is not None
        if self._work < self._next_look or is_bounded:
            return True
        self._next_look = 2 * self._work
        return not any(self._is_endless(name) for name, size in self._grown().items() if not size.bounded)

    def cause(self) -> str:
        """Name what grows, and the line of the spec that bounds it, as the end of a line."""
        where = "in sequences(scope) of the spec"
        if self._task.spec.sequences_of is None:
            where += ", whose s is SequenceScope.of_finitization(finitization(scope), scope)"
        return f"{growing(self._grown(), self._task.bounds)}, {where}; s.attempts(...) allows more sequences"

    def _grown(self) -> Mapping[str, Size]:
        """Return the sizes in the last round that found something that are larger than in a round in the middle."""
        before, now = (
            self._sizes(map(self._copied, some)) for some in (self._middle, self._rounds[-1] or self._rounds[-2])
        )
        return {name: size for name, size in now.items() if name not in before or before[name].most < size.most}

    @property
    def _middle(self) -> list[Structure]:
        """The sample of a round in the middle, whose structures are smaller than the last ones."""
        rounds = [sample for sample in self._rounds if sample]
        return rounds[(len(rounds) - 1) // 2] if rounds else []

    def _sizes(self, structures: Iterable[Structure]) -> dict[str, Size]:
        """Return the largest sizes in some structures."""
        sizes: dict[str, Size] = {}
        for one in structures:
            made = self._path.execute(self._own_rows.sequence(one.state))[one.result]
            for name, size in sizes_of(made, self._task.bounds):
                if name not in sizes or sizes[name].most < size.most:
                    sizes[name] = size
        return sizes

    def _copied(self, structure: Structure) -> Structure:
        return structure._replace(state=self._own_rows.after(self._rows.sequence(structure.state)))

    def _is_endless(self, name: str) -> bool:
        """Return whether calls make the size of that name larger as often in a row as nothing with an end allows."""
        here = max(map(self._copied, self._middle), key=lambda one: self._size(one, name))
        steps = self._steps(here, [one for sample in self._rounds for one in sample])
        last: tuple[Step, ...] = ()
        few = steps[:: 1 + len(steps) // MOST_PAIRED]
        first = 0
        for _ in range(min(MOST_CLIMBED, max(CLIMBED, _largest_number(self._task)))):
            larger = self._larger(here, name, [last]) or self._larger(here, name, product(steps))
            larger = larger or self._larger(here, name, product(few, repeat=2))
            if larger is None:
                return False
            here, last = larger
            first = first or len(here.encoding)
            if len(here.encoding) > max(LARGE, MANY_TIMES * first):
                return True
        return True

    def _steps(self, on: Structure, sampled: Sequence[Structure]) -> list[Step]:
        """Return calls on a structure, which also take the first structures that there are."""
        steps = []
        for choice in self._choices[:: 1 + len(self._choices) // SAMPLED]:
            classes = choice.classes(self._task.bounds.routines[choice.target], self._task.bounds.root)
            fitting = [[one for one in sampled if set(one.names) & set(names)] for names in classes]
            if all(fitting):
                parts = [self._copied(ones[0]) for ones in fitting]
                steps += [(choice, parts, at) for at, names in enumerate(classes) if set(names) & set(on.names)]
        return steps

    def _larger(
        self, here: Structure, name: str, paths: Iterable[tuple[Step, ...]]
    ) -> tuple[Structure, tuple[Step, ...]] | None:
        """Return the largest structure that is larger than `here` at the end of a path, with the path."""
        largest, most = None, self._size(here, name)
        for path in paths:
            after = [here]
            for step in path:
                after = [made for one in after for made in self._made(one, step)]
            for made in after:
                size = self._size(made, name)
                if size > most or (largest is not None and size == most):  # the call's result comes last
                    largest, most = (made, path), size
        return largest

    def _made(self, structure: Structure, step: Step) -> list[Structure]:
        choice, parts, at = step
        parts = [*parts[:at], structure, *parts[at + 1 :]]
        return [
            Structure(self._own_rows.extended(parts, choice), one.result, length(parts) + 1, one.names, one.key)
            for one in self._path.extend(parts, [choice])
            if one.names == structure.names and not one.rejected
        ]

    def _size(self, structure: Structure, name: str) -> float:
        sizes = self._sizes([structure])
        return sizes[name].most if name in sizes else 0


def _largest_number(task: SequenceTask) -> int:
    """Return the largest number that a call takes, times the number of elements."""
    bounds = task.bounds
    values = [value for routine in bounds.routines for parameter in routine.parameters for value in parameter.values]
    numbers = [abs(value) for value in values if isinstance(value, (int, float)) and isfinite(value)]
    return int(max(numbers, default=0)) * (bounds.most_elements or 1)
