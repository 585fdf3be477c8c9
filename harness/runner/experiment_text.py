"""Writes experiments as TOML, for `experiment` to read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path

from harness.errors import UsageError
from harness.model.experiment import Experiment, Trial
from harness.model.pytest_suite import PytestSuite

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
