"""Experiments as TOML: one file per experiment, a table per subject and generator."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import resources
from harness.did_you_mean import likest_name, suggestion
from harness.errors import UsageError
from harness.generators.registry import find_generator
from harness.model.experiment import (
    DEFAULT_OPERATORS,
    LARGEST_SCOPE,
    Approach,
    ExecutionMode,
    Experiment,
    Trial,
)
from harness.model.outcome import OracleName
from harness.model.pytest_suite import MOST_RUNS, MOST_WAITING, Flaky, PytestSuite
from harness.model.sequence import Observation
from harness.mutation.operator_sets import operator_set
from harness.runner.experiment_fields import choice, only, seed_of, short_text, texts, typed

TOP_FIELDS = {
    "title",
    "paper",
    "operators",
    "mode",
    "approach",
    "concrete",
    "seed",
    "trials",
    "suites",
    "observe",
    "oracles",
}
TRIAL_FIELDS = {"subject", "generator", "scopes", "seed", "seeds", "mode", "coverage", "oracles"}
SUITE_FIELDS = {"target", "tests", "name", "folder", "flaky", "seed", "runs", "block", "arguments", "wait"}


@dataclass(frozen=True)
class _TrialTable:
    """The trials of one table [[trials]], with its mode and oracles where it names its own."""

    trials: tuple[Trial, ...]
    is_covered: bool
    mode: ExecutionMode | None
    oracles: tuple[OracleName, ...] | None


def load_experiment(name: str) -> Experiment:
    """Return the experiment of that name (see `resources.experiment_files`), or at that path.

    Raises:
        UsageError: unknown name, or a file that is not an experiment; the message says where and what to do.
    """
    files = resources.experiment_files()
    path = files.get(name) or Path(name)
    if not path.is_file():
        raise _no_experiment(name, path)
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise UsageError(f"{path}: brackets nested too deep to be read; correct the file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not TOML ({error}); correct the file") from None
    except ValueError as error:  # a whole number of thousands of digits
        raise UsageError(f"{path}: a value cannot be read ({error}); correct the file") from None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; make it readable") from None
    experiment = parse_experiment(path.stem, fields, path)
    _check_names(experiment, path)
    return experiment


def _no_experiment(name: str, path: Path) -> UsageError:
    if path.suffix == ".toml":
        likest = likest_name(path.stem, sorted(one.stem for one in path.parent.glob("*.toml")))
        hint = f"did you mean {str(path.with_stem(likest))!r}?" if likest else "'mutascope init' writes one"
        return UsageError(f"{path}: no such file; {hint}")
    hint = suggestion(name, resources.experiment_files(), "mutascope list")
    return UsageError(f"unknown experiment {name!r}; {hint}, or give a .toml file")


def parse_experiment(name: str, fields: dict[str, Any], path: Path) -> Experiment:
    """Return an experiment from the fields of its file.

    Raises:
        UsageError: unknown or missing fields, or values of the wrong kind.
    """
    only(fields, TOP_FIELDS, path, "the experiment")
    tables, suites = fields.get("trials", []), fields.get("suites", [])
    if not isinstance(tables, list) or not isinstance(suites, list) or not (tables or suites):
        raise UsageError(
            f"{path}: no [[trials]]; add one with subject, generator and scopes, or [[suites]] with target and tests"
        )
    whole = "the experiment"
    typed(fields, "title", str, "", path, whole)
    paper = typed(fields, "paper", str, "", path, whole)
    general_seed = seed_of(fields, 0, path, whole)
    rows = [_trial_table(table, number, general_seed, path) for number, table in enumerate(tables, 1)]
    trials = [trial for row in rows for trial in row.trials]
    if len(set(trials)) != len(trials):
        raise UsageError(f"{path}: a trial stands there twice; give each subject, generator, scope and seed once")
    return Experiment(
        name=name,
        trials=tuple(trials),
        mode=choice(ExecutionMode, fields.get("mode", ExecutionMode.FIRST_KILL.value), path, "mode"),
        modes={trial: row.mode for row in rows if row.mode is not None for trial in row.trials},
        approach=choice(Approach, fields.get("approach", Approach.SEPARATE.value), path, "approach"),
        concrete=typed(fields, "concrete", bool, False, path, whole),
        paper=paper or None,
        observed=choice(Observation, fields.get("observe", Observation.END.value), path, "observe"),
        operators=typed(fields, "operators", str, DEFAULT_OPERATORS, path, whole),
        oracles=_oracles(fields, path),
        judged_by={trial: row.oracles for row in rows if row.oracles is not None for trial in row.trials},
        without_coverage=frozenset(trial for row in rows if not row.is_covered for trial in row.trials),
        suites=_suites(suites, general_seed, path),
    )


def _trial_table(table: Any, number: int, default_seed: int, path: Path) -> _TrialTable:
    where = f"[[trials]] number {number}"
    if not isinstance(table, dict):
        raise UsageError(f"{path}: {where} is no table; write [[trials]], and subject and scopes below")
    only(table, TRIAL_FIELDS, path, where)
    for needed in ("subject", "scopes"):
        if needed not in table:
            raise UsageError(f"{path}: {where} has no {needed!r}; add it")
    scopes = _scopes(table, path, where)
    subject = resources.relative_name(typed(table, "subject", str, "", path, where))
    generator = resources.relative_name(typed(table, "generator", str, "korat", path, where))
    seeds = _seeds(table, default_seed, path, where)
    return _TrialTable(
        trials=tuple(Trial(subject, generator, scope, seed) for scope in scopes for seed in seeds),
        is_covered=typed(table, "coverage", bool, True, path, where),
        mode=choice(ExecutionMode, table["mode"], path, f"{where}: mode") if "mode" in table else None,
        oracles=_oracles(table, path, f"{where}: ") if "oracles" in table else None,
    )


def _scopes(table: dict[str, Any], path: Path, where: str) -> list[int]:
    scopes = table["scopes"]
    if (
        not isinstance(scopes, list)
        or not scopes
        or any(type(scope) is not int or not 1 <= scope <= LARGEST_SCOPE for scope in scopes)
    ):
        problem = f"scopes is a list of whole numbers from 1, not {short_text(scopes)}; the largest is {LARGEST_SCOPE}"
        raise UsageError(f"{path}: {where}: {problem}")
    return scopes


def _check_names(experiment: Experiment, path: Path) -> None:
    """Check that the paper, operator set, subjects and generators exist that an experiment names.

    Raises:
        UsageError: one is unknown.
    """
    papers = resources.papers()
    if experiment.paper is not None and experiment.paper not in papers:
        hint = suggestion(experiment.paper, papers, "mutascope list")
        raise UsageError(f"{path}: no paper {short_text(experiment.paper)}; {hint}, or leave it out")
    try:
        operator_set(experiment.operators)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    for trial in experiment.trials:
        try:
            resources.subject_folder(trial.subject)
            find_generator(trial.generator)
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from None


def _seeds(table: dict[str, Any], default: int, path: Path, where: str) -> list[int]:
    """Return the seeds of a table: one, or several."""
    if "seeds" not in table:
        return [seed_of(table, default, path, where)]
    if "seed" in table or not isinstance(table["seeds"], list) or not table["seeds"]:
        raise UsageError(f"{path}: {where}: give either seed, or seeds as a list of whole numbers")
    return [seed_of({"seed": seed}, default, path, where) for seed in table["seeds"]]


def _oracles(fields: dict[str, Any], path: Path, where: str = "") -> tuple[OracleName, ...]:
    """Return the oracles of an experiment or a table, the differential one first."""
    names = fields.get("oracles", [OracleName.DIFFERENTIAL.value])
    if not isinstance(names, list) or not names:
        raise UsageError(
            f'{path}: {where}oracles is a list such as ["differential", "postcondition"], not {short_text(names)}'
        )
    oracles = [choice(OracleName, name, path, f"{where}oracles") for name in names]
    return tuple(oracle for oracle in OracleName if oracle in oracles)


def _suites(tables: list[Any], default_seed: int, path: Path) -> tuple[PytestSuite, ...]:
    """Return the suites of all tables; suites of one target and seed are distinguished by their names."""
    suites = [suite_of_table(table, number, default_seed, path) for number, table in enumerate(tables, 1)]
    numbers: dict[tuple[str, str, int], int] = {}
    for number, suite in enumerate(suites, 1):
        first = numbers.setdefault((suite.target, suite.name, suite.seed), number)
        if first != number:
            raise UsageError(
                f"{path}: [[suites]] number {number} has the target, seed and name of number {first} "
                f"({short_text(suite.name)}); give it a name of its own"
            )
    return tuple(suites)


def suite_of_table(table: Any, number: int, default_seed: int, path: Path) -> PytestSuite:
    """Return a pytest suite from a table [[suites]]; its folder is relative to that of the file.

    Raises:
        UsageError: unknown or missing fields, or values of the wrong kind.
    """
    where = f"[[suites]] number {number}"
    if not isinstance(table, dict):
        raise UsageError(f"{path}: {where} is no table; write [[suites]], and target and tests below")
    only(table, SUITE_FIELDS, path, where)
    for needed in ("target", "tests"):
        if not table.get(needed):
            raise UsageError(f"{path}: {where} has no {needed!r}; add it")
    runs = typed(table, "runs", int, 3, path, where)
    if not 1 <= runs <= MOST_RUNS:
        raise UsageError(f"{path}: {where}: runs is a whole number from 1 to {MOST_RUNS}, not {runs}")
    return PytestSuite(
        target=typed(table, "target", str, "", path, where),
        tests=texts(table, "tests", path, where),
        folder=str((path.parent / typed(table, "folder", str, ".", path, where)).absolute()),
        flaky=choice(Flaky, table.get("flaky", Flaky.EXCLUDE.value), path, f"{where}: flaky"),
        seed=seed_of(table, default_seed, path, where),
        original_runs=runs,
        blocked=texts(table, "block", path, where),
        given_name=typed(table, "name", str, "", path, where),
        arguments=texts(table, "arguments", path, where),
        wait=typed(table, "wait", int, MOST_WAITING, path, where),
    )
