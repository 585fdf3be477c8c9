"""Declares `mutascope run`, and `mutascope init`, which writes down what `run` would run with the same options."""

from __future__ import annotations

from harness.command_line import calls, kinds, options, results
from harness.command_line.command import Alternatives, Command, CommandForm, NextCall, Option
from harness.model.experiment import DEFAULT_OPERATORS
from harness.model.outcome import OracleName
from harness.model.pytest_suite import MOST_WAITING, Flaky
from harness.model.sequence import Observation

_ON_A_LINE = (
    Option(
        "--subject",
        kinds.SUBJECT_NAME,
        "subjects",
        "a subject, or several",
        is_list=True,
    ),
    Option(
        "--target",
        kinds.MODULE_NAME,
        "target",
        "a module or package that pytest tests",
    ),
    Option(
        "--tests",
        kinds.PATHS,
        "tests",
        "what pytest is called with",
        is_list=True,
        requirement=options.ON_MODULE,
    ),
    Option(
        "--flaky",
        kinds.choice([flaky.value for flaky in Flaky]),
        "flaky",
        "tests that fail on the original, always or at times",
        default=Flaky.EXCLUDE.value,
        requirement=options.ON_MODULE,
    ),
    Option(
        "--runs",
        kinds.POSITIVE,
        "original_runs",
        "runs of the original",
        default=3,
        requirement=options.ON_MODULE,
    ),
    Option(
        "--block",
        kinds.MODULE_NAMES,
        "blocked",
        "modules whose import fails",
        is_list=True,
        requirement=options.ON_MODULE,
    ),
    Option(
        "--wait",
        kinds.POSITIVE,
        "wait",
        "a mutant that waits or sleeps is ended after so many seconds, or 5 times what the original took",
        default=MOST_WAITING,
        requirement=options.ON_MODULE,
    ),
    Option(
        "--arguments",
        kinds.REST,
        "arguments",
        "what else pytest is called with, up to the end of the line; -- means the same",
        default=(),
        default_text="",
        is_list=True,
        requirement=options.ON_MODULE,
    ),
    Option(
        "--generator",
        kinds.GENERATOR_NAME,
        "generators",
        "a generator, or several; FILE.py:NAME is a function of yours",
        default=(),
        default_text="korat",
        is_list=True,
        requirement=options.ON_SUBJECT,
    ),
    Option(
        "--suite",
        kinds.FILES,
        "suites",
        "FILE.jsonl with one list of calls in each line, or several",
        default=(),
        default_text="",
        is_list=True,
        requirement=options.ON_SUBJECT,
    ),
    Option("--scope", kinds.SCOPES, "scopes", "a scope, or a range of scopes", requirement=options.ON_SUBJECT),
    Option("--seed", kinds.SEED, "seed", default=0, requirement=options.ON_EITHER),
    Option(
        "--seeds",
        kinds.POSITIVE,
        "seeds",
        "so many seeds, from --seed on, of generators whose suites depend on it",
        default=1,
        requirement=options.ON_SUBJECT,
    ),
    Option("--operators", kinds.OPERATOR_SET, "operators", default=DEFAULT_OPERATORS, requirement=options.ON_EITHER),
    Option(
        "--matrix",
        kinds.FLAG,
        "matrix",
        "run each mutant on all inputs, for a kill matrix",
        requirement=options.ON_EITHER,
    ),
    Option(
        "--metamutants",
        kinds.FLAG,
        "metamutants",
        "compile all mutants into one module, which selects one at run time",
        requirement=options.ON_SUBJECT,
    ),
    Option(
        "--concrete",
        kinds.FLAG,
        "concrete",
        "states must also be equal in structure, not only in their abstraction",
        requirement=options.ON_SUBJECT,
    ),
    Option(
        "--observe",
        kinds.choice([observation.value for observation in Observation]),
        "observe",
        "when the states of a sequence are looked at",
        default=Observation.END.value,
        requirement=options.ON_SUBJECT,
    ),
    Option(
        "--oracles",
        options.ORACLES,
        "oracles",
        "what decides whether a run kills",
        default_text=OracleName.DIFFERENTIAL.value,
        is_list=True,
        requirement=options.ON_SUBJECT,
    ),
)
"""The options that describe an experiment."""

_FORMS = (
    CommandForm(
        "subject_experiment", "--subject", {"--scope": "--subject needs --scope, as in --scope 3 or --scope 1-5"}
    ),
    CommandForm(
        "pytest_experiment",
        "--target",
        {"--tests": "--target needs --tests, the files or folders that pytest is called with"},
    ),
)

RUN_COMMAND = Command(
    "run",
    "Run mutants against suites; an interrupted run continues.",
    (
        Option("EXPERIMENT", kinds.TEXT, "name", "a name from 'list', or a .toml file"),
        *_ON_A_LINE,
        options.JOBS,
        Option(
            "--executor", kinds.choice(["local", "dask"]), "executor", "where mutants are run", default_text="local"
        ),
        Option(
            "--scheduler",
            kinds.ADDRESS,
            "scheduler",
            default_text="one that is started here, with J workers",
            requirement=options.ON_DASK,
        ),
        Option("--out", kinds.FOLDER, "folder", default_text="results/EXPERIMENT"),
    ),
    (
        CommandForm(
            "experiment",
            "EXPERIMENT",
            refusal="{option} goes with {requirement}; an experiment's file says it for each of its trials",
        ),
        *_FORMS,
    ),
    calls.run,
    results.run,
    then=NextCall("run", ("--jobs", "--executor", "--scheduler", "--out")),
    alternatives=Alternatives(
        ("EXPERIMENT", "--subject", "--target"),
        "give an experiment or --subject, one of them, or --target with --tests; 'mutascope list' names "
        "experiments and subjects",
    ),
    resumes=True,
)

INIT_COMMAND = Command(
    "init",
    "Write the experiment file for options of 'run'.",
    (
        Option("FILE", kinds.FILE, "path", "a new .toml file", is_required=True),
        *_ON_A_LINE,
    ),
    _FORMS,
    calls.run,
    results.experiment_file,
    then=NextCall("write_experiment", ("FILE",)),
    alternatives=Alternatives(
        ("--subject", "--target"),
        "give --subject with --scope, or --target with --tests; 'mutascope list' names subjects",
    ),
)
