"""The command line as a user has it: processes in a folder of their own, and small subjects to try it on."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.levels import without_line_of_levels
from support.own_subject import write_subject

IMPLEMENTATION = """\
class Pile:
    def __init__(self):
        self.count = 0
        self.limit = 3

    def push(self, number):
        if self.count < self.limit:
            self.count = self.count + 1
        return self.count + number
"""

SPEC = """\
from harness.spec import Finitization


def rep_ok(pile):
    return 0 <= pile.count <= pile.limit


def finitization(scope):
    f = Finitization("Pile")
    f.set("Pile.count", range(scope + 1))
    f.set("Pile.limit", range(scope + 1))
    f.method("push", range(scope))
    return f
"""


@dataclass(frozen=True)
class FinishedCommand:
    """A command's exit status and what it printed, without the line about missing levels of containment."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Place:
    """A folder to stand in, with caches and temporary files of its own below it.

    Args:
        stands: the folder below it in which commands are started; by default itself.
    """

    patience: float = 120
    """Seconds after which a command is taken to hang."""

    def __init__(self, folder: Path, python: str = sys.executable, stands: str = "") -> None:
        self.folder = folder
        self.stands = folder / stands
        self.temporary = folder / "tmp"
        self.temporary.mkdir(parents=True, exist_ok=True)
        self.stands.mkdir(parents=True, exist_ok=True)
        self._python = python

    def start(self, *arguments: object, **environment: str) -> subprocess.Popen[str]:
        """A command in a process group of its own, as a shell starts it."""
        own = {"MUTASCOPE_CACHE": str(self.folder / "cache"), "TMPDIR": str(self.temporary)}
        return subprocess.Popen(
            [self._python, "-m", "harness", *map(str, arguments)],
            cwd=self.stands,
            env={**os.environ, **own, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored below a shell's `&`
        )

    def run(self, *arguments: object, **environment: str) -> FinishedCommand:
        """A command run to its end."""
        return self.finish(self.start(*arguments, **environment))

    def finish(self, process: subprocess.Popen[str]) -> FinishedCommand:
        try:
            out, err = process.communicate(timeout=self.patience)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return FinishedCommand(process.returncode, out, without_line_of_levels(err))

    def succeed(self, *arguments: object, **environment: str) -> FinishedCommand:
        result = self.run(*arguments, **environment)
        assert result.status == 0, result
        return result

    def refuse(self, *arguments: object, status: int = 2, **environment: str) -> str:
        """The one line that a command ends with that cannot be carried out; it prints nothing else."""
        result = self.run(*arguments, **environment)
        assert (result.status, result.out) == (status, ""), result
        assert result.err.startswith("mutascope: "), result.err
        assert result.err.endswith("\n"), result.err
        assert result.err.count("\n") == 1, result.err
        return result.err

    def subject(self, name: str, implementation: str = IMPLEMENTATION, spec: str = SPEC) -> str:
        """Writes a subject below ./subjects; its name."""
        write_subject(self.folder / "subjects" / name, implementation, spec)
        return name

    def processes(self) -> list[str]:
        """Command lines of the processes that work in this folder or on it."""
        return list(processes_of(self.folder).values())


def processes_of(folder: Path) -> dict[int, str]:
    """Return the command lines of the processes that work in a folder or on it, by their numbers."""
    lines = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal() or int(entry.name) == os.getpid():
            continue
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            where = os.readlink(entry / "cwd")
        except OSError:
            continue  # it has ended meanwhile
        if str(folder) in where or f"{folder}/" in line:
            lines[int(entry.name)] = line
    return lines


def eventually(holds: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Return whether `holds` becomes true within so many seconds."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
