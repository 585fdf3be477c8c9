"""Fields of the tables of experiments' files: each of its kind, or one line that says what is wrong where."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from harness.errors import UsageError
from harness.model.experiment import LARGEST_SEED, SMALLEST_SEED
from harness.names import meant

_KINDS = {str: "a text in quotes", int: "a whole number", bool: "true or false"}
_LONGEST = 100
_Kind = TypeVar("_Kind", str, int, bool)


def only(fields: dict[str, Any], allowed: set[str], path: Path, where: str) -> None:
    """No field but those allowed.

    Raises:
        UsageError: else.
    """
    unknown = sorted(set(fields) - allowed)
    if unknown:
        raise UsageError(f"{path}: {where} has unknown field {unknown[0]!r}; {meant(unknown[0], sorted(allowed))}")


def typed(fields: dict[str, Any], name: str, kind: type[_Kind], default: _Kind, path: Path, where: str) -> _Kind:
    """A field of that kind.

    Raises:
        UsageError: it is of another one.
    """
    value = fields.get(name, default)
    if type(value) is not kind:
        raise UsageError(f"{path}: {where}: {name} is {_KINDS[kind]}, not {shown(value)}")
    return value


def seed_of(fields: dict[str, Any], default: int, path: Path, where: str) -> int:
    """The seed that is given, or the default.

    Raises:
        UsageError: it is no whole number of 64 bits.
    """
    seed = typed(fields, "seed", int, default, path, where)
    if not SMALLEST_SEED <= seed <= LARGEST_SEED:
        raise UsageError(f"{path}: {where}: seed is a whole number of at most 64 bits, not {shown(seed)}")
    return seed


def shown(value: object) -> str:
    """In one short line."""
    try:
        shown = repr(value)
    except (ValueError, RecursionError):
        shown = f"a {type(value).__name__}"
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."


def choice(kind: Any, value: Any, path: Path, field: str) -> Any:
    """A member of an enumeration, by its value.

    Raises:
        UsageError: there is none.
    """
    try:
        return kind(value)
    except (ValueError, TypeError):  # a list has no hash
        known = ", ".join(choice.value for choice in kind)
        raise UsageError(f"{path}: {field} is one of {known}, not {shown(value)}") from None


def texts(fields: dict[str, Any], name: str, path: Path, where: str) -> tuple[str, ...]:
    """A list of texts; empty where it is left out.

    Raises:
        UsageError: it is something else.
    """
    found = fields.get(name, [])
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        hint = f"; write [{shown(found)}]" if isinstance(found, str) else ""
        raise UsageError(f"{path}: {where}: {name} is a list of texts, not {shown(found)}{hint}")
    return tuple(found)
