"""Pool workers log through a queue; sandboxed processes never hold an end of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.counter import job

from harness.runner.logs import LOGGER, logging_to
from harness.runner.pool import Pool


def children(process: int) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()]


def handles(process: int) -> set[str]:
    """What the process's open handles are, pipes by their inode."""
    return {os.readlink(entry) for entry in Path(f"/proc/{process}/fd").iterdir()}


@pytest.mark.end_to_end
def test_workers_log_to_the_folder_of_the_run(tmp_path: Path) -> None:
    with logging_to(tmp_path), Pool(job(tmp_path), 2):
        pass
    lines = (tmp_path / "run.log").read_text().splitlines()
    assert sum("ForkProcess" in line and "ready" in line for line in lines) == 2


def test_a_sandbox_holds_no_end_of_the_logging_queue(tmp_path: Path) -> None:
    with logging_to(tmp_path), Pool(job(tmp_path), 1) as pool:
        queues = [handler.queue for handler in LOGGER.handlers]
        ends = {os.readlink(f"/proc/self/fd/{end.fileno()}") for q in queues for end in (q._reader, q._writer)}
        (worker,) = (worker.pid for worker in pool._workers.values())
        (zygote,) = children(worker)
        assert ends & handles(worker)  # else the worker could not log
        assert not ends & handles(zygote)
