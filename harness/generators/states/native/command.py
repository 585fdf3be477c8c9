"""Runs a command that may hang, flood or write garbage, with limits on its time and on its output."""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from harness.generators.states.native.untranslatable import NoCompiler

_OUTPUT_LIMIT = 1 << 16
"""The number of bytes kept of a command's output; later bytes are read and dropped."""
_LONGEST = 300
_BEAT = 0.1


@dataclass(frozen=True)
class CommandResult:
    """An ended command: its status, and the beginning of its output to both streams, as text."""

    status: int
    output: str

    @property
    def complaint(self) -> str:
        """One printable line: the first that names an error, else the first."""
        lines = self.output.splitlines()
        chosen = next((line for line in [*(line for line in lines if "error" in line), *lines] if line.strip()), "")
        printable = "".join(char if char.isprintable() else "?" for char in chosen.strip()[:_LONGEST])
        return printable or f"no message, exit status {self.status}"


def run_bounded(
    command: Sequence[str], seconds: float, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> CommandResult:
    """Run `command` to its end. If it takes longer than `seconds`, kill it and all processes that it started.

    Each of its processes also has `seconds` of processor time. They stay in this process's group, so that ending the
    group ends them.

    Raises:
        NoCompiler: it does not start, or does not end in time.
    """
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment,
            preexec_fn=partial(_limit_processor_time, int(seconds) + 1),
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise NoCompiler(f"{command[0]} cannot be started ({error}); install another C compiler") from None
    with process:
        try:
            output = _read(process, time.monotonic() + seconds)
            if output is None:
                raise NoCompiler(f"{command[0]} did not end within {seconds:g} s; install another C compiler")
        except BaseException:
            _kill(process.pid)
            raise
        return CommandResult(process.wait(), output.decode(errors="replace"))


def _read(process: subprocess.Popen[bytes], deadline: float) -> bytes | None:
    """Return the command's output until it ends, or None if it does not end in time."""
    assert process.stdout is not None
    end = process.stdout.fileno()
    output = b""
    while time.monotonic() < deadline:
        over = process.poll() is not None
        ready, _, _ = select.select([end], [], [], 0 if over else _BEAT)
        chunk = os.read(end, 1 << 16) if ready else b""
        output += chunk[: _OUTPUT_LIMIT - len(output)]
        if over and not chunk:
            return output
        if ready and not chunk:  # it has closed its streams, and still runs
            time.sleep(_BEAT / 10)
    return None


def _limit_processor_time(seconds: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    most = seconds if hard == resource.RLIM_INFINITY else min(seconds, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))


def _kill(pid: int) -> None:
    """Kill a process and all below it, the topmost first, so that it starts no more of them."""
    below = _children()
    agenda = [pid]
    for number in agenda:  # grows while it is walked
        agenda.extend(below.get(number, ()))
        try:
            os.kill(number, signal.SIGKILL)
        except OSError:
            pass


def _children() -> dict[int, list[int]]:
    """Return the children of every process, as far as /proc shows them."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text(errors="replace", encoding="utf-8").rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue  # it has ended meanwhile
        children.setdefault(parent, []).append(int(path.parent.name))
    return children
