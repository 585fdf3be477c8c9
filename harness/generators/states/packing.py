"""Writes valid vectors into a suite: those that compiled code finds in blocks, if their calls do not depend on them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from harness.generators.processor_time import ProcessorTime
from harness.generators.protocol import Group, Look, write_groups
from harness.generators.sampled import STATE_SAMPLE
from harness.generators.states.describe import describe
from harness.generators.states.native.untranslatable import LateDisagreement
from harness.generators.states.translated.search import Block
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import SuiteWriter

_LOW = slice(sys.byteorder == "big", None, 2)
"""The lower bytes of 16-bit integers."""


@dataclass(frozen=True)
class Recipe:
    """The rule that turns a search's vectors into states and calls.

    Args:
        groups: returns the groups of a vector, in order.
        skipped: the number of fields at a vector's head that are not the state's.
        alike: whether a vector is one state, whose calls depend on its head only.
    """

    groups: Callable[[Sequence[int]], Iterator[Group]]
    skipped: int = 0
    alike: bool = True


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
    for piece in pieces:
        with spent:
            if not isinstance(piece, Block):
                write_groups(recipe.groups(piece), writer, look)
                continue
            confirmed = None if look is None else _confirming(look, piece.native.space)
            if recipe.alike:
                _write_block(piece, recipe, writer, confirmed)
            else:
                for vector in piece:
                    write_groups(recipe.groups(vector), writer, confirmed)


def _confirming(look: Look, space: StateSpace) -> Look:
    """Return a function that refuses a state of the compiled engine that rep_ok does not accept."""

    def confirm(state: Sequence[int]) -> bool:
        if not look(state):
            accepted = describe(space, state)
            raise LateDisagreement(f"the compiled engine accepts {accepted}, which rep_ok refuses")
        return True

    return confirm


def _write_block(block: Block, recipe: Recipe, writer: SuiteWriter, look: Look | None) -> None:
    """Write the vectors of a block without their heads; those with the same head come one after the other."""
    data, size, head = bytes(block.data), 2 * block.native.space.width, 2 * recipe.skipped
    places = range(0, len(data), size)
    states = b"".join(data[at + head : at + size] for at in places) if head else data
    first = state = writer.header.states
    writer.add_block(memoryview(states[_LOW] if writer.header.itemsize == 1 else states), len(block))
    for _, run in groupby(places, lambda at: data[at : at + head]) if head else [(b"", places)] * bool(data):
        at, *more = run
        ((_, calls),) = recipe.groups(_vector(data[at : at + size]))
        writer.add_inputs(state, writer.row(calls), 1 + len(more))
        state += 1 + len(more)
    if look is not None:
        for number in STATE_SAMPLE.numbers(first, state):
            look(_vector(states[(size - head) * (number - first) :][: size - head]))


def _vector(data: bytes) -> tuple[int, ...]:
    return tuple(memoryview(data).cast("H"))
