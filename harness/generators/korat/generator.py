"""The `korat` generator: all valid states, with all arguments, up to isomorphism."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from harness.generators.arguments import Arguments, Group
from harness.generators.korat.search import KoratSearch
from harness.generators.layout import Layout
from harness.generators.protocol import Task
from harness.kernel.space import StateSpace
from harness.kernel.suites import structure_key
from harness.model.finitization import Finitization, Structures


class Korat:
    """Bounded-exhaustive generation by search (exhaustive2003, sections 3 and 6.1)."""

    name = "korat"
    version = "1"

    def produce(self, task: Task) -> KoratProduction:
        """A streaming run; the seed has no influence."""
        return KoratProduction(task)


class KoratProduction:
    """Searches the structures among the parameters once, then streams the states with their inputs."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self.structures: dict[str, list[list[int]]] = {}
        self._search = self._searching(task.finitization, task.spec.rep_ok)

    @property
    def explored(self) -> int:
        """Executions of rep_ok in the present search: at the end, that of the pre-states."""
        return self._search.explored

    @property
    def current(self) -> str:
        """The present candidate."""
        return self._search.current

    def __iter__(self) -> Iterator[Group]:
        task = self._task
        for number, target in enumerate(task.finitization.targets):
            for position, parameter in enumerate(target.parameters):
                if isinstance(parameter, Structures):
                    self._search = self._searching(parameter.finitization, parameter.rep_ok)
                    self.structures[structure_key(number, position)] = [list(vector) for vector in self._search]
        counts = {key: len(vectors) for key, vectors in self.structures.items()}
        self._search = self._searching(task.finitization, task.spec.rep_ok)
        arguments = Arguments(Layout(self._search.space), counts)
        for vector in self._search:
            yield from arguments.of(vector)

    def _searching(self, finitization: Finitization, rep_ok: Callable[[Any], Any]) -> KoratSearch:
        return KoratSearch(StateSpace(finitization), self._task.module, rep_ok)
