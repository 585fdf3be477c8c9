"""Landlock: a process gives up, for itself and all that it starts, files, connections and signals for good.

https://docs.kernel.org/userspace-api/landlock.html; what the kernel's version of it has no word for stays allowed.
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
    """Of the kernel's Landlock; 0 where there is none."""
    try:
        return call("landlock_create_ruleset", None, 0, _VERSION)
    except OSError:
        return 0


def ruleset(handled: int, rules: Iterable[tuple[Path, int]]) -> int:
    """A handle on rules that allow of the `handled` accesses to files only those named, at and below their paths.

    Besides, they allow no TCP, and signals and abstract sockets among the processes so restricted only, as far
    as the kernel's version knows of that. Paths that are not there are passed over.

    Raises:
        OSError: the system said no.
    """
    known = version()
    handled &= _known_accesses(known)
    fields = [handled, _TCP if known >= 4 else 0, _ABSTRACT_SOCKETS_AND_SIGNALS if known >= 6 else 0]
    size = 8 if known < 4 else 16 if known < 6 else 24
    attributes = struct.pack("=QQQ", *fields)[:size]
    made = call("landlock_create_ruleset", ctypes.create_string_buffer(attributes, size), size, 0)
    try:
        for path, allowed in rules:
            _allow(made, path, allowed & handled)
    except OSError:
        os.close(made)
        raise
    return made


def restrict(handled: int, rules: Iterable[tuple[Path, int]]) -> None:
    """Puts this process, and all that it starts, under a ruleset for good. Wants no_new_privs.

    Raises:
        OSError: the system said no.
    """
    made = ruleset(handled, rules)
    try:
        call("landlock_restrict_self", made, 0)
    finally:
        os.close(made)


def _known_accesses(version: int) -> int:
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
