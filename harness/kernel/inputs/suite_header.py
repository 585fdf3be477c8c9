"""Defines the header of a suite, which describes the suite and its generation, and writes it to its file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

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
