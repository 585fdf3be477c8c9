"""A pytest plugin that runs the test files that a change can affect, or the nearest ones of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from support.changes import Changes, NoSuchCommit, changes_since
from support.import_graph import ImportGraph, is_test_file

_MOST_NAMES = 3
_CHOSEN = "affected files"
"""The key under which the workers of pytest-xdist receive what their controller chose."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of this plugin."""
    group = parser.getgroup("affected tests")
    group.addoption(
        "--changed-since",
        metavar="REF",
        help="run the test files that can be affected by what changed since this branch left REF, a reference of git",
    )
    group.addoption(
        "--changed-files",
        type=number_of_files,
        metavar="N",
        help="with --changed-since: run the N nearest of the affected test files (default: all)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose the files. A worker of pytest-xdist gets them from its controller."""
    reference: str | None = config.getoption("--changed-since")
    if reference is None:
        return
    if hasattr(config, "workerinput"):
        chosen, line = config.workerinput[_CHOSEN], ""
    else:
        chosen, line = _chosen(config, reference)
    if not chosen:
        pytest.exit(line, returncode=0)
    config.pluginmanager.register(Affected(config.rootpath, chosen, line), "affected tests")


def number_of_files(text: str) -> int:
    """Read a number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(text)
    return int(text)


def nearest_first(distances: Mapping[str, int], changed: Collection[str]) -> list[str]:
    """Order test files by their distance from the changed files, then by how much their paths are alike.

    A test file that mirrors a changed module comes before all others, as does one that changed itself.
    """
    changed_paths = [_below_top(file) for file in changed]

    def place(file: str) -> tuple[int, int, str]:
        parts = _below_top(file)
        likeness = max(_common_beginning(parts, other) for other in changed_paths)
        return 0 if likeness == len(parts) else distances[file], -likeness, file

    return sorted(distances, key=place)


def explained(changes: Changes, affected: int, run: int, reference: str) -> str:
    """Say in one line which files changed, how many test files they can affect, and how many of these are left out."""
    names = ", ".join(
        [*sorted(changes.changed)[:_MOST_NAMES], *(["..."] if len(changes.changed) > _MOST_NAMES else [])]
    )
    line = (
        f"{affected} of {sum(map(is_test_file, changes.files))} test files can be affected by {len(changes.changed)} "
        f"changed {'file' if len(changes.changed) == 1 else 'files'} since {reference}{names and f' ({names})'}"
    )
    left = affected - run
    return f"{line}; the {run} nearest of them are run, and {left} are left to `make test`" if left else line


class Affected:
    """Keeps pytest from importing test files that were not chosen."""

    def __init__(self, root: Path, chosen: list[str], line: str) -> None:
        self._chosen = chosen
        self._paths = {root / file for file in chosen}
        self._line = line

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker of pytest-xdist what was chosen."""
        node.workerinput[_CHOSEN] = self._chosen

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave out the test files that were not chosen."""
        is_file = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
        return True if is_file and collection_path not in self._paths else None

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Let it be no error if no test of the chosen files has the marks that were asked for."""
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was chosen, and what was left out."""
        terminalreporter.line(f"{self._line}.")


def _chosen(config: pytest.Config, reference: str) -> tuple[list[str], str]:
    try:
        changes = changes_since(config.rootpath, reference)
    except NoSuchCommit as error:
        raise pytest.UsageError(str(error)) from error
    distances = ImportGraph(config.rootpath, changes.files, changes.deleted).distances(changes.changed)
    chosen = nearest_first(distances, changes.changed)[: config.getoption("--changed-files")]
    return chosen, explained(changes, len(distances), len(chosen), reference)


def _below_top(file: str) -> list[str]:
    """Return the parts of a path without the top folder, and without `test_` before the name of a module."""
    path = PurePosixPath(file)
    return [*path.parts[1:-1], path.name.removeprefix("test_")]


def _common_beginning(parts: Sequence[str], other_parts: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(parts, other_parts, strict=False)))
