"""The fork server: imports pytest once, collects the suite once, and forks a child for each mutant."""

from __future__ import annotations

import gc
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from harness.codec.codec import codec_of
from harness.errors import UsageError
from harness.kernel.process.confinement import adopt_orphans, give_memory_back, share_one_heap
from harness.kernel.process.progress import Progress
from harness.kernel.process.talk import FactWriter, Heartbeats, telling
from harness.kernel.program.loader import MARK, TICK, budget_for, compile_with_ticks
from harness.model.outcome import KillReason, Phase
from harness.pytest_suites.children import Children
from harness.pytest_suites.importing import TargetFinder, hide_tool
from harness.pytest_suites.job import (
    FACTS,
    METAMUTANT,
    ORDERS,
    TREE,
    CollectOrder,
    CoverageOrder,
    MeasuredTests,
    MutantOrder,
    Order,
    OriginalOrder,
    SuiteJob,
    TypesOrder,
)
from harness.pytest_suites.measuring import Measuring, in_sequence
from harness.pytest_suites.original_runs import OriginalRuns
from harness.pytest_suites.outcomes import MISSING_TEST, SKIPPED_TEST, TestFailure
from harness.pytest_suites.reports import (
    WORDS,
    Alive,
    Collected,
    CoverageReport,
    FirstKill,
    MutantFacts,
    MutantFault,
    OriginalReport,
    Report,
    TypesReport,
    Word,
    is_skipped,
)
from harness.pytest_suites.session import LeftOut, SessionPreparation
from harness.pytest_suites.work_tree import WorkTree


class ControlMutantError(Exception):
    """The exception that a control mutant raises wherever the target executes a step."""


class Server:
    """Serves orders; children may write to `work` besides folders of their own."""

    def __init__(self, job: SuiteJob, folder: Path, work: Path, alive: Callable[[], None]) -> None:
        self._folder = folder
        self._tree = WorkTree(Path(job.pristine), work / TREE)
        self._children = Children(self._tree, work, job.wait, alive)
        self._sessions = SessionPreparation(job, self._tree.path)
        self._original = OriginalRuns(self._sessions, folder)
        self._meter = self._sessions.meter

    def serve(self, orders: Iterator[Order], send: Callable[[Report], None]) -> None:
        """Answer each order with a report; from the order to collect on, within a session of pytest.

        Raises:
            MutascopeError: the suite cannot be collected.
        """
        for order in orders:
            if not isinstance(order, CollectOrder):
                send(self._answer(order))
                continue
            self._prepare_mutants()
            self._tree.restore()
            self._sessions.stand()
            finder = self._metamutant()
            self._measuring = Measuring(self._meter, self._measured)

            def serve_forks(session: pytest.Session, finder: TargetFinder = finder) -> None:
                gc.collect()
                give_memory_back()
                gc.freeze()
                send(Collected(len(session.items)))
                for further in orders:
                    assert isinstance(further, MutantOrder)
                    send(self._forked(further, session, finder))

            self._sessions.of(finder, self._measuring, LeftOut(self._measured.excluded)).run(serve_forks)

    def _answer(self, order: Order) -> Report:
        if isinstance(order, TypesOrder):
            return self._children.original(TypesReport, lambda current: self._original.types(order, current))
        if isinstance(order, OriginalOrder):
            return self._children.original(OriginalReport, lambda current: self._original.run(order, current))
        if isinstance(order, CoverageOrder):
            return self._children.original(CoverageReport, lambda current: self._original.covered(order, current))
        assert isinstance(order, MutantOrder)
        self._prepare_mutants()
        return self._children.mutant(
            order, self._measured, lambda node_ids, progress: self._run_recollected(order, node_ids, progress)
        )

    # -- mutants ------------------------------------------------------------------------------

    def _prepare_mutants(self) -> None:
        if not hasattr(self, "_measured"):
            self._measured = codec_of(MeasuredTests).of_json((self._folder / FACTS).read_bytes())
            source = (self._folder / METAMUTANT).read_text(encoding="utf-8")
            self._code = self._sessions.compiled(replace(self._sessions.text, source=source), compile_with_ticks)

    def _metamutant(self) -> TargetFinder:
        return TargetFinder(self._sessions.text, self._code, {TICK: self._meter.counter.tick, MARK: self._meter.enter})

    def _forked(self, order: MutantOrder, session: pytest.Session, finder: TargetFinder) -> MutantFacts | MutantFault:
        def work(node_ids: Sequence[str], progress: Progress) -> MutantFacts:
            self._sessions.stand()
            self._choose(finder, order)
            by_id = {item.nodeid: item for item in session.items}
            items = [by_id[node] for node in node_ids]
            return self._tests(items, node_ids, self._measuring, order.matrix, progress, finder)

        return self._children.mutant(order, self._measured, work)

    def _run_recollected(self, order: MutantOrder, node_ids: Sequence[str], progress: Progress) -> MutantFacts:
        finder = self._metamutant()
        self._choose(finder, order)
        self._sessions.stand()
        measuring = Measuring(self._meter, self._measured)
        facts: list[MutantFacts] = []

        whole = self._sessions.of(finder, measuring, LeftOut(self._measured.excluded))

        def skipped() -> list[str]:
            return [node for node in node_ids if is_skipped(node, whole.skipped)]

        def run(session: pytest.Session) -> None:
            loading.close()
            by_id = {item.nodeid: item for item in session.items}
            lost = {node: MISSING_TEST for node in node_ids if node not in by_id} | dict.fromkeys(
                skipped(), SKIPPED_TEST
            )
            known_nodes = {*self._measured.steps, *self._measured.excluded}
            items = [by_id[node] for node in node_ids if node in by_id]
            items += [item for item in session.items if item.nodeid not in known_nodes]  # only the mutant has these
            facts.append(self._tests(items, node_ids, measuring, order.matrix, progress, finder, lost))

        try:
            with ExitStack() as loading:
                budget = budget_for(self._measured.loading)
                loading.enter_context(self._meter.part(budget, lambda steps, sites: None))
                whole.run(run)
        except UsageError:
            if skipped() == list(node_ids):  # nothing else is left to be collected
                lost = dict.fromkeys(node_ids, SKIPPED_TEST)
                return self._tests([], node_ids, measuring, order.matrix, progress, finder, lost)
            name = finder.failure.partition(":")[0]
            kill = FirstKill(None, KillReason.EXCEPTION, name or "the suite cannot be collected", Phase.LOAD)
            if self._meter.limit_met:
                kill = FirstKill(None, KillReason.STEP_LIMIT, "step limit", Phase.LOAD)
            return self._facts(finder, 0, first=kill)
        return facts[0]

    def _choose(self, finder: TargetFinder, order: MutantOrder) -> None:
        finder.select(order.number)
        if order.planted:
            finder.preset(TICK, _raise_planted)
        self._meter.entered = self._meter.steps = 0
        random.seed(order.seed)

    def _tests(  # noqa: PLR0913 (what a child shares with its server)
        self,
        items: Sequence[pytest.Item],
        node_ids: Sequence[str],
        measuring: Measuring,
        matrix: bool,
        progress: Progress,
        finder: TargetFinder,
        lost: Mapping[str, TestFailure] = MappingProxyType({}),
    ) -> MutantFacts:
        """Run tests. Tests that are `lost`, as the suite is collected without them, come before all others."""
        places = {node: number for number, node in enumerate(node_ids)}
        kills = list(lost)[: None if matrix else 1]
        executed, first = len(kills), None
        if kills:
            first = FirstKill(kills[0], lost[kills[0]].reason, lost[kills[0]].detail)
            items = items if matrix else []
        for node in kills:
            progress.mark(places[node])
        for item, after in in_sequence(items):
            position = places.get(
                item.nodeid, len(node_ids)
            )  # the last number stands for tests that only the mutant has
            progress.set(position, position, 0)
            failure = measuring.run_one(items, item, after)
            executed += 1
            if failure is None:
                continue
            kills.append(item.nodeid)
            progress.mark(position)
            first = first or FirstKill(item.nodeid, failure.reason, failure.detail)
            if not matrix:
                break
        return self._facts(finder, executed, kills, first)

    def _facts(
        self, finder: TargetFinder, executed: int, kills: Sequence[str] = (), first: FirstKill | None = None
    ) -> MutantFacts:
        return MutantFacts(executed, self._meter.steps, self._meter.entered, len(finder.modules), tuple(kills), first)


def _raise_planted() -> bool:
    raise ControlMutantError("planted")


def serve_orders(job_path: str, work_folder: str, orders_end: str, facts_end: str) -> int:
    """Serve orders until their pipe closes, and report errors that users can correct, too. Return the exit status."""

    def work(teller: FactWriter, beats: Heartbeats) -> None:
        def send(word: Word) -> None:
            teller.write(WORDS.to_data(word))

        path = Path(job_path)
        server = Server(
            codec_of(SuiteJob).of_json(path.read_bytes()), path.parent, Path(work_folder), lambda: send(Alive())
        )
        hide_tool()
        with os.fdopen(int(orders_end), encoding="utf-8") as lines:
            server.serve(map(ORDERS.of_json, lines), send)

    os.set_inheritable(int(orders_end), False)
    adopt_orphans()
    share_one_heap()
    random.seed(0)  # what is drawn while the suite is collected is the same in each process
    return telling(facts_end, work, beating=False)
