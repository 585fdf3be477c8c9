"""Stores suites on disk: states, and which calls follow from them; written as a stream, read through mmap.

A suite is a folder: `header.json`, `states.bin` and `inputs.bin`. For state inputs, a state is a candidate vector, with
one or two bytes per field. For sequence inputs, it is the state that a sequence of calls leads to, as two unsigned
32-bit numbers. These are the state before the last of these calls (NO_STATE before a constructor's), and that call; so
sequences share their prefixes.

`inputs.bin` tells which calls each state has. Successive states with the same calls are a run of three unsigned 64-bit
numbers: its first input, the state of that input, and the position of the calls in `SuiteHeader.rows`. The digest is
made of all inputs, each as two unsigned 32-bit numbers: state, call. Files are little-endian, as the machines are.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, NamedTuple

from harness.errors import StoreError
from harness.kernel.process.trees import remove_tree
from harness.model.routines import Routine

FORMAT = 5

BLOCK, MOST_BLOCKS = 32, 1024
"""The inputs in each block whose processor time is kept, and the number of these blocks of a suite, the first ones."""


class InputKind(StrEnum):
    """The kind of a suite's inputs."""

    STATES = "states"
    SEQUENCES = "sequences"


@dataclass
class SuiteHeader:
    """The description of a suite and of its generation.

    `digest` is the sha256 of states, inputs and calls, which identifies the suite.
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
    rows: list[list[int]] = field(default_factory=list)
    """Numbers of calls that are inputs together, on each of the states of a run."""
    runs: int = 0
    """The number of runs of inputs."""
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
    """Processor seconds by purpose, if the generator reports them: `search`; `compile`, of predicates
    to machine code, the C compiler included; `write`, of the inputs; `generate`, of sequences, all of it.
    """
    made: list[float] = field(default_factory=list)
    """The processor seconds after which each of the first blocks of `BLOCK` inputs existed; empty in suites older than
    this. Blocks that were made at once have equal ones.
    """
    machine: str = ""
    """The processor that `seconds` were measured on; like `began`, empty in suites older than this."""
    began: str = ""
    """The time at which the generation of the suite began (UTC, ISO 8601)."""
    digest: str = ""
    format: int = FORMAT

    @property
    def valid(self) -> int:
        """The number of valid states, each once; of sequences, the structures, if the generator counts them."""
        return self.states if self.distinct is None else self.distinct


def write_header(folder: Path, header: SuiteHeader) -> None:
    """Write the header to its file in the folder of the suite."""
    (folder / "header.json").write_text(json.dumps(asdict(header), indent=1) + "\n", encoding="utf-8")


def calls_as_bytes(header: SuiteHeader) -> bytes:
    """Return the part of a suite's digest for its calls; no suite within the bounds has another digest than before."""
    parts: list[object] = [header.calls, header.structures]
    return json.dumps(parts + [header.outside] * bool(header.outside), sort_keys=True).encode()


NO_STATE = 0xFFFFFFFF
"""The number that stands for the state before the first call of a sequence."""
_FLUSH_AT = 1 << 16
_CODES: dict[int, Literal["B", "H", "I"]] = {1: "B", 2: "H", 4: "I"}
RUN = 3
"""The numbers of a run of inputs in its file."""


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


class SuiteWriter:
    """Writes a suite while it is generated; memory does not grow with its inputs.

    Use as a context manager; leaving it by an exception removes what was written.

    Args:
        folder: the folder of the suite; what an earlier writer has left there is removed.
        spent: returns the processor seconds so far, from which those of the first blocks of inputs are measured.
    """

    def __init__(self, folder: Path, header: SuiteHeader, spent: Callable[[], float] | None = None) -> None:
        self._spent = spent
        self._began = 0.0 if spent is None else spent()
        self._folder = folder
        self.header = header
        self._calls: dict[Call, int] = {}
        self._rows: dict[tuple[Call, ...], int] = {}
        self._uses: list[int] = []
        self._states = array(_CODES[header.itemsize])
        self._runs = array("Q")
        self._continued = (-1, -1)
        self._digest = hashlib.sha256()
        self._inputs_digest = hashlib.sha256()

    def __enter__(self) -> SuiteWriter:
        remove_tree(self._folder)
        self._folder.mkdir(parents=True)
        self._states_file = (self._folder / "states.bin").open("wb")
        self._inputs_file = (self._folder / "inputs.bin").open("wb")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._states_file.close()
            self._inputs_file.close()
            remove_tree(self._folder)

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
        self.add_inputs(state, self.row([call]))

    def call_number(self, call: Call) -> int:
        """Return the number of a call, in the order of first use."""
        number = self._calls.get(call)
        if number is None:
            number = self._calls[call] = len(self._calls)
            self.header.calls.append([call.target, list(call.arguments)])
        return number

    def row(self, calls: Sequence[Call]) -> int:
        """Return the position of a row of calls that are inputs together."""
        key = tuple(calls)
        row = self._rows.get(key)
        if row is None:
            row = self._rows[key] = len(self._rows)
            self.header.rows.append([self.call_number(call) for call in calls])
            self._uses.append(0)
        return row

    def add_inputs(self, state: int, row: int, states: int = 1) -> None:
        """Append an input for each call of a row on state number `state`, and on those that follow it."""
        calls = self.header.rows[row]
        if not calls:
            return
        if self._continued != (row, state):
            self._runs.extend((self.header.inputs, state, row))
            self.header.runs += 1
        self._continued = (row, state + states)
        _add_pairs(self._inputs_digest, state, states, calls)
        self._uses[row] += states
        self.header.inputs += states * len(calls)
        self._note_time()
        if len(self._runs) >= _FLUSH_AT:
            self._flush()

    def add_block(self, states: memoryview, count: int) -> None:
        """Append so many states that are already in the format of the file."""
        self._flush()
        self._states_file.write(states)
        self._digest.update(states)
        self.header.states += count

    def close(self) -> SuiteHeader:
        """Complete the suite."""
        self._flush()
        self._states_file.close()
        self._inputs_file.close()
        header = self.header
        header.inputs_by_target = dict.fromkeys(header.targets, 0)  # one name may be declared several times
        for calls, uses in zip(self._rows, self._uses, strict=True):
            for call in calls:
                header.inputs_by_target[header.targets[call.target]] += uses
        self._digest.update(self._inputs_digest.digest())
        self._digest.update(calls_as_bytes(header))
        header.digest = self._digest.hexdigest()
        write_header(self._folder, header)
        return header

    def _note_time(self) -> None:
        if self._spent is not None:
            made, blocks = self.header.made, min(self.header.inputs // BLOCK, MOST_BLOCKS)
            if len(made) < blocks:
                made += [round(self._spent() - self._began, 6)] * (blocks - len(made))

    def _flush(self) -> None:
        self._states_file.write(self._states)
        self._digest.update(self._states)
        self._inputs_file.write(self._runs)
        del self._states[:], self._runs[:]


def _add_pairs(digest: hashlib._Hash, state: int, states: int, calls: Sequence[int]) -> None:
    """Add a run of inputs to a digest: each as its state and the number of its call.

    Many states are added 256 at a time, in one block whose higher bytes of states change from time to time.
    """
    end, row = state + states, array("I", [number for call in calls for number in (state, call)])
    if states < 256:
        for one in range(state, end):
            row[0::2] = array("I", [one]) * len(calls)
            digest.update(row)
        return
    block, size = bytearray(row * 256), 8 * len(calls)
    for at in range(0, size, 8):
        block[at::size] = bytes(range(256))
    while state < end:
        for byte, value in enumerate(state.to_bytes(4, "little")[1:], 1):
            if block[byte] != value:
                block[byte::8] = bytes([value]) * (256 * len(calls))
        low, high = state % 256, min(256, state % 256 + end - state)
        digest.update(memoryview(block)[low * size : high * size])
        state += high - low


class SuiteReader:
    """A complete suite, read through mmap: an ordered, immutable sequence of inputs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            fields = json.loads((folder / "header.json").read_text(encoding="utf-8"))
            if fields.get("format") != FORMAT:
                raise StoreError(f"{folder}: suite format {fields.get('format')}, not {FORMAT}; generate it again")
            self.header = SuiteHeader(**fields)
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise StoreError(
                f"{folder}: not a complete suite ({error}); delete the folder and generate it again"
            ) from None
        self.calls = [Call(target, tuple(arguments)) for target, arguments in self.header.calls]
        header = self.header
        self._states = _view(folder / "states.bin", _CODES[header.itemsize], header.states * header.width)
        self._first = self._end = 0
        self._runs = _view(folder / "inputs.bin", "Q", header.runs * RUN)

    def check(self) -> None:
        """Compare the stored files with the digest: some hundredths of a second for a million inputs.

        Raises:
            StoreError: the files have changed since the suite was written.
        """
        with (self.folder / "states.bin").open("rb") as states:
            digest = hashlib.file_digest(states, "sha256")
        with suppress(ArithmeticError, IndexError):  # runs that no writer writes
            digest.update(self._inputs_digest())
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
        if not self._first <= number < self._end:
            self._take_run(bisect_right(self._runs[::RUN], number) - 1)
        states, call = divmod(number - self._first, len(self._row))
        return self._state + states, self._row[call]

    def _take_run(self, run: int) -> None:
        """Make a run the current one."""
        self._first, self._state, row, *following = self._runs[RUN * run : RUN * run + RUN + 1]
        self._end = following[0] if following else self.header.inputs
        self._row = self.header.rows[row]

    def _inputs_digest(self) -> bytes:
        """Return the digest of the inputs as pairs of a state and a call.

        Raises:
            IndexError: the runs do not follow on each other, or have more states than there are.
        """
        digest = hashlib.sha256()
        end = 0
        for run in range(self.header.runs):
            self._take_run(run)
            states, rest = divmod(self._end - self._first, len(self._row))
            if self._first != end or rest or not 1 <= states <= max(1, self.header.states - self._state):
                raise IndexError(run)
            _add_pairs(digest, self._state, states, self._row)
            end = self._end
        return digest.digest()

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
        states = self._states
        of_pair = {(states[at] << 32) | states[at + 1]: at >> 1 for at in range(0, 2 * self.header.states, 2)}
        makers = array("I", [NO_STATE]) * self.header.states
        for number in range(self.header.inputs - 1, -1, -1):
            before, call = self.input(number)
            state = of_pair.get((before << 32) | call)
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


def _view(path: Path, code: Literal["B", "H", "I", "Q"], items: int) -> Sequence[int]:
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
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return memoryview(data).cast(code)
