"""Chooses who works on a run: processes of this machine, or a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.runner.executors.cluster_file import ClusterFile
from harness.runner.executors.local import LocalWorkforce
from harness.runner.executors.protocol import Workforce

LOCAL, DASK = "local", "dask"
EXECUTORS = (LOCAL, DASK)


@contextmanager
def opened_workforce(
    executor: str,
    jobs: int,
    scheduler: str | None = None,
    allowed: Sequence[str] = (),
    cluster_file: Path | None = None,
    at_once: bool = True,
) -> Iterator[Workforce]:
    """Open the workforce of this name, and close it in the end. Where a cluster is, one line says.

    Args:
        jobs: processes on this machine at once.
        scheduler: the address of a scheduler of Dask; None: a cluster of `jobs` workers is started here.
        cluster_file: a description of a cluster that is started in place of it.
        allowed: names of workers that may have another version or fewer levels of containment.
        at_once: whether a cluster is connected now, and not when its first executor is needed.

    Raises:
        UsageError: there is no such executor; or Dask is not installed, or no scheduler or no worker can be used.
    """
    if executor not in EXECUTORS:
        raise UsageError(f"there is no executor {executor}; {suggestion(executor, EXECUTORS, 'mutascope run --help')}")
    if executor == LOCAL:
        yield LocalWorkforce(jobs)
        return
    from harness.runner.executors.dask_cluster import DaskCluster  # asyncio takes its time to be imported
    from harness.runner.executors.dask_executor import DaskWorkforce

    if scheduler is not None and cluster_file is not None:
        raise UsageError("give --scheduler or --cluster, one of them")
    place = scheduler if cluster_file is None else ClusterFile.read(cluster_file)
    with ExitStack() as opened:
        workforce = DaskWorkforce(DaskCluster(place, jobs, allowed), jobs, opened)
        if at_once:
            workforce.connect()
        yield workforce
