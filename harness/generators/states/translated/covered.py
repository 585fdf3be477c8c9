"""Collects the classes that a compiled search with a criterion has covered, by calling eq_class on real objects."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from types import ModuleType

from harness.generators.states.reference.plus_search import Pruning
from harness.kernel.inputs.decode import Decoder
from harness.kernel.inputs.state_space import StateSpace

Vector = tuple[int, ...]


class Covered:
    """The classes covered, in order, and the first valid vector of each."""

    def __init__(self, space: StateSpace, module: ModuleType, pruning: Pruning) -> None:
        self.classes: dict[Hashable, Vector] = {}
        self._decoder = Decoder(space, module)
        self._eq_class = pruning.eq_class

    def add(self, vectors: Iterable[Vector]) -> None:
        """Add valid vectors in order."""
        for vector in vectors:
            self.classes.setdefault(self._eq_class(self._decoder.decode(vector).root), vector)
