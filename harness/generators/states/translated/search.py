"""Korat's search in C, with the vectors, order and number explored of KoratSearch."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Self

from harness.generators.states.layout import Layout
from harness.generators.states.native.build import shared_object
from harness.generators.states.native.untranslatable import NoCompiler, Untranslatable
from harness.generators.states.reference.plus_search import Pruning
from harness.generators.states.reference.stack import run_ends
from harness.generators.states.translated.emitter import LARGEST_INT, SMALLEST_INT, FailingPlace, class_attribute
from harness.generators.states.translated.translate import translate
from harness.kernel.inputs.state_space import PLAIN, FieldDomain, StateSpace
from harness.kernel.program.loader import resolve
from harness.kernel.specs.tokens import Token
from harness.model.finitization import ABSENT, ClassDomain, DomainKind

_INT, _NONE, _BOOL, _OBJECT, _STRING, _ARRAY = 0, 1, 2, 3, 4, 9
_NO_RANGE = -(1 << 63)
_LARGEST_DOMAIN = 1 << 16
_MOST_FIELDS = (1 << 15) - 1


class _Domain(ctypes.Structure):
    _fields_ = [
        ("n", ctypes.c_int32),
        ("run_count", ctypes.c_int32),
        ("words", ctypes.c_void_p),
        ("classes", ctypes.c_void_p),
        ("indices", ctypes.c_void_p),
        ("ends", ctypes.c_void_p),
        ("objects", ctypes.c_void_p),
        ("runs", ctypes.c_void_p),
        ("lowest", ctypes.c_int64),
    ]


class SpaceTables(ctypes.Structure):
    """The structure `Space` of values.h."""

    _fields_ = [
        *((name, ctypes.c_int32) for name in ("width", "objects", "domains", "names")),
        *((name, ctypes.c_void_p) for name in ("first", "count", "is_list", "type", "owner")),
        *((name, ctypes.c_void_p) for name in ("field_of", "domain_of", "field_domains", "compares")),
    ]


def classes_of(space: StateSpace, module: ModuleType) -> list[type]:
    """Return the classes with objects in the state space, each once; Token is last if there are tokens.

    Raises:
        SpecError: a class is missing.
    """
    domains = space.finitization.domains
    classes = {resolve(module, domain.class_name): None for domain in domains if domain.kind is DomainKind.OBJECT}
    if any(domain.kind is DomainKind.TOKEN for domain in domains):
        classes[Token] = None
    return list(classes)


class Tables:
    """The tables of one search; they live as long as this object.

    Raises:
        Untranslatable: a field domain holds floats, or the space is too large for the tables.
    """

    def __init__(
        self,
        space: StateSpace,
        module: ModuleType,
        classes: Sequence[type],
        strings: dict[str, int],
    ) -> None:
        self._buffers: list[Any] = []
        self._space = space
        self._strings = dict(strings)
        if space.width > _MOST_FIELDS or len(classes) > 64:
            raise Untranslatable(f"a state space of {space.width} fields")
        for cls in classes:
            if "__new__" in {name for base in cls.__mro__[:-1] for name in vars(base)}:
                raise Untranslatable(f"{cls.__name__}.__new__")
        by_domain: dict[int, int] = {}
        rows: list[_Domain] = []
        for field in space.fields:
            if id(field.domain) not in by_domain:
                by_domain[id(field.domain)] = len(rows)
                rows.append(self._domain(field.domain))
        numbers = {cls: number for number, cls in enumerate(classes)}
        objects = space.objects
        self.structure = SpaceTables(
            width=space.width,
            objects=len(objects),
            domains=len(space.finitization.domains),
            names=len(strings),
            first=self._ints([o.first for o in objects]),
            count=self._ints([len(o.names) for o in objects]),
            is_list=self._ints([o.is_sequence for o in objects]),
            type=self._ints([self._class_number(o.domain, module, numbers) for o in objects]),
            owner=self._ints([field.owner for field in space.fields]),
            field_of=self._field_of(strings),
            domain_of=self._ints([by_domain[id(field.domain)] for field in space.fields]),
            field_domains=self._keep((_Domain * max(1, len(rows)))(*rows)),
            compares=self._keep((ctypes.c_uint8 * max(1, len(classes)))(*map(_compares, classes))),
        )

    def _class_number(self, domain: ClassDomain, module: ModuleType, numbers: dict[type, int]) -> int:
        if domain.kind is DomainKind.LIST and not domain.own:
            return 0
        if domain.kind not in (DomainKind.OBJECT, DomainKind.TOKEN):
            raise Untranslatable(f"a {domain.kind.value} in the state space")
        return numbers[Token if domain.kind is DomainKind.TOKEN else resolve(module, domain.class_name)]

    def _field_of(self, strings: dict[str, int]) -> int:
        count = len(self._space.objects)
        table = [-1] * (count * max(1, len(strings)))
        for field in self._space.fields:
            number = strings.get(field.name)
            if number is not None and self._space.objects[field.owner].domain.kind is DomainKind.OBJECT:
                table[number * count + field.owner] = field.number
        return self._keep((ctypes.c_int16 * len(table))(*table))

    def _domain(self, domain: FieldDomain) -> _Domain:
        if len(domain) > _LARGEST_DOMAIN:
            raise Untranslatable(f"a field domain of {len(domain)} values")
        words = [self._word(plain, number) for plain, number in zip(domain.plain, domain.objects, strict=True)]
        ints = [value for value in domain.plain if type(value) is int]
        consecutive = len(ints) == len(domain) and ints == list(range(ints[0], ints[0] + len(ints)))
        runs = _runs(domain)
        return _Domain(
            n=len(domain),
            run_count=len(runs) // 3,
            words=self._keep((ctypes.c_int64 * len(words))(*words)),
            classes=self._ints(domain.classes),
            indices=self._ints(domain.indices),
            ends=self._ints(run_ends(domain)),
            objects=self._ints(domain.objects),
            runs=self._ints(runs),
            lowest=ints[0] if consecutive else _NO_RANGE,
        )

    def _word(self, plain: object, number: int) -> int:
        if number != PLAIN:
            return number << 4 | (_ARRAY if self._space.objects[number].domain.kind is DomainKind.LIST else _OBJECT)
        if plain is None:
            return _NONE
        if plain is ABSENT:
            raise Untranslatable("a dict in the state space")
        if isinstance(plain, bool):
            return plain << 4 | _BOOL
        if isinstance(plain, str):
            return self._strings.setdefault(plain, len(self._strings)) << 4 | _STRING
        if type(plain) is int and SMALLEST_INT <= plain <= LARGEST_INT:
            return plain << 4
        raise Untranslatable(f"the value {plain!r} of a field domain")

    def _ints(self, values: Sequence[int]) -> int:
        return self._keep((ctypes.c_int32 * max(1, len(values)))(*values))

    def _keep(self, array: Any) -> int:
        self._buffers.append(array)
        return ctypes.addressof(array)


def _runs(domain: FieldDomain) -> list[int]:
    """Return class domain, first position and length of each run of one class domain's objects."""
    runs: list[int] = []
    for position, number in enumerate(domain.classes):
        if number == PLAIN:
            continue
        if runs and domain.classes[position - 1] == number and position:
            runs[-1] += 1
        else:
            runs += [number, position, 1]
    return runs


def _compares(cls: type) -> bool:
    return any(
        class_attribute(cls, name) is not class_attribute(object, name)
        for name in ("__eq__", "__ne__", "__hash__", "__bool__")
    )


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


PACE = Pace()


class SearchGaveUp(Exception):
    """The compiled code gave up on a candidate; the text says why and where. The vectors so far are right."""


@dataclass(frozen=True)
class Block:
    """Valid vectors of a search, each `width` unsigned 16-bit integers in the machine's byte order.

    `data` is the search's own memory, to be used before another block is requested.
    """

    native: CompiledSearch
    data: memoryview

    def __len__(self) -> int:
        return len(self.data) // (2 * self.native.space.width)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return self.native.rows(self.data)


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
    """Load the functions of search.h from a shared object.

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
