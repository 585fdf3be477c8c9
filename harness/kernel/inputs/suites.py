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
import shutil
import sys
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, NamedTuple

from harness.errors import StoreError
from harness.model.routines import Routine

FORMAT = 4
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


class InputKind(StrEnum):
    """The kind of a suite's inputs."""

    STATES = "states"
    SEQUENCES = "sequences"


@dataclass
class SuiteHeader:
    """The description of a suite and of its generation.

    `digest` is the sha256 of states, inputs and calls, which identifies the suite; `checksum` that of all fields here.
    """

    subject: str
    subject_hash: str
    generator: str
    generator_version: str
    scope: int
    seed: int
    width: int
    itemsize: int
    targets: list[str]
    kind: str = InputKind.STATES.value
    calls: list[list[Any]] = field(default_factory=list)
    structures: dict[str, list[list[int]]] = field(default_factory=dict)
    """The vectors that the indices of `Structures` parameters stand for, by `target:parameter`."""
    outside: dict[str, list[str]] = field(default_factory=dict)
    """Of sequences, literals of values beyond the spec's bounds, by `routine:parameter` (`SequenceScope.extended`)."""
    engines: list[str] = field(default_factory=list)
    """The engines with which the searches ended; empty for a generator that does not report them."""
    unread: list[str] = field(default_factory=list)
    """The fields that rep_ok left unread in some valid state, as far as the reference engine looked."""
    classes: list[list[Any]] = field(default_factory=list)
    """The classes that a generator with a criterion has covered: the name of each, and its first state as text."""
    details: dict[str, Any] = field(default_factory=dict)
    """Details of this generator alone, under names of its own (`harness.model.details`)."""
    searchable: bool = True
    """Whether a search that executes rep_ok ends at this scope, as far as the generator knows."""
    explored: int = 0
    states: int = 0
    distinct: int | None = None
    """The number of different structures among the states of sequences, if the generator reports it. Other states are
    those of several structures side by side, such as arguments, or are known ones.
    """
    ended: str = ""
    """The reason why the generator stopped, if it reports one; empty for one that makes all inputs."""
    notices: list[str] = field(default_factory=list)
    """Remarks for users on the inputs: what was cut, pinned or given up, each in one line."""
    inputs: int = 0
    inputs_by_target: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    exploring_seconds: float | None = None
    """The part of `seconds` for finding structures of sequences, without writing inputs, if the generator reports it.
    """
    cpu_seconds: dict[str, float] = field(default_factory=dict)
    """Processor seconds by purpose, if the generator reports them: `search`, in all processes; `compile`, of predicates
    to machine code, the C compiler included; `write`, of the inputs; `generate`, of sequences, all of it.
    """
    machine: str = ""
    """The processor that `seconds` were measured on; like `jobs` and `began`, empty in suites older than this."""
    jobs: int = 0
    """The greatest number of processes that a long search was split over."""
    began: str = ""
    """The time at which the generation of the suite began (UTC, ISO 8601)."""
    digest: str = ""
    format: int = FORMAT
    checksum: str = ""

    @property
    def valid(self) -> int:
        """The number of valid states, each once; of sequences, the structures, if the generator counts them."""
        return self.states if self.distinct is None else self.distinct


def note_making(folder: Path, machine: str, jobs: int, began: str) -> None:
    """Write into a suite's header where it was made, with how many jobs and when; its digest stays."""
    _write_header(folder, replace(SuiteReader(folder).header, machine=machine, jobs=jobs, began=began))


def _write_header(folder: Path, header: SuiteHeader) -> None:
    header.checksum = checksum_of(asdict(header))
    (folder / "header.json").write_text(json.dumps(asdict(header), indent=1) + "\n", encoding="utf-8")


def checksum_of(fields: dict[str, Any]) -> str:
    """Return the checksum of a header's fields, except for the checksum among them."""
    summed_fields = {name: value for name, value in fields.items() if name != "checksum"}
    return hashlib.sha256(json.dumps(summed_fields, sort_keys=True).encode()).hexdigest()


def _calls_as_bytes(header: SuiteHeader) -> bytes:
    """Return the part of a suite's digest for its calls; no suite within the bounds has another digest than before."""
    parts: list[object] = [header.calls, header.structures]
    return json.dumps(parts + [header.outside] * bool(header.outside), sort_keys=True).encode()


def structure_key(target: int, parameter: int) -> str:
    """Return the key of a `Structures` parameter in `SuiteHeader.structures`."""
    return f"{target}:{parameter}"


@dataclass
class CallBlock:
    """Calls that are inputs together: pairs of a state and a call's number as the file has them, and how often."""

    pairs: array[int]
    calls: list[Call]
    uses: int = 0


class SuiteWriter:
    """Writes a suite while it is generated; memory does not grow with its inputs.

    Use as a context manager; leaving it by an exception removes what was written.
    """

    def __init__(self, folder: Path, header: SuiteHeader) -> None:
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
        shutil.rmtree(self._part, ignore_errors=True)
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
            shutil.rmtree(self._part, ignore_errors=True)

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
        self._digest.update(_calls_as_bytes(header))
        header.digest = self._digest.hexdigest()
        _write_header(self._part, header)
        try:
            self._part.rename(self._folder)
        except OSError:
            if not (self._folder / "header.json").is_file():
                raise
            shutil.rmtree(self._part, ignore_errors=True)
        return header

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
        digest.update(_calls_as_bytes(self.header))
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
                raise StoreError(f"{self.folder}: state {state} is told to come from state {before}; generate it again")
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
