"""Korat's search in C, with the vectors, order and number explored of KoratSearch."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Self

from harness.generators.states.layout import Layout
from harness.generators.states.native.build import shared_object
from harness.generators.states.native.untranslatable import NoCompiler
from harness.generators.states.reference.plus_search import Pruning
from harness.generators.states.translated.program import FailingPlace
from harness.generators.states.translated.tables import SpaceTables, Tables, classes_of
from harness.generators.states.translated.translate import translate
from harness.kernel.inputs.state_space import StateSpace

STEPS = 20_000_000
"""The steps that one execution of rep_ok may take before the reference engine takes over."""
ARENA = 1 << 22
"""The number of bytes for the objects that one execution of rep_ok allocates."""

_MORE, _END, _FAILED = range(3)
_WITHOUT_END = (1 << 63) - 1
_CAUSES = {
    1: "raises there",
    2: "computes an integer beyond 60 bits there",
    3: f"needs more than {ARENA >> 20} MiB there",
    4: "calls too deeply there",
    5: f"takes more than {STEPS:,} steps there",
    6: "does something there that is not translated",
}


@dataclass(frozen=True)
class Pace:
    """Limits of a search. They change how soon states are found, and never which."""

    beginning: int = 10_000
    """Executions of rep_ok, or valid vectors, after which it is worthwhile to compile: some hundredths of a second."""
    block: int = 4096
    """Vectors per call of the compiled code."""
    budget: int = 20_000_000
    """Steps per call: some hundredths of a second, so that signals are heard."""
    states: int = 1 << 13
    """For so many states there is room in one step of writing, or for those of the largest template."""


PACE = Pace()


class SearchGaveUp(Exception):
    """The compiled code gave up on a candidate; the text says why and where. The vectors so far are right."""


@dataclass(frozen=True)
class Block:
    """Valid vectors of a search, each `width` unsigned 16-bit integers in the machine's byte order.

    `data` may be the search's own memory, to be used before another block is requested.
    """

    native: CompiledSearch
    data: memoryview

    def __len__(self) -> int:
        return len(self.data) // (2 * self.native.space.width)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return self.native.rows(self.data)

    def __getitem__(self, number: int) -> tuple[int, ...]:
        return next(iter(self.behind(number)))

    def behind(self, count: int) -> Block:
        """Return the block without the first `count` vectors."""
        return Block(self.native, self.data[2 * self.native.space.width * count :])

    @property
    def address(self) -> int:
        """The address of the first vector."""
        return ctypes.addressof(ctypes.c_char.from_buffer(self.data))


class CompiledSearch(Iterable[tuple[int, ...]]):
    """Searches like KoratSearch, for predicates within the translated subset.

    If rep_ok has returned False after only comparing the integer that it read last, other values with the same outcomes
    of these comparisons are not tried. They count as explored, as if they had been tried.
    `explored` counts executions of rep_ok in the search begun last.

    Args:
        folder: the folder for shared objects between runs.
        criterion: Korat+'s criterion, as for KoratPlusSearch; excludes outcome pruning.
        outcomes: skip values on which rep_ok would return False for the same reason (outcome pruning): the
            same vectors in the same order, from fewer executions.

    Raises:
        Untranslatable: rep_ok or the space is outside the subset.
        NoCompiler: no C compiler works here.
        SpecError: a class of the finitization is missing, or a field domain is empty.
    """

    def __init__(  # noqa: PLR0913 (the state of a search)
        self,
        space: StateSpace,
        module: ModuleType,
        rep_ok: Callable[[Any], Any],
        folder: Path,
        *,
        outcomes: bool = False,
        criterion: Pruning | None = None,
        pace: Pace = PACE,
    ) -> None:
        self.space = space
        self.pace = pace
        self.explored = 0
        self._row = struct.Struct(f"={space.width}H")
        Layout(space)  # refuses empty field domains
        classes = classes_of(space, module)
        self._translation = translate(rep_ok, classes, outcomes=outcomes, criterion=criterion)
        self.tables = Tables(space, module, classes, self._translation.strings)
        self.library = load_library(shared_object(self._translation.text, folder))

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        with self.begin() as running:
            for block in running.blocks():
                yield from block

    @property
    def current(self) -> str:
        """The number of the present candidate, since its fields cannot be read while they change."""
        return f"number {self.explored + 1}"

    def begin(self) -> RunningSearch:
        """Return a search at its start; use it as a context manager."""
        self.explored = 0
        return RunningSearch(self, self._translation.places)

    def rows(self, block: bytes | memoryview) -> Iterator[tuple[int, ...]]:
        """Return an iterator of the vectors of a block."""
        return self._row.iter_unpack(block)


class RunningSearch:
    """A search in progress, which owns memory of the compiled code; `explored` is its owner's."""

    def __init__(self, owner: CompiledSearch, places: tuple[FailingPlace, ...]) -> None:
        self._owner = owner
        self._library = owner.library
        self._places = places
        self._width = owner.space.width
        self._search = owner.library.mutascope_open(ctypes.byref(owner.tables.structure), STEPS, ARENA)
        if not self._search:
            raise MemoryError("no memory for a compiled search")
        self._room = (ctypes.c_uint16 * (owner.pace.block * self._width))()
        self._written = ctypes.c_int64()
        self.ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._library.mutascope_close(self._search)

    @property
    def candidate(self) -> tuple[int, ...]:
        """The present candidate vector."""
        return tuple(self._library.mutascope_vector(self._search)[: self._width])

    @property
    def class_vectors(self) -> list[tuple[int, ...]]:
        """The first valid vector of each class covered so far, in order."""
        count = ctypes.c_int32()
        indices = self._library.mutascope_classes(self._search, ctypes.byref(count))
        return [tuple(indices[n * self._width : (n + 1) * self._width]) for n in range(count.value)]

    @property
    def unexecuted(self) -> int:
        """The number of valid vectors so far that differ from another only in fields that rep_ok did not read."""
        return int(self._library.mutascope_unexecuted(self._search))

    def blocks(self) -> Iterator[Block]:
        """Yield the vectors in blocks, perhaps empty ones, which lie in the memory of this search.

        Raises:
            SearchGaveUp: after the last vector before the candidate that the compiled code gave up on.
        """
        while not self.ended:
            yield Block(self._owner, self._step(self._owner.pace.block, _WITHOUT_END))

    def next_vector(self, most: int) -> tuple[int, ...] | None:
        """Return the next valid vector, or None at the end or before rep_ok would be executed more than `most` times.

        Raises:
            SearchGaveUp: as `blocks`.
        """
        block, before = memoryview(b""), -1
        while not block and not self.ended and before != self._owner.explored:
            before = self._owner.explored
            block = self._step(1, most)
        return next(self._owner.rows(block), None)

    def _step(self, room: int, most: int) -> memoryview:
        written, budget = self._written, self._owner.pace.budget
        status = self._library.mutascope_search(self._search, self._room, room, budget, most, ctypes.byref(written))
        self._owner.explored = self._library.mutascope_explored(self._search)
        if status == _FAILED and not written.value:
            raise SearchGaveUp(self._why())
        self.ended = status == _END
        return memoryview(self._room).cast("B")[: 2 * written.value * self._width]

    def _why(self) -> str:
        number = ctypes.c_int32()
        cause = _CAUSES[self._library.mutascope_failure(self._search, ctypes.byref(number))]
        place = self._places[number.value]
        return f"{place.construct} ({place.filename}:{place.line}): the predicate {cause}"


def load_library(path: Path) -> Any:
    """Load the functions of search.h and packing.h from a shared object.

    Raises:
        NoCompiler: it cannot be loaded, or lacks one of them.
    """
    pointer, integer, long = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
    functions: tuple[tuple[str, Any, list[Any]], ...] = (
        ("open", pointer, [ctypes.POINTER(SpaceTables), long, long]),
        ("search", ctypes.c_int, [pointer, pointer, long, long, long, ctypes.POINTER(long)]),
        ("vector", ctypes.POINTER(ctypes.c_uint16), [pointer]),
        ("explored", long, [pointer]),
        ("classes", ctypes.POINTER(ctypes.c_uint16), [pointer, ctypes.POINTER(integer)]),
        ("unexecuted", long, [pointer]),
        ("failure", integer, [pointer, ctypes.POINTER(integer)]),
        ("pack", ctypes.c_int, [pointer, pointer, pointer, long, pointer, pointer, long, pointer]),
        ("close", None, [pointer]),
    )
    try:
        library = ctypes.CDLL(str(path))
        for name, result, arguments in functions:
            function = getattr(library, f"mutascope_{name}")
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        path.unlink(missing_ok=True)  # so that the next run makes another one
        raise NoCompiler(f"the compiler made a library that cannot be used ({error})") from None
    return library
