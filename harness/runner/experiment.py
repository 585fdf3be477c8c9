"""Experiments as TOML: one file per experiment, a table per subject and generator."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, TypeVar

from harness import resources
from harness.errors import UsageError
from harness.model.experiment import Approach, ExecutionMode, Experiment, Trial

_TOP = {"title", "paper", "mode", "approach", "concrete", "seed", "trials"}
_TRIAL = {"subject", "generator", "scopes", "seed", "mode"}
_KINDS = {str: "a text in quotes", int: "a whole number", bool: "true or false"}
_Kind = TypeVar("_Kind", str, int, bool)


def load_experiment(name: str) -> Experiment:
    """The experiment of that name (see `resources.experiment_files`), or at that path.

    Raises:
        UsageError: unknown name, or a file that is not an experiment; says where and what to do.
    """
    known = resources.experiment_files()
    path = known.get(name) or Path(name)
    if not path.is_file():
        raise UsageError(f"unknown experiment {name!r}; known are {', '.join(known) or 'none'}, or give a .toml file")
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not TOML ({error}); correct the file") from None
    return parse_experiment(path.stem, fields, path)


def parse_experiment(name: str, fields: dict[str, Any], path: Path) -> Experiment:
    """An experiment from the fields of its file.

    Raises:
        UsageError: unknown or missing fields, or values of the wrong kind.
    """
    _only(fields, _TOP, path, "the experiment")
    tables = fields.get("trials")
    if not isinstance(tables, list) or not tables:
        raise UsageError(f"{path}: no [[trials]]; add one with subject, generator and scopes")
    whole = "the experiment"
    _typed(fields, "title", str, "", path, whole)
    paper = _typed(fields, "paper", str, "", path, whole)
    general_seed = _typed(fields, "seed", int, 0, path, whole)
    trials: list[Trial] = []
    modes: dict[Trial, ExecutionMode] = {}
    for number, table in enumerate(tables, 1):
        where = f"[[trials]] number {number}"
        if not isinstance(table, dict):
            raise UsageError(f"{path}: {where} is no table; write [[trials]], and subject and scopes below")
        _only(table, _TRIAL, path, where)
        for needed in ("subject", "scopes"):
            if needed not in table:
                raise UsageError(f"{path}: {where} has no {needed!r}; add it")
        scopes = table["scopes"]
        if not isinstance(scopes, list) or not scopes or any(type(scope) is not int or scope < 1 for scope in scopes):
            raise UsageError(f"{path}: {where}: scopes is a list of whole numbers from 1, not {scopes!r}")
        subject = _typed(table, "subject", str, "", path, where)
        generator = _typed(table, "generator", str, "korat", path, where)
        seed = _typed(table, "seed", int, general_seed, path, where)
        added = [Trial(subject, generator, scope, seed) for scope in scopes]
        trials.extend(added)
        if "mode" in table:
            modes |= dict.fromkeys(added, _choice(ExecutionMode, table["mode"], path, f"{where}: mode"))
    if len(set(trials)) != len(trials):
        raise UsageError(f"{path}: a trial stands there twice; give each subject, generator, scope and seed once")
    return Experiment(
        name=name,
        trials=tuple(trials),
        mode=_choice(ExecutionMode, fields.get("mode", ExecutionMode.FIRST_KILL.value), path, "mode"),
        modes=modes,
        approach=_choice(Approach, fields.get("approach", Approach.SEPARATE.value), path, "approach"),
        concrete=_typed(fields, "concrete", bool, False, path, whole),
        paper=paper or None,
    )


def _only(fields: dict[str, Any], allowed: set[str], path: Path, where: str) -> None:
    unknown = sorted(set(fields) - allowed)
    if unknown:
        raise UsageError(f"{path}: {where} has unknown field {unknown[0]!r}; known are {', '.join(sorted(allowed))}")


def _typed(fields: dict[str, Any], name: str, kind: type[_Kind], default: _Kind, path: Path, where: str) -> _Kind:
    value = fields.get(name, default)
    if type(value) is not kind:
        raise UsageError(f"{path}: {where}: {name} is {_KINDS[kind]}, not {value!r}")
    return value


def _choice(kind: Any, value: Any, path: Path, field: str) -> Any:
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(choice.value for choice in kind)
        raise UsageError(f"{path}: {field} is one of {known}, not {value!r}") from None
