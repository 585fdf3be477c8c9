"""A warmed process of pytest, seen from outside: an order goes in, a fact comes out."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

from harness.kernel.running.testimony import is_text
from harness.pytest_suites.job import ORDERS, MutantOrder, Order
from harness.pytest_suites.mutant_facts import MutantFacts, facts_of
from harness.pytest_suites.process import WARMED
from harness.runner.pytest_runs.settings import settings_above
from harness.sandbox.process import NO_FACT, SandboxedProcess, WorkerDied

_SILENCE = 600.0
"""It says about every second that it is alive, but while the suite is collected."""


class Warmed:
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

    def __enter__(self) -> Warmed:
        self._process.__enter__()
        try:
            self.pytest = str(self._fact()["pytest"])
        except BaseException as error:
            self._process.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.__exit__(kind, error, trace)

    def ask(self, order: Order) -> dict[str, Any]:
        """The fact that answers an order.

        Raises:
            WorkerDied: the process ended.
            MutascopeError: it tells of an error of the user's making.
        """
        self._process.order(ORDERS.to_data(order))
        return self._fact()

    def run(self, order: MutantOrder) -> MutantFacts | str:
        """Run a mutant and return its facts; text is a fault.

        Raises:
            WorkerDied, MutascopeError: as `ask`; or the process reports what cannot be a fact.
        """
        report = self.ask(order)
        if report.keys() == {"fault"} and is_text(report["fault"]):
            return str(report["fault"])
        try:
            return facts_of(report)
        except ValueError:
            raise WorkerDied(NO_FACT) from None

    def _fact(self) -> dict[str, Any]:
        while "alive" in (fact := self._process.fact(_SILENCE, idle_factor=1)):
            pass
        return fact
