"""Applies a criterion in the interpreted engine: eq_class runs in Python, on the objects that rep_ok has accepted."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from types import ModuleType
from typing import Any

from harness.errors import SpecError
from harness.generators.states.layout import Layout
from harness.generators.states.reference.criterion import WatchedCriterion
from harness.generators.states.reference.eager import Present
from harness.generators.states.reference.observe import Observed
from harness.generators.states.reference.plus_search import Pruning

Vector = tuple[int, ...]


class HostedObjects(Observed):
    """The objects of a search in C, which assigns their fields.

    Args:
        library: the compiled functions; `watch` needs those of a search with a criterion.
    """

    def __init__(self, layout: Layout, present: Present, module: ModuleType, library: Any) -> None:
        super().__init__(layout, present, module, library.read_field)
        self._library = library
        self.read: set[int] = set()
        """The fields that eq_class has read, as reported by compiled code."""

    def watch(self) -> set[int]:
        """Return a set that collects the fields read from now on, as if none had been read before."""
        self.read.clear()
        self._library.mutascope_hide()
        return self.read

    def unwatch(self) -> None:
        """Stop the collection that `watch` started."""
        self._library.mutascope_show()


class FirstOfClass:
    """Decides, when called for each valid candidate, whether it is the first of its class, and keeps those.

    Raises:
        SpecError: as Criterion.judge; it is also kept as `failure`.
    """

    def __init__(
        self,
        pruning: Pruning,
        layout: Layout,
        module: ModuleType,
        objects: HostedObjects,
        vector: Callable[[], Vector],
        current: Callable[[], str],
    ) -> None:
        self.classes: dict[Hashable, Vector] = {}
        self.failure: SpecError | None = None
        self._criterion = WatchedCriterion(pruning.eq_class, layout.space, module, pruning.forced_fields)
        self._objects = objects
        self._vector = vector
        self._current = current

    @property
    def is_running(self) -> bool:
        """Whether eq_class is being executed, or was given up."""
        return self._criterion.is_running

    def __call__(self) -> bool:
        vector = self._vector()
        try:
            judged = self._criterion.judge(self._objects, self._current, vector)
        except SpecError as error:
            self.failure = error
            raise
        return self.classes.setdefault(judged.value, vector) is vector
