"""Declares the commands that run experiments, and `init`, which writes down what `run` would run with its options."""

from __future__ import annotations

from harness.command_line import kinds, options
from harness.command_line.command import Command, Option
from harness.model.experiment import DEFAULT_OPERATORS
from harness.model.outcome import OracleName
from harness.model.pytest_suite import MOST_WAITING, Flaky
from harness.model.sequence import Observation

_OF_SUBJECT = ("--subject",)
_OF_MODULE = ("--target",)
_OF_EITHER = ("--subject", "--target")

_ON_A_LINE = (
    Option("--subject", kinds.SUBJECT_NAME, "a subject, or several", is_list=True),
    Option("--target", kinds.MODULE_NAME, "a module or package that pytest tests"),
    Option("--tests", kinds.PATHS, "what pytest is called with", is_list=True, goes_with=_OF_MODULE),
    Option(
        "--flaky",
        kinds.choice([flaky.value for flaky in Flaky]),
        "tests that fail on the original, always or at times",
        default=Flaky.EXCLUDE.value,
        goes_with=_OF_MODULE,
    ),
    Option("--runs", kinds.POSITIVE, "runs of the original", default=3, goes_with=_OF_MODULE),
    Option("--block", kinds.MODULE_NAME, "modules whose import fails", default=(), is_list=True, goes_with=_OF_MODULE),
    Option(
        "--wait",
        kinds.POSITIVE,
        "a mutant that waits or sleeps is ended after so many seconds, or 5 times what the original took",
        default=MOST_WAITING,
        goes_with=_OF_MODULE,
    ),
    Option(
        "--arguments",
        kinds.REST,
        "what else pytest is called with, up to the end of the line; -- means the same",
        default=(),
        is_list=True,
        goes_with=_OF_MODULE,
    ),
    Option(
        "--generator",
        kinds.GENERATOR_NAME,
        "a generator, or several, with options after a colon; FILE.py:NAME is a function of yours",
        default=(),
        default_text="korat",
        is_list=True,
        goes_with=_OF_SUBJECT,
    ),
    Option(
        "--suite",
        kinds.FILE,
        "FILE.jsonl with one list of calls in each line, or several",
        default=(),
        is_list=True,
        goes_with=_OF_SUBJECT,
    ),
    Option("--scope", kinds.SCOPES, "a scope, or a range of scopes", goes_with=_OF_SUBJECT),
    Option("--seed", kinds.SEED, default=0, default_text="0", goes_with=_OF_EITHER),
    Option(
        "--seeds",
        kinds.POSITIVE,
        "so many seeds, from --seed on, of generators whose suites depend on it",
        default=1,
        goes_with=_OF_SUBJECT,
    ),
    Option("--operators", kinds.OPERATOR_SET, default=DEFAULT_OPERATORS, goes_with=_OF_EITHER),
    Option("--matrix", kinds.FLAG, "run each mutant on all inputs, for a kill matrix", goes_with=_OF_EITHER),
    Option(
        "--metamutants",
        kinds.FLAG,
        "compile all mutants into one module, which selects one at run time",
        goes_with=_OF_SUBJECT,
    ),
    Option(
        "--concrete",
        kinds.FLAG,
        "states must also be equal in structure, not only in their abstraction",
        goes_with=_OF_SUBJECT,
    ),
    Option(
        "--observe",
        kinds.choice([observation.value for observation in Observation]),
        "when the states of a sequence are looked at",
        default=Observation.END.value,
        goes_with=_OF_SUBJECT,
    ),
    Option(
        "--oracles",
        options.ORACLES,
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
        Option("EXPERIMENT", kinds.TEXT, "a name from 'list', or a .toml file"),
        *_ON_A_LINE,
        options.JOBS,
        Option("--executor", kinds.choice(["local", "dask"]), "where mutants are run", default="local"),
        Option(
            "--scheduler",
            kinds.ADDRESS,
            default_text="one that is started here, with J workers",
            goes_with=("--executor dask",),
        ),
        Option("--out", kinds.FOLDER, default_text="results/EXPERIMENT"),
    ),
    one_of=("EXPERIMENT", "--subject", "--target"),
    needed="give an experiment or --subject, one of them, or --target with --tests; 'mutascope list' names experiments "
    "and subjects",
    resumes=True,
)

INIT_COMMAND = Command(
    "init",
    "Write the experiment file for options of 'run'.",
    (Option("FILE", kinds.FILE, "a new .toml file", is_required=True), *_ON_A_LINE),
    one_of=("--subject", "--target"),
    needed="give --subject with --scope, or --target with --tests; 'mutascope list' names subjects",
)

SHARD_COMMAND = Command(
    "shard",
    "Run one of N shards of an experiment; an interrupted shard continues.",
    (
        Option("EXPERIMENT", kinds.TEXT, "a name from 'list', or a .toml file", is_required=True),
        Option("K/N", kinds.TEXT, "the shard K of N, such as 3/64"),
        Option("--print-slurm", kinds.POSITIVE, "print a job array of N tasks for SLURM instead"),
        options.JOBS,
        Option("--out", kinds.FOLDER, default_text="results/EXPERIMENT-shards/K-of-N"),
    ),
    one_of=("K/N", "--print-slurm"),
    needed="give the shard as K/N, such as 3/64, or --print-slurm with a number of shards, one of them",
    resumes=True,
)

MERGE_COMMAND = Command(
    "merge",
    "Join the facts of shards, as one run would have stored them.",
    (
        Option("DIR", kinds.FOLDER, "of shards", is_required=True, is_list=True),
        Option("--allow-missing", kinds.FLAG, "list what is missing, and leave it to 'run'"),
        Option("--out", kinds.FOLDER, default_text="results/EXPERIMENT"),
    ),
)
