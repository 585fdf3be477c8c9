"""A scheduler of Dask and workers, each a process of its own, as on several machines."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

_STARTING_SECONDS = 120.0


class DaskProcesses:
    """A scheduler and its workers, which the caller starts, stops and kills."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        self.address = ""

    def start_scheduler(self) -> None:
        """Start the scheduler, and wait for its address."""
        address_file = self._folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(address_file)
        )
        until = monotonic() + _STARTING_SECONDS
        while monotonic() < until:
            with suppress(OSError, ValueError):
                self.address = json.loads(address_file.read_text(encoding="utf-8"))["address"]
                return
            sleep(0.05)
        raise TimeoutError("the scheduler does not start")

    def start_worker(self, name: str, variables: Mapping[str, str] | None = None) -> None:
        """Start a worker of one thread."""
        folder = self._folder / name
        folder.mkdir(exist_ok=True)
        self.workers[name] = self._start(
            "worker", self.address, "--name", name, "--nthreads", "1", "--no-nanny", "--no-dashboard",
            "--memory-limit", "0", "--local-directory", str(folder), variables=variables,
        )  # fmt: skip

    def kill(self, name: str) -> None:
        """Kill a worker, or the scheduler."""
        process = self.scheduler if name == "scheduler" else self.workers[name]
        assert process is not None
        process.kill()
        process.wait()

    def stop(self) -> None:
        """End all of them."""
        processes = [*self.workers.values(), *([self.scheduler] if self.scheduler else [])]
        for process in processes:
            process.terminate()
        for process in processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, kind: str, *arguments: str, variables: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        with (self._folder / f"{kind}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-P", "-m", f"distributed.cli.dask_{kind}", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **(variables or {})},
            )


@contextmanager
def dask_processes(folder: Path, workers: int) -> Iterator[DaskProcesses]:
    """Start a scheduler and so many workers, named w1, w2 and so on; end them after the block."""
    processes = DaskProcesses(folder)
    try:
        processes.start_scheduler()
        for number in range(1, workers + 1):
            processes.start_worker(f"w{number}")
        yield processes
    finally:
        processes.stop()
