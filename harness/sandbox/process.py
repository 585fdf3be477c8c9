"""A sandboxed Python process with two pipes of JSON lines: orders in, facts out."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar

import harness
from harness import errors
from harness.errors import MutascopeError
from harness.sandbox.addresses import fixed_addresses

_STDERR_SHOWN = 2000


class WorkerDied(Exception):
    """The process ended without a last word; `how` says by what, with the last line that it printed on stderr."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how


class SandboxedProcess:
    """`python -m MODULE ARGUMENTS... ORDERS FACTS` in a session of its own and an empty working directory.

    It inherits no standard input, no handle but its two pipe ends (so never a logging queue),
    and an environment of a few variables; its hash seed is fixed, and so are its addresses where the system
    can do that (`hash(None)` is one before Python 3.12). Programs are looked for on `path`,
    for who may need one (a C compiler), else where the system keeps its own. Use as a context manager:
    leaving ends the whole process group and removes the directory, which lies `below` the one
    given, else among the system's temporary ones. Besides that directory and what Python needs, it reads what
    is named `readable` and writes what is named `writable`, files or folders.
    """

    _living: ClassVar[set[SandboxedProcess]] = set()

    def __init__(
        self,
        module: str,
        *arguments: str,
        below: Path | None = None,
        path: str = os.defpath,
        readable: Sequence[Path] = (),
        writable: Sequence[Path] = (),
    ) -> None:
        self._module = module
        self._readable = readable
        self._writable = writable
        self._below = below
        self._path = path
        self._arguments = arguments
        self._buffer = b""

    def __enter__(self) -> SandboxedProcess:
        self.folder = Path(tempfile.mkdtemp(prefix="mutascope-", dir=self._below))
        orders_read, self._orders = os.pipe()
        self._facts, facts_write = os.pipe()
        self._stderr = tempfile.TemporaryFile()
        with fixed_addresses():
            self._process = subprocess.Popen(
                [sys.executable, "-m", self._module, *self._arguments, str(orders_read), str(facts_write)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._stderr,
                cwd=self.folder,
                env=_environment() | {"PATH": self._path},
                pass_fds=(orders_read, facts_write),
                start_new_session=True,
            )
        os.close(orders_read)
        os.close(facts_write)
        self._living.add(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._living.discard(self)
        os.close(self._orders)
        os.close(self._facts)
        try:
            self._process.wait(timeout=0 if kind else 5)
        except subprocess.TimeoutExpired:
            pass
        self._end()
        self._process.wait()
        self._stderr.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @classmethod
    def end_all(cls) -> None:
        """Ends those that threads of this process have started; whoever listens to one is told `WorkerDied`."""
        for process in list(cls._living):
            process._end()

    def _end(self) -> None:
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass

    @property
    def pid(self) -> int:
        """The process's number, also its group's."""
        return self._process.pid

    def order(self, order: dict[str, Any]) -> None:
        """Sends one order.

        Raises:
            WorkerDied: it is not there to read it.
        """
        data = json.dumps(order).encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._orders, data) :]
        except BrokenPipeError:
            raise WorkerDied(self._how_it_ended()) from None

    def fact(self, seconds: float | None = None) -> dict[str, Any]:
        """The next fact, waiting for it.

        Raises:
            WorkerDied: the process ended, or said nothing within `seconds`.
            MutascopeError: the process reported an error of the user's making; it is raised here.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while b"\n" not in self._buffer:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            ready, _, _ = select.select([self._facts], [], [], left)
            if not ready:
                raise WorkerDied(f"no word within {seconds:g} s")
            chunk = os.read(self._facts, 1 << 16)
            if not chunk:
                raise WorkerDied(self._how_it_ended())
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        fact: dict[str, Any] = json.loads(line)
        if "error" in fact:
            raise _error(fact["error"])
        return fact

    def _how_it_ended(self) -> str:
        try:
            status = self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            return "closed its pipe and stayed"
        how = f"ended by {signal.Signals(-status).name}" if status < 0 else f"ended with exit status {status}"
        self._stderr.seek(0)
        said = self._stderr.read()[-_STDERR_SHOWN:].decode(errors="replace").splitlines()
        return f"{how}; its last words: {said[-1].strip()}" if said else how


def _environment() -> dict[str, str]:
    """Fixed hash seed and locale; the path by which this package is found, and nothing else of ours."""
    return {
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(Path(harness.__file__).parents[1]),
    }


def _error(fields: dict[str, str]) -> MutascopeError:
    kind = getattr(errors, fields["kind"], MutascopeError)
    if not (isinstance(kind, type) and issubclass(kind, MutascopeError)):
        kind = MutascopeError
    return kind(fields["message"])
