"""The executor of a pytest suite: each worker has a warmed process, and runs orders and groups of mutants with it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

from harness.model.outcome import KillReason
from harness.pytest_suites.job import ORDERS, CollectOrder, CoverageOrder, MutantOrder, OriginalOrder, TypesOrder
from harness.pytest_suites.job import Order as ServerOrder
from harness.pytest_suites.process import WARMED
from harness.pytest_suites.reports import (
    WORDS,
    Alive,
    Collected,
    CoverageReport,
    EarlyEnd,
    MutantFacts,
    MutantFault,
    OriginalReport,
    Report,
    TypesReport,
    lost,
)
from harness.runner.executors.local import LocalExecutor
from harness.runner.executors.worker_process import Work
from harness.runner.pytest_runs.project import settings_above
from harness.runner.pytest_runs.schedule import GroupOrder, MutantAnswer
from harness.sandbox.folders import locked_folder
from harness.sandbox.process import NO_FACT, SandboxedProcess, WorkerDied

_SILENCE = 600.0
"""It says about every second that it is alive, but while the suite is collected."""

_REPORTS: dict[type[ServerOrder], tuple[type[Report], ...]] = {
    OriginalOrder: (OriginalReport, EarlyEnd),
    TypesOrder: (TypesReport, EarlyEnd),
    CoverageOrder: (CoverageReport, EarlyEnd),
    CollectOrder: (Collected,),
    MutantOrder: (MutantFacts, MutantFault),
}
"""The classes of what answers an order of each class."""


AskedProcess = Callable[[ServerOrder], Report]
"""Returns the report that answers an order.

It raises WorkerDied if the process has ended, or reports something else or what cannot be a fact, and MutascopeError if
the process reports an error that the user can correct.
"""


@contextmanager
def fork_server(job: Path, work: Path, readable: Path) -> Iterator[AskedProcess]:
    """Start a fork server; leaving the block ends every process below it.

    Args:
        job: the file of the job; what lies beside it can be read.
        work: a folder of its own, in which the copy of the project is.
        readable: where the target is installed.
    """
    work.mkdir()
    with SandboxedProcess(
        "harness.pytest_suites.process",
        WARMED,
        str(job),
        str(work),
        below=job.parent,
        readable=[job.parent, readable, *settings_above(job.parent)],
        writable=[work],
    ) as process:

        def ask(order: ServerOrder) -> Report:
            process.order(ORDERS.to_data(order))
            while isinstance(word := process.word(WORDS, _SILENCE, idle_factor=1), Alive):
                pass
            is_forged = isinstance(word, MutantFacts) and not word.is_consistent
            if is_forged or not isinstance(word, _REPORTS[type(order)]):
                raise WorkerDied(NO_FACT)
            return word

        yield ask


Order = OriginalOrder | CoverageOrder | GroupOrder
SuiteExecutor = LocalExecutor[Order, Report | MutantAnswer]


def suite_work(job: Path, readable: Path) -> Work[Order, Report | MutantAnswer]:
    """Return the work of a suite.

    A group of mutants is answered mutant by mutant. If two warmed processes die of a mutant, its facts are a fault, or
    a crash if its report was no report. The original is not run again: a suite that ends its process at times could
    not be told from a mutant that does.

    Args:
        job: the file of the job; what lies beside it can be read.
        readable: the folder in which the target is installed.

    Raises (a run):
        WorkerDied: a process has died that ran the original.
        MutascopeError: the suite cannot be collected.
    """
    return Work(
        partial(_suite_worker, job, readable), lost_facts, _left, again=lambda order: isinstance(order, GroupOrder)
    )


def report_of(executor: SuiteExecutor, order: OriginalOrder | CoverageOrder) -> Report:
    """Return the report of one order that is about the original."""
    ((_, report),) = executor.run([order])
    assert not isinstance(report, MutantAnswer)
    return report


def facts_of(executor: SuiteExecutor, groups: Sequence[GroupOrder]) -> Generator[MutantAnswer, None, None]:
    """Yield the facts of each mutant as they are found."""
    with closing(executor.run(groups)) as answers:
        for _, answer in answers:
            assert isinstance(answer, MutantAnswer)
            yield answer


@contextmanager
def _suite_worker(job: Path, readable: Path, folder: Path) -> Iterator[Callable[[Order], Report | MutantAnswer]]:
    """Answer orders with a warmed process, which is started when it is needed, and works in a folder below `folder`.

    Mutants that run while the suite is collected need a process that has not collected it, the others one that has.
    """
    opened = ExitStack()
    warmed: AskedProcess | None = None
    is_collected = False

    def process(collected: bool) -> AskedProcess:
        nonlocal warmed, is_collected
        if warmed is None or (is_collected and not collected):
            opened.close()
            own = opened.enter_context(locked_folder(folder))
            warmed, is_collected = opened.enter_context(fork_server(job, own / "work", readable)), False
        if collected and not is_collected:
            warmed(CollectOrder())
            is_collected = True
        return warmed

    def answer(order: Order) -> Report | MutantAnswer:
        if not isinstance(order, GroupOrder):
            return process(False)(order)
        report = process(not order.order.recollected)(order.order)
        assert isinstance(report, (MutantFacts, MutantFault))
        return MutantAnswer(order.id, report.fault if isinstance(report, MutantFault) else report)

    with opened:
        yield answer


def _left(order: Order, answer: Report | MutantAnswer) -> GroupOrder | None:
    if isinstance(order, GroupOrder) and isinstance(answer, MutantAnswer):
        return order.after(answer.facts)
    return None


def lost_facts(order: Order, how: str) -> MutantAnswer:
    """Return the facts of a mutant of which two processes died; raise WorkerDied if one did that ran the original."""
    how = how or "was killed with its worker"
    if not isinstance(order, GroupOrder):
        raise WorkerDied(how)
    death_text = f"the process of the tests {how}"
    return MutantAnswer(order.id, lost(KillReason.CRASH, death_text) if how.startswith(NO_FACT) else death_text)
