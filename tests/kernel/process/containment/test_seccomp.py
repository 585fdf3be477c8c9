"""The filters decide for every number of a system call as a plain list of rules does."""

import errno
import os
import struct

import pytest

from harness.kernel.process.containment import seccomp
from harness.kernel.process.containment.system import numbers

pytestmark = pytest.mark.skipif(not numbers(), reason="this machine's system calls are not known")

OTHER = 12345
MOST = 1 << 10


def decides(code: bytes, number: int, first: int = 0, second: int = 0) -> int:
    """Return the decision of the kernel's filter machine: its program, executed one instruction after the other."""
    data = struct.pack("=IIQQQ", number, numbers()["_audit"], 0, first, second)
    place = loaded = 0
    while True:
        kind, if_true, if_false, value = struct.unpack_from("=HBBI", code, 8 * place)
        place += 1
        if kind == 0x20:
            (loaded,) = struct.unpack_from("=I", data, value)
        elif kind == 0x06:
            return value
        else:
            holds = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}[kind]
            place += if_true if holds else if_false


def code_of(program: seccomp.FilterProgram) -> bytes:
    program.name(os.getpid())
    return program.code


def refused(error: int) -> int:
    return 0x00050000 | error


def by_rules(number: int, first: int, second: int) -> int:
    """Return the decision about a call of a child that runs a mutant, rule by rule."""
    names = {at: name for name, at in numbers().items() if name != "_audit"}
    name = names.get(number, "")
    if name == "clone3":
        return refused(errno.ENOSYS)
    if name == "clone":
        return seccomp.ALLOW if first & 0x10000 else refused(errno.EPERM)
    never = (*seccomp.NEW_PROCESSES, *seccomp.SIGNALS_BY_HANDLE, *seccomp.FILE_MODES, "setpriority", "ioprio_set")
    if name in never or (name in seccomp.SIGNALS and first != os.getpid()):
        return refused(errno.EPERM)
    owner = {"fcntl": seccomp.SIGNALS_BY_FCNTL, "ioctl": seccomp.SIGNALS_BY_IOCTL}.get(name, ())
    return refused(errno.EPERM) if second in owner else seccomp.ALLOW


def test_every_call_is_decided_as_the_rules_say():
    code = code_of(seccomp.refusal_of_processes_and_signals(file_modes=False))
    for number in range(MOST):
        for first in (0, os.getpid(), OTHER, 0x10000):
            for second in (0, *seccomp.SIGNALS_BY_FCNTL, *seccomp.SIGNALS_BY_IOCTL):
                decided = decides(code, number, first, second)
                assert decided == by_rules(number, first, second), (number, first, second)


def test_calls_of_the_other_interface_are_refused():
    code = code_of(seccomp.refusal_of_processes_and_signals(file_modes=True))
    assert decides(code, 0x40000001) == refused(errno.ENOSYS)


def test_modes_of_files_may_be_changed_where_that_is_said():
    code = code_of(seccomp.refusal_of_processes_and_signals(file_modes=True))
    assert decides(code, numbers()["fchmod"]) == seccomp.ALLOW
