"""Writes valid vectors into a suite in blocks, by compiled code, with the same bytes as one by one.

The states and calls that a vector yields depend only on a key. If all arguments are plain, there is only one key.
Otherwise the key is the number of objects of each class domain that the vector reaches, or its arguments if those are
among its fields. So Python computes a template once for each key, and compiled code repeats it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from operator import mul
from typing import Any

from harness.generators.processor_time import ProcessorTime
from harness.generators.protocol import Group, Look, write_groups
from harness.generators.sampled import STATE_SAMPLE
from harness.generators.states.describe import describe
from harness.generators.states.native.untranslatable import LateDisagreement
from harness.generators.states.translated.search import Block, CompiledSearch
from harness.kernel.inputs.suites import SuiteWriter

MOST_KEYS = 1 << 18
"""The number of keys above which vectors are written one by one."""
_PACKED, _NO_TEMPLATE, _NO_ROOM = range(3)
_ODD = -1
_BY_COPY, _BY_REACH, _BY_HEAD = range(3)


class _Template(ctypes.Structure):
    """The structure `Template` of packing.h."""

    _fields_ = [
        ("states", ctypes.c_int32),
        *((name, ctypes.c_void_p) for name in ("changes", "fields", "indices", "rows")),
    ]


class _Packing(ctypes.Structure):
    """The structure `Packing` of packing.h."""

    _fields_ = [
        *((name, ctypes.c_int32) for name in ("kind", "skipped", "itemsize")),
        *((name, ctypes.c_void_p) for name in ("strides", "templates", "agenda", "maxima", "seen")),
    ]


class _Packed(ctypes.Structure):
    """The structure `Packed` of packing.h."""

    _fields_ = [(name, ctypes.c_int64) for name in ("vectors", "states", "runs", "key")]


@dataclass(frozen=True)
class Recipe:
    """The rule that turns a search's vectors into states and calls.

    Args:
        groups: returns the groups of a vector, in order.
        skipped: the number of fields at a vector's head that are not the state's. If there are any, the calls depend
            only on them.
        reached: whether calls depend on the objects that a state reaches.
        each: whether calls depend on the whole state.
    """

    groups: Callable[[Sequence[int]], Iterator[Group]]
    skipped: int = 0
    reached: bool = False
    each: bool = False


def write_pieces(
    pieces: Iterable[Sequence[int] | Block],
    recipe: Recipe,
    writer: SuiteWriter,
    look: Look | None,
    spent: ProcessorTime,
) -> None:
    """Write the states and calls of a search's vectors, whichever engines find them.

    Args:
        look: called with the sampled states.
        spent: counts the processor time of writing, without that of the search.
    """
    packer: Packer | None = None
    for piece in pieces:
        with spent:
            if not isinstance(piece, Block):
                write_groups(recipe.groups(piece), writer, look)
                continue
            if packer is None or packer.native is not piece.native:
                packer = Packer(piece.native, recipe, writer)
            packer.write(piece, look)


class Packer:
    """Writes the vectors of one native search into a suite."""

    def __init__(self, native: CompiledSearch, recipe: Recipe, writer: SuiteWriter) -> None:
        self.native = native
        self._space = space = native.space
        self._recipe = recipe
        self._writer = writer
        self._buffers: list[Any] = []
        sizes = self._key_sizes()
        self._is_usable = not recipe.each and prod(sizes) <= MOST_KEYS
        keys = prod(sizes) if self._is_usable else 1
        self._templates = (ctypes.c_void_p * keys)()
        width, objects, domains = space.width, len(space.objects), len(space.finitization.domains)
        self._packing = _Packing(
            kind=_BY_HEAD if recipe.skipped else _BY_REACH if recipe.reached else _BY_COPY,
            skipped=recipe.skipped,
            itemsize=writer.header.itemsize,
            strides=self._keep((ctypes.c_int64 * max(1, len(sizes)))(*accumulate([1, *sizes[:-1]], mul))),
            templates=self._keep(self._templates),
            agenda=self._keep((ctypes.c_int32 * max(1, width))()),
            maxima=self._keep((ctypes.c_int32 * max(1, domains))()),
            seen=self._keep((ctypes.c_uint8 * max(1, objects))()),
        )
        self._packed = _Packed()
        self._make_room(native.pace.states)

    def write(self, block: Block, look: Look | None) -> None:
        """Write the states and inputs of a block's vectors, and call `look` with the sampled ones."""
        done, count = 0, len(block)
        while done < count:
            if self._is_usable:
                status = self._pack(block, done, look)
                done += self._packed.vectors
            else:
                status, self._packed.key = _NO_TEMPLATE, _ODD
            if status == _NO_TEMPLATE:
                vector = block[done]
                if self._packed.key != _ODD:
                    self._add_template(self._packed.key, vector)
                else:
                    write_groups(self._recipe.groups(vector), self._writer, look)
                    done += 1

    def _pack(self, block: Block, done: int, look: Look | None) -> int:
        writer, packed = self._writer, self._packed
        status: int = self.native.library.mutascope_pack(
            ctypes.byref(self.native.tables.structure),
            ctypes.byref(self._packing),
            block.address + 2 * done * self._space.width,
            len(block) - done,
            self._states,
            self._runs,
            self._room,
            ctypes.byref(packed),
        )
        size = writer.header.width * writer.header.itemsize
        states = memoryview(self._states).cast("B")[: packed.states * size]
        first = state = writer.header.states
        writer.add_block(states, packed.states)
        for run in range(packed.runs):
            row, count = self._runs[2 * run : 2 * run + 2]
            writer.add_inputs(state, row, count)
            state += count
        if look is not None:
            for number in STATE_SAMPLE.numbers(first, first + packed.states):
                part = states[(number - first) * size : (number - first + 1) * size]
                vector = tuple(part if writer.header.itemsize == 1 else part.cast("H"))
                if not look(vector):
                    accepted = describe(self._space, vector)
                    raise LateDisagreement(f"the compiled engine accepts {accepted}, which rep_ok refuses")
        return status

    def _add_template(self, key: int, vector: Sequence[int]) -> None:
        groups = list(self._recipe.groups(vector))
        own = vector[self._recipe.skipped :]
        changed = [[(field, index) for field, index in enumerate(state) if index != own[field]] for state, _ in groups]
        template = _Template(
            states=len(groups),
            changes=self._ints([len(fields) for fields in changed]),
            fields=self._ints([field for fields in changed for field, _ in fields]),
            indices=self._ints([index for fields in changed for _, index in fields]),
            rows=self._ints([self._writer.row(calls) for _, calls in groups]),
        )
        self._templates[key] = self._keep(template)
        self._make_room(max(self._room, len(groups)))

    def _make_room(self, states: int) -> None:
        size = self._writer.header.width * self._writer.header.itemsize
        self._states = (ctypes.c_char * max(1, states * size))()
        self._runs = (ctypes.c_int32 * max(1, 2 * states))()
        self._room = states

    def _key_sizes(self) -> list[int]:
        if self._recipe.skipped:
            return [len(field.domain) for field in self._space.fields[: self._recipe.skipped]]
        return [domain.size + 1 for domain in self._space.finitization.domains] if self._recipe.reached else []

    def _ints(self, values: Sequence[int]) -> int:
        return self._keep((ctypes.c_int32 * max(1, len(values)))(*values))

    def _keep(self, value: Any) -> int:
        self._buffers.append(value)
        return ctypes.addressof(value)
