"""Runs the tests of a suite on the original: for types, for its outcomes and steps, and for coverage."""

from __future__ import annotations

import ast
import inspect
import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from types import ModuleType

import pytest

from harness.kernel.program.loader import TICK, compile_with_ticks, plainly
from harness.kernel.running.job import ObservedTypes
from harness.kernel.running.probing import PROBE, REACH
from harness.kernel.running.type_profile import MOST_WORK, profile
from harness.pytest_suites.children import Current
from harness.pytest_suites.importing import TargetFinder, tool_shown
from harness.pytest_suites.job import FUNCTIONS, PROBED, CoverageOrder, OriginalOrder, TypesOrder
from harness.pytest_suites.measuring import UNLIMITED, Measuring, in_sequence, ordered, without
from harness.pytest_suites.reports import CoverageReport, OriginalReport, OriginalTest, TypesReport
from harness.pytest_suites.session import LeftOut, SessionPreparation


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
