"""Finds the modules under test and the project of their tests, and copies it; nothing of either is executed."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import shlex
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from configparser import Error, RawConfigParser
from dataclasses import dataclass, replace
from importlib.machinery import PathFinder
from pathlib import Path

from harness.codec.codec import codec_of
from harness.errors import SourceError, UsageError
from harness.model.pytest_suite import MOST_WAITING, Flaky, PytestSuite
from harness.model.subject import Subject
from harness.mutation.program import FunctionNode
from harness.pytest_suites.job import SuiteJob
from harness.resources import parse_source, read_source
from harness.runner.logs import report_line
from harness.runner.pytest_runs.original import IS_SKIPPED
from harness.runner.pytest_runs.project_copy import copy_files

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


def write_job(project: Project, pristine: Path, path: Path) -> None:
    """Write the description of the project for a sandboxed process; a copy of the project is in `pristine`."""
    job = SuiteJob(
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
    path.write_text(codec_of(SuiteJob).to_json(job), encoding="utf-8")


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


_INI = {"pytest.ini": "pytest", ".pytest.ini": "pytest", "tox.ini": "pytest", "setup.cfg": "tool:pytest"}
_FILES = ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
"""The files in pytest's order: the first with a section for pytest counts, and so does a pytest.ini without one."""

_NEW_FILES = ("pytest.toml", ".pytest.toml")
"""Further files that pytest 9 opens."""


def import_folders(project: Path) -> list[Path]:
    """Return the folders that the setting `pythonpath` names, relative to the project's folder; unreadable files name
    none.

    Source: pytest's reference, "Initialization: determining rootdir and configfile" and `pythonpath`.
    """
    for name in _FILES:
        path = project / name
        if path.is_file():
            section = _section(path)
            if section is not None:
                return [project / folder for folder in _listed(section.get("pythonpath"))]
    return []


def settings_above(folder: Path) -> list[Path]:
    """Return the files of settings in the folders above one, which pytest opens while it looks for its own."""
    return [above / name for above in folder.parents for name in (*_NEW_FILES, *_FILES) if (above / name).is_file()]


def _section(path: Path) -> dict[str, object] | None:
    """Return pytest's settings in a file; None if it has none or does not parse, which pytest itself reports."""
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".toml":
            return _of_toml(tomllib.loads(text))
        read = RawConfigParser(strict=False, allow_no_value=True)
        read.read_string(text)
    except (OSError, ValueError, Error):
        return None
    if read.has_section(_INI[path.name]):
        return dict(read[_INI[path.name]])
    return {} if path.stem.endswith("pytest") else None


def _of_toml(document: dict[str, object]) -> dict[str, object] | None:
    tool = document.get("tool")
    pytest = tool.get("pytest") if isinstance(tool, dict) else None
    if not isinstance(pytest, dict):
        return None
    options = pytest.get("ini_options")  # pytest 9 knows settings in [tool.pytest] itself, too
    return options if isinstance(options, dict) else pytest


def _listed(value: object) -> list[str]:
    if isinstance(value, str):
        try:
            return shlex.split(value)
        except ValueError:
            return []
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


_INIT = "__init__"
_FOLDERS_OF_TESTS = ("tests", "test")


def modules_of(suite: PytestSuite) -> tuple[PytestSuite, ...]:
    """Return the suite once for each module that its target stands for, in the order of their names.

    `package.__init__` stands for that one file. In a package, test files are left out: files that pytest finds by their
    names, and files in folders called `tests`. Modules without any function are left out, too, and modules that cannot
    be parsed; a line is printed of each, if another module is left.

    Raises:
        UsageError: a path of tests does not exist, or the target is outside the project.
        SourceError: the target is not found, does not parse, or no module of it has a function; the first that cannot
            be parsed is named, if there is one.
    """
    package, _, last = suite.target.rpartition(".")
    if package and last == _INIT:
        return (replace(suite, target=package),)
    path = find_project(suite).subject.source_path
    if path.stem != _INIT:
        return (suite,)
    names: list[str] = []
    left_out: dict[str, SourceError] = {}
    for name, file in _modules(suite.target, path.parent):
        try:
            tree = parse_source(file, read_source(file, "make it readable"), "correct it")
            names += [name] if any(isinstance(node, FunctionNode) for node in ast.walk(tree)) else []
        except SourceError as error:
            left_out[name] = error
    if not names:
        nothing = SourceError(f"{path.parent}: no module of this package defines a function; choose another target")
        raise next(iter(left_out.values()), nothing)
    for name, reason in left_out.items():
        report_line(f"{name} is left out: {reason}")
    return tuple(replace(suite, target=name) for name in names)


def _modules(package: str, folder: Path) -> Iterator[tuple[str, Path]]:
    yield package, folder / f"{_INIT}.py"
    for path in sorted(folder.iterdir()):
        name = f"{package}.{path.stem}"
        if path.is_dir() and not path.is_symlink() and (path / f"{_INIT}.py").is_file():
            if path.name not in _FOLDERS_OF_TESTS:
                yield from _modules(name, path)
        elif path.suffix == ".py" and path.stem.isidentifier() and path.stem != _INIT and not _is_of_tests(path.stem):
            yield name, path


def _is_of_tests(stem: str) -> bool:
    return stem == "conftest" or stem.startswith("test_") or stem.endswith("_test")
