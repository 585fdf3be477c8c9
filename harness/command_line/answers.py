"""Does what commands say: each function `of_COMMAND` calls functions of `harness.api`, and returns what is printed.

Functions import what they need when they are called: wrong use is answered at once, without pandas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from harness import api
from harness.amounts import counted
from harness.command_line.commands import SHOWN_STATES
from harness.command_line.output import Output, Screen
from harness.errors import FailedTrialsError, UsageError
from harness.model.experiment import Experiment
from harness.model.outcome import Mutant, MutantStatus
from harness.model.sequence import Observation

if TYPE_CHECKING:
    from harness.kernel.inputs.suites import SuiteReader
    from harness.tables.table import Table

Values = Mapping[str, Any]
"""The values of a command's options by the names of the options, such as `--scope`."""


def of_list(values: Values) -> Output:
    """Show the available names of each kind."""
    available = api.available_names()
    return Output.of_lines(available, (f"{kind}: {', '.join(listed) or 'none'}" for kind, listed in available.items()))


# -- make ---------------------------------------------------------------------------------------------------------


def of_generate(values: Values) -> Output:
    """Show a suite, where it was made, and what of it is asked for."""
    from harness.analysis.drawing import check_suffix
    from harness.report.states.suite_summary import extension_line, suite_facts, suite_text
    from harness.runner.provenance import MakingRecord

    subject, shown, figure = values["SUBJECT"], values["--show"], values["--figure"]
    if figure:
        check_suffix(figure)
    now = MakingRecord.now()
    suite = _suite(values)
    origin = now.origin_of(suite.header)
    output = Output(suite_facts(subject, suite.header, origin), lambda screen: suite_text(subject, suite, origin))
    if shown and suite.holds_sequences:
        output = output.above(_first_sequences(subject, suite, shown))
    if figure or (shown and not suite.holds_sequences):
        output = output.above(_first_states(subject, suite, shown, figure))
    if (shown or figure) and extension_line(suite.header):
        output = output.above(_extension(subject, suite, shown, figure))
    return output


def _suite(values: Values) -> SuiteReader:
    return api.generate(values["SUBJECT"], values["--generator"], values["--scope"], values["--seed"])


def _first_sequences(subject: str, suite: SuiteReader, shown: int) -> Output:
    from harness.report.states.text import last_calls_as_data, printable_sequences

    sequences = api.first_sequences(subject, suite, shown)
    calls = api.last_calls(subject, suite, shown)
    data = {"sequences": sequences, "last_calls": last_calls_as_data(calls)}
    return Output(data, lambda screen: "\n" + printable_sequences(sequences, calls, len(suite)))


def _first_states(subject: str, suite: SuiteReader, shown: int | None, figure: Path | None) -> Output:
    from harness.report.states.text import states_as_data, states_text

    states = api.first_states(subject, suite, shown or SHOWN_STATES)

    def text(screen: Screen) -> str:
        return "\n" + states_text(states, suite.header.states, screen.width)

    output = Output({"states": states_as_data(states)}, text)
    if not figure:
        return output
    drawn = _drawn("figure", api.draw_states(states, suite, figure))
    return output.above(drawn) if shown and not suite.holds_sequences else drawn


def _extension(subject: str, suite: SuiteReader, shown: int | None, figure: Path | None) -> Output:
    """Show the pairs of each field's extension; the suite is field-exhaustive."""
    from harness.report.states.suite_summary import extension_text, grids
    from harness.runner.subjects import finitization_of, load_subject

    grids_of_fields = grids(suite.header, finitization_of(load_subject(subject), suite.header.scope))
    output = Output({}, lambda screen: "\n" + extension_text(grids_of_fields))
    if not figure:
        return output
    from harness.report.states.figure import draw_extension

    drawn = _drawn("extension_figure", draw_extension(grids_of_fields, suite.header, figure))
    return output.above(drawn) if shown else drawn


def _drawn(name: str, path: Path) -> Output:
    """Show the file of a figure."""
    return Output.of_lines({name: str(path)}, [str(path)])


def of_generate_tests(values: Values) -> Output:
    """Show how a tool's tests were made."""
    suite = api.generate_tests(
        values["--target"],
        values["TOOL"],
        values["--out"],
        seconds=values["--seconds"],
        seed=values["--seed"],
        most=values["--most"],
    )
    return Output.of_lines(suite.as_dict(), [suite.as_text()])


def of_builders(values: Values) -> Output:
    """Show the builders, and how many structures each further one added."""
    subject = values["SUBJECT"]
    search = api.builders(subject, values["--scope"])
    steps = [f"{step.structures:,} structures by {', '.join(step.builders) or 'constructors'}" for step in search.steps]
    missed = search.structures_by_all - search.structures
    note = f"; all routines together make {missed:,} more" * bool(missed)
    line = f"{subject} scope {search.scope}: {search.explored:,} sequences executed{note}"
    lines = [line, *steps, f"to pin them in sequences(scope) of the spec: {search.line}"]
    return Output.of_lines(search.to_data() | {"subject": subject}, lines)


def of_mutate(values: Values) -> Output:
    """Show the mutants of a subject, or those of several modules by the names of the modules."""
    operators, pin, size, seed = values["--operators"], values["--pin"], values["--size"], values["--seed"]
    if target := values["--target"]:
        blocked = values["--block"]
        by_module = api.module_mutants(
            target, values["--tests"], blocked=blocked, operators=operators, pin=pin, size=size, seed=seed
        )
    else:
        subject = values["SUBJECT"]
        by_module = {"": api.pin(subject, size, seed, operators) if pin else api.mutants(subject, operators)}
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


def of_profile(values: Values) -> Output:
    """Show the files with the observed types."""
    paths = [str(path) for path in api.profile(values["--target"], values["--tests"], blocked=values["--block"])]
    return Output.of_lines(paths, paths)


def of_suite(values: Values) -> Output:
    """Show the file that tests were written to, and how to run it."""
    chosen = (values["SUBJECT"], values["--generator"], values["--scope"], values["--seed"], values["--out"])
    if values["--export"] == "pytest":
        path = api.export_pytest(*chosen)
        return Output.of_lines({"file": str(path)}, [f"{path}: run it with python -m pytest {path}"])
    written = api.write_tests(
        *chosen,
        select=values["--select"],
        run=values["--from"],
        fewest=values["--fewest"],
        module=values["--module"],
    )
    return Output.of_lines(written.as_dict(), [written.as_text()])


# -- run ----------------------------------------------------------------------------------------------------------


def _experiment(values: Values) -> Experiment:
    """Return the experiment that the options describe.

    Raises:
        UsageError: an option is missing, or one of call sequences is given for a generator of states.
    """
    from harness.generators.registry import find_generator, makes_sequences

    if subjects := values["--subject"]:
        generators, suites = values["--generator"], list(map(str, values["--suite"]))
        if not values["--scope"]:
            raise UsageError("--subject needs --scope, as in --scope 3 or --scope 1-5")
        is_of_states = not any(makes_sequences(find_generator(name)) for name in (*generators, *suites))
        if values["--observe"] != Observation.END.value and is_of_states:
            raise UsageError("--observe goes with a generator of sequences: beapi, random, rostra")
        return api.subject_experiment(
            subjects,
            generators,
            values["--scope"],
            suites=suites,
            seed=values["--seed"],
            seeds=values["--seeds"],
            matrix=values["--matrix"],
            metamutants=values["--metamutants"],
            concrete=values["--concrete"],
            operators=values["--operators"],
            observe=values["--observe"],
            oracles=values["--oracles"],
        )
    if not values["--tests"]:
        raise UsageError("--target needs --tests, the files or folders that pytest is called with")
    return api.pytest_experiment(
        values["--target"],
        values["--tests"],
        flaky=values["--flaky"],
        seed=values["--seed"],
        original_runs=values["--runs"],
        blocked=values["--block"],
        arguments=values["--arguments"],
        wait=values["--wait"],
        matrix=values["--matrix"],
        operators=values["--operators"],
    )


def of_init(values: Values) -> Output:
    """Show the file that an experiment was written to, and how to run it."""
    path = api.write_experiment(_experiment(values), values["FILE"])
    return Output.of_lines({"file": str(path)}, [f"{path}: run it with mutascope run {path}"])


def of_run(values: Values) -> Output:
    """Show the trials of a run, and remarks about its suites; failed trials come last."""
    named = values["EXPERIMENT"]
    experiment = _experiment(values) if named is None else api.experiment(named)
    try:
        return _trials(
            api.run(experiment, values["--out"], values["--jobs"], values["--executor"], values["--scheduler"])
        )
    except FailedTrialsError as error:
        return _trials(error.folder, failure=str(error))


def _trials(folder: Path, missing: Iterable[str] = (), failure: str = "") -> Output:
    from harness.analysis.run_summary import as_text, narrowed, suite_warnings, summary_rows

    trials, remarks = summary_rows(folder), suite_warnings(folder)
    rows, shared = narrowed(trials)
    conditions = "; ".join(f"{name} {value}" for name, value in shared.items())
    lines = [*missing, as_text(rows), *[conditions] * bool(conditions), *remarks, str(folder)]
    return Output.of_lines({"folder": str(folder), "trials": trials, "remarks": remarks}, lines, failure=failure)


def of_shard(values: Values) -> Output:
    """Show what a shard has found, or the job array that is asked for."""
    named, folder = values["EXPERIMENT"], values["--out"]
    if tasks := values["--print-slurm"]:
        script = api.slurm_script(named, tasks, folder)
        return Output.of_lines({"script": script}, script.splitlines())
    result = api.shard(api.experiment(named), values["K/N"], folder, values["--jobs"])
    line = f"shard {result.shard}: {counted(result.trials, 'trial')}, {counted(result.mutants, 'mutant')}"
    data = {"folder": str(result.folder), "shard": str(result.shard), "trials": result.trials}
    return Output.of_lines(data | {"mutants": result.mutants}, [line, str(result.folder)])


def of_merge(values: Values) -> Output:
    """Show the trials of the merged run, and what is missing."""
    merged = api.merge(values["DIR"], values["--out"], allow_missing=values["--allow-missing"])
    output = _trials(merged.folder, merged.missing)
    return Output({**output.data, "missing": list(merged.missing)}, output.text)


def of_verify(values: Values) -> Output:
    """Show the disagreements of a verification, and what it could not check."""
    result = api.verify(values["DIR"], values["--sample"], values["--seed"], values["--jobs"])
    disagreements = [str(disagreement) for disagreement in result.disagreements]
    lines = [*result.notes, *result.unchecked, *disagreements]
    data: dict[str, object] = {"checked": result.checked, "disagreements": disagreements}
    data |= {name: listed for name in ("notes", "unchecked") if (listed := getattr(result, name))}
    unchecked = f"; {len(result.unchecked)} verdicts could not be re-executed" * bool(result.unchecked)
    lines.append(f"{result.checked} verdicts checked, {len(disagreements)} disagreements{unchecked}")
    return Output.of_lines(data, lines, is_finding=not result.holds)


# -- look ---------------------------------------------------------------------------------------------------------


def _paper_and_run(values: Values) -> tuple[str | None, Path | None]:
    from harness.papers import paper_or_run

    return paper_or_run(values["PAPER|DIR"], values["--from"])


def of_tables(values: Values) -> Output:
    """Show tables of a run or a paper."""
    by_name = api.tables(
        *_paper_and_run(values),
        values["--table"],
        values["--policy"],
        values["--oracle"],
        values["--subject"],
        values["--generator"],
    )
    return _tables(by_name, values)


def of_figures(values: Values) -> Output:
    """Show the files of figures."""
    paper, folder = _paper_and_run(values)
    files = api.figures(
        paper,
        folder,
        values["--out"],
        values["--policy"],
        pdf=values["--pdf"],
        width=values["--width"],
        style=values["--style"],
        subjects=values["--subject"],
        generators=values["--generator"],
        names=values["--figure"],
    )
    paths = list(map(str, files))
    return Output.of_lines({"figures": paths}, paths)


def of_describe(values: Values) -> Output:
    """Show a paragraph in lines that fit on the screen."""
    text = api.describe(values["DIR"], values["--policy"], values["--oracle"], values["--format"])
    return Output(
        {"description": text}, lambda screen: "\n".join(wrap(text, max(40, screen.width), break_on_hyphens=False))
    )


def of_compare(values: Values) -> Output:
    """Show the tables of a comparison of generators."""
    names = ("DIR", "--sizes", "--policy", "--at", "--oracle", "--take", "--table")
    return _tables(api.compare(*(values[name] for name in names)), values)


def of_criteria(values: Values) -> Output:
    """Show the tables of a comparison of criteria, and draw its figures if a folder for them is given."""
    compared = api.criteria(values["DIR"])
    by_name = compared.tables(values["--table"])
    return _tables(by_name, values, compared.draw(values["--figures"]) if values["--figures"] else ())


def of_outcomes(values: Values) -> Output:
    """Show tables of condition outcomes."""
    return _tables(api.outcomes(values["DIR"], values["--table"]), values)


def _tables(by_name: Mapping[str, Table], values: Values, drawn: Iterable[Path] = ()) -> Output:
    """Show tables in the format that is asked for, and the files of figures."""
    from harness.tables.render import render

    figures = list(map(str, drawn))
    data: dict[str, Any] = {name: table.records() for name, table in by_name.items()}
    data |= {"captions": {name: table.caption for name, table in by_name.items()}}
    data |= {"figures": figures} if figures else {}
    form = values["--format"]
    lines = (render(table, form, name) for name, table in by_name.items())
    return Output.of_lines(data, [*lines, *figures])


def of_survivors(values: Values) -> Output:
    """Show the survivors of a run, one in a line, below the name of their trial."""
    listed = api.survivors(
        values["DIR"], values["--function"], values["--oracle"], values["--subject"], values["--generator"]
    )

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

    return Output.of_lines([one.to_data() for one in listed], lines())


def of_show(values: Values) -> Output:
    """Show a mutant in each trial that has it."""
    listed = api.mutant_of_run(
        values["DIR"], values["MUTANT"], values["--oracle"], values["--subject"], values["--generator"]
    )
    return Output([one.to_data() for one in listed], lambda screen: "\n\n".join(one.text() for one in listed))


def of_report(values: Values) -> Output:
    """Show the files of a report."""
    paths = list(map(str, api.report(values["DIR"], values["--oracle"])))
    return Output.of_lines({"files": paths}, paths)


# -- check --------------------------------------------------------------------------------------------------------


def of_check(values: Values) -> Output:
    """Show the properties that were checked, with the smallest counterexamples."""
    result = api.check(values["SUBJECT"], values["--scope"], values["--mode"])
    return Output.of_lines(result.as_dict(), [result.as_text()], is_finding=bool(result.violated))


def of_faults(values: Values) -> Output:
    """Show the faults that a suite reveals."""
    result = api.faults(values["SUBJECT"], values["--generator"], values["--scope"], values["--seed"])
    return Output.of_lines(result.as_dict(), [result.as_text()], is_finding=bool(result.faults))


def of_difference(values: Values) -> Output:
    """Show how both sides differ, and draw the differences if a folder is given."""
    from harness.report.states.text import draw_sides, sides_text, states_as_data

    subject, figure = values["SUBJECT"], values["--figure"]
    compare = api.invariant_difference if values["--invariant"] else api.difference
    result = compare(subject, values["--scope"])
    states_by_side = api.states_of_one_side(subject, result)
    output = Output(
        {**result.as_dict(), "alone": {side: states_as_data(states) for side, states in states_by_side.items()}},
        lambda screen: sides_text(result, states_by_side, screen.width),
        is_finding=result.is_finding,
    )
    if not figure or not states_by_side:
        return output
    paths = [str(path) for path in draw_sides(result, states_by_side, figure)]
    return output.above(Output.of_lines({"figures": paths}, paths))
