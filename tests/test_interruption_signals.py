"""A command that a signal or a limit of the machine ends says so in one line."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Iterator

import pytest

from harness.interruption import Interrupted, exit_report, interruptible

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture
def as_from_a_terminal() -> Iterator[None]:
    """Restore the usual signal handlers; a shell without job control makes processes started with `&` ignore SIGINT."""
    usual = {signal.SIGINT: signal.default_int_handler}
    before = {each: signal.signal(each, usual.get(each, signal.SIG_DFL)) for each in SIGNALS}
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


@pytest.mark.usefixtures("as_from_a_terminal")
@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_raises_once_and_then_disturbs_no_more(number: signal.Signals) -> None:
    before = [signal.getsignal(each) for each in SIGNALS]

    def struck() -> None:
        try:
            os.kill(os.getpid(), number)
        finally:
            for each in SIGNALS:
                os.kill(os.getpid(), each)

    with pytest.raises(Interrupted) as raised, interruptible():
        struck()
    assert raised.value.number == number
    assert [signal.getsignal(each) for each in SIGNALS] == before


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruptible():
            os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_forked_process_is_not_ended_by_what_its_parent_listens_to() -> None:
    with interruptible():
        child = os.fork()
        if child == 0:
            try:
                os.kill(os.getpid(), signal.SIGHUP)
                os._exit(0)
            finally:
                os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize(
    ("error", "says", "status"),
    [
        (Interrupted(signal.SIGTERM), "interrupted by SIGTERM", 143),
        (Interrupted(signal.SIGHUP), "interrupted by SIGHUP", 129),
        (Interrupted(signal.SIGINT), "interrupted", 130),
        (KeyboardInterrupt(), "interrupted", 130),
        (OSError(errno.EIO, "Input/output error", "file"), "file: Input/output error", 2),
        (OSError(errno.ENOSPC, "No space left on device", "file"), "file: No space left on device; make room", 2),
    ],
)
def test_the_line_says_that_something_is_kept_only_where_it_is(error: BaseException, says: str, status: int) -> None:
    assert exit_report(error, keeps=False) == (says, status)
    assert exit_report(error, keeps=True) == (f"{says}; what was finished is kept, the same command goes on", status)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (MemoryError(), "no memory left"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "no memory left"),
        (ImportError("libx.so: failed to map segment from shared object"), "no memory left"),
        (OSError(errno.EMFILE, "Too many open files"), "too many open files (ulimit -n is "),
        (BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"), "no further process or thread"),
        (RuntimeError("can't start new thread"), "no further process or thread"),
    ],
)
def test_a_limit_that_is_met_is_named_with_what_to_do(error: BaseException, says: str) -> None:
    wrapped = RuntimeError("something else")
    wrapped.__cause__ = error
    for each in (error, wrapped):
        report = exit_report(each, keeps=False)
        assert report is not None
        line, status = report
        assert line.startswith(says)
        assert line.endswith("raise that limit or give fewer --jobs")
        assert status == 2


@pytest.mark.parametrize("error", [RuntimeError("a fault"), ImportError("No module named 'x'"), RecursionError()])
def test_a_fault_of_the_harness_is_not_taken_for_a_limit(error: Exception) -> None:
    assert exit_report(error, keeps=True) is None
