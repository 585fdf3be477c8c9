"""Compares a native search with the reference engine: at its beginning, and at samples of the later search."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from harness.errors import SpecError
from harness.generators.states.describe import describe
from harness.generators.states.native.parts import UNDECIDED, SearchPart
from harness.generators.states.native.untranslatable import EngineDisagreement, LateDisagreement
from harness.generators.states.reference.observe import StateObserver
from harness.generators.states.reference.plus_search import KoratPlusSearch, Pruning
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.translated.covered import Covered
from harness.generators.states.translated.search import NativeSearch, RunningSearch
from harness.kernel.inputs.state_space import StateSpace

STRETCH = 100
"""The number of executions of rep_ok, or of valid vectors, that are compared at a time after the beginning."""

Vector = tuple[int, ...]
RepOk = Callable[[Any], Any]
CountedVectors = list[tuple[int, Vector]]
"""Vectors, each with the number of executions up to it."""


class EnoughError(BaseException):
    """A stretch is over; it is not an Exception, because the predicate could catch that."""


class Stretch(KoratSearch):
    """The reference engine's search, stopped before the execution after the first `most`.

    `cut` is then the next candidate.

    Args:
        part: the part with whose first candidate it begins.
    """

    def __init__(
        self,
        space: StateSpace,
        module: ModuleType,
        rep_ok: RepOk,
        most: int,
        part: SearchPart | None = None,
        **more: Any,
    ) -> None:
        super().__init__(space, module, rep_ok, **more)
        self._most = most
        self._part = part
        self.cut: Vector = ()
        self.error: SpecError | None = None
        """The error on the candidate after all those found."""

    def counted_vectors(self) -> CountedVectors:
        """Return the vectors, at most `most`; if there are that many, there is no `cut`."""
        rows: CountedVectors = []
        vectors = iter(self)
        try:
            for vector in vectors:
                rows.append((self.explored, vector))
                if len(rows) == self._most:
                    break
        except EnoughError:
            pass
        except SpecError as error:
            self.error = error
        finally:
            vectors.close()
        return rows

    def _begin(self, observer: StateObserver) -> None:
        if self._part is None:
            return
        for field, index in zip(self._part.fields, self._part.indices, strict=True):
            observer.read_field(field)
            while self._stack.vector[field] != index:
                if not self._stack.step():
                    raise EngineDisagreement(
                        f"the reference engine never gives field {field} the value of index {index}"
                    )
            observer.rewrite(field)

    def _execute(self, *arguments: Any) -> bool:
        if self.explored == self._most:
            self.cut = tuple(self._stack.vector)
            raise EnoughError
        return super()._execute(*arguments)


class PlusStretch(Stretch, KoratPlusSearch):
    """A stretch of a search with a criterion.

    Args:
        pruning: the criterion.
        covered: the first vector of each class that is covered at the beginning of the stretch.
    """

    def __init__(self, *stretch: Any, pruning: Pruning, covered: Iterable[Vector] = ()) -> None:
        super().__init__(*stretch, pruning=pruning)
        before = Covered(self.space, self._module, pruning)
        before.add(covered)
        self.classes.update(before.classes)


def compare(
    running: RunningSearch, native: NativeSearch, stretch: Stretch, first_vectors: CountedVectors, exactly: bool
) -> None:
    """Run the native search, and check that it finds the same vectors after as many executions, and ends at the same
    place.

    Args:
        exactly: whether the native search executes rep_ok as often as the other one.

    Raises:
        Disagreement: the results differ.
        Interrupted: rep_ok raises, and the native search gives up, as it should.
        SpecError: rep_ok raises, but the native search does not give up.
    """
    before = native.explored
    most = before + stretch.explored
    for explored, vector in first_vectors:
        mine = running.next_vector(most)
        if mine is None and running.ended and running.floor:
            return  # it ends where its part does
        if mine != vector or (native.explored != before + explored and exactly):
            raise _disagreement(native.space, before + explored, vector, mine)
    if stretch.error is not None:
        running.next_vector(most)
        raise stretch.error
    if stretch.cut and exactly:
        extra = running.next_vector(most)
        if running.ended and running.floor and extra is None:
            return
        if extra is not None or running.candidate != stretch.cut or running.ended:
            raise _disagreement(native.space, most + 1, stretch.cut, extra or running.candidate)


class LateCheck:
    """Compares a stretch of the search each time the search has doubled its length.

    Args:
        executions: the number of executions after which it begins.
        pruning: the criterion of the search, if it has one.
    """

    def __init__(
        self, module: ModuleType, rep_ok: RepOk, executions: int, exactly: bool, pruning: Pruning | None = None
    ) -> None:
        self._module = module
        self._rep_ok = rep_ok
        self._exactly = exactly
        self._pruning = pruning
        self._next = 2 * executions

    def look(self, running: RunningSearch, native: NativeSearch) -> list[Vector]:
        """Return the vectors of a stretch that begins here, if a comparison is due.

        Raises:
            LateDisagreement: the native search finds other vectors.
            Interrupted, SpecError: rep_ok raises there.
        """
        part = running.remainder if native.explored >= self._next else None
        if part is None or part.after or part.decided != UNDECIDED:
            return []
        self._next = 2 * native.explored
        try:
            stretch = self._stretch(running, native, part)
            vectors = stretch.counted_vectors()
            if running.floor:
                vectors = [(explored, vector) for explored, vector in vectors if _is_within(part, vector)]
            compare(running, native, stretch, vectors, self._exactly)
        except EngineDisagreement as reason:
            raise LateDisagreement(str(reason)) from None
        return [vector for _, vector in vectors]

    def _stretch(self, running: RunningSearch, native: NativeSearch, part: SearchPart) -> Stretch:
        parts = (native.space, self._module, self._rep_ok, STRETCH, part)
        if self._pruning is None:
            return Stretch(*parts)
        return PlusStretch(*parts, pruning=self._pruning, covered=running.class_vectors)


def _is_within(part: SearchPart, vector: Vector) -> bool:
    """Return whether a vector has the values of the part's lowest fields."""
    lowest = zip(part.fields[: part.floor], part.indices, strict=False)
    return all(vector[field] == index for field, index in lowest)


def _disagreement(space: StateSpace, number: int, expected: Vector, actual: Vector | None) -> EngineDisagreement:
    other = "nothing" if actual is None else describe(space, actual)
    return EngineDisagreement(
        f"the engines disagree at candidate number {number}, {describe(space, expected)}, where the one in C "
        f"came to {other}"
    )
