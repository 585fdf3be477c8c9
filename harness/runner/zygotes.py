"""Zygotes seen from outside: what they may read, and how what they write gets to where it belongs."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.errors import MutascopeError
from harness.kernel.running.baseline_slices import slice_path
from harness.kernel.running.job import ROWS, BaselineOrder, Order, ProbeOrder, RunJob
from harness.kernel.running.process import ZYGOTE
from harness.sandbox.process import SandboxedProcess


def zygote_process(job: Path, outbox: Path, below: Path | None = None) -> SandboxedProcess:
    """The sandboxed process of a job, not yet started. It reads the job with what lies beside it, the suite, and
    what the subject has beside it; it writes to `outbox`."""
    told = RunJob.read(job)
    subject = [Path(told.spec_filename).parent, Path(told.implementation.filename).parent]
    readable = [job.parent, Path(told.suite), *subject]
    return SandboxedProcess(
        "harness.kernel.running.process",
        ZYGOTE,
        str(job),
        str(outbox),
        below=below,
        readable=readable,
        writable=[outbox],
    )


def addressed_to(outbox: Path, order: Order) -> Order:
    """The order as the zygote gets it: what it writes goes to its outbox."""
    return replace(order, baseline=str(outbox)) if isinstance(order, BaselineOrder) else order


def take_out(outbox: Path, order: Order, facts: dict[str, Any]) -> None:
    """Moves what the zygote wrote for an order to where the order wants it.

    Raises:
        MutascopeError: it is not there, or no plain file.
    """
    if "fault" in facts:
        return
    if isinstance(order, BaselineOrder):
        _move(order, slice_path(outbox, order.first), slice_path(Path(order.baseline), order.first))
    elif isinstance(order, ProbeOrder):
        _move(order, outbox / ROWS, Path(order.rows))


def _move(order: Order, written: Path, place: Path) -> None:
    """Looks first: the program's own process has written it, and a pipe or link would hang or mislead who reads it."""
    try:
        plain = stat.S_ISREG(written.lstat().st_mode)
    except OSError:
        plain = False
    if not plain:
        raise MutascopeError(
            f"{order.id}: the process of the original left no plain file {written.name}; "
            "see to it that the implementation and the spec write no files of their own"
        )
    written.replace(place)
