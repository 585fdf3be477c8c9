"""Runs a tool in the sandbox, as a process of its own with limits, and tells how it ended and what it took."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

PRINTED, SAID = "printed", "said"
"""Files beside the job: what the tool printed, and what it said on its standard error."""

_PAUSE = 0.05
_BEAT = 1.0


def main(arguments: list[str]) -> int:
    """Told by the job: `command`, `environment`, `cpu` and `wall` seconds, bytes of `memory` and of a file's `size`."""
    job_path, _, facts_end = arguments
    os.set_inheritable(int(facts_end), False)
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    with os.fdopen(int(facts_end), "w", buffering=1, encoding="utf-8") as out:
        facts = _run(job, lambda: out.write(json.dumps({"alive": True}) + "\n"))
        out.write(json.dumps(facts) + "\n")
    return 0


def _run(job: dict[str, Any], beat: Any) -> dict[str, Any]:
    folder = Path(job["folder"])
    started = time.monotonic()
    with (folder / PRINTED).open("wb") as printed, (folder / SAID).open("wb") as said:
        process = subprocess.Popen(
            job["command"],
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=said,
            env=dict(os.environ) | job["environment"],
            preexec_fn=lambda: _limit(job),
        )
        beaten, over = started, False
        while process.poll() is None:
            time.sleep(_PAUSE)
            now = time.monotonic()
            if now - beaten >= _BEAT:
                beaten = now
                beat()
            if now - started >= job["wall"] and not over:
                over = True
                process.kill()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "status": process.returncode,
        "over": over or process.returncode in (-signal.SIGXCPU, -signal.SIGKILL),
        "seconds": time.monotonic() - started,
        "cpu_seconds": used.ru_utime + used.ru_stime,
        "most_bytes": used.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
    }


def _limit(job: dict[str, Any]) -> None:
    for kind, most in (
        (resource.RLIMIT_CPU, job["cpu"]),
        (resource.RLIMIT_AS, job["memory"]),
        (resource.RLIMIT_FSIZE, job["size"]),
    ):
        resource.setrlimit(kind, (most, most))
