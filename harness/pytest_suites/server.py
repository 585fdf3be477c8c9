"""The fork server: imports pytest once, runs the original in children, and forks one for each mutant."""

from __future__ import annotations

import ast
import gc
import inspect
import json
import os
import random
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from types import MappingProxyType, ModuleType

import pytest

from harness.codec.codec import codec_of
from harness.errors import UsageError
from harness.kernel.process.confinement import adopt_orphans, give_memory_back, share_one_heap
from harness.kernel.process.progress import Progress
from harness.kernel.process.talk import FactWriter, Heartbeats, telling
from harness.kernel.program.loader import MARK, TICK, budget_for, compile_with_ticks, plainly
from harness.kernel.running.job import ObservedTypes
from harness.kernel.running.probing import PROBE, REACH
from harness.kernel.running.type_profile import MOST_WORK, profile
from harness.model.outcome import KillReason, Phase
from harness.pytest_suites.children import Children, Current
from harness.pytest_suites.importing import TargetFinder, hide_tool, tool_shown
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
from harness.pytest_suites.measuring import UNLIMITED, Measuring, in_sequence, ordered, without
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
    OriginalTest,
    Report,
    TypesReport,
    Word,
    is_skipped,
)
from harness.pytest_suites.session import LeftOut, SessionPreparation
from harness.pytest_suites.work_tree import WorkTree


class OriginalRuns:
    """Carries out orders about the original, in a child; their files are in `folder`."""

    def __init__(self, sessions: SessionPreparation, folder: Path) -> None:
        self._sessions = sessions
        self._folder = folder

    def types(self, order: TypesOrder, current: Current) -> TypesReport:
        """Return the types that the tests give to the target."""
        finder = TargetFinder(self._sessions.text, self._sessions.compiled(self._sessions.text, plainly), {})
        self._sessions.stand()
        measuring = Measuring(self._sessions.meter, None)
        function_types: list[ObservedTypes] = []

        def observe(session: pytest.Session) -> None:
            random.seed(order.seed)
            if finder.modules:

                def run(item: pytest.Item, after: pytest.Item | None) -> None:
                    current.begin(item.nodeid)
                    measuring.run_one(session.items, item, after)

                runs = [partial(run, *pair) for pair in in_sequence(without(session.items, order.without))]
                each = MOST_WORK // max(1, len(runs))  # a test of minutes leaves the others their share
                function_types.append(profile(runs, finder.modules[-1], most_of_each=each))

        self._sessions.of(finder, measuring, LeftOut(order.without, current.begin), tolerant=True).run(observe)
        return TypesReport(function_types[0] if function_types else ObservedTypes({}, {}))

    def run(self, order: OriginalOrder, current: Current) -> OriginalReport:
        """Return outcomes and steps of the tests, and the places that they reach."""
        probed_source = json.loads((self._folder / PROBED).read_text(encoding="utf-8"))
        text = replace(self._sessions.text, source=probed_source)
        presets = {TICK: self._sessions.meter.counter.tick, REACH: self._sessions.meter.reach, PROBE: _first}
        finder = TargetFinder(self._sessions.text, self._sessions.compiled(text, compile_with_ticks), presets)
        self._sessions.stand()
        measuring = Measuring(self._sessions.meter, None)
        loaded: list[tuple[int, frozenset[int], float]] = []
        reports: list[Callable[..., OriginalReport]] = []
        at_first = _most_memory()

        def note(steps: int, sites: frozenset[int]) -> None:
            loaded.append((steps, sites, perf_counter() - began))

        def run(session: pytest.Session) -> None:
            loading.close()
            threads = threading.active_count()
            standing_for = replaced(finder.modules[-1], self._sessions.text.source) if finder.modules else {}
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
            loading.enter_context(self._sessions.meter.part(UNLIMITED, note))
            session = self._sessions.of(finder, measuring, LeftOut(order.without, current.begin), order.tolerant)
            session.run(run)
        grown = _most_memory() - at_first
        return reports[0](
            shared=measuring.shared,
            shared_seconds=measuring.shared_seconds,
            teardown=measuring.teardown,
            memory=grown,
            uncollected=session.uncollected,
            unseen=session.unseen,
        )

    def covered(self, order: CoverageOrder, current: Current) -> CoverageReport:
        """Return the lines and branches that the tests cover together."""
        with tool_shown():
            from harness.measuring.meter import Meter as CoverageMeter  # which no other process needs

        functions = json.loads((self._folder / FUNCTIONS).read_text(encoding="utf-8"))
        folder = self._sessions.own / "covered"
        folder.mkdir()
        covered = CoverageMeter(
            self._sessions.text.source, folder, {name: frozenset(functions[name]) for name in functions}
        )
        finder = TargetFinder(
            self._sessions.text, self._sessions.compiled(self._sessions.text, lambda _: covered.compiled()), {}
        )
        self._sessions.stand()
        measuring = Measuring(self._sessions.meter, None)

        def run(session: pytest.Session) -> None:
            random.seed(order.seed)
            for item, after in in_sequence(without(session.items, order.without)):
                current.begin(item.nodeid)
                measuring.run_one(session.items, item, after)

        with covered.running():
            self._sessions.of(finder, measuring, LeftOut(order.without)).run(run)
        return CoverageReport(covered.counts())


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


_HEAP_TYPE = 1 << 9
"""`Py_TPFLAGS_HEAPTYPE`: all classes written in Python have it, and some of C."""
_IMMUTABLE_TYPE = 1 << 8
"""The flag of classes whose attributes cannot be set. C code may make classes with both flags (3.13: defaultdict)."""


def replaced(module: ModuleType, source: str) -> dict[str, str]:
    """Return the names in the text's top level that are C code once it is loaded, each with the module of that code.

    Args:
        module: the module once it is loaded.
        source: its text.
    """
    defined = set(_defined(ast.parse(source)))
    return {name: str(vars(module)[name].__module__) for name in sorted(defined) if _is_c(vars(module).get(name))}


def _defined(node: ast.AST) -> Iterator[str]:
    """Yield the names of functions and classes, in branches too, but not those within others."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield inner.name
        else:
            yield from _defined(inner)


def _is_c(value: object) -> bool:
    if isinstance(value, type):
        return not value.__flags__ & _HEAP_TYPE or bool(value.__flags__ & _IMMUTABLE_TYPE)
    return inspect.isbuiltin(value)


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
