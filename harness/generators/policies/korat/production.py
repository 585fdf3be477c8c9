"""One run of Korat: searches the structures, then streams the valid states with their inputs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from itertools import chain
from typing import Any

from harness.generators.processor_time import COMPILE, SEARCH, WRITE, ProcessorTime
from harness.generators.protocol import Group, ProductionBase, ProductionFacts, StateCheck, Task
from harness.generators.states.engine import StateSearch
from harness.generators.states.inputs import InputsOfStates, structure_parameters
from harness.generators.states.joint import JointSearch
from harness.generators.states.packing import Recipe, write_pieces
from harness.generators.states.reference.plus_search import Pruning
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import SuiteWriter, structure_key
from harness.model.finitization import DomainKind, Finitization, Reference, Structures


class KoratProduction(ProductionBase):
    """Searches the structures among the parameters once, then streams the states with their inputs.

    States that satisfy rep_ok come first. Then the inputs of targets whose precondition is searched follow, target by
    target: it is one of any state, or one over objects, whose fields are then searched with those of the state.

    Args:
        searched: the numbers of further targets whose precondition is searched.
    """

    def __init__(
        self, task: Task, *, outcomes: bool = False, pruning: Pruning | None = None, searched: Collection[int] = ()
    ) -> None:
        self._task = task
        self._searched_targets = searched
        self._outcomes = outcomes
        self._pruning = pruning
        self.structures: dict[str, list[list[int]]] = {}
        self.classes: dict[Hashable, tuple[int, ...]] = {}
        """The first state of each covered class, in order of discovery, if the run has a criterion."""
        self.cpu_seconds: dict[str, float] = {}
        """The processor seconds of a written run, by activity."""
        self._all_searches: list[StateSearch] = []
        self._search: StateSearch = self._searching(task.finitization, task.spec.rep_ok)
        self._counted: list[StateSearch] = []

    @property
    def explored(self) -> int:
        """The number of executions of rep_ok in the current search of structures, or in all searches of pre-states."""
        return sum(search.explored for search in self._counted) if self._counted else self._search.explored

    def facts(self) -> ProductionFacts:
        """Return the facts about the run: the final engines of the searches, and their findings."""
        own = (search for search in self._all_searches if search.space.finitization is self._task.finitization)
        return ProductionFacts(
            engines=tuple(dict.fromkeys(search.engine for search in self._all_searches if search.explored)),
            cpu_seconds=self.cpu_seconds,
            unread=tuple(dict.fromkeys(name for search in own for name in search.unread)),
            classes=self.classes,
        )

    @property
    def current(self) -> str:
        """The current candidate."""
        return self._search.current

    @property
    def executing(self) -> str:
        """The name of the function that is executed on the current candidate."""
        return self._search.executing

    def __iter__(self) -> Iterator[Group]:
        for search, recipe in self._searches():
            for vector in search:
                yield from recipe.groups(vector)

    def write_states(self, writer: SuiteWriter, check: StateCheck) -> None:
        """Write the groups; groups from compiled code are written in blocks, unless a subclass yields its own."""
        if type(self).__iter__ is not KoratProduction.__iter__:
            super().write_states(writer, check)
            return
        whole, writing = ProcessorTime(), ProcessorTime()
        with whole:
            for search, recipe in self._searches():
                write_pieces(search.pieces(), recipe, writer, None if recipe.skipped else check.look, writing)
        compiling = sum(search.compiling.seconds for search in self._all_searches)
        searching = whole.seconds - writing.seconds - compiling
        self.cpu_seconds = {SEARCH: searching, COMPILE: compiling, WRITE: writing.seconds}

    def _searches(self) -> Iterator[tuple[StateSearch, Recipe]]:
        """Yield the searches one after the other, each with the recipe that turns its vectors into groups."""
        finitization, module = self._task.finitization, self._task.module
        for key, parameter in structure_parameters(finitization).items():
            self._search = self._searching(parameter.finitization, parameter.rep_ok)
            self.structures[key] = [list(vector) for vector in self._search]
        own = [number for number in range(len(finitization.targets)) if self._is_searched(number)]
        others = [number for number in range(len(finitization.targets)) if number not in own]
        if others or not own:
            search = self._begin(self._searching(finitization, self._task.spec.rep_ok))
            inputs = InputsOfStates(module, search.space, self.structures, others)
            yield search, Recipe(inputs.groups, alike=inputs.all_plain and not inputs.filters)
            self._cover(search, 0)
        for number in own:
            if self._has_arguments(number):
                workshop = self._task.workshop
                joint = JointSearch(
                    *(finitization, number, module, self.structures, self._task.spec.rep_ok, workshop),
                    outcomes=self._outcomes,
                    pruning=self._pruning,
                )
                yield self._begin(joint.search), joint.recipe
                self._cover(joint.search, joint.recipe.skipped)

    def _is_searched(self, number: int) -> bool:
        """Return whether a target's precondition is searched, instead of asked about each valid state."""
        target = self._task.finitization.targets[number]
        if target.requires is None:
            return False
        values = chain.from_iterable(part for part in target.parameters if not isinstance(part, Structures))
        domains = self._task.finitization.domains
        with_fields = any(
            isinstance(value, Reference) and domains[value.domain].kind is not DomainKind.TOKEN for value in values
        )
        return target.any_state or with_fields or self._pruning is not None or number in self._searched_targets

    def _cover(self, search: StateSearch, skipped: int) -> None:
        """Store the classes that a search covered, and the first state of each."""
        for value, vector in search.classes.items():
            self.classes.setdefault(value, vector[skipped:])

    def _has_arguments(self, number: int) -> bool:
        """Return whether every parameter of a target has a value at this scope."""
        return all(
            self.structures[structure_key(number, position)] if isinstance(parameter, Structures) else parameter
            for position, parameter in enumerate(self._task.finitization.targets[number].parameters)
        )

    def _begin(self, search: StateSearch) -> StateSearch:
        self._search = search
        self._counted.append(search)
        if search not in self._all_searches:
            self._all_searches.append(search)
        return search

    def _searching(self, finitization: Finitization, rep_ok: Callable[[Any], Any]) -> StateSearch:
        task = self._task
        pruning = self._pruning if finitization is task.finitization else None
        space = StateSpace(finitization)
        search = StateSearch(space, task.module, rep_ok, task.workshop, outcomes=self._outcomes, pruning=pruning)
        self._all_searches.append(search)
        return search
