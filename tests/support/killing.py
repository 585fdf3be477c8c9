"""Kill processes that the tests have started."""

import os
import signal
from contextlib import suppress
from pathlib import Path

from harness.kernel.process.confinement import children_of


def below(process: int) -> list[int]:
    """Return the processes below one, those that were started first last."""
    return [found for child in children_of(process) for found in (*below(child), child)]


def kill_processes(module: str, *arguments: str) -> int:
    """Kill the processes below this one that execute a module with arguments; return their number."""
    processes = [process for process in below(os.getpid()) if _executes(process, [module, *arguments])]
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    return len(processes)


def _executes(process: int, words: list[str]) -> bool:
    try:
        line = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return {word.encode() for word in words} <= set(line)
