"""Experiments as TOML, read and written, a table per subject and generator; and made from arguments."""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from harness import resources
from harness.did_you_mean import likest_name, suggestion
from harness.errors import UsageError
from harness.generators.registry import find_generator, generator_words, uses_seed
from harness.model.experiment import (
    DEFAULT_OPERATORS,
    LARGEST_SCOPE,
    LARGEST_SEED,
    SMALLEST_SEED,
    Approach,
    ExecutionMode,
    Experiment,
    Trial,
)
from harness.model.outcome import OracleName
from harness.model.pytest_suite import MOST_RUNS, MOST_WAITING, PYTEST, Flaky, PytestSuite
from harness.model.sequence import Observation
from harness.mutation.operator_sets import operator_set
from harness.runner.logs import report_line

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
    """Return the experiment of that name, or in that TOML file.

    Raises:
        UsageError: unknown name, or a file that is not an experiment; the message says where and what to do.
    """
    files = resources.experiment_files()
    path = files.get(name) or Path(name)
    if not path.is_file():
        raise _no_experiment(name, path)
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # not UTF-8, no TOML, or nested too deep
        raise UsageError(f"{path}: not TOML ({error}); correct the file") from None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; make it readable") from None
    found = parse_experiment(path.stem, fields, path)
    _check_names(found, path)
    _tell_lone_generators(found, path)
    return found


def _tell_lone_generators(experiment: Experiment, path: Path) -> None:
    """Name the scopes at which a generator of a subject has no other one beside it, unless a paper chose the scopes."""
    groups: dict[str, dict[int, set[str]]] = {}
    for trial in experiment.trials:
        groups.setdefault(trial.subject, {}).setdefault(trial.scope, set()).add(trial.generator)
    lone = [
        f"{subject} at scope {scope} ({min(generators)})"
        for subject, by_scope in groups.items()
        for scope, generators in by_scope.items()
        if len(generators) == 1 < len(set().union(*by_scope.values()))
    ]
    if lone and experiment.paper is None:
        report_line(
            f"{path}: nothing is compared where one generator is alone: {', '.join(lone)}; give all generators of a "
            "subject the same scopes"
        )


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


_KINDS = {str: "a text in quotes", int: "a whole number", bool: "true or false"}
_LONGEST = 100
_Kind = TypeVar("_Kind", str, int, bool)


def only(fields: dict[str, Any], allowed: set[str], path: Path, where: str) -> None:
    """Check that there are only allowed fields.

    Raises:
        UsageError: there is another field.
    """
    unknown = sorted(set(fields) - allowed)
    if unknown:
        raise UsageError(f"{path}: {where} has unknown field {unknown[0]!r}; {suggestion(unknown[0], sorted(allowed))}")


def typed(fields: dict[str, Any], name: str, kind: type[_Kind], default: _Kind, path: Path, where: str) -> _Kind:
    """Return a field of that type.

    Raises:
        UsageError: it is of another type.
    """
    value = fields.get(name, default)
    if type(value) is not kind:
        raise UsageError(f"{path}: {where}: {name} is {_KINDS[kind]}, not {short_text(value)}")
    return value


def seed_of(fields: dict[str, Any], default: int, path: Path, where: str) -> int:
    """Return the seed of a table, or the default.

    Raises:
        UsageError: it is no whole number of 64 bits.
    """
    seed = typed(fields, "seed", int, default, path, where)
    if not SMALLEST_SEED <= seed <= LARGEST_SEED:
        raise UsageError(f"{path}: {where}: seed is a whole number of at most 64 bits, not {short_text(seed)}")
    return seed


def short_text(value: object) -> str:
    """Return a value as one short line of text."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def choice(kind: Any, value: Any, path: Path, field: str) -> Any:
    """Return the member of an enumeration with that value.

    Raises:
        UsageError: there is none.
    """
    try:
        return kind(value)
    except (ValueError, TypeError):  # a list has no hash
        values = ", ".join(choice.value for choice in kind)
        raise UsageError(f"{path}: {field} is one of {values}, not {short_text(value)}") from None


def texts(fields: dict[str, Any], name: str, path: Path, where: str) -> tuple[str, ...]:
    """Return a list of texts; empty if the field is missing.

    Raises:
        UsageError: it is something else.
    """
    value = fields.get(name, [])
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        hint = f"; write [{short_text(value)}]" if isinstance(value, str) else ""
        raise UsageError(f"{path}: {where}: {name} is a list of texts, not {short_text(value)}{hint}")
    return tuple(value)


_Settings = tuple[tuple[str, object], ...]

_TOP = {
    **{name: name for name in ("paper", "operators", "mode", "approach", "concrete", "oracles")},
    "observe": "observed",
}
_SUITE = {
    "name": "given_name",
    "flaky": "flaky",
    "seed": "seed",
    "runs": "original_runs",
    "block": "blocked",
    "arguments": "arguments",
    "wait": "wait",
}
"""The fields of a file by those of its dataclass, in the order in which they are written."""


def write_experiment(experiment: Experiment, path: Path | str) -> Path:
    """Write an experiment into a new TOML file. Return its path.

    The run of the file has the same trials as that of the experiment. Subjects, generators and suites that are given
    by a path are looked for from the folder in which the file is run.

    Raises:
        UsageError: the file exists, cannot be written, or does not end in `.toml`.
    """
    path = Path(path)
    if path.suffix != ".toml":
        raise UsageError(f"{path}: an experiment is a .toml file; give it a name such as {path.name or 'mine'}.toml")
    text = as_toml(experiment, path.absolute().parent)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{path} exists; give another name, or remove it") from None
    except (OSError, ValueError) as error:  # a null character in the name, or one that UTF-8 cannot write
        raise UsageError(f"{path}: {getattr(error, 'strerror', None) or error}; give another name") from None
    return path


def as_toml(experiment: Experiment, folder: Path) -> str:
    """Return an experiment as the TOML of a file in `folder`."""
    tables = [_table("", _unusual(experiment, _TOP))]
    tables += [_table("[[trials]]", table) for table in _trial_tables(experiment)]
    tables += [_table("[[suites]]", _suite_table(suite, folder)) for suite in experiment.suites]
    return "\n".join(filter(None, tables))


def _unusual(noun: Experiment | PytestSuite, names: Mapping[str, str]) -> dict[str, object]:
    """Return the fields that have another value than their default."""
    defaults = {field.name: field.default for field in fields(noun)}
    values = {name: getattr(noun, attribute) for name, attribute in names.items()}
    return {name: value for name, value in values.items() if value != defaults[names[name]]}


def _trial_tables(experiment: Experiment) -> Iterator[dict[str, object]]:
    """Yield the tables of trials: one for all scopes of a subject and a generator that have the same seeds."""
    seeds: dict[tuple[str, str, int, _Settings], list[int]] = {}
    for trial in experiment.trials:
        key = (trial.subject, trial.generator, trial.scope, _settings(experiment, trial))
        seeds.setdefault(key, []).append(trial.seed)
    scopes: dict[tuple[str, str, tuple[int, ...], _Settings], list[int]] = {}
    for (subject, generator, scope, settings), numbers in seeds.items():
        scopes.setdefault((subject, generator, tuple(numbers), settings), []).append(scope)
    for (subject, generator, several, settings), listed in scopes.items():
        seeded = {"seeds": several} if len(several) > 1 else {"seed": several[0]} if several[0] else {}
        yield {"subject": subject, "generator": generator, "scopes": listed} | seeded | dict(settings)


def _settings(experiment: Experiment, trial: Trial) -> _Settings:
    """Return the fields of a trial that differ from those of the experiment."""
    values = {
        "mode": experiment.modes.get(trial),
        "oracles": experiment.judged_by.get(trial),
        "coverage": False if trial in experiment.without_coverage else None,
    }
    return tuple((name, value) for name, value in values.items() if value is not None)


def _suite_table(suite: PytestSuite, folder: Path) -> dict[str, object]:
    place = os.path.relpath(suite.folder, folder)
    located = {} if place == os.curdir else {"folder": place}
    return {"target": suite.target, "tests": suite.tests} | located | _unusual(suite, _SUITE)


def _table(head: str, values: dict[str, object]) -> str:
    lines = [*[head] * bool(head), *(f"{name} = {_value(value)}" for name, value in values.items())]
    return "".join(f"{line}\n" for line in lines)


def _value(value: object) -> str:
    """Return a value as TOML: an enumeration's member as its value, a tuple as a list."""
    text = json.dumps(value, ensure_ascii=False, default=lambda member: member.value)
    return text.replace("\x7f", "\\u007f")


DEFAULT_GENERATOR = "korat"
_LONGEST_NAME = 80
"""Characters of the name of an experiment."""


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
