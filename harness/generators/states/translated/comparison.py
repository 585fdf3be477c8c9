"""Compares a native search with the reference engine at its beginning."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from harness.generators.states.describe import describe
from harness.generators.states.native.untranslatable import EngineDisagreement
from harness.generators.states.reference.plus_search import KoratPlusSearch
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.translated.search import CompiledSearch, RunningSearch
from harness.kernel.inputs.state_space import StateSpace

Vector = tuple[int, ...]
RepOk = Callable[[Any], Any]
CountedVectors = list[tuple[int, Vector]]
"""Vectors, each with the number of executions up to it."""


class EnoughError(BaseException):
    """A stretch is over; it is not an Exception, because the predicate could catch that."""


class Stretch(KoratSearch):
    """The reference engine's search, stopped before the execution after the first `most`.

    `cut` is then the next candidate.
    """

    def __init__(
        self,
        space: StateSpace,
        module: ModuleType,
        rep_ok: RepOk,
        most: int,
        **more: Any,
    ) -> None:
        super().__init__(space, module, rep_ok, **more)
        self._most = most
        self.cut: Vector = ()

    def _execute(self, *arguments: Any) -> bool:
        if self.explored == self._most:
            self.cut = tuple(self._stack.vector)
            raise EnoughError
        return super()._execute(*arguments)


class PlusStretch(Stretch, KoratPlusSearch):
    """A stretch of a search with a criterion."""


def compare(
    running: RunningSearch, native: CompiledSearch, stretch: Stretch, first_vectors: CountedVectors, exactly: bool
) -> None:
    """Run the native search, and check that it finds the same vectors after as many executions, and ends at the same
    place.

    Args:
        exactly: whether the native search executes rep_ok as often as the other one.

    Raises:
        EngineDisagreement: the results differ.
        SearchGaveUp: the native search gives up.
    """
    most = stretch.explored
    for explored, vector in first_vectors:
        mine = running.next_vector(most)
        if mine != vector or (native.explored != explored and exactly):
            raise _disagreement(native.space, explored, vector, mine)
    if stretch.cut and exactly:
        extra = running.next_vector(most)
        if extra is not None or running.candidate != stretch.cut or running.ended:
            raise _disagreement(native.space, most + 1, stretch.cut, extra or running.candidate)


def _disagreement(space: StateSpace, number: int, expected: Vector, actual: Vector | None) -> EngineDisagreement:
    other = "nothing" if actual is None else describe(space, actual)
    return EngineDisagreement(
        f"the engines disagree at candidate number {number}, {describe(space, expected)}, where the one in C "
        f"came to {other}"
    )
