"""Finds the module under test and the project of its tests, and copies the project; nothing of either is executed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path

from harness.errors import SourceError, UsageError
from harness.model.own_suite import OwnSuite
from harness.model.subject import Subject
from harness.pytest_suites.job import SuiteJob
from harness.resources import cache_folder, parse_source, read_source
from harness.runner.pytest_runs.settings import import_folders
from harness.store.connect import FILE_NAME

MARKS = ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "setup.py")
"""A folder with one of these is a project's."""
_NO_SOURCES = frozenset({
    ".git", ".hg", ".svn", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".nox", "node_modules",
    ".hypothesis",
})  # fmt: skip
_PINNED = ("mutants", "modules")
"""The folder that mutants of modules are pinned in, and the one above it: they are no part of the project."""
_MOST_FILES, _MOST_BYTES = 20_000, 512 << 20


@dataclass(frozen=True)
class Project:
    """A module under test and the files around its tests.

    Args:
        root: the project's folder.
        chosen: what of it is copied: everything, or the named files of a folder that is none.
        folder: where pytest is called, relative to `root`.
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

    @property
    def is_own(self) -> bool:
        """Whether the target lies within the project; else it is an installed module."""
        return not os.path.isabs(self.filename)

    def copy(self, to: Path) -> str:
        """Copies the files; a hash over all of them but the target, by relative path and content.

        Raises:
            UsageError: they are too many, or too large.
        """
        digest = hashlib.sha256()
        count = size = 0
        to.mkdir()
        for path in self._files():
            count, size = count + 1, size + path.lstat().st_size
            if count > _MOST_FILES or size > _MOST_BYTES:
                raise UsageError(
                    f"{self.root}: more than {_MOST_FILES} files or {_MOST_BYTES >> 20} MiB, which would all be "
                    "copied; stand in a smaller folder, which has a pyproject.toml of its own"
                )
            relative = path.relative_to(self.root)
            place = to / relative
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, place, follow_symlinks=False)
            if str(relative) != self.filename:
                content = os.readlink(path).encode() if path.is_symlink() else path.read_bytes()
                digest.update(f"{relative}\0{hashlib.sha256(content).hexdigest()}\n".encode())
        for name in (self.folder, *self.roots):
            (to / name).mkdir(parents=True, exist_ok=True)
        return digest.hexdigest()

    def _files(self) -> Iterator[Path]:
        cache = cache_folder().resolve()
        for chosen in self.chosen:
            found = _below(chosen) if chosen.is_dir() else iter([chosen])
            yield from (path for path in found if cache not in path.parents)


def suite_job(project: Project, pristine: Path) -> SuiteJob:
    """What a sandboxed process is told of the project, of which a copy stands in `pristine`."""
    return SuiteJob(
        target=project.subject.module,
        source=project.subject.source,
        filename=project.filename,
        pristine=str(pristine),
        folder=project.folder,
        arguments=project.arguments,
        roots=project.roots,
        blocked=project.subject.blocked,
    )


def suite_digest(suite: OwnSuite, files: str, tests: Iterable[str]) -> str:
    """What tells a suite from others: its node ids, the files of the project, how it is judged, and a name given to it.

    Two suites of the same tests are two if they were given names.
    """
    asked = [suite.flaky.value, suite.original_runs, files, *tests]
    asked += ["named", suite.given_name] if suite.given_name else []
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()


def find_project(suite: OwnSuite) -> Project:
    """The project of a suite.

    Raises:
        UsageError: a path of tests is not there, or the target lies elsewhere.
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
        beside = [root / "conftest.py", *sorted({*root.glob("test_*.py"), *root.glob("*_test.py")})]
        chosen = tuple(dict.fromkeys([*chosen, *(path.resolve() for path in beside if path.is_file())]))
    named = [path.resolve() for path in import_folders(root)]
    found, top = _target(suite.target, [folder, folder / "src", root, root / "src"], named)
    source = read_source(found, "name a module after --target as it is imported")
    parse_source(found, source, "correct the target")
    inside = root in found.parents and top is not None
    subject = Subject(
        name=suite.target,
        title=suite.target,
        module=suite.target,
        source_path=found,
        source=source,
        spec_path=found,
        spec_source="",
        blocked=suite.blocked,
        installed=top is None,
    )
    if top is not None and not inside:
        raise UsageError(f"{found} lies outside of {root}, the project of the tests; put both below one folder")
    return Project(
        root=root,
        chosen=chosen,
        folder=os.path.relpath(place, root),
        arguments=arguments,
        filename=str(found.relative_to(root)) if inside else str(found),
        roots=() if top is None else (os.path.relpath(top, root),),
        subject=subject,
    )


def _root(common: Path, folder: Path) -> Path:
    """The nearest folder around the tests that is a project's; else where one stands, or where the tests lie."""
    around = [common, *common.parents] if common.is_dir() else list(common.parents)
    for parent in around:
        if _is_project(parent):
            return parent
    return folder if folder in around else around[0]


def _is_project(folder: Path) -> bool:
    return any((folder / mark).is_file() for mark in MARKS)


def _target(name: str, roots: list[Path], named: list[Path]) -> tuple[Path, Path | None]:
    """The module's file, and the folder that its name starts from, where it is not an installed one.

    Folders `named` by pytest's settings come first, as pytest has them first on the path.

    Raises:
        SourceError: there is no such module, or it is none of Python source.
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


def _below(folder: Path) -> Iterator[Path]:
    """Files of a project; neither caches, virtual environments and histories, nor folders of runs."""
    if (folder / "pyvenv.cfg").exists() or (folder / FILE_NAME).exists():
        return
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in _NO_SOURCES and (folder.name, entry.name) != _PINNED:
                yield from _below(Path(entry.path))
        elif entry.is_file() or entry.is_symlink():
            yield Path(entry.path)
