"""The executor of a pytest suite: each worker has a warmed process, and runs orders and groups of mutants with it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from harness.model.outcome import KillReason
from harness.pytest_suites.job import CollectOrder, CoverageOrder, OriginalOrder
from harness.pytest_suites.reports import Ready, Report, lost
from harness.runner.executors.local import LocalExecutor
from harness.runner.executors.worker_process import Instead, Work, WorkerDeath
from harness.runner.logs import LOGGER
from harness.runner.pytest_runs.schedule import GroupOrder, MutantAnswer
from harness.runner.pytest_runs.warmed import ForkServer
from harness.sandbox.folders import locked_folder
from harness.sandbox.process import NO_FACT, WorkerDied


@dataclass(frozen=True)
class VersionOrder:
    """Tell the version of pytest."""


Order = VersionOrder | OriginalOrder | CoverageOrder | GroupOrder
SuiteExecutor = LocalExecutor[Order, Report | Ready | MutantAnswer]


def suite_work(job: Path, readable: Path) -> Work[Order, Report | Ready | MutantAnswer]:
    """Return the work of a suite.

    A group of mutants is answered mutant by mutant. If a warmed process dies of a mutant, another one runs it once
    more. If that dies, too, the facts are a fault, or a crash if the mutant's report was no report.

    Args:
        job: the file of the job; what lies beside it can be read.
        readable: the folder in which the target is installed.

    Raises (a run):
        WorkerDied: a process has died that ran the original.
        MutascopeError: the suite cannot be collected.
    """
    return Work(partial(_suite_worker, job, readable), after_death, _left)


def report_of(executor: SuiteExecutor, order: OriginalOrder | CoverageOrder) -> Report:
    """Return the report of one order that is about the original."""
    ((_, report),) = executor.run([order])
    assert not isinstance(report, (Ready, MutantAnswer))
    return report


def pytest_version(executor: SuiteExecutor) -> str:
    """Return the version of pytest in the processes."""
    ((_, ready),) = executor.run([VersionOrder()])
    assert isinstance(ready, Ready)
    return ready.pytest


def facts_of(executor: SuiteExecutor, groups: Sequence[GroupOrder]) -> Generator[MutantAnswer, None, None]:
    """Yield the facts of each mutant as they are found."""
    with closing(executor.run(groups)) as answers:
        for _, answer in answers:
            assert isinstance(answer, MutantAnswer)
            yield answer


class SuiteWorker:
    """Runs orders in a warmed process, which is started when it is needed.

    Mutants that run while the suite is collected need one that has not collected it, the others one that has.

    Args:
        warm: makes a warmed process that works in a folder, which it makes, too.
        folder: what these folders lie below.
    """

    def __init__(self, warm: Callable[[Path], ForkServer], folder: Path) -> None:
        self._warm = warm
        self._folder = folder
        self._opened = ExitStack()
        self._warmed: ForkServer | None = None
        self._collected = False

    def close(self) -> None:
        """End the process."""
        self._opened.close()
        self._warmed = None

    def __call__(self, order: Order) -> Report | Ready | MutantAnswer:
        """Answer an order.

        Raises:
            WorkerDied: the process ended.
            MutascopeError: as it reports.
        """
        if isinstance(order, GroupOrder):
            mutant = order.order
            return MutantAnswer(mutant.id, self._process(not mutant.recollected).run(mutant))
        process = self._process(False)
        return Ready(process.pytest) if isinstance(order, VersionOrder) else process.ask(order)

    def _process(self, collected: bool) -> ForkServer:
        if self._collected and not collected:
            self.close()
        if self._warmed is None:
            self._warmed = self._started()
            self._collected = False
        if collected and not self._collected:
            self._warmed.ask(CollectOrder())
            self._collected = True
        return self._warmed

    def _started(self) -> ForkServer:
        own = self._opened.enter_context(locked_folder(self._folder))
        return self._opened.enter_context(self._warm(own / "work"))


@contextmanager
def _suite_worker(job: Path, readable: Path, folder: Path) -> Iterator[SuiteWorker]:
    with closing(SuiteWorker(partial(ForkServer, job, readable=readable), folder)) as worker:
        yield worker


def _left(order: Order, answer: Report | Ready | MutantAnswer) -> GroupOrder | None:
    if isinstance(order, GroupOrder) and isinstance(answer, MutantAnswer):
        return order.after(answer.facts)
    return None


def after_death(order: Order, death: WorkerDeath) -> Instead[Order] | MutantAnswer:
    """Run a mutant again, once; raise WorkerDied if the original was run."""
    how = death.how or "was killed with its worker"
    if not isinstance(order, GroupOrder):
        raise WorkerDied(how)
    if death.count == 1:
        LOGGER.warning("%s: the process of the tests %s; it is started again", order.mutant, how)
        return Instead([order])
    death_text = f"the process of the tests {how}"
    return MutantAnswer(order.mutant, lost(KillReason.CRASH, death_text) if how.startswith(NO_FACT) else death_text)
