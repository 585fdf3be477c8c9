"""Detects the harm that hostile programs do to others: to files, processes, connections and memory that stays."""

from __future__ import annotations

import os
import resource
import selectors
import signal
import socket
import stat
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from ctypes import CDLL
from pathlib import Path
from threading import Thread
from types import TracebackType

Snapshot = dict[str, tuple[object, ...]]


def snapshot(folder: Path) -> Snapshot:
    """Everything about each file below a folder that a program could change."""
    files: Snapshot = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        try:
            files[str(path.relative_to(folder))] = _about(path)
        except OSError:
            files[str(path)] = ("gone",)
    return files


def _about(path: Path) -> tuple[object, ...]:
    about = path.lstat()
    regular = stat.S_ISREG(about.st_mode)
    content: object = path.read_bytes() if regular else os.readlink(path) if path.is_symlink() else ""
    attributes = tuple(os.listxattr(path, follow_symlinks=False))
    times = about.st_mtime_ns if regular else 0
    return (about.st_mode, about.st_uid, about.st_gid, about.st_nlink, times, content, attributes)


class Victim:
    """A process that sleeps, in a session of its own, and what is to be seen of it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(["sleep", "600"], start_new_session=True)
        self.number = self._process.pid
        self._before = self._seen()

    def _seen(self) -> tuple[object, ...]:
        number = self.number
        return (
            os.getpriority(os.PRIO_PROCESS, number),
            os.sched_getaffinity(number),
            os.sched_getscheduler(number),
            resource.prlimit(number, resource.RLIMIT_NOFILE),
            Path(f"/proc/{number}/oom_score_adj").read_text(encoding="utf-8"),
        )

    def harm(self) -> str | None:
        """Return a description of the harm done to the process, or None."""
        if self._process.poll() is not None:
            return f"another process was ended ({self._process.returncode})"
        state = Path(f"/proc/{self.number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        if state in "Tt":
            return "another process was stopped"
        return None if self._seen() == self._before else "another process was changed"

    def end(self) -> None:
        """Ends it."""
        self._process.kill()
        self._process.wait()


class Listener:
    """Ears on a port (TCP and UDP) and on sockets of the system, that note who has spoken."""

    def __init__(self) -> None:
        self.received = b""
        self._selector = selectors.DefaultSelector()
        self._pipe = os.pipe()
        self._selector.register(self._pipe[0], selectors.EVENT_READ)
        self.port = self._open()
        abstract = socket.socket(socket.AF_UNIX)
        abstract.bind(f"\0mutascope-{self.port}")
        self._listen(abstract)
        self._thread = Thread(target=self._serve, daemon=True)

    def _open(self) -> int:
        tcp, udp = socket.socket(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        tcp.bind(("127.0.0.1", 0))
        port = int(tcp.getsockname()[1])
        udp.bind(("127.0.0.1", port))
        with suppress(OSError):
            six = socket.socket(socket.AF_INET6)
            six.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            six.bind(("::1", port))
            self._listen(six)
        self._listen(tcp)
        udp.setblocking(False)
        self._selector.register(udp, selectors.EVENT_READ, udp)
        return port

    def _listen(self, ear: socket.socket) -> None:
        ear.listen(64)
        ear.setblocking(False)
        self._selector.register(ear, selectors.EVENT_READ, ear)

    def below(self, place: Path) -> None:
        """Listens on a socket in that folder as well."""
        ear = socket.socket(socket.AF_UNIX)
        ear.bind(str(place / "socket"))
        self._listen(ear)

    def __enter__(self) -> Listener:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.write(self._pipe[1], b"x")
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            if isinstance(key.fileobj, socket.socket):
                key.fileobj.close()
        self._selector.close()
        os.close(self._pipe[0])
        os.close(self._pipe[1])

    def _serve(self) -> None:
        while True:
            self._call()
            for key, _ in self._selector.select(0.1):
                ear = key.fileobj
                if not isinstance(ear, socket.socket):
                    return
                with suppress(OSError):
                    self._hear(ear)

    def _call(self) -> None:
        """Asks whether somebody waits for connections at the next port."""
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port + 1), 0.1) as voice:
            voice.settimeout(0.5)
            self.received += voice.recv(4096)

    def _hear(self, ear: socket.socket) -> None:
        if ear.type != socket.SOCK_STREAM or ear.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) == 0:
            data = ear.recv(4096)
            self.received += data
            if ear.type == socket.SOCK_STREAM and not data:
                self._selector.unregister(ear)
                ear.close()
            return
        voice, _ = ear.accept()
        voice.setblocking(False)
        self._selector.register(voice, selectors.EVENT_READ, voice)


def processes_with(marks: Iterable[str]) -> dict[str, list[int]]:
    """Processes that carry a mark, in their name or their command line."""
    mark_list = list(marks)
    numbers = {f".0{int(mark[2:], 16)}": mark for mark in mark_list}
    processes: dict[str, list[int]] = defaultdict(list)
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal() or int(entry.name) == os.getpid():
            continue
        try:
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            description = (entry / "comm").read_text() + (entry / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if state in "ZX":
            continue
        for mark in mark_list:
            if mark in description:
                processes[mark].append(int(entry.name))
        for number, mark in numbers.items():
            if number in description:
                processes[mark].append(int(entry.name))
    return processes


def end_processes(processes: Mapping[str, list[int]]) -> None:
    """Ends processes that were found by their marks."""
    for number in {number for numbers in processes.values() for number in numbers}:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def kernel_objects(mark: str) -> list[str]:
    """Shared memory, queues and semaphores of System V that a program has left; they are removed."""
    key, libc, removed = int(mark[2:8], 16), CDLL(None), []
    for kind, remove in (("shm", libc.shmctl), ("msg", libc.msgctl), ("sem", libc.semctl)):
        try:
            lines = Path(f"/proc/sysvipc/{kind}").read_text(encoding="utf-8").splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            if int(fields[0]) & 0xFFFFFFFF == key:
                removed.append(kind)
                number = int(fields[1])
                remove(number, 0, 0, 0) if kind == "sem" else remove(number, 0, None)
    return removed


def mounted_below(folder: Path) -> list[str]:
    """Mounts that were left below a folder; they are taken away."""
    mounts = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()]
    inside = [path for path in mounts if path.startswith(f"{folder}/")]
    for path in inside:
        CDLL(None).umount2(path.encode(), 2)
    return inside
