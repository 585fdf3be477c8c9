"""Chooses the engine of a search: the reference engine begins, and the fastest usable engine continues."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.generators.processor_time import ProcessorTime
from harness.generators.states.hosted.search import InterpretedSearch
from harness.generators.states.native.untranslatable import EngineDisagreement, NoCompiler, Untranslatable
from harness.generators.states.pace import PACE, Pace
from harness.generators.states.reference.plus_search import KoratPlusSearch, Pruning
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.translated.comparison import (
    CountedVectors,
    EnoughError,
    LateCheck,
    PlusStretch,
    Stretch,
    compare,
)
from harness.generators.states.translated.covered import Covered
from harness.generators.states.translated.parallel_search import Crew, WatchRules
from harness.generators.states.translated.search import Block, CompiledSearch, NativeSearch, RunningSearch, SearchGaveUp
from harness.generators.watchdog import EndlessCandidate
from harness.kernel.inputs.state_space import StateSpace

Vector = tuple[int, ...]
RepOk = Callable[[Any], Any]


@dataclass(frozen=True)
class Workshop:
    """Settings of a search other than its task, such as a folder for shared objects and a function for notices."""

    folder: Path
    notice: Callable[[str], None]
    jobs: int = 1
    """The number of processes that a long search is split over; it does not change the results."""
    engine: Callable[[str], None] = lambda name: None
    """A function that is called with the name of each engine that begins to search."""
    candidate_seconds: float = float("inf")
    """The wall-clock limit for rep_ok on one candidate, in those processes."""
    compiled: bool = True
    """Whether to try the compiled engine."""
    room: Path | None = None
    """The folder in which the processes store their results until they are read; None: `folder`."""
    pace: Pace = PACE


class StateSearch:
    """Searches like KoratSearch with its defaults, by any engine: vectors, order and `explored` are the same.

    The reference engine searches first. If it does not finish soon, the compiled engine repeats its search, candidate
    by candidate, and continues if both agree. If the compiled engine cannot do the search, or differs from the
    reference engine, the interpreted engine takes its place. If that fails likewise, the reference engine continues.
    `workshop.notice` receives the reasons.

    Args:
        workshop: None for the reference engine only.
        outcomes: outcome pruning (see CompiledSearch) in the compiled part; `explored` is then less.
        pruning: pruning by a criterion, as in KoratPlusSearch.

    Raises:
        SpecError: as KoratSearch.
        LateDisagreement: the compiled engine is wrong after the beginning; its results must not be kept.
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
        self._covered: Covered | None = None
        """By the engine in C that is at work."""
        self._begun = self._new_search()
        self._present: KoratSearch | NativeSearch | RunningSearch = self._begun
        self._checked: RunningSearch | None = None
        self._given_up: tuple[str, str] | None = None
        """The candidate that a search in C was given up on, and what was executed; that search is closed."""

    @property
    def explored(self) -> int:
        """The number of executions of rep_ok."""
        return self._present.explored

    @property
    def headway(self) -> int:
        """The number of executions of rep_ok, including those with which an engine repeats the search of another."""
        return self.explored + (0 if self._checked is None else self._checked.explored)

    @property
    def classes(self) -> dict[Hashable, Vector]:
        """The classes covered by a search with a criterion, and the first valid vector of each."""
        if self._covered is not None:
            return self._covered.classes
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
        return self._present.current if self._given_up is None else self._given_up[0]

    @property
    def executing(self) -> str:
        """The function that is executed on the present candidate."""
        return self._present.executing if self._given_up is None else self._given_up[1]

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
        beginning = self._workshop.pace.beginning
        begun = self._begun = self._present = self._stretch(beginning)
        vectors: CountedVectors = []
        reference = iter(begun)
        try:
            for vector in reference:
                vectors.append((begun.explored, vector))
                yield vector
                if len(vectors) == beginning:
                    break
            else:
                return
        except EnoughError:
            pass
        finally:
            reference.close()
        yield from self._go_on(self._workshop, begun, vectors)

    def _reference(self) -> KoratSearch:
        self._present = self._begun = search = self._new_search()
        self.engine = "reference"
        return search

    def _stretch(self, most: int) -> Stretch:
        parts = (self.space, self.module, self.rep_ok, most)
        return Stretch(*parts) if self._pruning is None else PlusStretch(*parts, pruning=self._pruning)

    def _new_search(self) -> KoratSearch:
        if self._pruning is None:
            return KoratSearch(self.space, self.module, self.rep_ok)
        return KoratPlusSearch(self.space, self.module, self.rep_ok, self._pruning)

    def _go_on(self, workshop: Workshop, begun: Stretch, first_vectors: CountedVectors) -> Iterator[Vector | Block]:
        count = len(first_vectors)
        late = LateCheck(self.module, self.rep_ok, begun.explored, not self._outcomes, self._pruning)
        engines: list[tuple[str, str, Callable[[], NativeSearch]]] = [
            ("compiled", "interpreted", lambda: self._compiled(workshop)),
            ("interpreted", "reference", lambda: self._interpreted(workshop)),
        ]
        for engine, next_best, search in engines[0 if workshop.compiled else 1 :]:
            try:
                self.engine = engine
                workshop.engine(engine)
                repeated = count - len(first_vectors)
                with self.compiling:
                    native = search()
                for block in self._blocks(
                    workshop, native, begun, first_vectors, late if engine == "compiled" else None
                ):
                    new_block = block.behind(min(repeated, len(block)))
                    repeated -= len(block) - len(new_block)
                    count += len(new_block)
                    yield new_block
                return
            except NoCompiler as reason:
                self._report_fallback(workshop, "reference", reason)
                break
            except (Untranslatable, SearchGaveUp, EngineDisagreement) as reason:
                self._report_fallback(workshop, next_best, reason)
        self._covered = None
        workshop.engine("reference")
        yield from islice(self._reference(), count, None)

    def _compiled(self, workshop: Workshop) -> NativeSearch:
        return CompiledSearch(
            *(self.space, self.module, self.rep_ok, workshop.folder),
            outcomes=self._outcomes,
            criterion=self._pruning,
            pace=workshop.pace,
        )

    def _interpreted(self, workshop: Workshop) -> NativeSearch:
        parts = (self.space, self.module, self.rep_ok, workshop.folder)
        return InterpretedSearch(*parts, criterion=self._pruning, pace=workshop.pace)

    @property
    def _written(self) -> RepOk:
        """The predicate as its author wrote it."""
        written: RepOk = getattr(self.rep_ok, "__wrapped__", self.rep_ok)
        return written

    @property
    def _file(self) -> str | None:
        code = getattr(self._written, "__code__", None)
        return None if code is None else str(code.co_filename)

    def _report_fallback(self, workshop: Workshop, engine: str, reason: Exception) -> None:
        name = getattr(self._written, "__name__", "rep_ok")
        workshop.notice(f"{name} is searched with by the {engine} engine, which is slower: {reason}")

    def _blocks(
        self,
        workshop: Workshop,
        native: NativeSearch,
        begun: Stretch,
        first_vectors: CountedVectors,
        late: LateCheck | None,
    ) -> Iterator[Block]:
        """Yield the blocks after the first vectors: from this process, and after a while from several."""
        rest_of_search = None
        covered = None if self._pruning is None else Covered(self.space, self.module, self._pruning)
        self._covered = covered
        with native.begin() as running:
            self._checked = running
            try:
                compare(running, native, begun, first_vectors, not self._outcomes)
            finally:
                self._checked = None
            self._present = running
            try:
                for block in running.blocks():
                    yield block
                    if late is not None and (more := late.look(running, native)):
                        yield native.block(more)
                    splits = workshop.jobs > 1 and not self._outcomes
                    if splits and running.seconds >= workshop.pace.split_after:
                        rest_of_search = running.remainder
                        break
                if covered is not None:
                    covered.add(running.class_vectors)
            except EndlessCandidate:
                self._given_up = running.current, running.executing
                raise
            finally:
                self._present = native
        if rest_of_search is not None:
            watch = WatchRules(workshop.candidate_seconds, self._file)
            with Crew(
                native, rest_of_search, workshop.jobs, workshop.room or workshop.folder, watch, late, covered
            ) as crew:
                yield from crew.blocks()
