"""Experiments made from arguments: of a named experiment, of one subject, or of one pytest suite."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from harness import resources
from harness.errors import UsageError
from harness.generators.registry import generator_words, uses_seed
from harness.model.experiment import DEFAULT_OPERATORS, Approach, ExecutionMode, Experiment, Trial
from harness.model.outcome import OracleName
from harness.model.pytest_suite import MOST_WAITING, PYTEST, Flaky, PytestSuite
from harness.model.sequence import Observation
from harness.mutation.operator_sets import operator_set
from harness.runner.experiment import load_experiment

DEFAULT_GENERATOR = "korat"
_LONGEST_NAME = 80
"""Characters of the name of an experiment."""


def experiment(name: str) -> Experiment:
    """Return the experiment of that name, or in that TOML file."""
    return load_experiment(name)


def subject_experiment(  # noqa: PLR0913 (a keyword for each option)
    subjects: str | Sequence[str],
    generators: str | Sequence[str],
    scopes: Sequence[int],
    *,
    suites: str | Path | Sequence[str | Path] = (),
    seed: int = 0,
    seeds: int = 1,
    matrix: bool = False,
    metamutants: bool = False,
    concrete: bool = False,
    operators: str = DEFAULT_OPERATORS,
    observe: str = Observation.END.value,
    oracles: Sequence[str] = (OracleName.DIFFERENTIAL.value,),
) -> Experiment:
    """Return an experiment with a trial for each subject, generator, scope, seed and oracle.

    A generator whose suites do not depend on the seed has trials of the first seed only.

    Args:
        subjects: a subject by its name or folder, or several.
        generators: a generator by its name, or several; `FILE.py:NAME` is a function of your own. Without any
            name, Korat, unless there are suites.
        suites: files with one list of calls in each line (`FILE.jsonl`), which take part like generators.
        scopes: the scopes of all of them.
        seed: the first seed of the generators.
        seeds: the number of seeds, which follow each other.
        observe: when the states of a call sequence are compared, by the name of an `Observation`.

    Raises:
        UsageError: there is no such subject or operator set, no oracle is named, or a suite is no such file.
    """
    subjects = [resources.relative_name(subject) for subject in _distinct(subjects)]
    files = [str(suites)] if isinstance(suites, (str, Path)) else list(map(str, suites))
    for file in files:
        if not file.partition(":")[0].endswith(".jsonl"):
            raise UsageError(
                f"{file}: a suite is a file of calls, FILE.jsonl; pytest runs tests by --target and --tests"
            )
    if not generators and not files:
        generators = DEFAULT_GENERATOR
    generators = [resources.relative_name(name) for name in (*_distinct(generators), *_distinct(files))]
    parts = [*map(resources.subject_label, subjects), *map(generator_words, generators)]
    if operator_set(operators).name != DEFAULT_OPERATORS:
        parts.append(operators)
    return Experiment(
        name=_joined(parts),
        trials=tuple(
            Trial(subject, generator, scope, number)
            for subject in subjects
            for generator in generators
            for scope in scopes
            for number in range(seed, seed + (seeds if uses_seed(generator) else 1))
        ),
        mode=ExecutionMode.MATRIX if matrix else ExecutionMode.FIRST_KILL,
        approach=Approach.METAMUTANT if metamutants else Approach.SEPARATE,
        concrete=concrete,
        operators=operators,
        observed=Observation(observe),
        oracles=tuple(oracle for oracle in OracleName if oracle.value in oracles),
    )


def pytest_experiment(  # noqa: PLR0913 (a keyword for each option)
    target: str,
    tests: Sequence[str],
    *,
    folder: Path | str | None = None,
    flaky: str = Flaky.EXCLUDE.value,
    seed: int = 0,
    original_runs: int = 3,
    blocked: Sequence[str] = (),
    arguments: Sequence[str] = (),
    wait: int = MOST_WAITING,
    matrix: bool = False,
    operators: str = DEFAULT_OPERATORS,
) -> Experiment:
    """Return an experiment on the mutants of a module or package, which a pytest suite is run against.

    Args:
        target: the dotted name of the module or package; `package.__init__` is that file alone.
        tests: the arguments with which pytest is called in `folder` (default: the current folder).
        flaky: "refuse" or "exclude" tests that fail on the original, always or at times.
        original_runs: how often the original runs all tests before.
        blocked: modules whose import fails, so that C does not replace what is mutated.
        arguments: what else pytest is called with, such as `["-p", "no:sugar"]`.
        wait: the seconds after which a mutant that waits or sleeps is ended, unless 5 times those of the original in
            the tests that reach it are more.

    Raises:
        UsageError: there is no such operator set, or an argument is of another kind.
    """
    kinds = [one.value for one in Flaky]
    if flaky not in kinds:
        raise UsageError(f"flaky is one of {', '.join(kinds)}, not {flaky!r}; choose one")
    if isinstance(tests, str) or not tests:
        raise UsageError(f"tests is a list of files, folders or node ids, not {tests!r}; write [{tests!r}]")
    if isinstance(blocked, str):
        raise UsageError(f"blocked is a list of names of modules, not {blocked!r}; write [{blocked!r}]")
    if isinstance(arguments, str):
        raise UsageError(f"arguments is a list of words, not {arguments!r}; write [{arguments!r}]")
    where = str(Path(folder or Path.cwd()).absolute())
    suite = PytestSuite(
        target, tuple(tests), where, Flaky(flaky), seed, original_runs, tuple(blocked), "", tuple(arguments), wait
    )
    own = [] if operator_set(operators).name == DEFAULT_OPERATORS else [operators]
    return Experiment(
        name="-".join([target, PYTEST, *own]),
        trials=(),
        mode=ExecutionMode.MATRIX if matrix else ExecutionMode.FIRST_KILL,
        operators=operators,
        suites=(suite,),
    )


def _distinct(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(dict.fromkeys(names))


def _joined(parts: Sequence[str]) -> str:
    """Return the name of an experiment, which is also that of a folder: long ones end with a hash of all parts."""
    name = "-".join(parts)
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{name[:_LONGEST_NAME]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
