"""Produces a suite of sequences from an exploration: every structure with every possible call on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from harness.generators.processor_time import ExploringTime
from harness.generators.protocol import ProductionBase, ProductionFacts, SequenceTask
from harness.generators.sequences.exploration import Policy, SequenceExploration
from harness.generators.sequences.structures import CallChoice, Structure, choices, length, results
from harness.kernel.inputs.suites import NO_STATE, SuiteWriter

MOST_WITH_OBJECTS = 1_000_000
"""The largest number of inputs of one routine that takes objects, with one tuple of values. Beyond it, only the
structures found first are passed besides the receiver, so that the inputs do not exceed this number."""


class Production(ProductionBase):
    """One run of a generator that explores by a policy.

    Args:
        extended_only: whether only structures that the exploration may extend get inputs, so that each input has been
            executed.
    """

    def __init__(self, task: SequenceTask, policy: Policy, extended_only: bool = False) -> None:
        self._task = task
        self._policy = policy
        self._extended_only = extended_only
        self._exploration = SequenceExploration(task, policy)
        self._exploring = ExploringTime()
        self._every: dict[int, int] = {}
        self._has_preconditions = any(routine.requires is not None for routine in task.bounds.routines)

    @property
    def explored(self) -> int:
        """The number of sequences executed so far."""
        return self._exploration.explored

    def facts(self) -> ProductionFacts:
        """Return the facts about the run: the number of structures found, and the time spent on finding them."""
        return ProductionFacts(distinct=self._exploration.structures, exploring_seconds=self._exploring.seconds)

    @property
    def current(self) -> str:
        """The sequence that is being executed, as short text."""
        return self._exploration.current

    def write(self, writer: SuiteWriter) -> None:
        """Write the suite; see `SequenceProduction.write`."""
        self._exploration = exploration = SequenceExploration(self._task, self._policy, writer)
        bounds = self._task.bounds
        every = [choice for number in range(len(bounds.routines)) for choice in choices(bounds, number)]
        classes_of_choice = {choice: choice.classes(bounds.routines[choice.target], bounds.root) for choice in every}
        for choice in every:
            if not classes_of_choice[choice]:
                writer.add_input(NO_STATE, exploration.rows.call((), choice))
        on_root = [choice for choice in every if classes_of_choice[choice] == [(bounds.root,)]]
        with_objects = [choice for choice in every if classes_of_choice[choice] not in ([], [(bounds.root,)])]
        extendable: list[Structure] = []
        for structure in self._exploring.of(exploration):
            if not self._is_input(structure):
                continue
            if bounds.root in structure.names:
                self._add(writer, structure, on_root)
            if with_objects:
                extendable.append(structure)
        for choice in with_objects:
            self._add_together(writer, choice, self._tuples(extendable, classes_of_choice[choice]))

    def _is_input(self, structure: Structure) -> bool:
        most = self._policy.most_calls if self._extended_only else self._task.bounds.most_calls
        return most is None or structure.length < most

    def _add(self, writer: SuiteWriter, structure: Structure, choices: Sequence[CallChoice]) -> None:
        """Write the inputs that take only the structure."""
        path, rows = self._exploration.path, self._exploration.rows
        if self._has_preconditions:
            permitted = path.permits((structure,), choices)
            if len(permitted) < len(choices):
                row = writer.row([rows.call((structure,), choice) for choice in permitted])
                writer.add_inputs(structure.state, row)
                return
        every = self._every.get(structure.result)
        if every is None:
            every = self._every[structure.result] = writer.row([rows.call((structure,), choice) for choice in choices])
        writer.add_inputs(structure.state, every)

    def _add_together(self, writer: SuiteWriter, choice: CallChoice, tuples: Iterable[Sequence[Structure]]) -> None:
        """Write the inputs of one call on several structures."""
        path, rows = self._exploration.path, self._exploration.rows
        asks = self._task.bounds.routines[choice.target].requires is not None
        call_rows: dict[tuple[int, ...], int] = {}
        for parts in tuples:
            if asks and not path.permits(parts, (choice,)):
                continue
            state = rows.joined(parts)
            numbers = tuple(results(parts))
            row = call_rows.get(numbers)
            if row is None:
                row = call_rows[numbers] = writer.row([rows.call(parts, choice)])
            writer.add_inputs(state, row)

    def _tuples(
        self, structures: Sequence[Structure], class_names: Sequence[tuple[str, ...]]
    ) -> Iterator[Sequence[Structure]]:
        """Yield the tuples of structures that a call can take, bounded by MOST_WITH_OBJECTS."""
        fitting = [[one for one in structures if set(names) & set(one.names)] for names in class_names]
        if self._policy.constructed_only:
            fitting[1:] = [[one for one in some if one.length == 1] for some in fitting[1:]]
        first, other_parts = fitting[0], fitting[1:]
        most = max(1, MOST_WITH_OBJECTS // max(1, len(first)))
        while other_parts and _product(other_parts) > most:
            longest = max(range(len(other_parts)), key=lambda at: len(other_parts[at]))
            other_parts[longest] = other_parts[longest][: max(1, len(other_parts[longest]) * 9 // 10)]
        for parts in product(first, *other_parts):
            if self._policy.most_calls is None or length(parts) < self._policy.most_calls:
                yield parts


def _product(structure_lists: Sequence[Sequence[Structure]]) -> int:
    total = 1
    for some in structure_lists:
        total *= len(some)
    return total
