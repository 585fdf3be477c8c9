"""A session of pytest with the user's own configuration, up to where tests would be run: then our code runs."""

from __future__ import annotations

import io
import os
import re
import sys
import tempfile
import traceback
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from itertools import pairwise
from pathlib import Path
from types import CodeType

import pluggy
import pytest

from harness.errors import SourceError, UsageError
from harness.kernel.program.loader import ModuleText
from harness.pytest_suites.importing import TargetFinder
from harness.pytest_suites.job import SuiteJob
from harness.pytest_suites.measuring import Measuring, PartMeter, Work
from harness.pytest_suites.switched_off import SteadyHypothesis, SwitchedOff

_MOST_SAID = 300
_OF_ERROR = re.compile(r"[\w.]*(Error|Exception|Warning|Exit|Failed|Skipped|Interrupt)\b")
"""The beginning of an error's first line; of a longer text, further lines follow."""
_OURS = ("-p", "no:faulthandler", "--capture=sys", "--tb=no")
"""Handles of files are closed in a forked process, so output is kept in memory, and no file waits for crashes.

Nobody reads how a mutant fails: to lay that out, pytest parses whole files, which takes longer than most tests.
"""


class LeftOut:
    """A plug-in that collects nothing of files, classes and folders with these node ids, and imports none of them.

    Args:
        begins: called with the node id of each file that is collected.
    """

    def __init__(self, nodes: Collection[str], begins: Callable[[str], None] = lambda node: None) -> None:
        self._nodes = frozenset(nodes)
        self._begins = begins

    @pytest.hookimpl(tryfirst=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> pytest.CollectReport | None:
        if collector.nodeid in self._nodes:
            return pytest.CollectReport(collector.nodeid, "passed", None, [])
        if isinstance(collector, pytest.File):
            self._begins(collector.nodeid)
        return None


class Session:
    """Collects a suite, and does `work` instead of pytest's own loop over the tests.

    A `tolerant` session passes over what cannot be collected, unless that is everything.

    Attributes:
        skipped: node ids of what is skipped while the suite is collected: classes, files and folders.
        uncollected: why files, classes and folders cannot be collected, by their node ids.
        unseen: hooks of the project that are not called, in words for people.
    """

    def __init__(
        self,
        finder: TargetFinder,
        arguments: Sequence[str],
        own: Path,
        plugins: Sequence[object],
        tolerant: bool = False,
    ) -> None:
        self._tolerant = tolerant
        self._finder = finder
        self._arguments = arguments
        self._own = own
        self._plugins = plugins
        self.uncollected: dict[str, str] = {}
        self.unseen: tuple[str, ...] = ()
        self.skipped: list[str] = []
        self._work: Work | None = None
        self._reached = False
        self._failed_hook = ""
        self._ended = ""
        self._collected = False
        self._deselected = False

    def run(self, work: Work) -> None:
        """Collect the suite, and do the work.

        Raises:
            UsageError: nothing can be collected, or not all of it; the message has pytest's own line.
        """
        self._work = work
        output = io.StringIO()
        own = [f"--basetemp={self._own / 'pytest'}", "-o", f"cache_dir={self._own / 'cache'}"]
        with redirect_stdout(output), redirect_stderr(output):
            pytest.main(
                [*_OURS, *own, *self._arguments], plugins=[self, SwitchedOff(), SteadyHypothesis(), *self._plugins]
            )
        if not self._reached:
            raise UsageError(self._why(output.getvalue()))

    def pytest_cmdline_main(self, config: pytest.Config) -> pytest.ExitCode:
        """Run a session up to the end of the work; that of pytest itself would go on to reports and summaries."""
        session = pytest.Session.from_config(config)
        try:
            config._do_configure()
            config.hook.pytest_sessionstart(session=session)
        except (Exception, KeyboardInterrupt, SystemExit) as error:
            self._failed_hook = _failed_hook(error, config.pluginmanager)
            return pytest.ExitCode.INTERNAL_ERROR
        try:
            config.hook.pytest_collection(session=session)
        except (KeyboardInterrupt, SystemExit, pytest.exit.Exception) as error:
            self._ended = _named(error)
            return pytest.ExitCode.INTERRUPTED
        self._collected = True
        config.hook.pytest_runtestloop(session=session)
        return pytest.ExitCode.OK

    def pytest_configure(self, config: pytest.Config) -> None:
        """Put our finder first, as all finders of pytest exist now."""
        self._finder.come_first()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Let no file of a tolerant session end the collection of the others."""
        try:
            return (yield)
        except (KeyboardInterrupt, SystemExit, pytest.exit.Exception) as error:
            if not self._tolerant:
                raise
            return pytest.CollectReport(collector.nodeid, "failed", f"collection ended by {_named(error)}", [])

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.uncollected.setdefault(report.nodeid, _error_line(str(report.longreprtext)))
        elif report.skipped:
            self.skipped.append(report.nodeid)

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        self._deselected = True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        refused = self.uncollected and (not self._tolerant or self._finder.failure)
        if refused or self._work is None or not session.items:
            return True
        self._reached = True
        self.unseen = tuple(_unseen(session.config))
        self._work(session)
        return True

    def _why(self, output: str) -> str:
        if self._finder.failure:
            return f"the target cannot be imported: {_short(self._finder.failure)}; correct it"
        if self.uncollected:
            node, line = next(iter(self.uncollected.items()))
            more = f" (and {len(self.uncollected) - 1} more)" if len(self.uncollected) > 1 else ""
            return f"{node or 'the suite'} cannot be collected{more}: {line}; correct it"
        if self._failed_hook:
            return self._failed_hook
        arguments = " ".join(self._arguments)
        if self._ended:
            return f"{arguments}: collection ended by {self._ended}; have pytest run it by itself first"
        if self._deselected:
            return f"{arguments}: pytest's settings leave out all tests; change them (-m or -k in addopts?)"
        if self._collected:
            return f"{arguments}: no tests found; name files or folders with tests after --tests"
        return f"pytest does not start: {_error_line(output)}; have it run by itself first"


def _unseen(config: pytest.Config) -> Iterator[str]:
    """Tell which conftest files of a project have something done at the end of a session."""
    for implementation in config.hook.pytest_sessionfinish.get_hookimpls():
        name = config.pluginmanager.get_name(implementation.plugin) or ""
        if os.path.isabs(name):
            where = os.path.relpath(name, config.rootpath)
            yield f"pytest_sessionfinish of {where} is not called, so what it checks kills no mutant"


def _failed_hook(error: BaseException, manager: pytest.PytestPluginManager) -> str:
    """Tell which plug-in's hook failed, and how to run without the plug-in."""
    frames = [frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)]
    hooks = [code for caller, code in pairwise(frames) if _is_of_pluggy(caller) and not _is_of_pluggy(code)]
    if not hooks:
        return f"the suite fails before its tests are collected ({_named(error)}); correct it"
    hook = hooks[-1]
    names = [name for name, plugin in manager.list_name_plugin() if getattr(plugin, "__file__", "") == hook.co_filename]
    remedy = f"or leave it out by -- -p no:{names[0]}" if names and not os.path.isabs(names[0]) else "or remove it"
    where = os.path.relpath(hook.co_filename)
    return f"{hook.co_name} of {where} raised {_named(error)}; correct it, {remedy}"


def _is_of_pluggy(code: CodeType) -> bool:
    """Return whether code is of the library that calls hooks, whatever the function of a hook is called."""
    return os.path.dirname(code.co_filename) == os.path.dirname(pluggy.__file__)


def _named(error: BaseException) -> str:
    name = "pytest.exit" if isinstance(error, pytest.exit.Exception) else type(error).__name__
    return f"{name}: {error}" if str(error) else name


def _error_line(text: str) -> str:
    """Return the line of pytest's output that says what is wrong: the first one of the last error or warning."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    marked = [line.removeprefix("E").strip() for line in lines if line.startswith("E ")]
    errors_marked = [line for line in marked if _OF_ERROR.match(line)]
    of_options = [line.partition(": error: ")[2] for line in lines if ": error: " in line]
    errors = [line for line in lines if line.startswith("ERROR")]
    conftest = re.search(r"while loading conftest '(.+?)'", text)
    where = f"{os.path.relpath(conftest[1])}: " if conftest else ""
    return _short(where + (errors_marked or marked[:1] or of_options or errors or lines or ["it says nothing"])[-1])


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_SAID else f"{line[:_MOST_SAID]}..."


def stand_in(folders: Sequence[str]) -> None:
    """Change to the first folder. Import modules from it, as `python -m pytest` does, then from the others."""
    os.chdir(folders[0])
    first_folders = dict.fromkeys(folders)
    sys.path[:] = [*first_folders, *(path for path in sys.path if path not in first_folders)]


class SessionPreparation:
    """Prepares the sessions of a job in the working copy `tree` of the project.

    Attributes:
        own: a folder of this process for temporary files.
        text: the original.
        meter: counts the steps of the target.
    """

    def __init__(self, job: SuiteJob, tree: Path) -> None:
        self._job = job
        self.own = Path("run").absolute()
        self._stands = [str(tree / folder) for folder in (job.folder, *job.roots)]
        filename = job.filename if os.path.isabs(job.filename) else str(tree / job.filename)
        self.text = ModuleText(job.target, job.source, filename, job.blocked)
        self.meter = PartMeter()

    def stand(self) -> None:
        """Change to the project's folder, with a folder of its own for temporary files."""
        stand_in(self._stands)
        os.environ["TMPDIR"] = tempfile.tempdir = str(self.own)

    def of(
        self, finder: TargetFinder, measuring: Measuring, without: LeftOut | None = None, tolerant: bool = False
    ) -> Session:
        """Return a session in which the finder imports the target, and which measures its tests."""
        for name in self._job.blocked:
            sys.modules[name] = None  # type: ignore[assignment]
        finder.install()
        plugins = [measuring, measuring.outcomes, *([] if without is None else [without])]
        return Session(finder, self._job.arguments, self.own, plugins, tolerant)

    def compiled(self, text: ModuleText, compiling: Callable[[ModuleText], CodeType]) -> CodeType:
        """Compile a text.

        Raises:
            SourceError: it does not compile.
        """
        try:
            return compiling(text)
        except SyntaxError as error:
            raise SourceError(f"{text.filename}:{error.lineno}: {error.msg}; correct the source") from None
