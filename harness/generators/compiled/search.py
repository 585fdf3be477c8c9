"""Korat's search in C: the same vectors in the same order, and the same number explored, as KoratSearch."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.generators.compiled.build import shared_object
from harness.generators.compiled.tables import SpaceTables, Tables, classes_of
from harness.generators.compiled.translate import translate
from harness.generators.layout import Layout
from harness.kernel.space import StateSpace

BLOCK = 4096
"""Vectors per call of the compiled code."""
BUDGET = 20_000_000
"""Steps per call: some hundredths of a second, so that signals are heard."""
STEPS = 20_000_000
"""Steps that one execution of rep_ok may take before the reference engine takes over."""
ARENA = 1 << 22
"""Bytes for what one execution of rep_ok allocates."""

_MORE, _END, _FAILED = range(3)
_CAUSES = {
    1: "raises there",
    2: "computes an integer beyond 60 bits there",
    3: f"needs more than {ARENA >> 20} MiB there",
    4: "calls too deeply there",
    5: f"takes more than {STEPS:,} steps there",
    6: "does something there that is not translated",
}


class Interrupted(Exception):
    """The compiled code gave up on a candidate: why, and where; the vectors so far are right."""


class CompiledSearch:
    """As KoratSearch, for predicates within the translated subset.

    Args:
        folder: where shared objects are kept between runs.
        outcomes: skip values on which rep_ok would answer no just as it did (outcome pruning): the
            same vectors in the same order, from fewer executions; needs `pruning`.

    Raises:
        Untranslatable: rep_ok or the space is outside the subset.
        NoCompiler: no C compiler works here.
        SpecError: a class of the finitization is missing, or a field domain is empty.
    """

    def __init__(
        self,
        space: StateSpace,
        module: ModuleType,
        rep_ok: Callable[[Any], Any],
        folder: Path,
        *,
        pruning: bool = True,
        isomorphism_breaking: bool = True,
        outcomes: bool = False,
    ) -> None:
        Layout(space)  # refuses empty field domains
        self.space = space
        self.explored = 0
        classes = classes_of(space, module)
        self._translation = translate(rep_ok, classes, outcomes=outcomes)
        self._tables = Tables(
            space,
            module,
            classes,
            self._translation.strings,
            pruning=pruning or outcomes,
            isomorphism_breaking=isomorphism_breaking,
        )
        self._library = _library(shared_object(self._translation.text, folder))

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        if not self.space.width:
            raise AssertionError("the root has fields")  # no space is without one, by Layout
        unpack = struct.Struct(f"={self.space.width}H").iter_unpack
        for block in self.blocks():
            yield from unpack(block)

    def blocks(self) -> Iterator[bytes]:
        """The vectors in blocks: `width` unsigned 16-bit integers each, in the machine's byte order.

        Raises:
            Interrupted: after the last vector before the candidate that the compiled code gave up on.
        """
        library = self._library
        self.explored = 0
        search = library.mutascope_open(ctypes.byref(self._tables.structure), STEPS, ARENA)
        if not search:
            raise MemoryError("no memory for a compiled search")
        room = (ctypes.c_uint16 * (BLOCK * self.space.width))()
        written = ctypes.c_int64()
        row = 2 * self.space.width
        try:
            status = _MORE
            while status == _MORE:
                status = library.mutascope_search(search, room, BLOCK, BUDGET, ctypes.byref(written))
                self.explored = library.mutascope_explored(search)
                if written.value:
                    yield memoryview(room).cast("B")[: written.value * row].tobytes()
            if status == _FAILED:
                raise Interrupted(self._why(search))
        finally:
            library.mutascope_close(search)

    def _why(self, search: int) -> str:
        number = ctypes.c_int32()
        cause = _CAUSES[self._library.mutascope_failure(search, ctypes.byref(number))]
        place = self._translation.places[number.value]
        return f"rep_ok {cause}: {place.construct} ({place.filename}:{place.line})"


def _library(path: Path) -> Any:
    library: Any = ctypes.CDLL(str(path))
    pointer, integer, long = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
    for name, result, arguments in (
        ("open", pointer, [ctypes.POINTER(SpaceTables), long, long]),
        ("search", ctypes.c_int, [pointer, pointer, long, long, ctypes.POINTER(long)]),
        ("explored", long, [pointer]),
        ("failure", integer, [pointer, ctypes.POINTER(integer)]),
        ("close", None, [pointer]),
    ):
        function = getattr(library, f"mutascope_{name}")
        function.restype, function.argtypes = result, arguments
    return library
