"""Runs a tool in a process of its own with limits, and reports its end and its costs."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.kernel.process.talk import Headway, answer

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
        most_bytes: of memory, that it had at any time.
    """

    status: int
    seconds: float
    cpu_seconds: float
    most_bytes: int

    @property
    def over(self) -> bool:
        """Whether a limit ended it."""
        return self.status in (-signal.SIGXCPU, -signal.SIGKILL)


def run(request: ToolRequest, headway: Headway) -> ToolEnd:
    """Run the tool until it ends or meets a limit."""
    headway.begins("running the tool", time.monotonic_ns)  # the wall clock, which limits the tool, always advances
    folder = Path(request.folder)
    started = time.monotonic()
    with (folder / PRINTED).open("wb") as printed, (folder / ERRORS).open("wb") as errors:
        try:
            status = subprocess.run(
                request.command,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=errors,
                env=os.environ | dict(request.environment),
                preexec_fn=lambda: _limit(request),
                timeout=request.wall,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            status = -signal.SIGKILL
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ToolEnd(
        status=status,
        seconds=time.monotonic() - started,
        cpu_seconds=used.ru_utime + used.ru_stime,
        most_bytes=used.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
    )


def _limit(request: ToolRequest) -> None:
    for kind, most in (
        (resource.RLIMIT_CPU, request.cpu),
        (resource.RLIMIT_AS, request.memory),
        (resource.RLIMIT_FSIZE, request.size),
    ):
        resource.setrlimit(kind, (most, most))


def main(arguments: list[str]) -> int:
    """Answer the question; see `harness.kernel.process.talk`."""
    return answer(arguments, run)
