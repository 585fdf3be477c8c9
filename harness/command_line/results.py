"""Turns the results of functions of `harness.api` into output: one function for each command.

Functions import what they need when they are called: `--help` and wrong use answer at once, without pandas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from harness.amounts import counted
from harness.command_line.command import OptionValues
from harness.command_line.output import Output, Screen
from harness.errors import FailedTrialsError
from harness.model.mutant import Mutant, MutantStatus

if TYPE_CHECKING:
    from harness.checking.fault_report import FaultReport
    from harness.checking.result import CheckResult
    from harness.external_generators.suite_generation import GeneratedSuite
    from harness.generators.sequences.builder_search import BuilderSearchResult
    from harness.report.mutants_in_text import MutantOfRun
    from harness.report.written_tests.export import WrittenTests
    from harness.runner.merge import Merged
    from harness.runner.run import ShardRun
    from harness.runner.verify import Verification
    from harness.runs.criteria_of_run import CriteriaOfRun
    from harness.runs.generators_of_run import GeneratorsOfRun
    from harness.tables.table import Table


def names(available: Mapping[str, list[str]], values: OptionValues) -> Output:
    """Show the available names of each kind."""
    return Output.of_lines(available, (f"{kind}: {', '.join(listed) or 'none'}" for kind, listed in available.items()))


def generated_tests(suite: GeneratedSuite, values: OptionValues) -> Output:
    """Show how a tool's tests were made."""
    return Output.of_lines(suite.as_dict(), [suite.as_text()])


def builders(search: BuilderSearchResult, values: OptionValues) -> Output:
    """Show the builders, and how many structures each further one added."""
    subject = values["SUBJECT"]

    def text(screen: Screen) -> str:
        steps = [
            f"{step.structures:,} structures by {', '.join(step.builders) or 'constructors'}" for step in search.steps
        ]
        missed = search.structures_by_all - search.structures
        note = f"; all routines together make {missed:,} more" * bool(missed)
        line = f"{subject} scope {search.scope}: {search.explored:,} sequences executed{note}"
        return "\n".join([line, *steps, f"to pin them in sequences(scope) of the spec: {search.line}"])

    return Output(search.to_data() | {"subject": subject}, text)


def survivors(listed: list[MutantOfRun], values: OptionValues) -> Output:
    """Show the survivors of a run, one in a line, below the name of their trial."""

    def lines() -> Iterator[str]:
        trial = None
        for one in listed:
            if one.trial != trial:
                trial = one.trial
                survivors = counted(sum(other.trial == trial for other in listed), "survivor")
                yield f"{trial}, oracle {one.oracle}: {survivors}"
            yield f"  {one.line()}"
        if not listed:
            yield "no survivors"

    return Output([one.to_data() for one in listed], lambda screen: "\n".join(lines()))


def mutant_of_run(listed: list[MutantOfRun], values: OptionValues) -> Output:
    """Show a mutant in each trial that has it."""
    return Output([one.to_data() for one in listed], lambda screen: "\n\n".join(one.text() for one in listed))


def mutants(listed: list[Mutant] | dict[str, list[Mutant]], values: OptionValues) -> Output:
    """Show the mutants of a subject, or those of several modules by the names of the modules."""
    operators = values["--operators"]
    by_module = listed if isinstance(listed, dict) else {"": listed}
    pairs = [(module, mutant) for module, found in by_module.items() for mutant in found]
    rows = [_mutant_row(module, mutant, operators) for module, mutant in pairs]
    heads = [*["module"] * (len(by_module) > 1), "id", "function", "original", "replacement", "status"]

    def text(screen: Screen) -> str:
        from tabulate import tabulate

        cells = [[*(row[head] for head in heads), _equal(mutant)] for row, (_, mutant) in zip(rows, pairs, strict=True)]
        table = tabulate(cells, headers=[*heads, "equal to"], disable_numparse=True)
        return f"{table}\n{len(rows)} mutants of operator set {operators}"

    return Output(rows, text)


def _mutant_row(module: str, mutant: Mutant, operators: str) -> dict[str, Any]:
    named: dict[str, Any] = {"module": module} if module else {}
    return named | {
        "id": mutant.id,
        "operator": mutant.operator,
        "function": mutant.function,
        "location": str(mutant.location),
        "original": mutant.original,
        "replacement": mutant.replacement,
        "status": mutant.status.value,
        "same_as": mutant.same_as,
        "rule": mutant.rule,
        "operator_set": operators,
    }


def _equal(mutant: Mutant) -> str:
    """Return what an equivalent or duplicate mutant equals, and by which rule; empty for any other."""
    if mutant.status not in (MutantStatus.EQUIVALENT, MutantStatus.DUPLICATE):
        return ""
    return f"{mutant.same_as or 'the original'} by {mutant.rule or 'code objects'}"


def profiles(files: Iterable[Path], values: OptionValues) -> Output:
    """Show the files with the observed types."""
    return Output.of_lines(paths := [str(path) for path in files], paths)


def description(text: str, values: OptionValues) -> Output:
    """Show a paragraph in lines that fit on the screen."""
    return Output(
        {"description": text}, lambda screen: "\n".join(wrap(text, max(40, screen.width), break_on_hyphens=False))
    )


def figures(files: Iterable[Path], values: OptionValues) -> Output:
    """Show the files of figures."""
    return _files("figures", files)


def report_files(files: Iterable[Path], values: OptionValues) -> Output:
    """Show the files of a report."""
    return _files("files", files)


def _files(name: str, files: Iterable[Path]) -> Output:
    paths = [str(path) for path in files]
    return Output.of_lines({name: paths}, paths)


def experiment_file(path: Path, values: OptionValues) -> Output:
    """Show the file that an experiment was written to, and how to run it."""
    return Output.of_lines({"file": str(path)}, [f"{path}: run it with mutascope run {path}"])


def run(result: Path | FailedTrialsError, values: OptionValues) -> Output:
    """Show the trials of a run, and remarks about its suites."""
    from harness.analysis.run_summary import as_text, narrowed, suite_warnings, summary_rows

    failure = str(result) if isinstance(result, FailedTrialsError) else ""
    folder = result.folder if isinstance(result, FailedTrialsError) else result
    trials, remarks = summary_rows(folder), suite_warnings(folder)
    data = {"folder": str(folder), "trials": trials, "remarks": remarks}

    def text(screen: Screen) -> str:
        rows, shared = narrowed(trials)
        conditions = "; ".join(f"{name} {value}" for name, value in shared.items())
        return "\n".join([as_text(rows), *[conditions] * bool(conditions), *remarks, str(folder)])

    return Output(data, text, failure=failure)


def shard(result: ShardRun | str, values: OptionValues) -> Output:
    """Show what a shard has found, or the job array that was asked for."""
    if isinstance(result, str):
        return Output.of_lines({"script": result}, result.splitlines())
    line = f"shard {result.shard}: {counted(result.trials, 'trial')}, {counted(result.mutants, 'mutant')}"
    data = {"folder": str(result.folder), "shard": str(result.shard), "trials": result.trials}
    return Output.of_lines(data | {"mutants": result.mutants}, [line, str(result.folder)])


def merge(merged: Merged, values: OptionValues) -> Output:
    """Show the trials of the merged run, and what is missing."""
    output = run(merged.folder, values)
    data = {**output.data, "missing": list(merged.missing)}
    return Output(data, lambda screen: "\n".join([*merged.missing, output.text(screen)]))


def verification(result: Verification, values: OptionValues) -> Output:
    """Show the disagreements of a verification, and what it could not check."""
    disagreements = [str(disagreement) for disagreement in result.disagreements]
    lines = [*result.notes, *result.unchecked, *disagreements]
    data: dict[str, object] = {"checked": result.checked, "disagreements": disagreements}
    data |= {name: listed for name in ("notes", "unchecked") if (listed := getattr(result, name))}
    unchecked = f"; {len(result.unchecked)} verdicts could not be re-executed" * bool(result.unchecked)
    lines.append(f"{result.checked} verdicts checked, {len(disagreements)} disagreements{unchecked}")
    return Output.of_lines(data, lines, is_finding=not result.holds)


def tables(by_name: Mapping[str, Table], values: OptionValues) -> Output:
    """Show tables in the format that is asked for."""
    return _tables_and_figures(by_name, values, [])


def tables_of_run(comparison: GeneratorsOfRun | CriteriaOfRun, values: OptionValues) -> Output:
    """Show the tables of a comparison, and draw its figures if a folder for them is given."""
    by_name = comparison.tables(values["--table"])
    figures = [str(path) for path in comparison.draw(values["--figures"])] if values["--figures"] else []
    return _tables_and_figures(by_name, values, figures)


def _tables_and_figures(by_name: Mapping[str, Table], values: OptionValues, figures: list[str]) -> Output:
    """Show rows and captions, which name policy and oracle, and the files of figures."""
    from harness.tables.render import render

    data: dict[str, Any] = {name: table.records() for name, table in by_name.items()}
    data |= {"captions": {name: table.caption for name, table in by_name.items()}}
    data |= {"figures": figures} if figures else {}
    form = values["--format"]
    return Output(
        data, lambda screen: "\n".join([*(render(table, form, name) for name, table in by_name.items()), *figures])
    )


def check(result: CheckResult, values: OptionValues) -> Output:
    """Show the properties that were checked, with the smallest counterexamples."""
    return Output(result.as_dict(), lambda screen: result.as_text(), is_finding=bool(result.violated))


def faults(result: FaultReport, values: OptionValues) -> Output:
    """Show the faults that a suite revealed."""
    return Output(result.as_dict(), lambda screen: result.as_text(), is_finding=bool(result.faults))


def exported_suite(exported: Path | WrittenTests, values: OptionValues) -> Output:
    """Show the file that tests were written to, and how to run it."""
    if isinstance(exported, Path):
        return Output.of_lines({"file": str(exported)}, [f"{exported}: run it with python -m pytest {exported}"])
    return Output.of_lines(exported.as_dict(), [exported.as_text()])
