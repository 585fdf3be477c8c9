"""Explores sequences in rounds (beapi2023, Figure 4); generators of sequences are policies for this exploration.

An exploration that does not end is told, with what grows and the line of the spec that bounds it. Without an end, some
number, text, container or class of objects exceeds every bound. An exploration with an end may look alike for long, as
its structures multiply up to their bound. So one structure is followed up to where the exploration is late: it is
endless if calls make the structure larger ever again, within the bounds of the scope.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import isfinite
from typing import Any

from harness.errors import SpecError
from harness.generators.protocol import SequenceTask
from harness.generators.sampled import SEQUENCE_SAMPLE
from harness.generators.sequences.namespaces import NotCompilable
from harness.generators.sequences.object_check import ObjectCheck
from harness.generators.sequences.replay import CallFailed, ReplayExecutor, Size, growing, sizes_of, unsteady
from harness.generators.sequences.snapshot_execution import SnapshotExecutor
from harness.generators.sequences.structures import (
    CallChoice,
    CallResult,
    Rows,
    SeenStructures,
    Structure,
    choices,
    length,
)
from harness.kernel.inputs.describe import show_sequence
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import SuiteWriter
from harness.kernel.objects.module_state import state_of
from harness.kernel.specs.spec import exception_summary
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


MOST_ROUNDS = 256
"""The largest number of rounds without a bound on length; a state that needs more counts as unbounded."""
NO_ROOT = (
    "no constructor makes an object of class {root} within the bounds; give one and its arguments by s.constructor(...)"
)


@dataclass(frozen=True)
class Policy:
    """The way in which a generator explores.

    Attributes:
        builders: names of the routines that extend sequences; None: all.
        matches: whether a sequence is dropped that leads to a known structure (SM of beapi2023, section 4.2).
        keeps_failures: whether exceptions that are no misuse are accepted like any other outcome.
        constructed_only: whether only objects that constructors make are arguments.
        most_calls: the largest number of calls of a sequence; None: until a round finds nothing new.
        restores: whether states are made from bytes, if possible, instead of executing sequences again.
    """

    builders: Collection[str] | None = None
    matches: bool = True
    keeps_failures: bool = False
    constructed_only: bool = False
    most_calls: int | None = None
    restores: bool = True

    def general_policy(self) -> Policy:
        """Return the same policy on the general path."""
        return replace(self, restores=False)


class SequenceExploration:
    """One run. Iteration does the work, and yields each new structure in order.

    Attributes:
        explored: sequences executed so far. A constructor counts in each round, as the paper's algorithm executes it.
        structures: distinct canonical structures so far.
        rounds: rounds begun so far; the last one finds nothing new, unless the length ends it.
        rows: the states, by the numbers in structures.
    """

    def __init__(self, task: SequenceTask, policy: Policy, writer: SuiteWriter | None = None) -> None:
        self.task = task
        self.policy = policy
        self.explored = 0
        self.rounds = 0
        self.rows = Rows(task.bounds, writer)
        self._kept = state_of(task.module)
        self._routines = Routines(task.module, task.bounds, self._kept)
        self._seen_structures = SeenStructures()
        self._new_structures = array("I")
        self._objects = ObjectCheck(task)
        self._rejected: dict[bytes, bool] = {}
        self.path: ReplayExecutor = self._path()
        self._pool: list[Structure] = []
        self._parts: Sequence[Structure] = ()
        chosen = [choice for number in range(len(task.bounds.routines)) for choice in choices(task.bounds, number)]
        self._choices = [choice for choice in chosen if self._is_builder(choice)]
        self._growth = Growth(task, self.rows, self._choices)

    @property
    def structures(self) -> int:
        """The number of distinct canonical structures so far."""
        return len(self._seen_structures)

    @property
    def current(self) -> str:
        """The sequences that are being executed, as short text."""
        if self.path.at is None:
            return "a call"
        return show_sequence(self.task.bounds, self.rows.calls(self._parts, self.path.at))

    def __iter__(self) -> Iterator[Structure]:
        on_none = [choice for choice in self._choices if not self._classes(choice)]
        on_one = [choice for choice in self._choices if self._classes(choice) == [(self.task.bounds.root,)]]
        on_more = [choice for choice in self._choices if choice not in on_none and choice not in on_one]
        new: list[Structure] = []
        while True:
            self.rounds += 1
            self._growth.next_round()
            if self.rounds > MOST_ROUNDS and self.policy.most_calls is None:
                raise self._unbounded()
            new_structures: list[Structure] = []
            for structures in self._round(new, on_none, on_one, on_more):
                yield from structures
                new_structures += structures
            if self.rounds == 1:
                self._check_root(new_structures)
            if on_more:
                self._pool += new_structures
            new = new_structures
            if not new or self.rounds == self.policy.most_calls:
                return

    def _round(
        self, new: Sequence[Structure], on_none: list[CallChoice], on_one: list[CallChoice], on_more: list[CallChoice]
    ) -> Iterator[Sequence[Structure]]:
        """Yield the new structures of a round, which extends the structures of the round before."""
        first_new = len(self._pool) - len(new)
        if self.rounds == 1:
            yield self._extended((), on_none)
        else:
            self._count(len(on_none))
        for structure in new:
            if self.task.bounds.root in structure.names and self._may_be_longer(structure):
                yield self._extended((structure,), on_one)
        for choice in on_more:
            for parts in self._tuples(choice, first_new):
                yield self._extended(parts, [choice])

    def _may_be_longer(self, structure: Structure) -> bool:
        most = self.task.bounds.most_calls
        return most is None or structure.length < most

    def _extended(self, parts: Sequence[Structure], tried: Sequence[CallChoice]) -> Sequence[Structure]:
        """Return the new structures to which calls on parts lead."""
        if not tried:
            return ()
        self._parts = parts
        self._rejected.clear()
        self._count(len(tried))
        try:
            results = self._call_results(parts, tried)
        except CallFailed as failure:
            raise self._failed(failure) from None
        if not results:
            return ()
        states: dict[CallChoice, int] = {}
        structures = []
        for one in self._accepted(parts, results):
            is_new = self._seen_structures.add(one.key)
            if is_new or not self.policy.matches:
                structures.append(self._stored_structure(parts, one, states, is_new))
        return structures

    def _accepted(self, parts: Sequence[Structure], call_results: Sequence[CallResult]) -> Sequence[CallResult]:
        """Drop the calls that made an object that rep_ok rejects.

        Raises:
            SpecError: there is such an object, and failures are not discarded.
        """
        rejected = [one.choice for one in call_results if one.rejected]
        if rejected and not self.task.bounds.discards_failures:
            raise self._objects.failure(self.rows.calls(parts, rejected[0]))
        return [one for one in call_results if one.choice not in rejected]

    def _rejects(self, key: bytes, names: Sequence[str], value: Any) -> bool:
        """Return whether rep_ok rejects an object. It is called for new objects, and once in each extension."""
        if key in self._seen_structures or self.task.bounds.root not in names:
            return False
        if key not in self._rejected:
            self._rejected[key] = not self._objects.accepts(value)
        return self._rejected[key]

    def _call_results(self, parts: Sequence[Structure], tried: Sequence[CallChoice]) -> list[CallResult]:
        if self.path.restores:
            try:
                results = self.path.extend(parts, tried)
                if self._kept.is_as_loaded:  # else states are not all that the program keeps
                    return results
            except (NotCompilable, CallFailed):
                pass
            self._generalize()
        return self.path.extend(parts, tried)

    def _path(self) -> ReplayExecutor:
        discards = self.policy.keeps_failures or self.task.bounds.discards_failures
        if self.policy.restores:
            seen_structures = self._seen_structures if self.policy.matches else None
            try:
                return SnapshotExecutor(
                    self._routines, self.rows, discards, self._rejects, seen_structures, self.task.module
                )
            except NotCompilable:
                pass
        return ReplayExecutor(self._routines, self.rows, discards, self._rejects)

    def _generalize(self) -> None:
        """Continue by the general path, with the structures that are known so far."""
        self.policy = self.policy.general_policy()
        self.path = self._path()
        self._seen_structures.clear()
        for state, result in zip(self._new_structures[::2], self._new_structures[1::2], strict=True):
            self._seen_structures.add(self.path.key(self.path.execute(self.rows.sequence(state))[result]) or b"")

    def _stored_structure(
        self, parts: Sequence[Structure], call_result: CallResult, states: dict[CallChoice, int], is_new: bool
    ) -> Structure:
        state = states.get(call_result.choice)
        if state is None:
            state = states[call_result.choice] = self.rows.extended(parts, call_result.choice)
        structure = Structure(state, call_result.result, length(parts) + 1, call_result.names, call_result.encoding)
        if is_new:
            self._growth.add(structure, call_result.key)
            self._new_structures.append(state)
            self._new_structures.append(call_result.result)
        if is_new and SEQUENCE_SAMPLE.has(len(self._seen_structures) - 1):
            unsteady(self.path, self.task, self.rows.sequence(structure.state), structure.result, call_result.key)
        return structure

    def _count(self, executed: int) -> None:
        self.explored += executed
        work = executed if self.path.restores else executed * self.rounds
        has_end = self.policy.most_calls is not None or self._growth.ends(work)
        if self.explored > self.task.bounds.most_attempts or not has_end:
            raise self._unbounded()

    def _unbounded(self) -> SpecError:
        """Return the error for a scope whose attempts are used up, or that has no end."""
        return SpecError(
            f"{self.task.module.__file__}: after {self.explored} sequences in {self.rounds} rounds, "
            f"{self.structures} structures are found and new ones still come; {self._growth.cause()}"
        )

    def _tuples(self, choice: CallChoice, first_new: int) -> Iterator[Sequence[Structure]]:
        """Yield all tuples of parts that a call can take of which at least one is new."""
        numbered = list(enumerate(self._pool))
        candidates = [
            [(number, part) for number, part in numbered if set(names) & set(part.names)]
            for names in self._classes(choice)
        ]
        if self.policy.constructed_only:
            candidates[1:] = [[(number, part) for number, part in some if part.length == 1] for some in candidates[1:]]
        most = self.policy.most_calls
        for chosen in product(*candidates):
            if any(number >= first_new for number, _ in chosen):
                parts = [part for _, part in chosen]
                if most is None or length(parts) < most:
                    yield parts

    def _classes(self, choice: CallChoice) -> list[tuple[str, ...]]:
        return choice.classes(self.task.bounds.routines[choice.target], self.task.bounds.root)

    def _is_builder(self, choice: CallChoice) -> bool:
        routine = self.task.bounds.routines[choice.target]
        builders = self.policy.builders
        return builders is None or not routine.has_receiver or routine.name in builders

    def _check_root(self, structures: Sequence[Structure]) -> None:
        root = self.task.bounds.root
        if not any(root in structure.names for structure in structures):
            raise SpecError(NO_ROOT.format(root=root))

    def _failed(self, failure: CallFailed) -> SpecError:
        text = show_sequence(self.task.bounds, self.rows.calls(failure.parts, failure.choice))
        name = type(failure.error).__name__
        routine = self.task.bounds.routines[failure.choice.target]
        arguments = "" if routine.has_receiver else "give other arguments by s.constructor(...), "
        return SpecError(
            f"{self.task.module.__file__}: a failure: {text} raised {exception_summary(failure.error)}; "
            f"{arguments}correct the implementation, or say that it is misuse by s.misuse({name!r}, ...) or "
            "requires=..., or s.discard_failures()"
        )
