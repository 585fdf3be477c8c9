"""Makes system calls that Python has no function for, by number."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from typing import Any

_C = ctypes.CDLL(None, use_errno=True)

PR_SET_PDEATHSIG = 1
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

# Numbers of 424 and above are the same everywhere.
_NUMBERS: dict[str, dict[str, int]] = {
    "x86_64": {
        "_audit": 0xC000003E,
        "fork": 57,
        "vfork": 58,
        "clone": 56,
        "execve": 59,
        "kill": 62,
        "ptrace": 101,
        "socket": 41,
        "shmget": 29,
        "msgget": 68,
        "semget": 64,
        "mq_open": 240,
        "fcntl": 72,
        "ioctl": 16,
        "chmod": 90,
        "fchmod": 91,
        "chown": 92,
        "fchown": 93,
        "lchown": 94,
        "utime": 132,
        "utimes": 235,
        "futimesat": 261,
        "fchownat": 260,
        "fchmodat": 268,
        "utimensat": 280,
        "setxattr": 188,
        "lsetxattr": 189,
        "fsetxattr": 190,
        "removexattr": 197,
        "lremovexattr": 198,
        "fremovexattr": 199,
        "tkill": 200,
        "tgkill": 234,
        "rt_sigqueueinfo": 129,
        "rt_tgsigqueueinfo": 297,
        "mount": 165,
        "umount2": 166,
        "pivot_root": 155,
        "chroot": 161,
        "unshare": 272,
        "setns": 308,
        "acct": 163,
        "swapon": 167,
        "swapoff": 168,
        "reboot": 169,
        "sethostname": 170,
        "setdomainname": 171,
        "iopl": 172,
        "ioperm": 173,
        "init_module": 175,
        "delete_module": 176,
        "quotactl": 179,
        "finit_module": 313,
        "add_key": 248,
        "request_key": 249,
        "keyctl": 250,
        "ioprio_set": 251,
        "setpriority": 141,
        "sched_setparam": 142,
        "sched_setscheduler": 144,
        "sched_setattr": 314,
        "sched_setaffinity": 203,
        "prlimit64": 302,
        "process_vm_readv": 310,
        "process_vm_writev": 311,
        "kcmp": 312,
        "syslog": 103,
        "kexec_load": 246,
        "kexec_file_load": 320,
        "bpf": 321,
        "perf_event_open": 298,
        "userfaultfd": 323,
        "settimeofday": 164,
        "adjtimex": 159,
        "clock_settime": 227,
        "clock_adjtime": 305,
        "name_to_handle_at": 303,
        "open_by_handle_at": 304,
        "fanotify_init": 300,
        "capset": 126,
        "execveat": 322,
        "vhangup": 153,
        "migrate_pages": 256,
        "move_pages": 279,
    },
    "aarch64": {
        "_audit": 0xC00000B7,
        "clone": 220,
        "execve": 221,
        "kill": 129,
        "ptrace": 117,
        "socket": 198,
        "shmget": 194,
        "msgget": 186,
        "semget": 190,
        "mq_open": 180,
        "fcntl": 25,
        "ioctl": 29,
        "fchmod": 52,
        "fchmodat": 53,
        "fchownat": 54,
        "fchown": 55,
        "utimensat": 88,
        "setxattr": 5,
        "lsetxattr": 6,
        "fsetxattr": 7,
        "removexattr": 14,
        "lremovexattr": 15,
        "fremovexattr": 16,
        "tkill": 130,
        "tgkill": 131,
        "rt_sigqueueinfo": 138,
        "rt_tgsigqueueinfo": 240,
        "mount": 40,
        "umount2": 39,
        "pivot_root": 41,
        "chroot": 51,
        "unshare": 97,
        "setns": 268,
        "acct": 89,
        "swapon": 224,
        "swapoff": 225,
        "reboot": 142,
        "sethostname": 161,
        "setdomainname": 162,
        "init_module": 105,
        "delete_module": 106,
        "quotactl": 60,
        "finit_module": 273,
        "add_key": 217,
        "request_key": 218,
        "keyctl": 219,
        "ioprio_set": 30,
        "setpriority": 140,
        "sched_setparam": 118,
        "sched_setscheduler": 119,
        "sched_setattr": 274,
        "sched_setaffinity": 122,
        "prlimit64": 261,
        "process_vm_readv": 270,
        "process_vm_writev": 271,
        "kcmp": 272,
        "syslog": 116,
        "kexec_load": 104,
        "kexec_file_load": 294,
        "bpf": 280,
        "perf_event_open": 241,
        "userfaultfd": 282,
        "settimeofday": 170,
        "adjtimex": 171,
        "clock_settime": 112,
        "clock_adjtime": 266,
        "name_to_handle_at": 264,
        "open_by_handle_at": 265,
        "fanotify_init": 262,
        "capset": 91,
        "execveat": 281,
        "vhangup": 58,
        "migrate_pages": 238,
        "move_pages": 239,
    },
}
_EVERYWHERE = {
    "pidfd_send_signal": 424,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "landlock_create_ruleset": 444,
    "landlock_add_rule": 445,
    "landlock_restrict_self": 446,
    "process_mrelease": 448,
    "clone3": 435,
    "fchmodat2": 452,
    "setxattrat": 463,
    "removexattrat": 466,
}


@cache
def numbers() -> dict[str, int]:
    """Return this machine's system calls by name, with its audit architecture as `_audit`; empty if unknown."""
    if not sys.platform.startswith("linux"):
        return {}
    own = _NUMBERS.get(os.uname().machine)
    return {} if own is None or sys.maxsize < 1 << 32 else own | _EVERYWHERE


def call(name: str, *arguments: Any) -> int:
    """Make a system call.

    Raises:
        OSError: the system refused, or has no such call.
    """
    number = numbers().get(name)
    if number is None:
        raise OSError(f"{name}: not known on this machine")
    result = _C.syscall(ctypes.c_long(number), *(_argument(a) for a in arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")
    return int(result)


def prctl(option: int, *arguments: int) -> None:
    """Set an attribute of this process.

    Raises:
        OSError: the system refused, or is not Linux.
    """
    if not hasattr(_C, "prctl"):
        raise OSError("prctl: not Linux")
    whole = [*arguments, 0, 0, 0, 0][:4]
    if _C.prctl(option, *(ctypes.c_ulong(a) for a in whole)):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """Attach a file system, by the system call of mount.

    Raises:
        OSError: the system refused.
    """
    call("mount", source.encode(), target.encode(), kind and kind.encode(), flags, data and data.encode())


def _argument(value: Any) -> Any:
    return ctypes.c_long(value) if isinstance(value, int) else value
