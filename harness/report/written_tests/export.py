"""Writes chosen inputs of a suite as a file of tests that one could have written by hand."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from keyword import iskeyword
from pathlib import Path
from shlex import quote
from typing import Any

from harness.errors import UsageError
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.running.job import RunJob
from harness.model.subject import Subject, root_of
from harness.report.python_files import steady, write_test_file
from harness.report.written_tests.choice import ChosenInputs, Select, chosen
from harness.report.written_tests.source import INDENT, WIDTH
from harness.report.written_tests.statements import TestSources, TestsRequest

MOST_TESTS = 5_000
"""More than anybody reads, and less than an editor opens without complaint."""


@dataclass(frozen=True)
class WrittenTests:
    """A written file of tests, and the inputs of the suite that it contains."""

    path: Path
    choice: ChosenInputs
    waiting: tuple[str, ...] = ()
    """Names of routines that no test asks, as they have waited for ever."""
    imported_from: Path | None = None
    """The folder that the implementation is imported from; None where Python finds it, or the user has named it."""
    not_blocked: tuple[str, ...] = ()
    """Modules that the spec blocks, and the tests do not: what they bring may replace the code under test."""

    def as_text(self) -> str:
        """Return the lines that the command prints."""
        path = "" if self.imported_from is None else f"PYTHONPATH={quote(str(self.imported_from))} "
        text = f"{self.path}: {self.choice}; run it with {path}python -m pytest {quote(str(self.path))}"
        if self.waiting:
            text += f"\n{self.path}: no test asks {', '.join(self.waiting)}, which waited for what nobody else does"
        if self.not_blocked:
            names = ", ".join(self.not_blocked)
            text += f"\n{self.path}: the spec blocks {names}, and the tests do not, so they may run other code; --block"
            text += " blocks it where mutants are run on them"
        return text

    def as_dict(self) -> dict[str, Any]:
        """Return the same facts as data."""
        choice = self.choice
        data: dict[str, Any] = {"file": str(self.path), "select": choice.select.value}
        data |= {"tests": len(choice.numbers), "sequences": choice.inputs}
        data |= {"waiting": list(self.waiting)} if self.waiting else {}
        data |= {"not_blocked": list(self.not_blocked)} if self.not_blocked else {}
        return data if choice.select is Select.ALL else data | {"covered": choice.covered, "of": choice.elements}


def write_tests(  # noqa: PLR0913 (a keyword for each option)
    subject: Subject,
    suite: SuiteReader,
    path: Path,
    select: Select = Select.OUTCOMES,
    *,
    run: Path | None = None,
    fewest: bool = False,
    module: str | None = None,
) -> WrittenTests:
    """Write a suite of call sequences, or the chosen ones of it, as tests into `path`.

    The tests expect the behaviour that the original shows now, in a sandboxed process, through its public API.

    Args:
        module: the name by which tests import the implementation; default: the name of its file.

    Raises:
        UsageError: the inputs are states, or called through a driver; `module` is no name; too many are chosen; `path`
            is unwritable.
        StoreError: the run has no kill matrix of this suite.
        BaselineError: the original cannot be run on an input.
    """
    if module is not None and not all(part.isidentifier() and not iskeyword(part) for part in module.split(".")):
        raise UsageError(f"--module {module!r}: no name of a module; write it as it is imported, like package.module")
    if not suite.holds_sequences:
        raise UsageError(
            f"{suite.header.generator}: its inputs are states, not sequences of calls, from which tests by hand are "
            "made; choose a generator of sequences (rostra, symstra, beapi, random), or --export pytest"
        )
    if subject.is_driven:
        raise UsageError(f"{subject.name}: it is called through a driver, not by its own names; give --export pytest")
    choice = chosen(subject, suite, select, run, fewest=fewest)
    if not 0 < len(choice.numbers) <= MOST_TESTS:
        raise UsageError(
            f"{subject.name}: {len(choice.numbers):,} tests are not for reading (1 to {MOST_TESTS:,} can be written); "
            "choose another scope, or --select outcomes"
        )
    sources = _sources(subject, suite, choice, module or subject.module)
    fixture = _loading(module or subject.module, sources) if sources.keeps_state else []
    tests = [test for test in sources.tests if test]
    text = "\n".join([*_head(subject, suite, choice, sources), *(f"\n\n{test}" for test in [*fixture, *tests]), ""])
    write_test_file(path, text)
    is_found = subject.installed or module is not None
    imported_from = None if is_found else root_of(subject.module, subject.source_path.resolve())
    return WrittenTests(path, choice, sources.waiting, imported_from, subject.blocked)


def _sources(subject: Subject, suite: SuiteReader, choice: ChosenInputs, module: str) -> TestSources:
    """Return the sources of the tests; a test that expects otherwise where sets have another order is empty."""
    request = TestsRequest(RunJob.of_suite(subject, suite), module, choice.numbers)
    sources, is_steady = steady(subject, suite, request, TestSources, lambda one: one.tests)
    return replace(sources, tests=tuple(test * same for test, same in zip(sources.tests, is_steady, strict=True)))


def _loading(module: str, sources: TestSources) -> list[str]:
    """Return a fixture that loads the implementation again for each test."""
    names = sources.imports.get(module, ())
    return [
        "@pytest.fixture(autouse=True)\n"
        "def loaded_afresh():\n"
        f'{INDENT}"""{module} keeps something outside of its objects, so each test loads it again."""\n'
        f'{INDENT}loaded = importlib.reload(sys.modules["{module}"])\n'
        f"{INDENT}globals().update({{name: getattr(loaded, name) for name in {list(names)!r}}})"
    ]


def _head(subject: Subject, suite: SuiteReader, choice: ChosenInputs, sources: TestSources) -> list[str]:
    """Return the lines of the file's docstring and imports."""
    header = suite.header
    lines = [
        f'"""Tests of {subject.title}: what it did when mutascope wrote them.',
        "",
        f"They are {choice}.",
        f"The sequences are those of {header.generator} at scope {header.scope}, seed {header.seed}.",
    ]
    if left_out := sources.tests.count(""):
        lines += [f"{left_out} of them are left out, as they expect otherwise where sets have another order."]
    lines += ['"""']
    imports = {module: _import(module, names) for module, names in sources.imports.items()}
    standard = [line for module in imports if _is_standard(module) for line in imports[module]]
    project_imports = [line for module in imports if not _is_standard(module) for line in imports[module]]
    if sources.keeps_state:
        standard = ["import importlib", "import sys", *standard]
    for block in (standard, ["import pytest"] if sources.raises or sources.keeps_state else [], project_imports):
        lines += ["", *block] if block else []
    return lines


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _import(module: str, names: Sequence[str]) -> list[str]:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= WIDTH:
        return [line]
    return [f"from {module} import (", *(f"{INDENT}{name}," for name in names), ")"]
