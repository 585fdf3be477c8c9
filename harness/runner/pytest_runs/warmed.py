"""A fork server of pytest, seen from outside: it takes orders and answers with reports."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

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
    Ready,
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


class ForkServer:
    """Use as a context manager; leaving it ends every process below it.

    Args:
        job: the file of the job; what lies beside it can be read.
        work: a folder of its own, in which the copy of the project is.
        readable: where the target is installed.
    """

    def __init__(self, job: Path, work: Path, readable: Path) -> None:
        work.mkdir()
        self._process = SandboxedProcess(
            "harness.pytest_suites.process",
            WARMED,
            str(job),
            str(work),
            below=job.parent,
            readable=[job.parent, readable, *settings_above(job.parent)],
            writable=[work],
        )

    def __enter__(self) -> ForkServer:
        self._process.__enter__()
        try:
            self.pytest = self._version()
        except BaseException as error:
            self._process.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.__exit__(kind, error, trace)

    def _version(self) -> str:
        word = self._word()
        if not isinstance(word, Ready):
            raise WorkerDied(NO_FACT)
        return word.pytest

    def ask(self, order: Order) -> Report:
        """Return the report that answers an order.

        Raises:
            WorkerDied: the process ended, or reports something else.
            MutascopeError: the process reports an error that the user can correct.
        """
        self._process.order(ORDERS.to_data(order))
        word = self._word()
        if not isinstance(word, _REPORTS[type(order)]):
            raise WorkerDied(NO_FACT)
        return word

    def run(self, order: MutantOrder) -> MutantFacts | str:
        """Run a mutant and return its facts; text is a fault.

        Raises:
            WorkerDied, MutascopeError: as `ask`; or the process reports what cannot be a fact.
        """
        report = self.ask(order)
        if isinstance(report, MutantFault):
            return report.fault
        assert isinstance(report, MutantFacts)
        if not report.is_consistent:
            raise WorkerDied(NO_FACT)
        return report

    def _word(self) -> Report | Ready:
        while isinstance(word := self._process.word(WORDS, _SILENCE, idle_factor=1), Alive):
            pass
        return word
