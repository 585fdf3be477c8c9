"""Declares all commands: their options, and what their help texts say."""

from __future__ import annotations

from harness.command_line import kinds, options
from harness.command_line.command import Command, Option
from harness.command_line.run_commands import INIT_COMMAND, MERGE_COMMAND, RUN_COMMAND, SHARD_COMMAND
from harness.model.experiment import DEFAULT_OPERATORS

SHOWN_STATES = 10
"""The number of states that are shown or drawn if no number is given."""

_RUN_WITH_MATRICES = Option("DIR", kinds.FOLDER, "of a run with kill matrices", is_required=True)

_ALL = (
    Command("list", "List subjects, generators, tools, operators and their sets, experiments and papers."),
    Command(
        "generate",
        "Make a suite: all inputs of a subject within a scope.",
        (
            *options.SUITE,
            options.SUBJECT,
            Option(
                "--show",
                kinds.POSITIVE,
                "show the first N states, or sequences of calls, as text",
                default_text=str(SHOWN_STATES),
                if_empty=SHOWN_STATES,
            ),
            Option("--figure", kinds.FILE, "draw the states into FILE.svg, .png or .pdf"),
        ),
    ),
    Command(
        "generate-tests",
        "Have an external tool write pytest files for a module; keep the tests that pass.",
        (
            Option("TOOL", kinds.TEXT, "hypothesis-write, pynguin, crosshair, or a plug-in", is_required=True),
            Option("--target", kinds.MODULE_NAME, "as it is imported", is_required=True),
            Option("--seconds", kinds.POSITIVE, "for its search", default=60),
            options.ONE_SEED,
            Option("--most", kinds.POSITIVE, "keep so many tests", default_text="all that pass"),
            Option("--out", kinds.FOLDER, "a new folder", default_text="tests_TOOL"),
        ),
    ),
    Command(
        "builders",
        "Find the routines that suffice to make every state by calls.",
        (options.SUBJECT, Option("--scope", kinds.SCOPE, "bound on input size", default=5)),
    ),
    Command(
        "mutate",
        "List the mutants of a subject or module; with --pin, derive and pin a sample.",
        (
            Option("SUBJECT", kinds.SUBJECT_NAME, options.SUBJECT.about),
            Option("--target", kinds.MODULE_NAME, "instead of a subject: a module or package that pytest tests"),
            Option(
                "--tests",
                kinds.PATHS,
                "tests of its project",
                default=(".",),
                default_text=".",
                is_list=True,
                goes_with=("--target",),
            ),
            Option(
                "--block",
                kinds.MODULE_NAME,
                "modules whose import fails",
                default=(),
                is_list=True,
                goes_with=("--target",),
            ),
            Option("--operators", kinds.OPERATOR_SET, default=DEFAULT_OPERATORS),
            Option("--pin", kinds.FLAG, "write the set below ./mutants"),
            Option("--size", kinds.POSITIVE, "mutants to pin", default_text="all viable", goes_with=("--pin",)),
            Option("--seed", kinds.SEED, "of the sample to pin", default=0, goes_with=("--pin",)),
        ),
        one_of=("SUBJECT", "--target"),
        needed="give a subject, or --target with a module or package that pytest tests",
    ),
    Command(
        "profile",
        "Observe types while tests run; runs make the mutants of a module from them.",
        (
            Option("--target", kinds.MODULE_NAME, "a module or package that pytest tests", is_required=True),
            Option("--tests", kinds.PATHS, "what pytest is called with", is_required=True, is_list=True),
            Option("--block", kinds.MODULE_NAME, "modules whose import fails", default=(), is_list=True),
        ),
    ),
    INIT_COMMAND,
    RUN_COMMAND,
    SHARD_COMMAND,
    MERGE_COMMAND,
    Command(
        "verify",
        "Judge verdicts of a run again, with a second implementation.",
        (
            Option("DIR", kinds.FOLDER, is_required=True),
            Option("--sample", kinds.POSITIVE, "so many of all verdicts of the run", default_text="all"),
            Option("--seed", kinds.SEED, "seed of the sample", default=0),
            options.JOBS,
        ),
        finding="a verdict or a fact disagrees",
    ),
    Command(
        "tables",
        "Print tables of a run, or of a paper beside its printed values.",
        (
            options.POLICY,
            options.ORACLE,
            options.PAPER_OR_RUN,
            options.FROM,
            options.OF_SUBJECTS,
            options.OF_GENERATORS,
            options.TABLE,
            options.FORMAT,
        ),
    ),
    Command(
        "figures",
        "Draw figures of a run, or of a paper.",
        (
            options.POLICY,
            options.PAPER_OR_RUN,
            options.FROM,
            options.OF_SUBJECTS,
            options.OF_GENERATORS,
            Option("--figure", kinds.TEXT, "one figure only, or several", default=(), is_list=True),
            Option("--out", kinds.FOLDER, default_text="the run's folder; of a frozen run, this one"),
            Option("--pdf", kinds.FLAG, "also as PDF, with embedded fonts"),
            Option(
                "--width", kinds.WIDTH, "of each figure, such as 3.3in or 84mm", default_text="as its panels need it"
            ),
            Option("--style", kinds.FILE, "a style file of matplotlib"),
        ),
    ),
    Command(
        "describe",
        "Describe the set-up of a run in a paragraph for a paper.",
        (
            options.POLICY,
            options.ORACLE,
            options.RUN,
            Option("--format", kinds.choice(["text", "latex"]), default="text", default_text=""),
        ),
    ),
    Command(
        "compare",
        "Compare the generators of a run at equal budgets.",
        (
            options.POLICY,
            options.ORACLE,
            Option("DIR", kinds.FOLDER, "of a run with kill matrices"),
            Option(
                "--at",
                kinds.choice(["inputs", "calls", "seconds"]),
                "the unit of the budgets",
                default_text="inputs and calls",
            ),
            Option("--sizes", kinds.BUDGETS, "the budgets", default_text="100,1000,10000; of seconds 0.01,0.1,1"),
            Option(
                "--take",
                kinds.choice(["drawn", "first"]),
                "the inputs of each suite: drawn at random, or its first ones",
                default_text="drawn; of seconds, first",
            ),
            options.TABLE,
            options.FORMAT,
        ),
    ),
    Command(
        "criteria",
        "Compare test criteria with random selections of inputs.",
        (_RUN_WITH_MATRICES, options.TABLE, options.FORMAT, options.FIGURES),
    ),
    Command(
        "outcomes",
        "Tabulate the condition outcomes that the suites of a run reach.",
        (options.RUN, options.TABLE, options.FORMAT),
    ),
    Command(
        "check",
        "Check methods against the spec's postconditions and axioms, on all inputs of a scope.",
        (
            options.SUBJECT,
            options.ONE_SCOPE,
            Option("--mode", kinds.choice(["black-box", "white-box"]), default="black-box"),
        ),
        finding="a postcondition or an axiom is violated",
    ),
    Command(
        "faults",
        "Run a suite on a subject whose spec names faults, and count those that it shows.",
        (*options.SUITE, options.SUBJECT),
        finding="the inputs show a fault",
    ),
    Command(
        "difference",
        "Compare the states that a subject's API makes with those that rep_ok accepts.",
        (
            options.SUBJECT,
            Option("--scope", kinds.SCOPE, "bound on both, from 1", is_required=True),
            Option("--invariant", kinds.FLAG, "compare the spec's declarative invariant instead"),
            Option("--figure", kinds.FOLDER, "draw structures that rep_ok alone has into DIR"),
        ),
        finding="both sides differ where they should not",
    ),
    Command(
        "survivors",
        "List the mutants of a run that no input kills, in the order of the source.",
        (
            options.ORACLE,
            options.RUN,
            options.OF_SUBJECTS,
            options.OF_GENERATORS,
            Option("--function", kinds.TEXT, "only mutants of this function, such as SearchTree.add or add", "F"),
        ),
    ),
    Command(
        "show",
        "Show a mutant of a run: its diff, its status, and the tests that reach and kill it.",
        (
            options.ORACLE,
            options.RUN,
            Option("MUTANT", kinds.TEXT, "its identifier, or the beginning of it", is_required=True),
            options.OF_SUBJECTS,
            options.OF_GENERATORS,
        ),
    ),
    Command(
        "report",
        "Write a run as an HTML page, and as JSON in the mutation-testing report schema.",
        (options.ORACLE, Option("DIR", kinds.FOLDER, is_required=True)),
    ),
    Command(
        "suite",
        "Write a suite as a pytest file.",
        (
            *options.SUITE,
            options.SUBJECT,
            Option(
                "--export",
                kinds.choice(["pytest", "code"]),
                "every input with its outcome, or sequences of calls as one writes tests by hand",
                default="pytest",
            ),
            Option(
                "--select",
                kinds.choice(["outcomes", "kills", "all"]),
                "which sequences",
                default="outcomes",
                default_text="each that reaches a new outcome of a condition",
                goes_with=("--export code",),
            ),
            Option(
                "--fewest", kinds.FLAG, "choose sequences by a greedy set cover instead", goes_with=("--export code",)
            ),
            Option("--from", kinds.FOLDER, "of a run, for --select kills", goes_with=("--export code",)),
            Option("--module", kinds.TEXT, "how tests import the subject", goes_with=("--export code",)),
            Option("--out", kinds.FILE, default_text="test_SUBJECT_scopeN.py, of code test_SUBJECT.py"),
        ),
    ),
)

COMMANDS = {command.name: command for command in _ALL}
"""All commands by name."""

GROUPS = {
    "Make": ("generate", "generate-tests", "suite", "mutate", "profile", "builders"),
    "Run": ("init", "run", "shard", "merge", "verify"),
    "Look": ("list", "tables", "figures", "describe", "report", "survivors", "show", "compare", "criteria", "outcomes"),
    "Check": ("check", "faults", "difference"),
}
"""The names of all commands, as the help text groups them."""

EXAMPLES = (
    ("mutascope run --target PACKAGE --tests tests", "judge your own pytest suite"),
    ("mutascope run --subject search_tree --scope 1-4", "evaluate a generator on a subject"),
    ("mutascope survivors results/search_tree-korat", "list the mutants that no input kills"),
)
"""Uses for a beginner, each with its purpose."""
