"""Declares all commands: their options, and what their help texts say."""

from __future__ import annotations

from harness.command_line.command import (
    ADDRESS,
    BUDGETS,
    FILE,
    FLAG,
    FOLDER,
    GENERATOR_NAME,
    MODULE_NAME,
    OPERATOR_SET,
    PATHS,
    POSITIVE,
    REST,
    SCOPE,
    SCOPES,
    SEED,
    SUBJECT_NAME,
    TEXT,
    WIDTH,
    Command,
    Option,
    choice,
)
from harness.model.experiment import DEFAULT_OPERATORS
from harness.model.outcome import OracleName, ScorePolicy
from harness.model.pytest_suite import MOST_WAITING, Flaky
from harness.model.sequence import Observation

JSON = Option("--json", FLAG, "print JSON instead of text")
"""An option of every command."""

SUBJECT = Option("SUBJECT", SUBJECT_NAME, "the name of a subject, or its folder", is_required=True)
RUN = Option("DIR", FOLDER, "of a run", is_required=True)
GENERATOR = Option("--generator", GENERATOR_NAME, "with options after a colon", default="korat")
ONE_SCOPE = Option("--scope", SCOPE, "bound on input size, from 1", is_required=True)
ONE_SEED = Option("--seed", SEED, default=0, default_text="0")
SUITE = (GENERATOR, ONE_SCOPE, ONE_SEED)
JOBS = Option("--jobs", POSITIVE, metavar="J", default_text="all cores")

POLICIES = {policy.name.replace("_", "-").lower(): policy for policy in ScorePolicy}
ORACLES = choice([oracle.value for oracle in OracleName])
POLICY = Option(
    "--policy", choice(POLICIES), "of scores", default=ScorePolicy.ALL_VIABLE, default_text=next(iter(POLICIES))
)
ORACLE = Option("--oracle", ORACLES, "whose results", default=OracleName.DIFFERENTIAL.value)

OF_SUBJECTS = Option("--subject", SUBJECT_NAME, "only trials of a subject, or several", default=(), is_list=True)
OF_GENERATORS = Option(
    "--generator", GENERATOR_NAME, "only trials of a generator, or several", default=(), is_list=True
)
PAPER_OR_RUN = Option("PAPER|DIR", TEXT, "a paper, or the folder of a run")
FROM = Option("--from", FOLDER, "a run's folder")
TABLE = Option("--table", TEXT, "one table only; a wrong name lists all", metavar="T")
FORMAT = Option("--format", choice(["md", "csv", "latex", "html"]), default="md", default_text="")
FIGURES = Option("--figures", FOLDER, "draw them, too, into this folder")


_OF_SUBJECT = ("--subject",)
_OF_MODULE = ("--target",)
_OF_EITHER = ("--subject", "--target")

_ON_A_LINE = (
    Option("--subject", SUBJECT_NAME, "a subject, or several", is_list=True),
    Option("--target", MODULE_NAME, "a module or package that pytest tests"),
    Option("--tests", PATHS, "what pytest is called with", is_list=True, goes_with=_OF_MODULE),
    Option(
        "--flaky",
        choice([flaky.value for flaky in Flaky]),
        "tests that fail on the original, always or at times",
        default=Flaky.EXCLUDE.value,
        goes_with=_OF_MODULE,
    ),
    Option("--runs", POSITIVE, "runs of the original", default=3, goes_with=_OF_MODULE),
    Option("--block", MODULE_NAME, "modules whose import fails", default=(), is_list=True, goes_with=_OF_MODULE),
    Option(
        "--wait",
        POSITIVE,
        "a mutant that waits or sleeps is ended after so many seconds, or 5 times what the original took",
        default=MOST_WAITING,
        goes_with=_OF_MODULE,
    ),
    Option(
        "--arguments",
        REST,
        "what else pytest is called with, up to the end of the line; -- means the same",
        default=(),
        is_list=True,
        goes_with=_OF_MODULE,
    ),
    Option(
        "--generator",
        GENERATOR_NAME,
        "a generator, or several, with options after a colon; FILE.py:NAME is a function of yours",
        default=(),
        default_text="korat",
        is_list=True,
        goes_with=_OF_SUBJECT,
    ),
    Option(
        "--suite",
        FILE,
        "FILE.jsonl with one list of calls in each line, or several",
        default=(),
        is_list=True,
        goes_with=_OF_SUBJECT,
    ),
    Option("--scope", SCOPES, "a scope, or a range of scopes", goes_with=_OF_SUBJECT),
    Option("--seed", SEED, default=0, default_text="0", goes_with=_OF_EITHER),
    Option(
        "--seeds",
        POSITIVE,
        "so many seeds, from --seed on, of generators whose suites depend on it",
        default=1,
        goes_with=_OF_SUBJECT,
    ),
    Option("--operators", OPERATOR_SET, default=DEFAULT_OPERATORS, goes_with=_OF_EITHER),
    Option("--matrix", FLAG, "run each mutant on all inputs, for a kill matrix", goes_with=_OF_EITHER),
    Option(
        "--metamutants",
        FLAG,
        "compile all mutants into one module, which selects one at run time",
        goes_with=_OF_SUBJECT,
    ),
    Option(
        "--concrete",
        FLAG,
        "states must also be equal in structure, not only in their abstraction",
        goes_with=_OF_SUBJECT,
    ),
    Option(
        "--observe",
        choice([observation.value for observation in Observation]),
        "when the states of a sequence are looked at",
        default=Observation.END.value,
        goes_with=_OF_SUBJECT,
    ),
    Option(
        "--oracles",
        ORACLES,
        "what decides whether a run kills",
        default=(OracleName.DIFFERENTIAL.value,),
        default_text=OracleName.DIFFERENTIAL.value,
        is_list=True,
        goes_with=_OF_SUBJECT,
    ),
)
"""The options that describe an experiment."""

RUN_COMMAND = Command(
    "run",
    "Run mutants against suites; an interrupted run continues.",
    (
        Option("EXPERIMENT", TEXT, "a name from 'list', or a .toml file"),
        *_ON_A_LINE,
        JOBS,
        Option("--executor", choice(["local", "dask"]), "where mutants are run", default="local"),
        Option(
            "--scheduler",
            ADDRESS,
            default_text="one that is started here, with J workers",
            goes_with=("--executor dask",),
        ),
        Option("--out", FOLDER, default_text="results/EXPERIMENT"),
    ),
    one_of=("EXPERIMENT", "--subject", "--target"),
    needed="give an experiment or --subject, one of them, or --target with --tests; 'mutascope list' names experiments "
    "and subjects",
    resumes=True,
)

INIT_COMMAND = Command(
    "init",
    "Write the experiment file for options of 'run'.",
    (Option("FILE", FILE, "a new .toml file", is_required=True), *_ON_A_LINE),
    one_of=("--subject", "--target"),
    needed="give --subject with --scope, or --target with --tests; 'mutascope list' names subjects",
)

SHARD_COMMAND = Command(
    "shard",
    "Run one of N shards of an experiment; an interrupted shard continues.",
    (
        Option("EXPERIMENT", TEXT, "a name from 'list', or a .toml file", is_required=True),
        Option("K/N", TEXT, "the shard K of N, such as 3/64"),
        Option("--print-slurm", POSITIVE, "print a job array of N tasks for SLURM instead"),
        JOBS,
        Option("--out", FOLDER, default_text="results/EXPERIMENT-shards/K-of-N"),
    ),
    one_of=("K/N", "--print-slurm"),
    needed="give the shard as K/N, such as 3/64, or --print-slurm with a number of shards, one of them",
    resumes=True,
)

MERGE_COMMAND = Command(
    "merge",
    "Join the facts of shards, as one run would have stored them.",
    (
        Option("DIR", FOLDER, "of shards", is_required=True, is_list=True),
        Option("--allow-missing", FLAG, "list what is missing, and leave it to 'run'"),
        Option("--out", FOLDER, default_text="results/EXPERIMENT"),
    ),
)


SHOWN_STATES = 10
"""The number of states that are shown or drawn if no number is given."""

_RUN_WITH_MATRICES = Option("DIR", FOLDER, "of a run with kill matrices", is_required=True)

_ALL = (
    Command("list", "List subjects, generators, tools, operators and their sets, experiments and papers."),
    Command(
        "generate",
        "Make a suite: all inputs of a subject within a scope.",
        (
            *SUITE,
            SUBJECT,
            Option(
                "--show",
                POSITIVE,
                "show the first N states, or sequences of calls, as text",
                default_text=str(SHOWN_STATES),
                if_empty=SHOWN_STATES,
            ),
            Option("--figure", FILE, "draw the states into FILE.svg, .png or .pdf"),
        ),
    ),
    Command(
        "generate-tests",
        "Have an external tool write pytest files for a module; keep the tests that pass.",
        (
            Option("TOOL", TEXT, "hypothesis-write, pynguin, crosshair, or a plug-in", is_required=True),
            Option("--target", MODULE_NAME, "as it is imported", is_required=True),
            Option("--seconds", POSITIVE, "for its search", default=60),
            ONE_SEED,
            Option("--most", POSITIVE, "keep so many tests", default_text="all that pass"),
            Option("--out", FOLDER, "a new folder", default_text="tests_TOOL"),
        ),
    ),
    Command(
        "builders",
        "Find the routines that suffice to make every state by calls.",
        (SUBJECT, Option("--scope", SCOPE, "bound on input size", default=5)),
    ),
    Command(
        "mutate",
        "List the mutants of a subject or module; with --pin, derive and pin a sample.",
        (
            Option("SUBJECT", SUBJECT_NAME, SUBJECT.about),
            Option("--target", MODULE_NAME, "instead of a subject: a module or package that pytest tests"),
            Option(
                "--tests",
                PATHS,
                "tests of its project",
                default=(".",),
                default_text=".",
                is_list=True,
                goes_with=("--target",),
            ),
            Option(
                "--block",
                MODULE_NAME,
                "modules whose import fails",
                default=(),
                is_list=True,
                goes_with=("--target",),
            ),
            Option("--operators", OPERATOR_SET, default=DEFAULT_OPERATORS),
            Option("--pin", FLAG, "write the set below ./mutants"),
            Option("--size", POSITIVE, "mutants to pin", default_text="all viable", goes_with=("--pin",)),
            Option("--seed", SEED, "of the sample to pin", default=0, goes_with=("--pin",)),
        ),
        one_of=("SUBJECT", "--target"),
        needed="give a subject, or --target with a module or package that pytest tests",
    ),
    Command(
        "profile",
        "Observe types while tests run; runs make the mutants of a module from them.",
        (
            Option("--target", MODULE_NAME, "a module or package that pytest tests", is_required=True),
            Option("--tests", PATHS, "what pytest is called with", is_required=True, is_list=True),
            Option("--block", MODULE_NAME, "modules whose import fails", default=(), is_list=True),
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
            Option("DIR", FOLDER, is_required=True),
            Option("--sample", POSITIVE, "so many of all verdicts of the run", default_text="all"),
            Option("--seed", SEED, "seed of the sample", default=0),
            JOBS,
        ),
        finding="a verdict or a fact disagrees",
    ),
    Command(
        "tables",
        "Print tables of a run, or of a paper beside its printed values.",
        (
            POLICY,
            ORACLE,
            PAPER_OR_RUN,
            FROM,
            OF_SUBJECTS,
            OF_GENERATORS,
            TABLE,
            FORMAT,
        ),
    ),
    Command(
        "figures",
        "Draw figures of a run, or of a paper.",
        (
            POLICY,
            PAPER_OR_RUN,
            FROM,
            OF_SUBJECTS,
            OF_GENERATORS,
            Option("--figure", TEXT, "one figure only, or several", default=(), is_list=True),
            Option("--out", FOLDER, default_text="the run's folder; of a frozen run, this one"),
            Option("--pdf", FLAG, "also as PDF, with embedded fonts"),
            Option("--width", WIDTH, "of each figure, such as 3.3in or 84mm", default_text="as its panels need it"),
            Option("--style", FILE, "a style file of matplotlib"),
        ),
    ),
    Command(
        "describe",
        "Describe the set-up of a run in a paragraph for a paper.",
        (
            POLICY,
            ORACLE,
            RUN,
            Option("--format", choice(["text", "latex"]), default="text", default_text=""),
        ),
    ),
    Command(
        "compare",
        "Compare the generators of a run at equal budgets.",
        (
            POLICY,
            ORACLE,
            Option("DIR", FOLDER, "of a run with kill matrices"),
            Option(
                "--at",
                choice(["inputs", "calls", "seconds"]),
                "the unit of the budgets",
                default_text="inputs and calls",
            ),
            Option("--sizes", BUDGETS, "the budgets", default_text="100,1000,10000; of seconds 0.01,0.1,1"),
            Option(
                "--take",
                choice(["drawn", "first"]),
                "the inputs of each suite: drawn at random, or its first ones",
                default_text="drawn; of seconds, first",
            ),
            TABLE,
            FORMAT,
        ),
    ),
    Command(
        "criteria",
        "Compare test criteria with random selections of inputs.",
        (_RUN_WITH_MATRICES, TABLE, FORMAT, FIGURES),
    ),
    Command(
        "outcomes",
        "Tabulate the condition outcomes that the suites of a run reach.",
        (RUN, TABLE, FORMAT),
    ),
    Command(
        "check",
        "Check methods against the spec's postconditions and axioms, on all inputs of a scope.",
        (
            SUBJECT,
            ONE_SCOPE,
            Option("--mode", choice(["black-box", "white-box"]), default="black-box"),
        ),
        finding="a postcondition or an axiom is violated",
    ),
    Command(
        "faults",
        "Run a suite on a subject whose spec names faults, and count those that it shows.",
        (*SUITE, SUBJECT),
        finding="the inputs show a fault",
    ),
    Command(
        "difference",
        "Compare the states that a subject's API makes with those that rep_ok accepts.",
        (
            SUBJECT,
            Option("--scope", SCOPE, "bound on both, from 1", is_required=True),
            Option("--invariant", FLAG, "compare the spec's declarative invariant instead"),
            Option("--figure", FOLDER, "draw structures that rep_ok alone has into DIR"),
        ),
        finding="both sides differ where they should not",
    ),
    Command(
        "survivors",
        "List the mutants of a run that no input kills, in the order of the source.",
        (
            ORACLE,
            RUN,
            OF_SUBJECTS,
            OF_GENERATORS,
            Option("--function", TEXT, "only mutants of this function, such as SearchTree.add or add", "F"),
        ),
    ),
    Command(
        "show",
        "Show a mutant of a run: its diff, its status, and the tests that reach and kill it.",
        (
            ORACLE,
            RUN,
            Option("MUTANT", TEXT, "its identifier, or the beginning of it", is_required=True),
            OF_SUBJECTS,
            OF_GENERATORS,
        ),
    ),
    Command(
        "report",
        "Write a run as an HTML page, and as JSON in the mutation-testing report schema.",
        (ORACLE, Option("DIR", FOLDER, is_required=True)),
    ),
    Command(
        "suite",
        "Write a suite as a pytest file.",
        (
            *SUITE,
            SUBJECT,
            Option(
                "--export",
                choice(["pytest", "code"]),
                "every input with its outcome, or sequences of calls as one writes tests by hand",
                default="pytest",
            ),
            Option(
                "--select",
                choice(["outcomes", "kills", "all"]),
                "which sequences",
                default="outcomes",
                default_text="each that reaches a new outcome of a condition",
                goes_with=("--export code",),
            ),
            Option("--fewest", FLAG, "choose sequences by a greedy set cover instead", goes_with=("--export code",)),
            Option("--from", FOLDER, "of a run, for --select kills", goes_with=("--export code",)),
            Option("--module", TEXT, "how tests import the subject", goes_with=("--export code",)),
            Option("--out", FILE, default_text="test_SUBJECT_scopeN.py, of code test_SUBJECT.py"),
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
