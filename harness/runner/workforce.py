"""Chooses who works on a run: processes of this machine, or a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from harness.errors import UsageError
from harness.names import suggestion
from harness.runner.executors.dask_cluster import DaskCluster
from harness.runner.executors.dask_executor import DaskWorkforce
from harness.runner.executors.local import LocalWorkforce
from harness.runner.executors.protocol import Workforce
from harness.runner.logs import report_line

LOCAL, DASK = "local", "dask"
EXECUTORS = (LOCAL, DASK)


@contextmanager
def opened_workforce(
    executor: str, jobs: int, scheduler: str | None = None, allowed: Sequence[str] = ()
) -> Iterator[Workforce]:
    """Open the workforce of this name, and close it in the end. Where a cluster is, one line says.

    Args:
        jobs: processes on this machine at once.
        scheduler: the address of a scheduler of Dask; None: a cluster of `jobs` workers is started here.
        allowed: names of workers that may have another version or fewer levels of containment.

    Raises:
        UsageError: there is no such executor; or Dask is not installed, or no scheduler or no worker can be used.
    """
    if executor not in EXECUTORS:
        raise UsageError(f"there is no executor {executor}; {suggestion(executor, EXECUTORS, 'mutascope run --help')}")
    if executor == LOCAL:
        yield LocalWorkforce(jobs)
        return
    with DaskCluster(scheduler, jobs, allowed) as cluster:
        report_line(cluster.description)
        yield DaskWorkforce(cluster, jobs)
