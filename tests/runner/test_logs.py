"""Pool workers log through a queue; sandboxed processes never hold an end of it."""

import logging
import multiprocessing
import os
from pathlib import Path

from multiprocessing_logging import MultiProcessingHandler
from support.counter import INPUTS, job

from harness.kernel.process.confinement import children_of
from harness.kernel.running.job import BaselineOrder
from harness.runner.logs import LOGGER, logging_to
from harness.runner.zygotes import answers_of, zygote_executor


def handles(process: int) -> set[str]:
    """Return the process's open handles, pipes by their inode."""
    return {os.readlink(entry) for entry in Path(f"/proc/{process}/fd").iterdir()}


def test_workers_log_to_the_folder_of_the_run(tmp_path):
    with logging_to(tmp_path), zygote_executor(job(tmp_path), 2) as executor:
        list(answers_of(executor, [BaselineOrder(str(at), at, INPUTS, str(tmp_path)) for at in (0, 8)]))
    lines = (tmp_path / "run.log").read_text().splitlines()
    assert sum("ForkProcess" in line and "ready" in line for line in lines) == 2


def test_a_sandbox_holds_no_end_of_the_logging_queue(tmp_path):
    with logging_to(tmp_path), zygote_executor(job(tmp_path), 1) as executor:
        queues = [handler.queue for handler in LOGGER.handlers if isinstance(handler, MultiProcessingHandler)]
        ends = {os.readlink(f"/proc/self/fd/{end.fileno()}") for q in queues for end in (q._reader, q._writer)}
        list(answers_of(executor, [BaselineOrder("baseline", 0, INPUTS, str(tmp_path))]))
        (worker,) = (worker.pid for worker in multiprocessing.active_children())
        (zygote,) = children_of(worker)
        assert ends & handles(worker)  # else the worker could not log
        assert not ends & handles(zygote)


def test_handlers_and_settings_that_a_user_gave_the_log_are_as_before_after_a_run(tmp_path):
    users = logging.NullHandler()
    LOGGER.addHandler(users)
    before = list(LOGGER.handlers), LOGGER.level, LOGGER.propagate
    assert not LOGGER.isEnabledFor(logging.INFO)
    try:
        with logging_to(tmp_path), zygote_executor(job(tmp_path), 1) as executor:
            LOGGER.info("a line of this process")
            list(answers_of(executor, [BaselineOrder("baseline", 0, INPUTS, str(tmp_path))]))
        assert (list(LOGGER.handlers), LOGGER.level, LOGGER.propagate) == before
        assert not LOGGER.isEnabledFor(logging.INFO)
    finally:
        LOGGER.removeHandler(users)
