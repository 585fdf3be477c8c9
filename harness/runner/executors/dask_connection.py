"""Connections to schedulers of Dask: what an address looks like, and who answers there."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.resource_tracker import ensure_running

from harness.errors import UsageError

CONNECTING = 15.0
"""Seconds for a scheduler to answer, all in all."""
_SHARE_OF_CONNECTING = 0.9
_ADDRESS = re.compile(r"(?:(?:tcp|tls)://)?(?:\[[0-9a-fA-F:.]+\]|[^\s/:@\[\]]+):(\d{1,5})")
_GREATEST_PORT = 0xFFFF


def check_form(address: str) -> None:
    """Check that an address has the form of one.

    Raises:
        UsageError: it has not.
    """
    parts = _ADDRESS.fullmatch(address)
    if parts is None or not 0 < int(parts[1]) <= _GREATEST_PORT:
        raise UsageError(
            f"--scheduler {address}: an address has the form tcp://HOST:PORT or tls://HOST:PORT; give the one that "
            "'dask scheduler' prints after 'Scheduler at:'"
        )


def check_scheduler(address: str) -> None:
    """Ask who answers at an address: a client of Dask waits for minutes if it is something else than a scheduler.

    Raises:
        UsageError: nobody answers, or no scheduler.
    """
    from distributed.comm.core import FatalCommClosedError
    from distributed.utils import LoopRunner

    try:
        kind = LoopRunner().run_sync(_kind, address)  # type: ignore[no-untyped-call]
    except Exception as error:
        words = in_words(error)
        # Dask says so with the plain class if no connection was made, and with the others if TLS was not set up.
        if type(error) is OSError or isinstance(error, (FatalCommClosedError, RuntimeError)):
            raise no_scheduler(address, words) from None
    else:
        if kind == "Scheduler":
            return
        words = f"a {kind} of Dask"
    raise UsageError(
        f"--scheduler {address}: no scheduler of Dask answers there ({words}); something else answers there; is it the "
        "port of the dashboard? Give the address that 'dask scheduler' prints after 'Scheduler at:'"
    )


def no_scheduler(address: str, why: str) -> UsageError:
    """Return the error that nobody answers at an address."""
    return UsageError(
        f"--scheduler {address}: no scheduler of Dask answers there ({why}); start one with 'dask scheduler', and give "
        "the address that it prints"
    )


async def _kind(address: str) -> str:
    """Ask for the class of the server at an address, such as `Scheduler`."""
    from distributed import Security
    from distributed.comm.core import connect
    from distributed.core import send_recv

    async with asyncio.timeout(CONNECTING):
        # Connecting ends before: its own error says more. It does not limit the handshake after that.
        arguments = Security().get_connection_args("client")
        limit = _SHARE_OF_CONNECTING * CONNECTING
        comm = await connect(address, limit, **arguments)  # type: ignore[no-untyped-call]
        try:
            return str((await send_recv(comm, op="identity"))["type"])
        finally:
            comm.abort()


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Keep Ctrl-C from the processes that are started by threads that are started within the block.

    They inherit that SIGINT is blocked. In this thread, it is heard after the block.
    """
    ensure_running()  # the process that multiprocessing starts first; to start it unblocks SIGINT in the thread
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def in_words(error: BaseException) -> str:
    """Return the text of an error in one line."""
    return " ".join(str(error).split()) or type(error).__name__
