"""What each command does: calls `harness.api` and prints, as text or as JSON; its exit status."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from harness.errors import UsageError
from harness.model.mutant import Mutant, MutantStatus
from harness.model.score import ScorePolicy

if TYPE_CHECKING:
    from harness.kernel.inputs.suites import SuiteReader
    from harness.runs.criteria_of_run import CriteriaOfRun
    from harness.runs.generators_of_run import GeneratorsOfRun
    from harness.tables.table import Table

_COLUMNS = 100

SHOWN = 10
"""States that are shown where no number is given."""


def _print(options: argparse.Namespace, data: Any, text: Callable[[], str]) -> None:
    print(json.dumps(data, indent=1) if options.json else text(), file=options.out_stream)


# Handlers import what they need: `--help` and wrong use answer at once, without pandas.


def list_names(options: argparse.Namespace) -> int:
    from harness import api

    found = api.known()
    lines = [f"{kind}: {', '.join(names) or 'none'}" for kind, names in found.items()]
    _print(options, found, lambda: "\n".join(lines))
    return 0


def generate(options: argparse.Namespace) -> int:
    from harness import api
    from harness.report.states.extension_shown import extension_line
    from harness.report.states.generated import shown_states, states_as_data, suite_facts, suite_text
    from harness.runner.making import Making

    if options.figure:
        from harness.analysis.plots import check_suffix

        check_suffix(options.figure)
    now = Making.now(options.jobs)
    suite = api.generate(options.subject, options.generator, options.scope, options.seed, options.jobs)
    origin = now.origin_of(suite.header)
    facts, lines = suite_facts(options.subject, suite.header, origin), [suite_text(options.subject, suite, origin)]
    if options.show and suite.holds_sequences:
        _show_sequences(options, suite, facts, lines)
    if options.figure or (options.show and not suite.holds_sequences):
        states = api.first_states(options.subject, suite, options.show or SHOWN)
        if options.show and not suite.holds_sequences:
            lines.append("\n" + shown_states(states, suite.header.states, _width(options), _encoding(options)))
            facts["states"] = states_as_data(states)
        if options.figure:
            facts["figure"] = str(api.draw_states(states, suite, options.figure))
            lines.append(facts["figure"])
    if extension_line(suite.header):
        _show_extension(options, suite, facts, lines)
    _print(options, facts, lambda: "\n".join(lines))
    return 0


def _show_extension(options: argparse.Namespace, suite: SuiteReader, facts: dict[str, Any], lines: list[str]) -> None:
    from harness.report.states.extension_shown import extension_path, extension_text, grids
    from harness.runner.subjects import finitization_of, load_subject

    shown = grids(suite.header, finitization_of(load_subject(options.subject), suite.header.scope))
    if options.show:
        lines.append("\n" + extension_text(shown))
    if options.figure:
        from harness.report.states.extension_figure import draw_extension

        facts["extension_figure"] = str(draw_extension(shown, suite.header, extension_path(options.figure)))
        lines.append(facts["extension_figure"])


def _show_sequences(options: argparse.Namespace, suite: SuiteReader, facts: dict[str, Any], lines: list[str]) -> None:
    from harness import api
    from harness.report.states.generated import last_calls_as_data, shown_sequences

    facts["sequences"] = api.first_sequences(options.subject, suite, options.show)
    calls = api.last_calls(options.subject, suite, options.show)
    facts["last_calls"] = last_calls_as_data(calls)
    lines.append("\n" + shown_sequences(facts["sequences"], calls, len(suite), _encoding(options)))


def _width(options: argparse.Namespace) -> int:
    """Return the width of the terminal; in a file or a pipe, each line has the same width on every machine."""
    return get_terminal_size((_COLUMNS, 24)).columns if options.out_stream.isatty() else _COLUMNS


def _encoding(options: argparse.Namespace) -> str:
    return options.out_stream.encoding or "ascii"


def generate_tests(options: argparse.Namespace) -> int:
    from harness import api

    given = {"seconds": options.seconds, "seed": options.seed, "most": options.most}
    made = api.generate_tests(options.target, options.tool, options.out, **given)
    _print(options, made.as_dict(), made.as_text)
    return 0


def builders(options: argparse.Namespace) -> int:
    from harness import api

    found = api.builders(options.subject, options.scope)

    def text() -> str:
        steps = [
            f"{step.structures:,} structures by {', '.join(step.builders) or 'constructors'}" for step in found.steps
        ]
        missed = found.structures_by_all - found.structures
        note = f"; all routines together make {missed:,} more" * bool(missed)
        counted = f"{options.subject} scope {found.scope}: {found.explored:,} sequences executed{note}"
        return "\n".join([counted, *steps, f"to pin them in sequences(scope) of the spec: {found.line}"])

    _print(options, found.to_data() | {"subject": options.subject}, text)
    return 0


def mutate(options: argparse.Namespace) -> int:
    from tabulate import tabulate

    from harness import api

    if options.size and not options.pin:
        raise UsageError("--size says how many mutants to pin; give --pin as well")
    if (options.subject is None) == (options.target is None):
        raise UsageError("give a subject, or --target with a module or package that pytest tests")
    if options.subject and (options.tests or options.block):
        raise UsageError("--tests and --block go with --target; leave them out")
    if options.target:
        by_module = api.module_mutants(
            options.target,
            options.tests or ["."],
            blocked=options.block or (),
            operators=options.operators,
            pin=options.pin,
            size=options.size,
            seed=options.seed,
        )
    elif options.pin:
        by_module = {"": api.pin(options.subject, options.size, options.seed, options.operators)}
    else:
        by_module = {"": api.mutants(options.subject, options.operators)}
    mutants = [mutant for found in by_module.values() for mutant in found]
    modules = [module for module, found in by_module.items() for _ in found]
    rows = [
        ({"module": module} if module else {})
        | {
            "id": m.id,
            "operator": m.operator,
            "function": m.function,
            "location": str(m.location),
            "original": m.original,
            "replacement": m.replacement,
            "status": m.status.value,
            "same_as": m.same_as,
            "rule": m.rule,
            "operator_set": options.operators,
        }
        for module, m in zip(modules, mutants, strict=True)
    ]
    heads = [*["module"] * (len(by_module) > 1), "id", "function", "original", "replacement", "status"]
    shown = [[*(row[key] for key in heads), _equal(m)] for row, m in zip(rows, mutants, strict=True)]
    told = f"{len(rows)} mutants of operator set {options.operators}"
    _print(options, rows, lambda: f"{tabulate(shown, headers=[*heads, 'equal to'], disable_numparse=True)}\n{told}")
    return 0


def _equal(mutant: Mutant) -> str:
    """What a mutant that is listed only equals, and by which rule."""
    if mutant.status not in (MutantStatus.EQUIVALENT, MutantStatus.DUPLICATE):
        return ""
    return f"{mutant.same_as or 'the original'} by {mutant.rule or 'code objects'}"


def profile(options: argparse.Namespace) -> int:
    from harness import api

    written = api.profile(options.target, options.tests, blocked=options.block or ())
    _print(options, [str(path) for path in written], lambda: "\n".join(map(str, written)))
    return 0


def run(options: argparse.Namespace) -> int:
    from harness import api
    from harness.analysis.told_trials import as_text, told_remarks, told_trials
    from harness.asked_experiment import asked_for

    experiment = asked_for(options)
    folder = api.run(experiment, folder=options.out, jobs=options.jobs)
    trials, remarks = told_trials(folder), told_remarks(folder)
    _print(
        options,
        {"folder": str(folder), "trials": trials, "remarks": remarks},
        lambda: "\n".join([as_text(trials), *remarks, str(folder)]),
    )
    return 0


def verify(options: argparse.Namespace) -> int:
    from harness import api

    found = api.verify(options.folder, options.sample, options.seed, options.jobs)
    disagreements = [str(disagreement) for disagreement in found.disagreements]
    lines = [*found.notes, *found.changed, *found.unchecked, *disagreements]
    facts: dict[str, object] = {"checked": found.checked, "disagreements": disagreements}
    facts |= {name: told for name in ("notes", "changed", "unchecked") if (told := getattr(found, name))}
    if found.judged_inside:
        facts["judged_inside"] = found.judged_inside
        lines.append(f"{found.judged_inside} judged in the mutant's own process, where a forgery would not be seen")
    changed = f"; {len(found.changed)} of the lines above name facts that were changed" * bool(found.changed)
    lines.append(f"{found.checked} verdicts checked, {len(disagreements)} disagreements{changed}")
    _print(options, facts, lambda: "\n".join(lines))
    return 0 if found.holds else 1


def tables(options: argparse.Namespace) -> int:
    from harness import api
    from harness.papers import paper_or_run
    from harness.tables.render import render

    paper, folder = paper_or_run(options.paper, options.folder)
    tables = api.tables(paper, folder, options.table, _policy(options.policy), options.oracle)
    _print(
        options,
        _as_data(tables),
        lambda: "\n".join(render(table, options.format) for table in tables.values()),
    )
    return 0


def _as_data(tables: Mapping[str, Table]) -> dict[str, Any]:
    """The rows of each table, and the captions, which name policy and oracle."""
    return {name: table.records() for name, table in tables.items()} | {
        "captions": {name: table.caption for name, table in tables.items()}
    }


def figures(options: argparse.Namespace) -> int:
    from harness import api
    from harness.papers import paper_or_run

    paper, folder = paper_or_run(options.paper, options.folder)
    written = [str(path) for path in api.figures(paper, folder, options.out, _policy(options.policy))]
    _print(options, {"figures": written}, lambda: "\n".join(written))
    return 0


def compare(options: argparse.Namespace) -> int:
    from harness import api

    return _print_made(
        options, api.compare(options.folder, options.sizes, _policy(options.policy), options.at, options.oracle)
    )


def criteria(options: argparse.Namespace) -> int:
    from harness import api

    return _print_made(options, api.criteria(options.folder))


def outcomes(options: argparse.Namespace) -> int:
    from harness import api
    from harness.tables.render import render

    tables = api.load(options.folder).outcome_tables(options.table)
    _print(options, _as_data(tables), lambda: "\n".join(render(table, options.format) for table in tables.values()))
    return 0


def _print_made(options: argparse.Namespace, made: GeneratorsOfRun | CriteriaOfRun) -> int:
    """Prints tables made of one run, and draws its figures where they are asked for."""
    from harness.tables.render import render

    tables = made.tables(options.table)
    drawn = [str(path) for path in made.draw(options.figures)] if options.figures else []
    _print(
        options,
        _as_data(tables) | ({"figures": drawn} if drawn else {}),
        lambda: "\n".join([*(render(table, options.format) for table in tables.values()), *drawn]),
    )
    return 0


def _policy(name: str) -> ScorePolicy:
    return ScorePolicy[name.replace("-", "_").upper()]


def check(options: argparse.Namespace) -> int:
    from harness import api

    found = api.check(options.subject, options.scope, options.mode)
    _print(options, found.as_dict(), found.as_text)
    return 1 if found.violated else 0


def faults(options: argparse.Namespace) -> int:
    from harness import api

    found = api.faults(options.subject, options.generator, options.scope, options.seed)
    _print(options, found.as_dict(), found.as_text)
    return 1 if found.faults else 0


def difference(options: argparse.Namespace) -> int:
    from harness import api

    if options.invariant:
        return _invariant_difference(options)
    from harness.report.states.difference_shown import draw, text
    from harness.report.states.generated import states_as_data

    found = api.difference(options.subject, options.scope)
    states = api.structures_of_rep_ok(options.subject, found)
    facts = {**found.as_dict(), "structures_of_rep_ok": states_as_data(states)}
    lines = [text(found, states, _width(options), _encoding(options))]
    if options.figure and states:
        facts["figure"] = str(draw(found, states, options.figure))
        lines.append(facts["figure"])
    _print(options, facts, lambda: "\n".join(lines))
    return 1 if found.relation.is_finding else 0


def _invariant_difference(options: argparse.Namespace) -> int:
    from harness import api
    from harness.report.states.difference_shown import draw_sides, sides, sides_text
    from harness.report.states.generated import states_as_data
    from harness.runner.subjects import finitization_of, load_subject

    found = api.invariant_difference(options.subject, options.scope)
    shown = sides(found, finitization_of(load_subject(options.subject), found.scope))
    facts = {**found.as_dict(), "alone": {side: states_as_data(states) for side, states in shown.items()}}
    lines = [sides_text(found, shown, _width(options), _encoding(options))]
    if options.figure:
        facts["figures"] = [str(path) for path in draw_sides(found, shown, options.figure)]
        lines += facts["figures"]
    _print(options, facts, lambda: "\n".join(lines))
    return 1 if found.is_finding else 0


def report(options: argparse.Namespace) -> int:
    from harness import api

    written = [str(path) for path in api.report(options.folder, options.oracle)]
    _print(options, {"files": written}, lambda: "\n".join(written))
    return 0


def suite(options: argparse.Namespace) -> int:
    from harness import api

    asked = {"select": options.select, "fewest": options.fewest, "run": options.folder, "module": options.module}
    choice = {name: value for name, value in asked.items() if value is not None and value is not False}
    if options.export == "code":
        suite_of = options.subject, options.generator, options.scope, options.seed
        written = api.write_tests(*suite_of, options.out, **choice)
        _print(options, written.as_dict(), written.as_text)
        return 0
    if choice:
        given = "from" if "run" in choice else next(iter(choice))
        raise UsageError(f"--{given} is for sequences as tests by hand; give --export code with it")
    path = api.export_pytest(options.subject, options.generator, options.scope, options.seed, options.out)
    _print(options, {"file": str(path)}, lambda: f"{path}: run it with python -m pytest {path}")
    return 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "list": list_names,
    "generate": generate,
    "generate-tests": generate_tests,
    "builders": builders,
    "mutate": mutate,
    "profile": profile,
    "run": run,
    "verify": verify,
    "tables": tables,
    "figures": figures,
    "compare": compare,
    "criteria": criteria,
    "outcomes": outcomes,
    "check": check,
    "faults": faults,
    "difference": difference,
    "report": report,
    "suite": suite,
}
"""By the words of the command line."""
