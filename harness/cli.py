"""The command line: parses, calls `harness.api`, prints; every error in one line."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, TextIO

from harness import __version__
from harness.ending import ending, interruptible
from harness.errors import MutascopeError, UsageError
from harness.given_numbers import positive, scope, scopes, seed
from harness.model.experiment import DEFAULT_OPERATORS
from harness.model.mutant import Mutant, MutantStatus
from harness.model.score import ScorePolicy
from harness.model.sequence import Observation, SequencePolicy

SHOWN = 10
"""States that are shown where no number is given."""

_WITH_SUBJECT = ("generator", "scope", "seed", "operators", "matrix", "metamutants", "concrete", "sequences", "observe")


class _Parser(argparse.ArgumentParser):
    """Wrong use in one line, like every other error."""

    def error(self, message: str) -> Any:
        raise UsageError(f"{message}; '{self.prog} --help' lists what there is")


def build_parser() -> argparse.ArgumentParser:
    """All commands with their options."""
    common = _Parser(add_help=False)
    common.add_argument("--json", action="store_true", help="print JSON instead of text")
    suite = _Parser(add_help=False)
    suite.add_argument("--generator", default="korat", metavar="G", help="default: korat")
    suite.add_argument("--scope", type=scope, required=True, metavar="N", help="bound on input size, from 1")
    suite.add_argument("--seed", type=seed, default=0, metavar="K", help="default: 0")

    policy = _Parser(add_help=False)
    policies = [known.name.replace("_", "-").lower() for known in ScorePolicy]
    policy.add_argument("--policy", choices=policies, default=policies[0], help=f"of scores (default: {policies[0]})")

    parser = _Parser(prog="mutascope", description="How good is this way of making tests?")
    parser.add_argument("--version", action="version", version=f"mutascope {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser, metavar="COMMAND")

    def command(name: str, handler: Callable[..., int], about: str, *parents: _Parser) -> Any:
        added = commands.add_parser(name, help=about, description=about, parents=[common, *parents])
        added.set_defaults(handler=handler)
        return added

    command("list", _list, "List subjects, generators, operators and their sets, experiments and papers.")

    added = command("generate", _generate, "Make a suite: all inputs of a subject within a scope.", suite)
    added.add_argument("subject", metavar="SUBJECT")
    added.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="J", help="default: all cores")
    states = f"show the first N states as text (default: {SHOWN})"
    added.add_argument("--show", type=positive, nargs="?", const=SHOWN, metavar="N", help=states)
    added.add_argument("--figure", type=Path, metavar="FILE", help="draw them into FILE.svg, .png or .pdf")

    added = command("builders", _builders, "Find the routines that are enough to make all structures by calls.")
    added.add_argument("subject", metavar="SUBJECT")
    added.add_argument("--scope", type=scope, default=5, metavar="N", help="bound on input size (default: 5)")

    added = command("mutate", _mutate, "List a subject's mutants; with --pin, derive them anew and pin a sample.")
    added.add_argument("subject", metavar="SUBJECT")
    added.add_argument("--operators", default=DEFAULT_OPERATORS, metavar="SET", help=f"default: {DEFAULT_OPERATORS}")
    added.add_argument("--scope", type=scope, metavar="N", help="observe types at this scope at most (default: 4)")
    added.add_argument("--pin", action="store_true", help="write the set to ./mutants/SUBJECT/SET/")
    added.add_argument("--size", type=positive, metavar="N", help="with --pin: mutants to pin (default: all viable)")
    added.add_argument("--seed", type=seed, default=0, metavar="K", help="with --pin and --size: seed of the sample")

    added = command("run", _run, "Run mutants against suites; goes on where an earlier run was interrupted.")
    added.add_argument("experiment", nargs="?", metavar="EXPERIMENT", help="a name from 'list', or a .toml file")
    added.add_argument("--subject", metavar="S", help="instead of an experiment: one subject")
    added.add_argument("--generator", metavar="G", help="with --subject (default: korat)")
    added.add_argument("--scope", type=scopes, metavar="N|M-N", help="with --subject: a scope, or a range of scopes")
    added.add_argument("--seed", type=seed, metavar="K", help="with --subject (default: 0)")
    added.add_argument("--operators", metavar="SET", help=f"with --subject (default: {DEFAULT_OPERATORS})")
    added.add_argument("--matrix", action="store_true", help="with --subject: full kill matrix, no stop at first kill")
    added.add_argument("--metamutants", action="store_true", help="with --subject: one module with guarded choices")
    added.add_argument("--concrete", action="store_true", help="with --subject: compare structures, too")
    added.add_argument(
        "--sequences",
        choices=[policy.value for policy in SequencePolicy],
        help="with --subject: which calls of a sequence run mutated code (default: on-mutant, all of them)",
    )
    added.add_argument(
        "--observe",
        choices=[observation.value for observation in Observation],
        help="with --subject: when the states of a sequence are looked at (default: end)",
    )
    added.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="J", help="default: all cores")
    added.add_argument("--out", type=Path, metavar="DIR", help="default: results/EXPERIMENT")

    added = command("verify", _verify, "Re-execute verdicts of a run along a naive second path.")
    added.add_argument("folder", type=Path, metavar="DIR")
    added.add_argument("--sample", type=positive, metavar="N", help="so many verdicts (default: all)")
    added.add_argument("--seed", type=seed, default=0, metavar="K", help="seed of the sample")
    added.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="J", help="default: all cores")

    added = command("tables", _tables, "Print a paper's tables, measured beside published, or a run's own.", policy)
    added.add_argument("paper", nargs="?", metavar="PAPER|DIR", help="a paper, or the folder of a run")
    added.add_argument("--from", dest="folder", type=Path, metavar="DIR", help="a run's folder")
    added.add_argument("--table", metavar="T", help="one table only")
    added.add_argument("--format", choices=["md", "csv", "latex", "html"], default="md")

    added = command("figures", _figures, "Draw a paper's figures from a run, or a run's own.", policy)
    added.add_argument("paper", nargs="?", metavar="PAPER|DIR", help="a paper, or the folder of a run")
    added.add_argument("--from", dest="folder", type=Path, metavar="DIR", help="a run's folder")
    added.add_argument("--out", type=Path, metavar="DIR", help="default: the run's folder; of a frozen run, this one")

    added = command("check", _check, "Check methods against the spec's postconditions and axioms, on all inputs.")
    added.add_argument("subject", metavar="SUBJECT")
    added.add_argument("--scope", type=scope, required=True, metavar="N", help="bound on input size, from 1")
    added.add_argument("--mode", choices=["black-box", "white-box"], default="black-box", help="default: black-box")

    added = command("difference", _difference, "Compare what a subject's API makes with what its rep_ok describes.")
    added.add_argument("subject", metavar="SUBJECT")
    added.add_argument("--scope", type=scope, required=True, metavar="N", help="bound on both, from 1")
    added.add_argument("--figure", type=Path, metavar="DIR", help="draw structures that rep_ok alone has into DIR")

    added = command("report", _report, "Write a run's report: HTML for people, JSON in the mutation-testing schema.")
    added.add_argument("folder", type=Path, metavar="DIR")

    added = command("suite", _suite, "Write a suite as a runnable test file.", suite)
    added.add_argument("subject", metavar="SUBJECT")
    added.add_argument("--export", choices=["pytest"], default="pytest", help="default: pytest")
    added.add_argument("--out", type=Path, metavar="FILE", help="default: test_SUBJECT_scopeN.py")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit status: 0, 1 for findings that fail a check, 2 for wrong use."""
    out, keeps = sys.stdout, False
    try:
        out = _standard_output()
        options = build_parser().parse_args(arguments)
        options.out_stream = out
        keeps = options.command == "run"
        with (
            interruptible(),
            contextlib.redirect_stdout(sys.stderr),
        ):  # a plug-in's prints must not spoil what is printed
            status: int = options.handler(options)
        out.flush()
        return status
    except MutascopeError as error:
        return _fail(str(error), error.exit_status)
    except BrokenPipeError:
        _drop_unwritten(out)  # the reader (a pager, head) has seen enough
        return 0
    except (KeyboardInterrupt, OSError, MemoryError, ImportError, RuntimeError) as error:
        ended = ending(error, keeps)
        if ended is None:
            raise
        _drop_unwritten(out)
        return _fail(*ended)


def _standard_output() -> TextIO:
    """Where results go. No handle below 3 is free afterwards: a pipe of ours would be taken for what it is not.

    Raises:
        UsageError: it is closed.
    """
    closed = sys.stdout is None
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False, errors="backslashreplace")  # noqa: SIM115 (lives as long as we do)
    if closed:
        raise UsageError("standard output is closed; redirect it to a file, or to /dev/null")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that knows ASCII only
    return sys.stdout


def _fail(message: str, status: int) -> int:
    """One line whatever the message quotes, such as an exception's own text."""
    with contextlib.suppress(OSError):  # nobody is listening
        print("mutascope:", *map(str.strip, message.splitlines()), file=sys.stderr, flush=True)
    _drop_unwritten(sys.stderr)
    return status


def _drop_unwritten(stream: TextIO) -> None:
    """Forgets what cannot be written, which Python would try again at its end, with an exit status of its own."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _print(options: argparse.Namespace, data: Any, text: Callable[[], str]) -> None:
    print(json.dumps(data, indent=1) if options.json else text(), file=options.out_stream)


# Handlers import what they need: `--help` and wrong use answer at once, without pandas.


def _list(options: argparse.Namespace) -> int:
    from harness import api

    found = api.known()
    lines = [f"{kind}: {', '.join(names) or 'none'}" for kind, names in found.items()]
    _print(options, found, lambda: "\n".join(lines))
    return 0


def _generate(options: argparse.Namespace) -> int:
    from harness import api
    from harness.report.generated import shown_states, states_as_data, suite_facts, suite_text

    if options.figure:
        from harness.analysis.plots import check_suffix

        check_suffix(options.figure)
    suite = api.generate(options.subject, options.generator, options.scope, options.seed, options.jobs)
    facts, lines = suite_facts(options.subject, suite.header), [suite_text(options.subject, suite)]
    if options.show or options.figure:
        states = api.first_states(options.subject, suite, options.show or SHOWN)
        if options.show:
            width, encoding = get_terminal_size((100, 24)).columns, options.out_stream.encoding or "ascii"
            lines.append("\n" + shown_states(states, suite.header.states, width, encoding))
            facts["states"] = states_as_data(states)
        if options.figure:
            facts["figure"] = str(api.draw_states(states, suite, options.figure))
            lines.append(facts["figure"])
    _print(options, facts, lambda: "\n".join(lines))
    return 0


def _builders(options: argparse.Namespace) -> int:
    from harness import api

    found = api.builders(options.subject, options.scope)

    def text() -> str:
        steps = [
            f"{step.structures:,} structures by {', '.join(step.builders) or 'constructors'}" for step in found.steps
        ]
        missed = found.structures_by_all - found.structures
        note = f"; all routines together make {missed:,} more" * bool(missed)
        counted = f"{found.subject} scope {found.scope}: {found.explored:,} sequences executed{note}"
        return "\n".join([counted, *steps, f"to pin them in sequences(scope) of the spec: {found.line}"])

    _print(options, found.to_data(), text)
    return 0


def _mutate(options: argparse.Namespace) -> int:
    from tabulate import tabulate

    from harness import api

    if options.size and not options.pin:
        raise UsageError("--size says how many mutants to pin; give --pin as well")
    scope = {} if options.scope is None else {"scope": options.scope}
    if options.pin:
        mutants = api.pin(options.subject, options.size, options.seed, options.operators, **scope)
    else:
        mutants = api.mutants(options.subject, options.operators, **scope)
    rows = [
        {
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
        for m in mutants
    ]
    heads = ["id", "function", "original", "replacement", "status"]
    shown = [[*(row[key] for key in heads), _equal(m)] for row, m in zip(rows, mutants, strict=True)]
    told = f"{len(rows)} mutants of operator set {options.operators}"
    _print(options, rows, lambda: f"{tabulate(shown, headers=[*heads, 'equal to'], disable_numparse=True)}\n{told}")
    return 0


def _equal(mutant: Mutant) -> str:
    """What a mutant that is listed only equals, and by which rule."""
    if mutant.status not in (MutantStatus.EQUIVALENT, MutantStatus.DUPLICATE):
        return ""
    return f"{mutant.same_as or 'the original'} by {mutant.rule or 'code objects'}"


def _run(options: argparse.Namespace) -> int:
    from harness import api

    if (options.experiment is None) == (options.subject is None):
        raise UsageError("give an experiment or --subject, one of them; 'mutascope list' names both")
    if options.experiment is not None:
        given = {name: getattr(options, name) for name in _WITH_SUBJECT}
        useless = [name for name, value in given.items() if value is not None and value is not False]  # 0 is a seed
        if useless:
            raise UsageError(f"--{useless[0]} goes with --subject; an experiment's file says it for each of its trials")
        experiment = api.experiment(options.experiment)
    else:
        if options.scope is None:
            raise UsageError("--subject needs --scope, as in --scope 3 or --scope 1-5")
        experiment = api.single(
            options.subject,
            options.generator or "korat",
            options.scope,
            seed=options.seed or 0,
            operators=options.operators or DEFAULT_OPERATORS,
            matrix=options.matrix,
            metamutants=options.metamutants,
            concrete=options.concrete,
            sequences=options.sequences or SequencePolicy.ON_MUTANT.value,
            observe=options.observe or Observation.END.value,
        )
    folder = api.run(experiment, folder=options.out, jobs=options.jobs)
    table = api.load(folder).summary()
    _print(
        options,
        {"folder": str(folder), "trials": json.loads(table.to_json(orient="records"))},
        lambda: f"{api.as_text(table)}\n{folder}",
    )
    return 0


def _verify(options: argparse.Namespace) -> int:
    from harness import api

    found = api.verify(options.folder, options.sample, options.seed, options.jobs)
    disagreements = [str(disagreement) for disagreement in found.disagreements]
    lines = [*found.unchecked, *disagreements]
    facts: dict[str, object] = {"checked": found.checked, "disagreements": disagreements}
    if found.unchecked:
        facts["unchecked"] = found.unchecked
    if found.judged_inside:
        facts["judged_inside"] = found.judged_inside
        lines.append(f"{found.judged_inside} judged in the mutant's own process, where a forgery would not be seen")
    lines.append(f"{found.checked} verdicts checked, {len(disagreements)} disagreements")
    _print(options, facts, lambda: "\n".join(lines))
    return 1 if disagreements or found.unchecked else 0


def _tables(options: argparse.Namespace) -> int:
    from harness import api
    from harness.papers import paper_or_run
    from harness.papers.render import render

    paper, folder = paper_or_run(options.paper, options.folder)
    tables = api.tables(paper, folder, options.table, _policy(options.policy))
    _print(
        options,
        {name: table.records() for name, table in tables.items()},
        lambda: "\n".join(render(table, options.format) for table in tables.values()),
    )
    return 0


def _figures(options: argparse.Namespace) -> int:
    from harness import api
    from harness.papers import paper_or_run

    paper, folder = paper_or_run(options.paper, options.folder)
    written = [str(path) for path in api.figures(paper, folder, options.out, _policy(options.policy))]
    _print(options, {"figures": written}, lambda: "\n".join(written))
    return 0


def _policy(name: str) -> ScorePolicy:
    return ScorePolicy[name.replace("-", "_").upper()]


def _check(options: argparse.Namespace) -> int:
    from harness import api

    found = api.check(options.subject, options.scope, options.mode)
    _print(options, found.as_dict(), found.as_text)
    return 1 if found.violated else 0


def _difference(options: argparse.Namespace) -> int:
    from harness import api
    from harness.report.difference_shown import draw, text
    from harness.report.generated import states_as_data

    found = api.difference(options.subject, options.scope)
    states = api.structures_of_rep_ok(options.subject, found)
    facts = {**found.as_dict(), "structures_of_rep_ok": states_as_data(states)}
    width, encoding = get_terminal_size((100, 24)).columns, options.out_stream.encoding or "ascii"
    lines = [text(found, states, width, encoding)]
    if options.figure and states:
        facts["figure"] = str(draw(found, states, options.figure))
        lines.append(facts["figure"])
    _print(options, facts, lambda: "\n".join(lines))
    return 1 if found.relation.is_finding else 0


def _report(options: argparse.Namespace) -> int:
    from harness import api

    written = [str(path) for path in api.report(options.folder)]
    _print(options, {"files": written}, lambda: "\n".join(written))
    return 0


def _suite(options: argparse.Namespace) -> int:
    from harness import api

    path = api.export_pytest(options.subject, options.generator, options.scope, options.seed, options.out)
    _print(options, {"file": str(path)}, lambda: f"{path}: run it with python -m pytest {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
