"""Chooses the engine of a search: the reference engine begins, and the compiled engine continues if it can."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.generators.processor_time import ProcessorTime
from harness.generators.states.describe import describe
from harness.generators.states.native.untranslatable import EngineDisagreement, NoCompiler, Untranslatable
from harness.generators.states.reference.plus_search import KoratPlusSearch, Pruning
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.translated.search import (
    PACE,
    Block,
    CompiledSearch,
    Pace,
    RunningSearch,
    SearchGaveUp,
)
from harness.generators.states.translated.sources import uses_dedicated
from harness.kernel.inputs.state_space import Decoder, StateSpace

Vector = tuple[int, ...]
RepOk = Callable[[Any], Any]
CountedVectors = list[tuple[int, Vector]]
"""Vectors, each with the number of executions up to it."""


@dataclass(frozen=True)
class Workshop:
    """Settings of a search other than its task, such as a folder for shared objects and a function for notices."""

    folder: Path
    notice: Callable[[str], None]
    engine: Callable[[str], None] = lambda name: None
    """A function that is called with the name of each engine that begins to search."""
    compiled: bool = True
    """Whether to try the compiled engine."""
    pace: Pace = PACE


class StateSearch:
    """Searches like KoratSearch with its defaults, by any engine: vectors, order and `explored` are the same.

    The reference engine searches first. If it does not finish soon, the compiled engine repeats its search, candidate
    by candidate, and continues if both agree. If the compiled engine cannot do the search, or differs from the
    reference engine, that one searches all of it. `workshop.notice` receives the reason.

    Args:
        workshop: None for the reference engine only.
        outcomes: outcome pruning (see CompiledSearch) in the compiled part; `explored` is then less.
        pruning: pruning by a criterion, as in KoratPlusSearch.

    Raises:
        SpecError: as KoratSearch.
    """

    def __init__(
        self,
        space: StateSpace,
        module: ModuleType,
        rep_ok: RepOk,
        workshop: Workshop | None = None,
        *,
        outcomes: bool = False,
        pruning: Pruning | None = None,
    ) -> None:
        self.space = space
        self.module = module
        self.rep_ok = rep_ok
        self._workshop = workshop
        self._outcomes = outcomes
        self._pruning = pruning
        self.engine = "reference"
        """The one at work; at the end, the one that came to it."""
        self.compiling = ProcessorTime()
        """Of translating predicates and of the C compiler."""
        self._covered: dict[Hashable, Vector] | None = None
        """The classes that the compiled engine has covered, if that is at work."""
        self._begun = self._new_search()
        self._present: KoratSearch | CompiledSearch = self._begun

    @property
    def explored(self) -> int:
        """The number of executions of rep_ok."""
        return self._present.explored

    @property
    def classes(self) -> dict[Hashable, Vector]:
        """The classes covered by a search with a criterion, and the first valid vector of each."""
        if self._covered is not None:
            return self._covered
        return self._begun.classes if isinstance(self._begun, KoratPlusSearch) else {}

    @property
    def unread(self) -> list[str]:
        """The fields of several values that rep_ok left unread in a valid state that the reference engine found."""
        unread = (self.space.fields[number] for number in sorted(self._begun.unread))
        fields = [field for field in unread if len(field.domain) > 1]
        return list(dict.fromkeys(self.space.objects[field.owner].field_name(field.name) for field in fields))

    @property
    def current(self) -> str:
        """The present candidate; while all of the search is compiled, its number."""
        return self._present.current

    @property
    def executing(self) -> str:
        """The function that is executed on the present candidate."""
        return self._present.executing if isinstance(self._present, KoratSearch) else "rep_ok"

    def __iter__(self) -> Iterator[Vector]:
        for piece in self.pieces():
            if isinstance(piece, Block):
                yield from piece
            else:
                yield piece

    def pieces(self) -> Iterator[Vector | Block]:
        """Yield the same vectors. Compiled code finds them in blocks, each of which is valid until the next piece."""
        if self._workshop is None:
            yield from self._reference()
            return
        self._workshop.engine("reference")
        begun = self._begun = self._present = self._new_search()
        beginning = begun.most = self._workshop.pace.beginning
        vectors: CountedVectors = []
        with closing(iter(begun)) as reference:
            for vector in reference:
                vectors.append((begun.explored, vector))
                yield vector
                if len(vectors) == beginning:
                    break
            else:
                if begun.cut is None:
                    return
        yield from self._go_on(self._workshop, begun, vectors)

    def _reference(self) -> KoratSearch:
        self._present = self._begun = search = self._new_search()
        self.engine = "reference"
        return search

    def _new_search(self) -> KoratSearch:
        if self._pruning is None:
            return KoratSearch(self.space, self.module, self.rep_ok)
        return KoratPlusSearch(self.space, self.module, self.rep_ok, self._pruning)

    def _go_on(self, workshop: Workshop, begun: KoratSearch, first_vectors: CountedVectors) -> Iterator[Vector | Block]:
        count = len(first_vectors)
        if workshop.compiled:
            self.engine = "compiled"
            workshop.engine("compiled")
            try:
                with self.compiling:
                    native = CompiledSearch(
                        *(self.space, self.module, self.rep_ok, workshop.folder),
                        outcomes=self._outcomes,
                        criterion=self._pruning,
                        pace=workshop.pace,
                    )
                for block in self._blocks(native, begun, first_vectors):
                    count += len(block)
                    yield block
                return
            except (NoCompiler, Untranslatable, SearchGaveUp, EngineDisagreement) as reason:
                self._report_fallback(workshop, reason)
        self._covered = None
        workshop.engine("reference")
        yield from islice(self._reference(), count, None)

    def _report_fallback(self, workshop: Workshop, reason: Exception) -> None:
        name = getattr(getattr(self.rep_ok, "__wrapped__", self.rep_ok), "__name__", "rep_ok")
        predicates = [self.rep_ok] if self._pruning is None else [self.rep_ok, self._pruning.eq_class]
        if any(map(uses_dedicated, predicates)):
            why = "it uses a dedicated generator"
        else:
            why = f"{reason}; write that differently" if isinstance(reason, Untranslatable) else f"{reason}"
        workshop.notice(f"{name} is searched with by the reference engine, which is slower: {why}")

    def _blocks(self, native: CompiledSearch, begun: KoratSearch, first_vectors: CountedVectors) -> Iterator[Block]:
        """Yield the blocks after the first vectors."""
        covered: dict[Hashable, Vector] = {}
        self._covered = covered
        with native.begin() as running:
            compare(running, native, begun, first_vectors, not self._outcomes)
            self._present = native
            yield from running.blocks()
            if self._pruning is not None:
                decoder = Decoder(self.space, self.module)
                for vector in running.class_vectors:
                    covered.setdefault(self._pruning.eq_class(decoder.decode(vector).root), vector)


def compare(
    running: RunningSearch, native: CompiledSearch, stretch: KoratSearch, first_vectors: CountedVectors, exactly: bool
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
    if stretch.cut is not None and exactly:
        extra = running.next_vector(most)
        if extra is not None or running.candidate != stretch.cut or running.ended:
            raise _disagreement(native.space, most + 1, stretch.cut, extra or running.candidate)


def _disagreement(space: StateSpace, number: int, expected: Vector, actual: Vector | None) -> EngineDisagreement:
    other = "nothing" if actual is None else describe(space, actual)
    return EngineDisagreement(
        f"the engines disagree at candidate number {number}, {describe(space, expected)}, where the one in C "
        f"came to {other}"
    )
