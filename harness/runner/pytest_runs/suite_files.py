"""The files of a pytest suite's job, so that workers of another machine can have them."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Generic, TypeVar

from harness.errors import SourceError, UsageError
from harness.model.pytest_suite import PYTEST
from harness.pytest_suites.job import FACTS, FUNCTIONS, METAMUTANT, PROBED, CoverageOrder, OriginalOrder, SuiteJob
from harness.resources import read_source
from harness.runner.executors.protocol import OpenWorker, Worker
from harness.runner.executors.task import below
from harness.runner.pytest_runs.schedule import GroupOrder
from harness.sandbox.folders import locked_folder

Order = TypeVar("Order")
Answer = TypeVar("Answer")

_ARCHIVE = "pristine.tar"
_MOVED = "moved.json"


def pytest_packages() -> dict[str, str]:
    """Return the versions of pytest and its plug-ins by the names of their packages."""
    plug_ins = {entry.dist.name: entry.dist.version for entry in metadata.entry_points(group="pytest11") if entry.dist}
    return {PYTEST: metadata.version(PYTEST), **plug_ins}


@dataclass(frozen=True)
class SuiteFiles(Generic[Order, Answer]):
    """The files of a suite's job, as `Files` says. The copy of the project is sent as one archive.

    Attributes:
        job: the file of the job.
        readable: the folder in which the target is installed.
        packages: of pytest here (`pytest_packages`). A worker with others finds other facts, and so is an error.
        open: opens the worker of a job file, given the readable folder and a folder of its own, too.
    """

    job: Path
    readable: Path
    packages: Mapping[str, str]
    open: Callable[[Path, Path, Path], AbstractContextManager[Worker[Order, Answer]]]

    def of_work(self) -> list[Path]:
        """Return the job and the archive of the project, which is made when it is first wanted."""
        archive = self.job.with_name(_ARCHIVE)
        if not archive.exists():
            with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT) as packed:
                packed.add(SuiteJob.read(self.job).pristine, ".", filter=_of_nobody)
        return [self.job, archive]

    def inputs_of(self, order: Order) -> list[Path]:
        """Return what lies beside the job for an order."""
        match order:
            case OriginalOrder():
                names: tuple[str, ...] = (PROBED,)
            case CoverageOrder():
                names = (FUNCTIONS,)
            case GroupOrder():
                names = (METAMUTANT, FACTS)
            case _:
                names = ()
        return [self.job.with_name(name) for name in names]

    def outputs_of(self, order: Order) -> list[Path]:
        """Return no files, because the answer has all facts."""
        return []

    def moved(self, order: Order, root: Path) -> Order:
        """Return the order, which has no paths."""
        return order

    def worker(self, root: Path) -> OpenWorker[Order, Answer]:
        """Return what opens a worker of the job that lies below a root."""
        return partial(self._moved_worker, root)

    @contextmanager
    def _moved_worker(self, root: Path, folder: Path) -> Iterator[Worker[Order, Answer]]:
        """Open the worker of the job below a root, with the project that the archive there has.

        Raises:
            UsageError: the packages of pytest, or an installed target, are not the same here.
        """
        self._compare_packages()
        there = below(root, self.job)
        described = SuiteJob.read(there)
        is_installed = os.path.isabs(described.filename)
        if is_installed:
            _compare_target(described)
        with locked_folder(there.parent) as pristine:
            with tarfile.open(there.with_name(_ARCHIVE)) as packed:
                packed.extractall(pristine, filter="fully_trusted")  # noqa: S202 (nobody else has made it)
            moved = there.with_name(_MOVED)
            replace(described, pristine=str(pristine)).write(moved)
            with self.open(moved, self.readable if is_installed else there.parent, folder) as worker:
                yield worker

    def _compare_packages(self) -> None:
        theirs = pytest_packages()
        for name in sorted({*self.packages, *theirs}):
            versions = [packages.get(name, "none") for packages in (theirs, self.packages)]
            if versions[0] != versions[1]:
                raise UsageError(
                    f"the worker on {os.uname().nodename} has {name} {versions[0]}, and the machine that started the "
                    f"run {versions[1]}; install the same packages on both"
                )


def _of_nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Leave out whom a file belongs to: the worker's user owns it there."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def _compare_target(job: SuiteJob) -> None:
    try:
        is_same = read_source(Path(job.filename), "") == job.source
    except SourceError:
        is_same = False
    if not is_same:
        raise UsageError(
            f"the worker on {os.uname().nodename} does not have the module {job.target} in {job.filename} as it is on "
            "the machine that started the run; install the same version of it at the same place"
        )
