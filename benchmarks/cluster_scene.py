"""A scheduler of Dask with workers in namespaces of their own, and the faults that can be caused there.

All processes are in namespaces where a network can be cut and a disk be full: Linux with `unshare`, `ip` and `nsenter`
is needed, but no rights.
"""

from __future__ import annotations

import errno
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep

from support.dask_processes import DaskProcesses

WORKERS = 3
SILENCE = 3.0
"""Seconds without a sign of life until orders are given to others; a user's run waits longer."""
LIMIT = 120.0
DISK_MB = 16
_HOST = "10.77.0.1"
"""The address of this machine within the namespaces."""
_INSIDE = "MUTASCOPE_FAULTS_INSIDE"
_WAIT_FOR_LINK = 'until ip route | grep -q default; do sleep 0.05; done; exec "$@"'


def enter_namespaces(arguments: Sequence[str]) -> None:
    """Start this Python again with these arguments in namespaces of its own, unless it is there already."""
    if _INSIDE not in os.environ:
        rights = () if os.geteuid() == 0 else ("--map-root-user",)
        command = ["unshare", *rights, "--net", "--mount", sys.executable, *arguments]
        os.execvpe(command[0], command, {**os.environ, _INSIDE: "yes"})  # noqa: S606 (no shell is wanted)
    _do("ip", "link", "set", "lo", "up")
    _do("ip", "address", "add", f"{_HOST}/32", "dev", "lo")


class Scene:
    """A scheduler, its workers and the command of one run."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        with socket.socket() as free:
            free.bind((_HOST, 0))
            self.port: int = free.getsockname()[1]
        self.folder = folder
        self.processes = DaskProcesses(folder)
        self.chance = chance
        self.is_over = Event()
        self.slowing: list[Thread] = []
        self.command: subprocess.Popen[str] | None = None
        self._number = 0

    def begin(self) -> None:
        """Start the scheduler and workers: one with a small disk, one with a network of its own, and ordinary ones."""
        self.processes.start_scheduler(self.port, _HOST)
        self.add_confined()
        self.add_linked()
        for _ in range(WORKERS - 2):
            self.add_worker()

    def add_worker(self, prefix: tuple[str, ...] = (), **variables: str) -> str:
        """Start another worker; return its name."""
        self._number += 1
        name = f"w{self._number}"
        self.processes.start_worker(name, variables, prefix)
        return name

    def add_confined(self) -> None:
        """Start a worker with a small disk."""
        disk = self.folder / f"disk{self._number}"
        disk.mkdir()
        mounted = f'mount -t tmpfs -o size={DISK_MB}m none "{disk}" && exec "$@"'
        self.confined = self.add_worker(("unshare", "--mount", "sh", "-c", mounted, "sh"), TMPDIR=str(disk))
        self.disk = disk

    def add_linked(self) -> None:
        """Start a worker with a network of its own."""
        self.linked = self.add_worker(("unshare", "--net", "sh", "-c", _WAIT_FOR_LINK, "sh"))
        self.link = f"to{self._number}"
        process = str(self.processes.workers[self.linked].pid)
        while os.readlink(f"/proc/{process}/ns/net") == os.readlink("/proc/self/ns/net"):
            sleep(0.01)
        network = f"10.77.{self._number}"
        _do("ip", "link", "add", self.link, "type", "veth", "peer", "name", "eth0", "netns", process)
        _do("ip", "address", "add", f"{network}.1/30", "dev", self.link)
        _do("ip", "link", "set", self.link, "up")
        for words in (f"address add {network}.2/30 dev eth0", "link set lo up", "link set eth0 up",
                      f"route add default via {network}.1"):  # fmt: skip
            _do("nsenter", "--target", process, "--net", "ip", *words.split())

    def lives(self, name: str) -> bool:
        """Return whether a worker has not ended."""
        return self.processes.workers[name].poll() is None

    def settle(self) -> None:
        """Wait until a scheduler and a worker live."""
        until = monotonic() + LIMIT
        while monotonic() < until and not self.is_running:
            sleep(0.1)

    @property
    def is_running(self) -> bool:
        """Whether a scheduler and a worker live."""
        scheduler, workers = self.processes.scheduler, self.processes.workers.values()
        lives = scheduler is not None and scheduler.poll() is None
        return lives and any(worker.poll() is None for worker in workers)

    def living(self) -> str:
        """Return the name of a worker that has not ended."""
        names: list[str] = [name for name, process in self.processes.workers.items() if process.poll() is None]
        return self.chance.choice(names)


def _do(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


def kill_worker(scene: Scene) -> None:
    """Kill a worker; another one comes, as from a batch system."""
    scene.processes.signal(scene.living(), signal.SIGKILL)
    scene.add_worker()


def kill_all_workers(scene: Scene) -> None:
    """Kill all workers; others come."""
    for name in scene.processes.workers:
        scene.processes.signal(name, signal.SIGKILL)
    for _ in range(WORKERS):
        scene.add_worker()


def stop_worker(scene: Scene) -> None:
    """Stop a worker for longer than it is waited for, and continue it."""
    name = scene.living()
    scene.processes.signal(name, signal.SIGSTOP)
    scene.is_over.wait(scene.chance.uniform(1, 3 * SILENCE))
    scene.processes.signal(name, signal.SIGCONT)


def slow_worker(scene: Scene) -> None:
    """Make a worker ten times slower until the run is over: it is stopped for nine tenths of the time."""
    name = scene.living()

    def slow() -> None:
        while not scene.is_over.is_set():
            scene.processes.signal(name, signal.SIGSTOP)
            scene.is_over.wait(0.45)
            scene.processes.signal(name, signal.SIGCONT)
            sleep(0.05)

    scene.slowing.append(Thread(target=slow))
    scene.slowing[-1].start()


def fill_disk(scene: Scene) -> None:
    """Fill the disk of a worker, for good."""
    if not scene.lives(scene.confined):
        scene.add_confined()
        scene.is_over.wait(3)
    process = scene.processes.workers[scene.confined].pid
    with suppress(FileNotFoundError), open(f"/proc/{process}/root{scene.disk}/full", "wb", buffering=0) as file:
        try:
            while not scene.is_over.is_set():
                file.write(bytes(1 << 16))
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise


def cut_network(scene: Scene) -> None:
    """Cut the link to a worker for a while."""
    if not scene.lives(scene.linked):
        scene.add_linked()
        scene.is_over.wait(3)
    with suppress(subprocess.CalledProcessError):  # the worker has been killed, and its link has gone with it
        _do("ip", "link", "set", scene.link, "down")
        scene.is_over.wait(scene.chance.uniform(1, 3 * SILENCE))
        _do("ip", "link", "set", scene.link, "up")


def late_worker(scene: Scene) -> None:
    """Start another worker."""
    scene.add_worker()


def restart_scheduler(scene: Scene) -> None:
    """Kill the scheduler, and start it again with workers."""
    scene.processes.signal("scheduler", signal.SIGKILL)
    for name in scene.processes.workers:
        scene.processes.signal(name, signal.SIGKILL)
    sleep(1)
    scene.processes.start_scheduler(scene.port, _HOST)
    for _ in range(WORKERS):
        scene.add_worker()


def stop_scheduler(scene: Scene) -> None:
    """Stop the scheduler for some seconds."""
    scene.processes.signal("scheduler", signal.SIGSTOP)
    scene.is_over.wait(scene.chance.uniform(1, 10))
    scene.processes.signal("scheduler", signal.SIGCONT)


def kill_command(scene: Scene) -> None:
    """Kill the command itself."""
    if scene.command is not None:
        scene.command.kill()


FAULTS: dict[str, Callable[[Scene], None]] = {
    "worker killed": kill_worker,
    "all workers killed": kill_all_workers,
    "worker stopped": stop_worker,
    "worker ten times slower": slow_worker,
    "network of a worker cut": cut_network,
    "disk of a worker full": fill_disk,
    "worker comes late": late_worker,
    "scheduler killed and started again": restart_scheduler,
    "scheduler stopped": stop_scheduler,
    "command killed": kill_command,
}
