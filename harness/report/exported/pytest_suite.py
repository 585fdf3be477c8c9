"""Exports a suite as a runnable pytest file, which contains every input with the outcome of the original."""

from __future__ import annotations

import os
from itertools import compress
from pathlib import Path

from harness import __version__, resources
from harness.codec.codec import codec_of
from harness.errors import UsageError
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.program.loader import DRIVER
from harness.kernel.running.job import RunJob
from harness.model.subject import Subject
from harness.report.exported.expectations import ExpectedRequest, ExportedCases, FileFacts
from harness.report.python_files import steady, write_test_file
from harness.report.templates import template

MOST_INPUTS = 50_000


def export_pytest(subject: Subject, suite: SuiteReader, path: Path) -> Path:
    """Write the suite to `path` and return `path`.

    State inputs are cases, with one parametrised test per target; each input of a suite of sequences is its own test.

    The tests expect what the original does now, in a sandboxed process: outcome, rep_ok, and the post-state by the
    subject's equality, as the differential oracle compares them (exhaustive2003, section 7.2). The file finds
    implementation and spec by their paths, relative to its own where they share a folder. It finds an installed
    implementation by its name. If targets are called through a driver, the file loads the driver, which imports the
    installed module.

    Raises:
        UsageError: the suite is empty or too large, holds values without a literal form, or `path` is unwritable.
        BaselineError: the original fails on an input.
    """
    if not 0 < len(suite) <= MOST_INPUTS:
        raise UsageError(
            f"{subject.name} scope {suite.header.scope}: a suite of {len(suite):,} inputs cannot be exported "
            f"(1 to {MOST_INPUTS:,} can); choose {'a larger' if not len(suite) else 'a lower'} scope"
        )
    cases, facts, left_out = _expected(subject, suite)
    targets = [
        {"name": name, "identifier": name.replace(".", "_"), "cases": cases[number]}
        for number, name in enumerate(suite.header.targets)
        if cases[number]
    ]
    called = _called_file(subject)
    kind = "pytest_sequences.py.j2" if suite.holds_sequences else "pytest_suite.py.j2"
    text = template(kind).render(
        subject=subject,
        header=suite.header,
        version=__version__,
        name=_name_to_type(subject),
        module=DRIVER if subject.is_driven else subject.module,
        implementation=None if called is None else _path_text(called, path),
        spec=_path_text(subject.spec_path, path),
        roots=[_path_text(root, path) for root in dict.fromkeys(file.root for file in subject.companions)],
        targets=targets,
        left_out=", ".join(map(str, left_out)),
        **codec_of(FileFacts).to_data(facts),
    )
    write_test_file(path, text)
    return path


def _called_file(subject: Subject) -> Path | None:
    """Return the file that has the targets: the driver, if there is one; None if a module is found by its name."""
    if subject.is_driven:
        return next(Path(file.path) for file in subject.companions if file.module == DRIVER)
    return None if subject.installed else subject.source_path


def _name_to_type(subject: Subject) -> str:
    """Return the subject's name on the command line, which starts with the group if its folder has several subjects."""
    grouped = (name for name, folder in resources.grouped_subjects().items() if folder == subject.spec_path.parent)
    return next(grouped, subject.name)


def _expected(subject: Subject, suite: SuiteReader) -> tuple[list[list[str]], FileFacts, list[int]]:
    """Return the cases by target, what the file needs besides, and the inputs that depend on the order of sets."""
    request = ExpectedRequest(RunJob.of_suite(subject, suite))
    answer, is_steady = steady(subject, suite, request, ExportedCases, lambda one: one.cases)
    cases: list[list[str]] = [[] for _ in suite.header.targets]
    for target, source in compress(answer.cases, is_steady):
        cases[target].append(source)
    return cases, answer.facts, [number for number, same in enumerate(is_steady) if not same]


def _path_text(target: Path, file: Path) -> str:
    """Return a path relative to the file's folder, unless they share only the file system's root."""
    target, folder = target.resolve(), file.resolve().parent
    common = os.path.commonpath([target, folder])
    return str(target) if common == os.sep else Path(os.path.relpath(target, folder)).as_posix()
