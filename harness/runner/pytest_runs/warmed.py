"""A fork server of pytest, seen from outside: it takes orders and answers with reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.pytest_suites.job import (
    ORDERS,
    CollectOrder,
    CoverageOrder,
    MutantOrder,
    Order,
    OriginalOrder,
    TypesOrder,
)
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
)
from harness.runner.pytest_runs.project import settings_above
from harness.sandbox.process import NO_FACT, SandboxedProcess, WorkerDied

_SILENCE = 600.0
"""It says about every second that it is alive, but while the suite is collected."""

_REPORTS: dict[type[Order], tuple[type[Report], ...]] = {
    OriginalOrder: (OriginalReport, EarlyEnd),
    TypesOrder: (TypesReport, EarlyEnd),
    CoverageOrder: (CoverageReport, EarlyEnd),
    CollectOrder: (Collected,),
    MutantOrder: (MutantFacts, MutantFault),
}
"""The classes of what answers an order of each class."""


AskedProcess = Callable[[Order], Report]
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

        def ask(order: Order) -> Report:
            process.order(ORDERS.to_data(order))
            while isinstance(word := process.word(WORDS, _SILENCE, idle_factor=1), Alive):
                pass
            is_forged = isinstance(word, MutantFacts) and not word.is_consistent
            if is_forged or not isinstance(word, _REPORTS[type(order)]):
                raise WorkerDied(NO_FACT)
            return word

        yield ask
