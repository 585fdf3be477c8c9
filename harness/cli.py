"""The command line: parses, calls `harness.api`, prints; every error in one line."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from harness import __version__
from harness.commands import COMMANDS, SHOWN
from harness.ending import ending, interruptible
from harness.errors import MutascopeError, UsageError
from harness.given_numbers import positive, scope, scopes, seed, sizes
from harness.model.experiment import DEFAULT_OPERATORS
from harness.model.outcome import OracleName
from harness.model.own_suite import Flaky
from harness.model.score import ScorePolicy
from harness.model.sequence import Observation, SequencePolicy
from harness.names import meant

_GIVEN = "given"
"""The attribute of parsed arguments in which the names of those stand that were given."""


class _Once(argparse.Action):
    """Stores a value, as argparse does, but lets no second one take its place unseen, be it the default or not."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        """Raises `UsageError`, by the parser, where the option was given before."""
        given: set[str] = vars(namespace).setdefault(_GIVEN, set())
        if option and self.dest in given:
            parser.error(f"{option} is given twice")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


class _Parser(argparse.ArgumentParser):
    """Wrong use in one line, like every other error."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.register("action", None, _Once)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, f"invalid choice: {value!r}; {meant(value, map(str, action.choices))}")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """As argparse does; what is left over is wrong use of this command, and told with the option that was meant."""
        found, left = super().parse_known_args(args, namespace)
        if left:
            given = next((word.partition("=")[0] for word in left if word.startswith("--")), None)
            hint = meant(given, self._option_string_actions) if given else ""
            near = f"; {hint}" if hint.endswith("?") else ""
            self.error(f"unrecognized arguments: {' '.join(left)}{near}")
        return found, left

    def error(self, message: str) -> Any:
        pause = "" if message.endswith("?") else ";"
        raise UsageError(f"{message}{pause} '{self.prog} --help' lists what there is")


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

    oracle = _Parser(add_help=False)
    oracles = [known.value for known in OracleName]
    oracle.add_argument("--oracle", choices=oracles, default=oracles[0], help=f"whose results (default: {oracles[0]})")

    parser = _Parser(prog="mutascope", description="How good is this way of making tests?")
    parser.add_argument("--version", action="version", version=f"mutascope {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser, metavar="COMMAND")

    def command(name: str, about: str, *parents: _Parser) -> Any:
        added = commands.add_parser(name, help=about, description=about, parents=[common, *parents])
        added.set_defaults(handler=COMMANDS[name])
        return added

    command("list", "List subjects, generators, tools, operators and their sets, experiments and papers.")

    added = command("generate", "Make a suite: all inputs of a subject within a scope.", suite)
    added.add_argument("subject", metavar="SUBJECT")
    added.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="J", help="default: all cores")
    states = f"show the first N states, or sequences of calls, as text (default: {SHOWN})"
    added.add_argument("--show", type=positive, nargs="?", const=SHOWN, metavar="N", help=states)
    added.add_argument("--figure", type=Path, metavar="FILE", help="draw the states into FILE.svg, .png or .pdf")

    added = command("generate-tests", "Have a tool write tests of pytest for a module; those that pass are kept.")
    added.add_argument("tool", metavar="TOOL", help="hypothesis-write, pynguin, crosshair, or a plug-in")
    added.add_argument("--target", required=True, metavar="MODULE", help="as it is imported")
    added.add_argument("--seconds", type=positive, default=60, metavar="N", help="for its search (default: 60)")
    added.add_argument("--seed", type=seed, default=0, metavar="K", help="default: 0")
    added.add_argument("--most", type=positive, metavar="N", help="keep so many tests (default: all that pass)")
    added.add_argument("--out", type=Path, metavar="DIR", help="a new folder (default: tests_TOOL)")

    added = command("builders", "Find the routines that are enough to make all structures by calls.")
    added.add_argument("subject", metavar="SUBJECT")
    added.add_argument("--scope", type=scope, default=5, metavar="N", help="bound on input size (default: 5)")

    added = command("mutate", "List the mutants of a subject or module; with --pin, derive them anew and pin a sample.")
    added.add_argument("subject", nargs="?", metavar="SUBJECT")
    added.add_argument("--target", metavar="NAME", help="instead of a subject: a module or package that pytest tests")
    added.add_argument("--tests", nargs="+", metavar="PATH", help="with --target: tests of its project (default: .)")
    added.add_argument("--block", nargs="+", metavar="MODULE", help="with --target: modules whose import fails")
    added.add_argument("--operators", default=DEFAULT_OPERATORS, metavar="SET", help=f"default: {DEFAULT_OPERATORS}")
    added.add_argument("--pin", action="store_true", help="write the set below ./mutants")
    added.add_argument("--size", type=positive, metavar="N", help="with --pin: mutants to pin (default: all viable)")
    added.add_argument("--seed", type=seed, default=0, metavar="K", help="with --pin and --size: seed of the sample")

    added = command("profile", "Observe types while tests run, for the mutants of a module; runs take them from there.")
    added.add_argument("--target", required=True, metavar="NAME", help="a module or package that pytest tests")
    added.add_argument("--tests", nargs="+", required=True, metavar="PATH", help="what pytest is called with")
    added.add_argument("--block", nargs="+", metavar="MODULE", help="modules whose import fails")

    added = command("run", "Run mutants against suites; goes on where an earlier run was interrupted.")
    added.add_argument("experiment", nargs="?", metavar="EXPERIMENT", help="a name from 'list', or a .toml file")
    added.add_argument("--subject", metavar="S", help="instead of an experiment: one subject")
    added.add_argument(
        "--target", metavar="NAME", help="instead of an experiment: a module or package that pytest tests"
    )
    added.add_argument("--tests", nargs="+", metavar="PATH", help="with --target: what pytest is called with")
    added.add_argument(
        "--flaky",
        choices=[flaky.value for flaky in Flaky],
        help="with --target: tests that fail on the original, always or at times (default: refuse)",
    )
    added.add_argument("--runs", type=positive, metavar="N", help="with --target: runs of the original (default: 3)")
    added.add_argument("--block", nargs="+", metavar="MODULE", help="with --target: modules whose import fails")
    added.add_argument("--generator", metavar="G", help="with --subject (default: korat)")
    added.add_argument("--scope", type=scopes, metavar="N|M-N", help="with --subject: a scope, or a range of scopes")
    added.add_argument("--seed", type=seed, metavar="K", help="with --subject or --target (default: 0)")
    added.add_argument("--operators", metavar="SET", help=f"default: {DEFAULT_OPERATORS}; of --subject or --target")
    added.add_argument("--matrix", action="store_true", help="full kill matrix, no stop at first kill")
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
    added.add_argument(
        "--oracles",
        nargs="+",
        choices=oracles,
        help="with --subject: what decides whether a run kills (default: differential)",
    )
    added.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="J", help="default: all cores")
    added.add_argument("--out", type=Path, metavar="DIR", help="default: results/EXPERIMENT")

    added = command("verify", "Re-execute verdicts of a run along a naive second path.")
    added.add_argument("folder", type=Path, metavar="DIR")
    added.add_argument("--sample", type=positive, metavar="N", help="so many verdicts (default: all)")
    added.add_argument("--seed", type=seed, default=0, metavar="K", help="seed of the sample")
    added.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="J", help="default: all cores")

    added = command("tables", "Print a paper's tables, measured beside published, or a run's own.", policy, oracle)
    added.add_argument("paper", nargs="?", metavar="PAPER|DIR", help="a paper, or the folder of a run")
    added.add_argument("--from", dest="folder", type=Path, metavar="DIR", help="a run's folder")
    added.add_argument("--table", metavar="T", help="one table only")
    added.add_argument("--format", choices=["md", "csv", "latex", "html"], default="md")

    added = command("figures", "Draw a paper's figures from a run, or a run's own.", policy)
    added.add_argument("paper", nargs="?", metavar="PAPER|DIR", help="a paper, or the folder of a run")
    added.add_argument("--from", dest="folder", type=Path, metavar="DIR", help="a run's folder")
    added.add_argument("--out", type=Path, metavar="DIR", help="default: the run's folder; of a frozen run, this one")

    added = command("compare", "Set the generators of a run beside each other, at equal budgets.", policy, oracle)
    added.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="of a run with kill matrices")
    added.add_argument("--at", choices=["inputs", "calls", "seconds"], default="inputs", help="what is equal")
    added.add_argument("--sizes", type=sizes, metavar="N,N", help="of it (default: 100,1000,10000; s: 0.01,0.1,1)")
    added.add_argument("--table", metavar="T", help="one table only")
    added.add_argument("--format", choices=["md", "csv", "latex", "html"], default="md")
    added.add_argument("--figures", type=Path, metavar="DIR", help="draw them, too, into this folder")

    added = command("criteria", "Set criteria of inputs, written and not, beside random selections.")
    added.add_argument("folder", type=Path, metavar="DIR", help="of a run with kill matrices")
    added.add_argument("--table", metavar="T", help="one table only")
    added.add_argument("--format", choices=["md", "csv", "latex", "html"], default="md")
    added.add_argument("--figures", type=Path, metavar="DIR", help="draw them, too, into this folder")

    added = command("outcomes", "Tell which outcomes of conditions the suites of a run reach, and what they select.")
    added.add_argument("folder", type=Path, metavar="DIR", help="of a run")
    added.add_argument("--table", metavar="T", help="one table only")
    added.add_argument("--format", choices=["md", "csv", "latex", "html"], default="md")

    added = command("check", "Check methods against the spec's postconditions and axioms, on all inputs.")
    added.add_argument("subject", metavar="SUBJECT")
    added.add_argument("--scope", type=scope, required=True, metavar="N", help="bound on input size, from 1")
    added.add_argument("--mode", choices=["black-box", "white-box"], default="black-box", help="default: black-box")

    added = command("faults", "Run a suite on a subject; its spec names the faults that the inputs show.", suite)
    added.add_argument("subject", metavar="SUBJECT")

    added = command("difference", "Compare what a subject's API makes with what its rep_ok describes.")
    added.add_argument("subject", metavar="SUBJECT")
    added.add_argument("--scope", type=scope, required=True, metavar="N", help="bound on both, from 1")
    added.add_argument("--invariant", action="store_true", help="compare the spec's declarative invariant instead")
    added.add_argument("--figure", type=Path, metavar="DIR", help="draw structures that rep_ok alone has into DIR")

    added = command("report", "Write a run's report: HTML for people, JSON in the mutation-testing schema.", oracle)
    added.add_argument("folder", type=Path, metavar="DIR")

    added = command("suite", "Write a suite as a runnable test file.", suite)
    added.add_argument("subject", metavar="SUBJECT")
    added.add_argument(
        "--export",
        choices=["pytest", "code"],
        default="pytest",
        help="every input with its outcome, or sequences of calls as one writes tests by hand (default: pytest)",
    )
    added.add_argument(
        "--select",
        choices=["outcomes", "branches", "kills", "all"],
        help="with --export code: which sequences (default: each that reaches a new outcome of a condition)",
    )
    added.add_argument("--fewest", action="store_true", help="with --select: a greedy set cover instead")
    added.add_argument("--from", dest="folder", type=Path, metavar="RUN", help="with --select kills: a run's folder")
    added.add_argument("--module", metavar="NAME", help="with --export code: how tests import the subject")
    added.add_argument(
        "--out", type=Path, metavar="FILE", help="default: test_SUBJECT_scopeN.py, of code test_SUBJECT.py"
    )
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
        sys.stderr = open(2, "w", encoding="locale", closefd=False, errors="backslashreplace")  # noqa: SIM115 (kept)
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


if __name__ == "__main__":
    sys.exit(main())
