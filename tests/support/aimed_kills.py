"""Kills a process at its n-th system call: every moment at which a file may be half written, one by one."""

import ctypes
import os
import signal
from collections.abc import Callable

_LIBC = ctypes.CDLL(None, use_errno=True)
_TRACEME, _SYSCALL, _SETOPTIONS = 0, 24, 0x4200
_EXITKILL = 0x100000


def run_until(work: Callable[[Callable[[], None]], None], stops: int) -> tuple[int, int]:
    """Does `work` in a forked process and kills it after so many stops, one before and one behind each system call.

    Returns:
        How many stops it came to, and how often `work` called its argument before.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _ptrace(_TRACEME, 0, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
            work(lambda: os.write(write, b".") and None)
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    _ptrace(_SETOPTIONS, child, _EXITKILL)
    done = 0
    while done < stops:
        _ptrace(_SYSCALL, child, 0)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            break
        done += 1
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    answers = os.read(read, 1 << 16)
    os.close(read)
    return done, len(answers)


def _ptrace(request: int, process: int, data: int) -> None:
    if _LIBC.ptrace(request, process, None, ctypes.c_void_p(data)) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")
