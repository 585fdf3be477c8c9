"""Ends a command that cannot continue, because of a signal or a limit of the machine, with a message of one line."""

from __future__ import annotations

import errno
import os
import resource
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_RESUME_NOTE = "; what was finished is kept, the same command goes on"
_NO_THREAD = "can't start new thread"
_IMPORT_FAILURES = {
    "failed to map segment": errno.ENOMEM,
    "annot allocate memory": errno.ENOMEM,
    "oo many open files": errno.EMFILE,
}


class Interrupted(KeyboardInterrupt):
    """A signal that ends the command has come."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def interruptible() -> Iterator[None]:
    """Make SIGTERM and SIGHUP raise like SIGINT within the block, the first one of them. Later ones do not disturb the
    ending that it causes. An ignored signal (SIGHUP below nohup) stays ignored, and a forked process ignores all.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    own = os.getpid()
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    handled_signals = [number for number in _SIGNALS if before[number] not in (signal.SIG_IGN, None)]

    def leave(number: int, frame: FrameType | None) -> None:
        if os.getpid() == own:
            for each in handled_signals:
                signal.signal(each, signal.SIG_IGN)
            raise Interrupted(number)

    for number in handled_signals:
        signal.signal(number, leave)
    try:
        yield
    finally:
        for number in handled_signals:
            signal.signal(number, before[number])


def exit_report(error: BaseException, keeps: bool) -> tuple[str, int] | None:
    """Return the line and the exit status for an error that ends a command; None if it is a fault of the harness.

    Args:
        keeps: whether the same command, run again, continues after the finished results.
    """
    remark = _RESUME_NOTE if keeps else ""
    if isinstance(error, KeyboardInterrupt):
        number = signal.Signals(getattr(error, "number", signal.SIGINT))
        how = "interrupted" if number is signal.SIGINT else f"interrupted by {number.name}"
        return f"{how}{remark}", 128 + number
    limit = machine_limit(error)
    if limit is not None:
        return f"{limit}{remark}", 2
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}{remark}", 2
    return None


def machine_limit(error: BaseException) -> str | None:
    """Return the limit of the machine that was reached, and advice. The causes of the error are searched, too."""
    cause: BaseException | None = error
    while cause is not None:
        code = _code(cause)
        if code == errno.ENOMEM:
            return f"no memory left{_set('-v', resource.RLIMIT_AS, 1024)}; raise that limit or give fewer --jobs"
        if code in (errno.EMFILE, errno.ENFILE):
            return f"too many open files{_set('-n', resource.RLIMIT_NOFILE)}; raise that limit or give fewer --jobs"
        if code == errno.EAGAIN:
            return (
                f"no further process or thread can be started{_set('-u', resource.RLIMIT_NPROC)}; "
                "raise that limit or give fewer --jobs"
            )
        if code in (errno.ENOSPC, errno.EDQUOT) and isinstance(cause, OSError):
            return f"{cause.filename or 'the disk'}: {cause.strerror}; make room"
        cause = cause.__cause__ or cause.__context__
    return None


def _code(error: BaseException) -> int | None:
    if isinstance(error, MemoryError):
        return errno.ENOMEM
    if isinstance(error, RuntimeError):
        if _NO_THREAD not in str(error):
            return None
        is_free = resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY
        return errno.EAGAIN if is_free else errno.ENOMEM  # the stack of a thread takes memory, too
    if isinstance(error, ImportError):
        return next((code for words, code in _IMPORT_FAILURES.items() if words in str(error)), None)
    return error.errno if isinstance(error, OSError) else None


def _set(option: str, kind: int, unit: int = 1) -> str:
    soft, _ = resource.getrlimit(kind)
    return "" if soft == resource.RLIM_INFINITY else f" (ulimit {option} is {soft // unit})"
