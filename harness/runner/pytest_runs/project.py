"""Finds the module under test and the project of its tests, and copies the project; nothing of either is executed."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path

from harness.errors import SourceError, UsageError
from harness.model.pytest_suite import MOST_WAITING, Flaky, PytestSuite
from harness.model.subject import Subject
from harness.pytest_suites.job import SuiteJob
from harness.resources import parse_source, read_source
from harness.runner.pytest_runs.original import IS_SKIPPED
from harness.runner.pytest_runs.project_copy import copy_files
from harness.runner.pytest_runs.settings import import_folders

MARKS = ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "setup.py")
"""A folder with one of these is a project's."""


@dataclass(frozen=True)
class Project:
    """A module under test and the files around its tests.

    Args:
        root: the project's folder.
        chosen: what of it is copied: everything, or the named files of a folder that is none.
        folder: where pytest is called, relative to `root`.
        options: of pytest, besides `arguments`, which are paths and node ids.
        wait: the seconds that a mutant may sleep or wait at least.
        filename: of the target: relative to `root` where it lies there, else absolute.
        roots: folders relative to `root` from which modules are imported.
    """

    root: Path
    chosen: tuple[Path, ...]
    folder: str
    arguments: tuple[str, ...]
    filename: str
    roots: tuple[str, ...]
    subject: Subject
    options: tuple[str, ...] = ()
    wait: int = MOST_WAITING

    @property
    def is_own(self) -> bool:
        """Whether the target lies within the project; else it is an installed module."""
        return not os.path.isabs(self.filename)

    def copy(self, to: Path) -> str:
        """Copy the files; return a hash of all of them except the target, by relative path and content.

        Raises:
            UsageError: as `copy_files`.
        """
        to.mkdir()
        digest = hashlib.sha256()
        hashes = copy_files(self.root, self.chosen, self.needed(), to)
        for relative, content in hashes.items():
            if relative != self.filename:
                digest.update(os.fsencode(f"{relative}\0{content}\n"))
        for name in (self.folder, *self.roots):
            (to / name).mkdir(parents=True, exist_ok=True)
        return digest.hexdigest()

    def needed(self) -> Iterator[Path]:
        """Yield the paths of the target and the tests."""
        yield self.root / self.filename
        for argument in self.arguments:
            yield Path(os.path.normpath(self.root / self.folder / argument.partition("::")[0]))


def suite_job(project: Project, pristine: Path) -> SuiteJob:
    """Return the description of the project for a sandboxed process; a copy of the project is in `pristine`."""
    return SuiteJob(
        target=project.subject.module,
        source=project.subject.source,
        filename=project.filename,
        pristine=str(pristine),
        folder=project.folder,
        arguments=(*project.options, *project.arguments),
        wait=project.wait,
        roots=project.roots,
        blocked=project.subject.blocked,
    )


def suite_digest(suite: PytestSuite, files: str, tests: Iterable[str], excluded: Mapping[str, str]) -> str:
    """Return the identity of a suite: a hash of its node ids, its project's files, its settings, and a name if it has
    one.

    Two suites of the same tests are different if they have different names. A suite of which nothing that fails is left
    out is the same, whatever is to be done about it.
    """
    leaves_out = any(why != IS_SKIPPED for why in excluded.values())
    parts = [(Flaky.EXCLUDE if leaves_out else Flaky.REFUSE).value, suite.original_runs, files, *tests]
    parts += ["named", suite.given_name] if suite.given_name else []
    parts += ["called with", *suite.arguments] if suite.arguments else []
    parts += ["waits", suite.wait] if suite.wait != MOST_WAITING else []
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def find_project(suite: PytestSuite) -> Project:
    """Return the project of a suite.

    Raises:
        UsageError: a path of tests does not exist, or the target is outside the project.
        SourceError: the target is not found, or does not parse.
    """
    folder = Path(suite.folder).resolve()
    paths = [folder / argument.partition("::")[0] for argument in suite.tests]
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: no such file or folder; name tests that are there after --tests")
    common = Path(os.path.commonpath([path.resolve() for path in paths]))
    root = _root(common, folder)
    chosen: tuple[Path, ...] = (root,)
    place = folder if root == folder or root in folder.parents else root
    split = [argument.partition("::") for argument in suite.tests]
    arguments = tuple(os.path.relpath(folder / file, place) + mark + name for file, mark, name in split)
    if not _is_project(root) and root != folder:
        chosen = tuple(path.resolve() for path in paths)
        neighbours = [root / "conftest.py", *sorted({*root.glob("test_*.py"), *root.glob("*_test.py")})]
        chosen = tuple(dict.fromkeys([*chosen, *(path.resolve() for path in neighbours if path.is_file())]))
    named = [path.resolve() for path in import_folders(root)]
    source_path, top = _target(suite.target, [folder, folder / "src", root, root / "src"], named)
    source = read_source(source_path, "name a module after --target as it is imported")
    parse_source(source_path, source, "correct the target")
    inside = root in source_path.parents and top is not None
    subject = Subject(
        name=suite.target,
        title=suite.target,
        module=suite.target,
        source_path=source_path,
        source=source,
        spec_path=source_path,
        spec_source="",
        blocked=suite.blocked,
        installed=top is None,
    )
    if top is not None and not inside:
        raise UsageError(f"{source_path} lies outside of {root}, the project of the tests; put both below one folder")
    return Project(
        root=root,
        chosen=chosen,
        folder=os.path.relpath(place, root),
        arguments=arguments,
        filename=str(source_path.relative_to(root)) if inside else str(source_path),
        roots=() if top is None else (os.path.relpath(top, root),),
        subject=subject,
        options=suite.arguments,
        wait=suite.wait,
    )


def _root(common: Path, folder: Path) -> Path:
    """Return the nearest project folder around the tests; otherwise the current folder, or the folder of the tests."""
    around = [common, *common.parents] if common.is_dir() else list(common.parents)
    for parent in around:
        if _is_project(parent):
            return parent
    return folder if folder in around else around[0]


def _is_project(folder: Path) -> bool:
    return any((folder / mark).is_file() for mark in MARKS)


def _target(name: str, roots: list[Path], named: list[Path]) -> tuple[Path, Path | None]:
    """Return the module's file, and the folder that its name starts from, unless it is an installed module.

    Folders `named` by pytest's settings come first, as they do in pytest's path.

    Raises:
        SourceError: there is no such module, or it is not Python source.
    """
    parts = name.split(".")
    if all(part.isidentifier() for part in parts):
        for root in dict.fromkeys([*named, *roots]):
            base = root.joinpath(*parts)
            for path in (base / "__init__.py", base.with_name(f"{base.name}.py")):
                if path.is_file():
                    return path, root
        search: list[str] | None = [path for path in sys.path if path]
        for number in range(len(parts)):
            spec = PathFinder.find_spec(".".join(parts[: number + 1]), search)
            if spec is None:
                break
            if number == len(parts) - 1 and spec.origin is not None and spec.origin.endswith(".py"):
                return Path(spec.origin), None
            search = list(spec.submodule_search_locations or [])
    raise SourceError(
        f"no module {name!r} of Python source, neither below {roots[0]} (or src there, or what pythonpath of pytest's "
        "settings names) nor installed; name it as it is imported, like package.module"
    )
