"""The fork server: imports pytest once, collects the suite once, and forks a child for each mutant."""

from __future__ import annotations

import gc
import json
import os
import random
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from types import CodeType, MappingProxyType

import pytest

from harness.codec.codec import codec_of
from harness.errors import SourceError, UsageError
from harness.kernel.process.confinement import adopt_orphans, give_memory_back, share_one_heap
from harness.kernel.process.progress import Progress
from harness.kernel.process.telling import Beats, Teller, telling
from harness.kernel.program.loader import MARK, ModuleText, compile_with_ticks, plainly
from harness.kernel.program.steps import TICK, budget_for
from harness.kernel.running.probing import PROBE, REACH
from harness.kernel.running.requests import ObservedTypes
from harness.kernel.running.type_profile import MOST_WORK, profile
from harness.model.outcome import KillReason, Phase
from harness.pytest_suites.children import Children, Current
from harness.pytest_suites.importing import TargetFinder
from harness.pytest_suites.job import (
    FACTS,
    FUNCTIONS,
    METAMUTANT,
    ORDERS,
    PROBED,
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
from harness.pytest_suites.measuring import Measuring, in_sequence, ordered, without
from harness.pytest_suites.metering import UNLIMITED, Meter
from harness.pytest_suites.mutant_facts import FirstKill, MutantFacts
from harness.pytest_suites.outcomes import MISSING_TEST, SKIPPED_TEST, Failure
from harness.pytest_suites.replaced import replaced
from harness.pytest_suites.reports import (
    WORDS,
    Alive,
    Collected,
    CoverageReport,
    MutantFault,
    OriginalReport,
    OriginalTest,
    Ready,
    Report,
    TypesReport,
    Word,
)
from harness.pytest_suites.session import Session, stand_in
from harness.pytest_suites.skips import is_skipped
from harness.pytest_suites.warming import warm
from harness.pytest_suites.work_tree import WorkTree


class Planted(Exception):
    """The exception that a control mutant raises wherever the target executes a step."""


class Server:
    """Serves orders; `work` is the folder that children may write to besides their own."""

    def __init__(self, job: SuiteJob, folder: Path, work: Path, alive: Callable[[], None]) -> None:
        self._job = job
        self._folder = folder
        self._own = Path("run").absolute()
        self._temporary = str(self._own)
        self._tree = WorkTree(Path(job.pristine), work / TREE)
        self._stands = [str(self._tree.path / folder) for folder in (job.folder, *job.roots)]
        self._children = Children(self._tree, work, alive)
        filename = job.filename if os.path.isabs(job.filename) else str(self._tree.path / job.filename)
        self._text = ModuleText(job.target, job.source, filename, job.blocked)
        self._meter = Meter()

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
            self._stand()
            finder = self._metamutant()
            self._measuring = Measuring(self._meter, self._measured)

            def serve_forks(session: pytest.Session, finder: TargetFinder = finder) -> None:
                warm(session)
                gc.collect()
                give_memory_back()
                gc.freeze()
                send(Collected(len(session.items)))
                for further in orders:
                    assert isinstance(further, MutantOrder)
                    send(self._forked(further, session, finder))

            self._session_of(finder, self._measuring).run(serve_forks)

    def _answer(self, order: Order) -> Report:
        if isinstance(order, TypesOrder):
            return self._children.original(TypesReport, lambda current: self._types(order, current))
        if isinstance(order, OriginalOrder):
            return self._children.original(OriginalReport, lambda current: self._original(order, current))
        if isinstance(order, CoverageOrder):
            return self._children.original(CoverageReport, lambda current: self._covered(order, current))
        assert isinstance(order, MutantOrder)
        self._prepare_mutants()
        return self._children.mutant(
            order, self._measured, lambda node_ids, progress: self._run_recollected(order, node_ids, progress)
        )

    # -- the original -------------------------------------------------------------------------

    def _types(self, order: TypesOrder, current: Current) -> TypesReport:
        finder = TargetFinder(self._text, self._compiled(self._text, plainly), {})
        self._stand()
        measuring = Measuring(self._meter, None)
        function_types: list[ObservedTypes] = []

        def observe(session: pytest.Session) -> None:
            random.seed(order.seed)
            if finder.modules:

                def run(item: pytest.Item, after: pytest.Item | None) -> None:
                    current.begin(item.nodeid)
                    measuring.run_one(session.items, item, after)

                runs = [partial(run, *pair) for pair in in_sequence(without(session.items, order.without))]
                each = MOST_WORK // max(1, len(runs))  # a test of minutes leaves the others their share
                seen = profile(runs, finder.modules[-1], most_of_each=each)
                function_types.append(codec_of(ObservedTypes).of_data(seen))

        self._session_of(finder, measuring, tolerant=True).run(observe)
        return TypesReport(function_types[0] if function_types else ObservedTypes({}, {}))

    def _original(self, order: OriginalOrder, current: Current) -> OriginalReport:
        probed_source = json.loads((self._folder / PROBED).read_text(encoding="utf-8"))
        text = replace(self._text, source=probed_source)
        presets = {TICK: self._meter.counter.tick, REACH: self._meter.reach, PROBE: _first}
        finder = TargetFinder(self._text, self._compiled(text, compile_with_ticks), presets)
        self._stand()
        measuring = Measuring(self._meter, None)
        loaded: list[tuple[int, frozenset[int], float]] = []
        reports: list[Callable[..., OriginalReport]] = []
        at_first = _most_memory()

        def note(steps: int, sites: frozenset[int]) -> None:
            loaded.append((steps, sites, perf_counter() - began))

        def run(session: pytest.Session) -> None:
            loading.close()
            threads = threading.active_count()
            standing_for = replaced(finder.modules[-1], self._text.source) if finder.modules else {}
            random.seed(order.seed)
            seconds: dict[str, float] = {}
            chosen = without(session.items, order.without)
            for item, after in in_sequence(ordered(chosen, order)):
                current.begin(item.nodeid)
                started, shared = perf_counter(), measuring.shared_seconds
                measuring.run_one(session.items, item, after)
                seconds[item.nodeid] = perf_counter() - started - (measuring.shared_seconds - shared)
            ((steps, sites, until_loaded),) = loaded
            measured = {item.nodeid: measuring.tests[item.nodeid] for item in chosen}
            report = partial(
                OriginalReport,
                tests=tuple(
                    OriginalTest(node, test.outcome, test.steps, seconds[node], tuple(sorted(test.sites)))
                    for node, test in measured.items()
                ),
                raised={node: test.raised for node, test in measuring.tests.items() if test.raised},
                lines={item.nodeid: line for item in session.items if (line := _line(item)) is not None},
                loading=steps,
                loading_sites=tuple(sorted(sites)),
                loading_seconds=until_loaded,
                threads=threads,
                replaced=standing_for,
            )
            reports.append(report)

        began = perf_counter()
        with ExitStack() as loading:
            loading.enter_context(self._meter.part(UNLIMITED, note))
            self._session_of(finder, measuring).run(run)
        grown = _most_memory() - at_first
        return reports[0](
            shared=measuring.shared,
            shared_seconds=measuring.shared_seconds,
            teardown=measuring.teardown,
            memory=grown,
        )

    def _covered(self, order: CoverageOrder, current: Current) -> CoverageReport:
        from harness.measuring.meter import Meter as CoverageMeter  # which no other process needs

        functions = json.loads((self._folder / FUNCTIONS).read_text(encoding="utf-8"))
        folder = self._own / "covered"
        folder.mkdir()
        covered = CoverageMeter(self._text.source, folder, {name: frozenset(functions[name]) for name in functions})
        finder = TargetFinder(self._text, self._compiled(self._text, lambda _: covered.compiled()), {})
        self._stand()
        measuring = Measuring(self._meter, None)

        def run(session: pytest.Session) -> None:
            random.seed(order.seed)
            for item, after in in_sequence(without(session.items, order.without)):
                current.begin(item.nodeid)
                measuring.run_one(session.items, item, after)

        with covered.running():
            self._session_of(finder, measuring).run(run)
        return CoverageReport(covered.counts())

    # -- mutants ------------------------------------------------------------------------------

    def _prepare_mutants(self) -> None:
        if not hasattr(self, "_measured"):
            self._measured = MeasuredTests.read(self._folder / FACTS)
            source = (self._folder / METAMUTANT).read_text(encoding="utf-8")
            self._code = self._compiled(replace(self._text, source=source), compile_with_ticks)

    def _metamutant(self) -> TargetFinder:
        return TargetFinder(self._text, self._code, {TICK: self._meter.counter.tick, MARK: self._meter.enter})

    def _forked(self, order: MutantOrder, session: pytest.Session, finder: TargetFinder) -> MutantFacts | MutantFault:
        def work(node_ids: Sequence[str], progress: Progress) -> MutantFacts:
            self._stand()
            self._choose(finder, order)
            by_id = {item.nodeid: item for item in session.items}
            items = [by_id[node] for node in node_ids]
            return self._tests(items, node_ids, self._measuring, order.matrix, progress, finder)

        return self._children.mutant(order, self._measured, work)

    def _run_recollected(self, order: MutantOrder, node_ids: Sequence[str], progress: Progress) -> MutantFacts:
        finder = self._metamutant()
        self._choose(finder, order)
        self._stand()
        measuring = Measuring(self._meter, self._measured)
        facts: list[MutantFacts] = []

        whole = self._session_of(finder, measuring)

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
        lost: Mapping[str, Failure] = MappingProxyType({}),
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

    def _stand(self) -> None:
        """Change to the project's folder, with a folder of its own for temporary files."""
        stand_in(self._stands)
        os.environ["TMPDIR"] = tempfile.tempdir = self._temporary

    def _session_of(self, finder: TargetFinder, measuring: Measuring, tolerant: bool = False) -> Session:
        for name in self._job.blocked:
            sys.modules[name] = None  # type: ignore[assignment]
        finder.install()
        return Session(finder, self._job.arguments, self._own, [measuring, measuring.outcomes], tolerant)

    def _compiled(self, text: ModuleText, compiling: Callable[[ModuleText], CodeType]) -> CodeType:
        try:
            return compiling(text)
        except SyntaxError as error:
            raise SourceError(f"{text.filename}:{error.lineno}: {error.msg}; correct the source") from None


def _line(item: pytest.Item) -> int | None:
    """Return the line at which a test begins in the file that its node id names, from 1."""
    file, line, _ = item.location
    return None if line is None or file != item.nodeid.partition("::")[0] else line + 1


def _first(site: object, value: object, *variants: object) -> object:
    """Return the original's value of a probed expression: only reach counts here."""
    return value


def _most_memory() -> int:
    """Return the most address space that this process has had, in bytes; 0 if the system does not report it."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmPeak:")), 0)


def _raise_planted() -> bool:
    raise Planted("planted")


def serve_orders(job_path: str, work_folder: str, orders_end: str, facts_end: str) -> int:
    """Serve orders until their pipe closes, and report errors that users can correct, too. Return the exit status."""

    def work(teller: Teller, beats: Beats) -> None:
        def send(word: Word) -> None:
            teller.write(WORDS.to_data(word))

        path = Path(job_path)
        server = Server(SuiteJob.read(path), path.parent, Path(work_folder), lambda: send(Alive()))
        send(Ready(pytest.__version__))
        with os.fdopen(int(orders_end), encoding="utf-8") as lines:
            server.serve(map(ORDERS.of_json, lines), send)

    os.set_inheritable(int(orders_end), False)
    adopt_orphans()
    share_one_heap()
    random.seed(0)  # what is drawn while the suite is collected is the same in each process
    return telling(facts_end, work, beating=False)
