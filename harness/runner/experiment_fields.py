"""Fields of the tables in experiment files: checks the type of each, or raises an error of one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.model.experiment import LARGEST_SEED, SMALLEST_SEED

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
