"""Runs a tool in a process of its own with limits, and reports its end and its costs."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from harness.external_generators.requests import ERRORS, PRINTED, ToolEnd, ToolRequest
from harness.kernel.process.talk import Headway, answer

_PAUSE = 0.05


def run(request: ToolRequest, headway: Headway) -> ToolEnd:
    """Run the tool until it ends or meets a limit."""
    headway.begins("running the tool", time.monotonic_ns)  # the wall clock, which limits the tool, always advances
    folder = Path(request.folder)
    started = time.monotonic()
    with (folder / PRINTED).open("wb") as printed, (folder / ERRORS).open("wb") as errors:
        process = subprocess.Popen(
            request.command,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=errors,
            env=os.environ | dict(request.environment),
            preexec_fn=lambda: _limit(request),
        )
        over = False
        while process.poll() is None:
            time.sleep(_PAUSE)
            if time.monotonic() - started >= request.wall and not over:
                over = True
                process.kill()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ToolEnd(
        status=process.returncode,
        over=over or process.returncode in (-signal.SIGXCPU, -signal.SIGKILL),
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
