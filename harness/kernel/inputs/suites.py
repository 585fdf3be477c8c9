"""Stores suites on disk: states and calls in flat arrays, written as a stream, read through mmap.

A suite is a folder: `header.json`, `states.bin` and `inputs.bin` (two unsigned 32-bit numbers per input: state, call).
For state inputs, a state is a candidate vector, with one or two bytes per field. For sequence inputs, it is the state
that a sequence of calls leads to, as two unsigned 32-bit numbers. These are the state before the last of these calls
(NO_STATE before a constructor's), and that call; so sequences share their prefixes. The folder appears under its final
name only when it is complete, so an interrupted writer leaves no suite behind.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Literal, NamedTuple

from harness.errors import StoreError
from harness.kernel.inputs.suite_header import (
    BLOCK,
    FORMAT,
    MOST_BLOCKS,
    InputKind,
    SuiteHeader,
    calls_as_bytes,
    checksum_of,
    write_header,
)
from harness.kernel.process.trees import remove_tree
from harness.model.routines import Routine

NO_STATE = 0xFFFFFFFF
"""The number that stands for the state before the first call of a sequence."""
_FLUSH_AT = 1 << 16
_CODES: dict[int, Literal["B", "H", "I"]] = {1: "B", 2: "H", 4: "I"}


class Call(NamedTuple):
    """A target (by its position) and one index into each parameter's domain.

    In a suite of sequences the target is a routine of the scope, and arguments are as `harness.model.sequence` says.
    """

    target: int
    arguments: tuple[int, ...]

    def earlier(self, routine: Routine) -> Iterator[int]:
        """Yield the numbers of the earlier calls in a sequence whose results `routine` takes, its receiver's first."""
        indices = self.arguments
        if routine.has_receiver:
            yield indices[0]
            indices = indices[1:]
        for parameter, index in zip(routine.parameters, indices, strict=True):
            if index >= len(parameter.values):
                yield index - len(parameter.values)


def structure_key(target: int, parameter: int) -> str:
    """Return the key of a `Structures` parameter in `SuiteHeader.structures`."""
    return f"{target}:{parameter}"


def note_making(folder: Path, machine: str, began: str) -> None:
    """Write into a suite's header where and when it was made; its digest stays."""
    write_header(folder, replace(SuiteReader(folder).header, machine=machine, began=began))


@dataclass
class CallBlock:
    """Calls that are inputs together: pairs of a state and a call's number as the file has them, and how often."""

    pairs: array[int]
    calls: list[Call]
    uses: int = 0


class SuiteWriter:
    """Writes a suite while it is generated; memory does not grow with its inputs.

    Use as a context manager; leaving it by an exception removes what was written.

    Args:
        spent: returns the processor seconds so far, from which those of the first blocks of inputs are measured.
    """

    def __init__(self, folder: Path, header: SuiteHeader, spent: Callable[[], float] | None = None) -> None:
        self._spent = spent
        self._began = 0.0 if spent is None else spent()
        self._folder = folder
        self._part = folder.with_name(f"{folder.name}.part-{os.getpid()}")
        self.header = header
        self._calls: dict[Call, int] = {}
        self._by_target = [0] * len(header.targets)
        self._blocks: list[CallBlock] = []
        self._states = array(_CODES[header.itemsize])
        self._inputs = array("I")
        self._digest = hashlib.sha256()
        self._inputs_digest = hashlib.sha256()

    def __enter__(self) -> SuiteWriter:
        remove_tree(self._part)
        self._part.mkdir(parents=True)
        self._states_file = (self._part / "states.bin").open("wb")
        self._inputs_file = (self._part / "inputs.bin").open("wb")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._states_file.close()
            self._inputs_file.close()
            remove_tree(self._part)

    def add_state(self, vector: Sequence[int]) -> int:
        """Append a state. Return its number."""
        self._states.extend(vector)
        number = self.header.states
        self.header.states += 1
        if len(self._states) >= _FLUSH_AT:
            self._flush()
        return number

    def add_input(self, state: int, call: Call) -> None:
        """Append an input: `call` on state number `state`."""
        self._inputs.append(state)
        self._inputs.append(self.call_number(call))
        self._by_target[call.target] += 1
        self.header.inputs += 1
        if not self.header.inputs % BLOCK:
            self._note_time()
        if len(self._inputs) >= _FLUSH_AT:
            self._flush()

    def call_number(self, call: Call) -> int:
        """Return the number of a call, in the order of first use."""
        number = self._calls.get(call)
        if number is None:
            number = self._calls[call] = len(self._calls)
            self.header.calls.append([call.target, list(call.arguments)])
        return number

    def block(self, calls: Sequence[Call]) -> CallBlock:
        """Return the block of calls that are going to be inputs together, on many states."""
        numbers = [self.call_number(call) for call in calls]
        block = CallBlock(array("I", [number for call in numbers for number in (NO_STATE, call)]), list(calls))
        self._blocks.append(block)
        return block

    def add_inputs(self, state: int, block: CallBlock) -> None:
        """Append an input for each call of a block on state number `state`."""
        block.pairs[0::2] = array("I", [state]) * len(block.calls)
        self._inputs.extend(block.pairs)
        block.uses += 1
        self.header.inputs += len(block.calls)
        self._note_time()
        if len(self._inputs) >= _FLUSH_AT:
            self._flush()

    def add_block(self, states: memoryview, inputs: memoryview, count: int, by_target: Sequence[int]) -> None:
        """Append states and inputs that are already in the format of the files.

        Args:
            count: the number of the states; the inputs number them from those on that are there.
            by_target: the numbers of the inputs by target.
        """
        self._flush()
        self._write(states, inputs)
        self.header.states += count
        self.header.inputs += sum(by_target)
        self._note_time()
        self._by_target = [known + more for known, more in zip(self._by_target, by_target, strict=True)]

    def close(self) -> SuiteHeader:
        """Complete the suite and give it its final name. An equal suite already there is kept."""
        self._flush()
        self._states_file.close()
        self._inputs_file.close()
        header = self.header
        for block in self._blocks:
            for call in block.calls:
                self._by_target[call.target] += block.uses
        counts = list(zip(header.targets, self._by_target, strict=True))  # one name may be declared several times
        header.inputs_by_target = {name: sum(n for other, n in counts if other == name) for name in header.targets}
        self._digest.update(self._inputs_digest.digest())
        self._digest.update(calls_as_bytes(header))
        header.digest = self._digest.hexdigest()
        write_header(self._part, header)
        try:
            self._part.rename(self._folder)
        except OSError:
            if not (self._folder / "header.json").is_file():
                raise
            remove_tree(self._part)
        return header

    def _note_time(self) -> None:
        if self._spent is not None:
            made, blocks = self.header.made, min(self.header.inputs // BLOCK, MOST_BLOCKS)
            if len(made) < blocks:
                made += [round(self._spent() - self._began, 6)] * (blocks - len(made))

    def _flush(self) -> None:
        for values in (self._states, self._inputs):
            if sys.byteorder == "big":
                values.byteswap()
        self._write(self._states.tobytes(), self._inputs.tobytes())
        del self._states[:]
        del self._inputs[:]

    def _write(self, states: bytes | memoryview, inputs: bytes | memoryview) -> None:
        self._states_file.write(states)
        self._digest.update(states)
        self._inputs_file.write(inputs)
        self._inputs_digest.update(inputs)


class SuiteReader:
    """A complete suite, read through mmap: an ordered, immutable sequence of inputs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            fields = json.loads((folder / "header.json").read_text(encoding="utf-8"))
            if fields.get("format") != FORMAT:
                raise StoreError(f"{folder}: suite format {fields.get('format')}, not {FORMAT}; generate it again")
            self.header = SuiteHeader(**fields)
            if self.header.checksum != checksum_of(fields):
                raise ValueError("header.json is not what was written there")
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise StoreError(
                f"{folder}: not a complete suite ({error}); delete the folder and generate it again"
            ) from None
        self.calls = [Call(target, tuple(arguments)) for target, arguments in self.header.calls]
        header = self.header
        self._states = _view(folder / "states.bin", _CODES[header.itemsize], header.states * header.width)
        self._inputs = _view(folder / "inputs.bin", "I", header.inputs * 2)

    def check(self) -> None:
        """Compare the stored files with the digest: some hundredths of a second for a million inputs.

        Raises:
            StoreError: the files have changed since the suite was written.
        """
        with (self.folder / "states.bin").open("rb") as states, (self.folder / "inputs.bin").open("rb") as inputs:
            digest = hashlib.file_digest(states, "sha256")
            digest.update(hashlib.file_digest(inputs, "sha256").digest())
        digest.update(calls_as_bytes(self.header))
        if digest.hexdigest() != self.header.digest:
            raise StoreError(
                f"{self.folder}: not what was written there; delete the folder and generate the suite again"
            )

    def __len__(self) -> int:
        return self.header.inputs

    def vector(self, state: int) -> Sequence[int]:
        """Return the candidate vector of state number `state`."""
        width = self.header.width
        return self._states[state * width : (state + 1) * width]

    def input(self, number: int) -> tuple[int, int]:
        """Return the state number and the call number of input `number`."""
        return self._inputs[2 * number], self._inputs[2 * number + 1]

    @property
    def holds_sequences(self) -> bool:
        """Whether the inputs are sequences of calls."""
        return self.header.kind == InputKind.SEQUENCES

    def before(self, state: int) -> int:
        """Return, in a suite of sequences, the state before the call that leads to a state."""
        return self._states[2 * state]

    def prefix(self, state: int) -> list[int]:
        """Return, in a suite of sequences, the numbers of the calls that lead to a state (none to NO_STATE), in order.

        Raises:
            StoreError: a state comes before the one that it is made from.
        """
        numbers: list[int] = []
        states = self._states
        while state != NO_STATE:
            before, call = states[2 * state], states[2 * state + 1]
            if before != NO_STATE and before >= state:
                raise StoreError(
                    f"{self.folder}: the pre-state {before} of state {state} comes after it; generate the suite again"
                )
            numbers.append(call)
            state = before
        numbers.reverse()
        return numbers

    def makers(self) -> array[int]:
        """Return, in a suite of sequences, by state, the first input whose calls lead to it; else NO_STATE."""
        states, inputs = self._states, self._inputs
        of_pair = {(states[at] << 32) | states[at + 1]: at >> 1 for at in range(0, 2 * self.header.states, 2)}
        makers = array("I", [NO_STATE]) * self.header.states
        for number in range(self.header.inputs - 1, -1, -1):
            state = of_pair.get((inputs[2 * number] << 32) | inputs[2 * number + 1])
            if state is not None:
                makers[state] = number
        return makers

    def sequence(self, number: int) -> list[Call]:
        """Return the calls of sequence input `number`, in order."""
        state, call = self.input(number)
        return [self.calls[at] for at in (*self.prefix(state), call)]

    def vectors(self) -> Iterator[bytes | tuple[int, ...]]:
        """Yield all states in order."""
        for state in range(self.header.states):
            yield tuple(self.vector(state))


def _view(path: Path, code: Literal["B", "H", "I"], items: int) -> Sequence[int]:
    itemsize = array(code).itemsize
    try:
        size = path.stat().st_size
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}; delete the folder and generate the suite again") from None
    if size != items * itemsize:
        raise StoreError(
            f"{path}: {size} bytes, not {items * itemsize}; delete the folder and generate the suite again"
        )
    if not size:
        return array(code)
    if sys.byteorder == "big":
        values = array(code, path.read_bytes())
        values.byteswap()
        return values
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return memoryview(data).cast(code)
