"""Seccomp: system calls that programs under test do not need fail with an error instead of being carried out."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from harness.kernel.process.containment.system import PR_SET_SECCOMP, numbers, prctl

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, _KILL = 0x7FFF0000, 0x80000000
_ERRNO = 0x00050000
_X32 = 0x40000000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24
_MODE_FILTER = 2
_CLONE_THREAD = 0x10000
_SIZE, _VALUE = 8, 4
_OWN_NUMBER = 0x7E57BEEF
_OWN = struct.pack("=I", _OWN_NUMBER)
"""The bytes that stand in a program for the number of the process that installs it."""

_NEVER = (
    "socket",
    *("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd", "process_madvise", "process_mrelease"),
    *("mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "open_tree", "move_mount", "mount_setattr"),
    *("fsopen", "fsconfig", "fsmount", "fspick", "quotactl", "quotactl_fd", "acct", "swapon", "swapoff"),
    *("shmget", "msgget", "semget", "mq_open", "add_key", "request_key", "keyctl", "bpf", "perf_event_open"),
    *("userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "name_to_handle_at", "open_by_handle_at"),
    *("fanotify_init", "migrate_pages", "move_pages", "reboot", "sethostname", "setdomainname", "iopl", "ioperm"),
    *("init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "syslog", "vhangup"),
    *("settimeofday", "adjtimex", "clock_settime", "clock_adjtime"),
)
"""Calls on sockets, other processes' insides, mounts, the machine, and ways around this filter."""

_OWN_PROCESS_CALLS = ("prlimit64", "sched_setaffinity", "sched_setparam", "sched_setscheduler", "sched_setattr")
"""Calls that are allowed on the process itself, which they call 0."""

NEW_PROCESSES = ("fork", "vfork", "execve", "execveat")
SIGNALS = ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
SIGNALS_BY_HANDLE = ("tkill", "pidfd_send_signal")
SIGNALS_BY_FCNTL = (8, 10, 15)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX: they set whom a handle signals when something arrives."""
SIGNALS_BY_IOCTL = (0x8901, 0x8902)
"""FIOSETOWN, SIOCSPGRP."""
FILE_MODES = (
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime", "utimes"),
    *("futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat"),
    *("removexattr", "lremovexattr", "fremovexattr", "removexattrat"),
)


@dataclass(frozen=True)
class _Instruction:
    """An instruction of the kernel's little machine. A test jumps to one of two labels; None means the next one."""

    code: int
    value: int
    if_true: str | None = None
    if_false: str | None = None
    label: str | None = None

    def at(self, place: int, places: dict[str, int]) -> bytes:
        """Encode the instruction for the kernel, with jumps counted from the next instruction."""
        jumps = (0 if label is None else places[label] - place - 1 for label in (self.if_true, self.if_false))
        return struct.pack("=HBBI", self.code, *jumps, self.value)


class _Filter:
    """A program of the kernel's little machine, for one architecture.

    The call's number is looked for by halves: the kernel runs a new filter once for every number there is.
    """

    def __init__(self) -> None:
        self._numbers = numbers()
        self._labels: dict[int, str] = {}
        """The label to go to for a call's number."""
        self._blocks: list[_Instruction] = []
        self._errors: set[int] = set()

    def refuse(self, names: Iterable[str], error: int = errno.EPERM) -> None:
        """Make these calls fail with `error`."""
        for name in names:
            if name in self._numbers:
                self._labels[self._numbers[name]] = self._refusal(error)

    def refuse_on_others(self, names: Iterable[str], own: int) -> None:
        """Make these calls fail unless their first argument is the process's `own` number."""
        for name in names:
            self._refuse_unless(name, _EQUAL, own)

    def refuse_second(self, name: str, values: Sequence[int]) -> None:
        """Make this call fail if its second argument is one of `values`."""
        if name not in self._numbers:
            return
        refused = self._refusal(errno.EPERM)
        *first, last = (_Instruction(_EQUAL, value, refused) for value in values)
        self._begin(name, _SECOND_ARGUMENT)
        self._blocks += [*first, replace(last, if_false=_ALLOWED)]

    def refuse_processes(self) -> None:
        """Refuse to start processes; threads can be started."""
        self.refuse(NEW_PROCESSES)
        self.refuse(["clone3"], errno.ENOSYS)  # its flags are out of sight: the C library goes on with clone
        self._refuse_unless("clone", _ANY_BIT, _CLONE_THREAD)

    def _refuse_unless(self, name: str, test: int, value: int) -> None:
        if name in self._numbers:
            self._begin(name, _FIRST_ARGUMENT)
            self._blocks.append(_Instruction(test, value, _ALLOWED, self._refusal(errno.EPERM)))

    def _begin(self, name: str, argument: int) -> None:
        """Begin a block for the call, which first loads one of its arguments."""
        self._labels[self._numbers[name]] = name
        self._blocks.append(_Instruction(_LOAD, argument, label=name))

    def _refusal(self, error: int) -> str:
        self._errors.add(error)
        return _refused(error)

    def program(self) -> FilterProgram:
        """Return the filter, ready to be installed."""
        code = [
            _Instruction(_LOAD, _ARCHITECTURE),
            _Instruction(_EQUAL, self._numbers["_audit"], "ours"),
            _Instruction(_RETURN, _KILL),
            _Instruction(_LOAD, _NUMBER, label="ours"),
            _Instruction(_AT_LEAST, _X32, self._refusal(errno.ENOSYS)),
            *_search(sorted(self._labels.items())),
            *self._blocks,
            *(_Instruction(_RETURN, _ERRNO | error, label=_refused(error)) for error in sorted(self._errors)),
            _Instruction(_RETURN, ALLOW, label=_ALLOWED),
        ]
        places = {instruction.label: place for place, instruction in enumerate(code) if instruction.label}
        return FilterProgram(b"".join(instruction.at(place, places) for place, instruction in enumerate(code)))


_ALLOWED = "allowed"


def _refused(error: int) -> str:
    return f"refused with {error}"


def _search(labels: Sequence[tuple[int, str]]) -> list[_Instruction]:
    """Return the instructions that find the loaded number by halves; an unlisted number is allowed."""
    if len(labels) == 1:
        number, label = labels[0]
        return [_Instruction(_EQUAL, number, label, _ALLOWED)]
    middle = len(labels) // 2
    lower, upper = _search(labels[:middle]), _search(labels[middle:])
    label = f"from {labels[middle][0]}"
    return [_Instruction(_AT_LEAST, labels[middle][0], label), *lower, replace(upper[0], label=label), *upper[1:]]


class FilterProgram:
    """A filter in memory, made before the process that installs it."""

    def __init__(self, code: bytes) -> None:
        self._code = ctypes.create_string_buffer(code, len(code))
        header = struct.pack("=HxxxxxxQ", len(code) // _SIZE, ctypes.addressof(self._code))
        self._header = ctypes.create_string_buffer(header, len(header))
        self._at = ctypes.addressof(self._header)
        self._own = [at + _VALUE for at in range(0, len(code), _SIZE) if code[at + _VALUE : at + _SIZE] == _OWN]

    @property
    def code(self) -> bytes:
        """The instructions in the kernel's format."""
        return self._code.raw

    def name(self, own: int) -> None:
        """Write the number of the process that installs it into the program."""
        for at in self._own:
            struct.pack_into("=I", self._code, at, own)

    def install(self) -> None:
        """Install the filter for this process and its later children, for good. It needs no_new_privs.

        Raises:
            OSError: the system cannot do that.
        """
        self.name(os.getpid())
        prctl(PR_SET_SECCOMP, _MODE_FILTER, self._at)


def refuse_machine() -> None:
    """Refuse sockets, mounts, and access to other processes, which no program that generates tests needs.

    Raises:
        OSError: the system cannot do that, or this machine's calls are not known.
    """
    if not numbers():
        raise OSError("seccomp: this machine's system calls are not known")
    calls_filter = _Filter()
    calls_filter.refuse(_NEVER)
    calls_filter.refuse_on_others(_OWN_PROCESS_CALLS, 0)
    calls_filter.program().install()


def refusal_of_processes_and_signals(file_modes: bool) -> FilterProgram:
    """Return a filter that refuses new processes, signals to others and, unless `file_modes`, changes of modes."""
    calls_filter = _Filter()
    calls_filter.refuse_processes()
    calls_filter.refuse_on_others(SIGNALS, _OWN_NUMBER)
    calls_filter.refuse(SIGNALS_BY_HANDLE)
    calls_filter.refuse_second("fcntl", SIGNALS_BY_FCNTL)
    calls_filter.refuse_second("ioctl", SIGNALS_BY_IOCTL)
    calls_filter.refuse(("setpriority", "ioprio_set"))
    if not file_modes:
        calls_filter.refuse(FILE_MODES)
    return calls_filter.program()
