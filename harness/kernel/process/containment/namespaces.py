"""Gives a process its own namespaces: no other process to signal, no network, other files read-only, bounded disk."""

from __future__ import annotations

import ctypes
import os
import signal
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from harness.kernel.process.containment.system import PR_CAPBSET_DROP, PR_SET_PDEATHSIG, call, mount, prctl

_NEW_USER, _NEW_PIDS, _NEW_MOUNTS, _NEW_NETWORK, _NEW_IPC = 0x10000000, 0x20000000, 0x20000, 0x40000000, 0x8000000
_ALL = _NEW_USER | _NEW_PIDS | _NEW_MOUNTS | _NEW_NETWORK | _NEW_IPC

_BIND, _RECURSIVE, _PRIVATE = 4096, 16384, 1 << 18
_NO_DEVICES, _NO_SUID, _MOUNT_READ_ONLY = 4, 2, 1
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_READ_ONLY = 1

_DAC_OVERRIDE = 1
_CAPABILITIES_VERSION = 0x20080522

_STATUS = struct.Struct("=i")


def shut_in(folder: Path, size: int, files: int, writable: Sequence[Path]) -> None:
    """Continue in a child that is in namespaces of its own, with bounded files and no powers.

    Raises:
        OSError: the system does not allow it. This process is then of no use any more.
    """
    _enter()
    _fork_inside()
    _shut_files(folder, size, files, writable)
    _give_up_powers()


def _enter() -> None:
    """Enter new namespaces; processes forked from now on are in all of them.

    An ordinary user keeps only their own identity there; root is root, without power over anything outside.

    Raises:
        OSError: the system does not allow it. This process is then of no use any more.
    """
    request_end, ask = os.pipe()
    answer_end, answer_write_end = os.pipe()
    process = os.getpid()
    writer = os.fork()
    if writer == 0:
        os.close(ask)
        _write_maps(process, request_end, answer_write_end)
    os.close(request_end)
    os.close(answer_write_end)
    try:
        call("unshare", _ALL)
        os.write(ask, b"m")
        if os.read(answer_end, 1) != b"m":
            raise OSError("namespaces: nobody may be anybody there")
    finally:
        os.close(ask)
        os.close(answer_end)
        os.waitpid(writer, 0)


def _write_maps(process: int, request_end: int, reply_end: int) -> NoReturn:
    """Write who is who inside, from a process that has stayed outside."""
    try:
        if os.read(request_end, 1) == b"m":
            user, group = os.geteuid(), os.getegid()
            folder = Path(f"/proc/{process}")
            if user != 0:
                (folder / "setgroups").write_text("deny", encoding="utf-8")
            (folder / "uid_map").write_text(_itself("uid_map") if user == 0 else f"{user} {user} 1", encoding="utf-8")
            (folder / "gid_map").write_text(_itself("gid_map") if user == 0 else f"{group} {group} 1", encoding="utf-8")
            os.write(reply_end, b"m")
    finally:
        os._exit(0)


def _itself(name: str) -> str:
    """Return a map of all users whom this process knows, each to itself."""
    lines = Path("/proc/self", name).read_text(encoding="utf-8").splitlines()
    return "\n".join(f"{inside} {inside} {count}" for inside, _, count in map(str.split, lines))


def _fork_inside() -> None:
    """Continue in the second process of the new namespaces; this one waits, and ends as that one ends.

    The first process stays between them: it may ignore signals that would end others, and when it ends, all others end.
    """
    telling, status_end = os.pipe()
    first = os.fork()
    if first == 0:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.setsid()
        second = os.fork()
        if second == 0:
            os.close(telling)
            os.close(status_end)
            os.setsid()
            return
        _await(second, status_end)
    _close_all_but(telling)
    _, status = os.waitpid(first, 0)
    data = os.read(telling, _STATUS.size)
    if len(data) == _STATUS.size:
        (status,) = _STATUS.unpack(data)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status))


def _await(second: int, status_end: int) -> NoReturn:
    """Reap all children of this first process until `second` ends; write its exit status to `status_end`, and exit."""
    _close_all_but(status_end)
    while True:
        process, status = os.waitpid(-1, 0)
        if process == second:
            os.write(status_end, _STATUS.pack(status))
            os._exit(0)


def _close_all_but(handle: int) -> None:
    os.closerange(0, handle)
    os.closerange(handle + 1, os.sysconf("SC_OPEN_MAX"))


def _shut_files(folder: Path, size: int, files: int, writable: Sequence[Path]) -> None:
    """Make all files read-only but those below `writable`, and `folder` a file system in memory of at most `size`
    bytes.

    Raises:
        OSError: the system cannot do that.
    """
    mount("none", "/", None, _RECURSIVE | _PRIVATE)
    for path in writable:
        mount(str(path), str(path), None, _BIND)
    _set_read_only("/", True, _AT_RECURSIVE)
    for path in writable:
        _set_read_only(str(path), False, 0)
    mount("tmpfs", str(folder), "tmpfs", _NO_DEVICES | _NO_SUID, f"size={size},nr_inodes={files},mode=700")
    try:
        mount("proc", "/proc", "proc", _MOUNT_READ_ONLY | _NO_SUID | _NO_DEVICES)
    except OSError:
        pass  # its facts about others are read-only now; if /proc is covered in part, no new one can be mounted
    os.chdir(folder)


def _set_read_only(path: str, on: bool, flags: int) -> None:
    attributes = struct.pack("=QQQQ", _READ_ONLY if on else 0, 0 if on else _READ_ONLY, 0, 0)
    buffer = ctypes.create_string_buffer(attributes, len(attributes))
    call("mount_setattr", _AT_FDCWD, path.encode(), flags, buffer, len(attributes))


def _give_up_powers() -> None:
    """Drop this user's powers within its namespaces; root may still read the files of others."""
    kept_capabilities = 1 << _DAC_OVERRIDE if os.geteuid() == 0 else 0
    for capability in range(64):
        if not kept_capabilities >> capability & 1:
            try:
                prctl(PR_CAPBSET_DROP, capability)
            except OSError:
                break  # behind the last one
    header = struct.pack("=Ii", _CAPABILITIES_VERSION, 0)
    data = struct.pack("=6I", kept_capabilities, kept_capabilities, 0, 0, 0, 0)
    call("capset", ctypes.create_string_buffer(header, 8), ctypes.create_string_buffer(data, 24))
