"""Generates a suite by a tool: a folder with the tests that the original passes, and a record of the generation."""

from __future__ import annotations

import ast
import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from harness.errors import InstrumentError, UsageError
from harness.external_generators.running import cpu_limit, run_tool, tests_in, wall_limit
from harness.external_generators.tools import Request, find_tool
from harness.kernel.process.trees import remove_tree
from harness.model.pytest_suite import GENERATED, PYTEST, Flaky, PytestSuite
from harness.mutation.probes import probed
from harness.pytest_suites.job import PROBED
from harness.pytest_suites.reports import OriginalReport
from harness.runner.pytest_runs.executor import fork_server
from harness.runner.pytest_runs.original import OriginalTests, orders_of, original_of, report_without_ends
from harness.runner.pytest_runs.project import Project, find_project, write_job
from harness.sandbox.folders import locked_folder
from harness.sandbox.process import WorkerDied

_TESTS = "generated_by_a_tool"
_RUNS = 3
"""Runs of the original: in order, backwards and shuffled."""
_OVER = "over the number of tests that was asked for"


@dataclass(frozen=True)
class GeneratedSuite:
    """The record of how a suite was generated.

    Attributes:
        written: the number of tests that the tool wrote; `kept` of them are in the folder.
        left_out: the reason why a test is left out, by its name in pytest.
        cpu_seconds: processor time of the tool's process and its children; `seconds` are elapsed.
        cpu_limit: the limit of processor time, in seconds; `wall_limit` is that of elapsed time.
        most_bytes: the greatest memory use.
        source_hash: the first 16 hexadecimal digits of sha256 of the target's text.
    """

    folder: str
    target: str
    source_hash: str
    tool: str
    version: str
    pins: tuple[str, ...]
    python: str
    seed: int
    search_seconds: int
    arguments: tuple[str, ...]
    seconds: float
    cpu_seconds: float
    cpu_limit: int
    wall_limit: int
    most_bytes: int
    written: int
    kept: int
    left_out: Mapping[str, str]

    def as_dict(self) -> dict[str, Any]:
        """Return the record for JSON."""
        return asdict(self)

    def as_text(self) -> str:
        """Return one line for people."""
        return (
            f"{self.folder}: {self.kept} of {self.written} tests by {self.tool} {self.version}, "
            f"{self.cpu_seconds:.1f} s of processor time"
        )


def generate_tests(  # noqa: PLR0913 (a keyword for each option)
    target: str,
    tool: str,
    out: Path | None = None,
    *,
    seconds: int = 60,
    seed: int = 0,
    most: int | None = None,
    folder: Path | None = None,
) -> GeneratedSuite:
    """Let a tool write tests of a module into the new folder `out` (default: tests_TOOL), and change nothing else.

    Args:
        target: the module's dotted name, as it is imported in `folder` (default: where one stands).
        seconds: for the tool's search.
        most: so many tests are kept, the first ones.

    Raises:
        UsageError: there is no such tool, its environment cannot be made, it dies or writes nothing that passes.
        SourceError: there is no such module.
    """
    chosen = find_tool(tool)
    out = out or Path(f"tests_{tool.replace('-', '_')}")
    if out.exists() and not (out.is_dir() and not any(out.iterdir())):
        raise UsageError(f"{out}: there is something already; name a new folder after --out")
    project = find_project(PytestSuite(target, (".",), str(folder or Path.cwd())))
    subject = project.subject
    with locked_folder() as room:
        copied, tool_room = room / "project", room / "tool"
        project.copy(copied)
        tool_room.mkdir()
        roots = [str((copied / root).resolve()) for root in project.roots or (project.folder,)]
        request = Request(
            target=subject.module,
            project=roots[0],
            functions=_public_functions(subject.source),
            seconds=seconds,
            seed=seed,
            out=str(tool_room / "out"),
        )
        ran = run_tool(chosen, request, roots, tool_room, readable=copied)
        place = copied / _TESTS
        place.mkdir()
        for name, text in ran.files.items():
            (place / name).write_text(text, encoding="utf-8")
        try:
            passing = passing_tests(project, copied, _TESTS, seed)
        except UsageError as error:
            raise UsageError(f"{chosen.name} {chosen.version} on {subject.module}: {error}") from None
        names_by_file, left_out = _chosen(passing.tests, passing.excluded, most)
        record = GeneratedSuite(
            folder=str(out),
            target=subject.module,
            source_hash=subject.source_hash[:16],
            tool=chosen.name,
            version=chosen.version,
            pins=chosen.pins,
            python=sys.version.split()[0],
            seed=seed,
            search_seconds=seconds,
            arguments=tuple(_without_folder(argument, room) for argument in ran.arguments),
            seconds=round(ran.end.seconds, 3),
            cpu_seconds=round(ran.end.cpu_seconds, 3),
            cpu_limit=cpu_limit(seconds),
            wall_limit=wall_limit(seconds),
            most_bytes=ran.end.most_bytes,
            written=sum(len(tests_in(text)) for text in ran.files.values()),
            kept=sum(len(names) for names in names_by_file.values()),
            left_out=left_out,
        )
    _write(out, ran.files, names_by_file, record)
    return record


def passing_tests(project: Project, pristine: Path, tests: str, seed: int) -> OriginalTests:
    """Run the tests of a folder on the original, and return those that pass each time, with the others' reasons.

    Args:
        pristine: a copy of the project with that folder; files may be written next to it.
        tests: the folder, relative to the project's.

    Raises:
        UsageError: the folder cannot be collected, or no test passes.
    """
    if find_spec(PYTEST) is None:
        raise UsageError("pytest is not installed beside mutascope; install mutascope[pytest]")
    subject, job, work = project.subject, pristine.with_name("job.json"), pristine.with_name("checked")
    write_job(replace(project, folder=".", arguments=(tests,)), pristine, job)
    job.with_name(PROBED).write_text(json.dumps(probed(subject.source, [], ()).text), encoding="utf-8")
    endings: dict[str, str] = {}
    readable = pristine if project.is_own else subject.source_path.parent
    try:
        with fork_server(job, work, readable) as ask:
            runs = [
                report_without_ends(ask, order, OriginalReport, endings, Flaky.EXCLUDE, tests)
                for order in orders_of(_RUNS, seed)
            ]
    except WorkerDied as death:
        raise InstrumentError(
            f"{subject.module}: the process that runs the new tests {death.how}; run it again"
        ) from None
    finally:
        remove_tree(work)
    return original_of(runs, (), 0, Flaky.EXCLUDE, tests, endings)


def _public_functions(source: str) -> int:
    """Return the number of functions and methods in a module that other modules are meant to call."""
    count = 0
    for node in ast.parse(source).body:
        within = node.body if isinstance(node, ast.ClassDef) else [node]
        count += sum(isinstance(one, ast.FunctionDef) and not one.name.startswith("_") for one in within)
    return count


def _chosen(
    tests: tuple[str, ...], excluded: Mapping[str, str], most: int | None
) -> tuple[dict[str, set[str]], dict[str, str]]:
    """Return the names of the functions that are kept, by file, and the reasons why others are not, by name.

    A function with several tests, such as a parametrized one, is kept if all of them pass.
    """
    names_by_file: dict[str, set[str]] = {}
    left_out = {_name(node): why for node, why in excluded.items()}
    whole = list(dict.fromkeys(_function(node) for node in tests))
    failing = {_function(node) for node in excluded}
    for number, (file, name) in enumerate(one for one in whole if one not in failing):
        if most is not None and number >= most:
            left_out[f"{file}::{name}"] = _OVER
        else:
            names_by_file.setdefault(file, set()).add(name)
    return names_by_file, left_out


def _name(node: str) -> str:
    file, separator, test = node.partition("::")
    return file.rpartition("/")[2] + separator + test


def _function(node: str) -> tuple[str, str]:
    file, _, name = _name(node).partition("::")
    return file, name.partition("[")[0]


def _write(out: Path, files: Mapping[str, str], names_by_file: Mapping[str, set[str]], record: GeneratedSuite) -> None:
    """Write the whole folder at once, so that an interruption leaves none.

    Raises:
        UsageError: the folder cannot be written.
    """
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with locked_folder(out.parent) as room:
            written = room / "made"
            written.mkdir()
            for name in names_by_file:
                unwanted = set(tests_in(files[name])) - names_by_file[name]
                (written / name).write_text(without(files[name], unwanted), encoding="utf-8")
            (written / GENERATED).write_text(json.dumps(record.as_dict(), indent=1) + "\n", encoding="utf-8")
            os.rename(written, out)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}; name another folder after --out") from None


def _without_folder(argument: str, room: Path) -> str:
    """Return an argument without the name of a temporary folder."""
    return argument.replace(os.path.join(str(room.resolve()), ""), "").replace(f"{room}/", "")


def without(text: str, names: Iterable[str]) -> str:
    """Return a file without the functions of these names, and otherwise unchanged."""
    left_out = set(names)
    lines = text.splitlines(keepends=True)
    for node in reversed(ast.parse(text).body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name in left_out:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            del lines[first - 1 : node.end_lineno]
    return "".join(lines)
