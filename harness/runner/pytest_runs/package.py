"""The modules of a target: a module itself, or all modules of a package that define functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from harness.errors import SourceError
from harness.model.pytest_suite import PytestSuite
from harness.mutation.program import FunctionNode
from harness.resources import parse_source, read_source
from harness.runner.logs import report_line
from harness.runner.pytest_runs.project import find_project

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
            names += [name] if _defines_functions(file) else []
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


def _defines_functions(path: Path) -> bool:
    tree = parse_source(path, read_source(path, "make it readable"), "correct it")
    return any(isinstance(node, FunctionNode) for node in ast.walk(tree))
