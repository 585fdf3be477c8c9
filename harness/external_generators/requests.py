"""The request to `harness.external_generators.process`, and its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PRINTED, ERRORS = "printed", "said"
"""Files in the folder of a tool: its standard output, and its standard error."""


@dataclass(frozen=True)
class ToolRequest:
    """Run a tool as a process of its own with limits.

    Attributes:
        environment: variables, besides those of the sandbox.
        folder: where its output is written.
        cpu: seconds of processor time at most.
        wall: seconds of wall clock at most.
        memory: bytes of address space at most.
        size: bytes of a file at most.
    """

    command: tuple[str, ...]
    environment: Mapping[str, str]
    folder: str
    cpu: int
    wall: int
    memory: int
    size: int


@dataclass(frozen=True)
class ToolEnd:
    """The end of a tool, and what it took.

    Attributes:
        status: its exit status; negative: the number of a signal.
        over: whether a limit ended it.
        most_bytes: of memory, that it had at any time.
    """

    status: int
    over: bool
    seconds: float
    cpu_seconds: float
    most_bytes: int
