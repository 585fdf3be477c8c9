"""Landlock: a process gives up files, connections and signals for good, also for all processes that it starts.

The reference is https://docs.kernel.org/userspace-api/landlock.html. Accesses that the kernel's version of Landlock
does not know stay allowed.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from harness.kernel.process.containment.system import call

_VERSION = 1 << 0
_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE = 1 << 4, 1 << 5
_MAKE = sum(1 << bit for bit in range(6, 13))
_REFER, _TRUNCATE, _IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15

READ = EXECUTE | READ_FILE | READ_DIR
WRITE = WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE | _REFER | _TRUNCATE
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | _TRUNCATE | _IOCTL_DEVICE

_TCP = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11


@cache
def version() -> int:
    """Return the version of the kernel's Landlock; 0 if there is none."""
    try:
        return call("landlock_create_ruleset", None, 0, _VERSION)
    except OSError:
        return 0


def ruleset(handled: int, rules: Iterable[tuple[Path, int]]) -> int:
    """Return a handle on rules that allow, of the `handled` accesses, only those named, at and below their paths.

    The rules also forbid TCP, and allow signals and abstract sockets only among the processes so restricted, as far as
    the kernel's version knows of that. Paths that do not exist are skipped.

    Raises:
        OSError: the system refused.
    """
    kernel_version = version()
    handled &= _access_bits(kernel_version)
    fields = [handled, _TCP if kernel_version >= 4 else 0, _ABSTRACT_SOCKETS_AND_SIGNALS if kernel_version >= 6 else 0]
    size = 8 if kernel_version < 4 else 16 if kernel_version < 6 else 24
    attributes = struct.pack("=QQQ", *fields)[:size]
    handle = call("landlock_create_ruleset", ctypes.create_string_buffer(attributes, size), size, 0)
    try:
        for path, allowed in rules:
            _allow(handle, path, allowed & handled)
    except OSError:
        os.close(handle)
        raise
    return handle


def restrict(handled: int, rules: Iterable[tuple[Path, int]]) -> None:
    """Put this process and its later children under a ruleset for good. It needs no_new_privs.

    Raises:
        OSError: the system refused.
    """
    handle = ruleset(handled, rules)
    try:
        call("landlock_restrict_self", handle, 0)
    finally:
        os.close(handle)


def _access_bits(version: int) -> int:
    bits = 13 if version < 2 else 14 if version < 3 else 15 if version < 5 else 16
    return (1 << bits) - 1


def _allow(ruleset: int, path: Path, allowed: int) -> None:
    try:
        at = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(at).st_mode):
            allowed &= _OF_FILES
        if allowed:
            rule = struct.pack("=Qi", allowed, at)
            call("landlock_add_rule", ruleset, _BENEATH, ctypes.create_string_buffer(rule, len(rule)), 0)
    finally:
        os.close(at)
