"""Writes plain values as source: literals of values in calls that are outside the bounds of a spec, and displays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_PLAIN = (type(None), bool, int, float, str, bytes)
_COLLECTIONS = (tuple, list, set, frozenset, dict)


class NotLiteral(ValueError):
    """Raised for a value that has no literal: an object of a class, or a number that is none."""


def literal_of(value: Any) -> str:
    """Return the literal of a plain value, or of a tuple, list, set or dict of plain values.

    Raises:
        NotLiteral: the value is another one.
    """
    if type(value) in _PLAIN:
        text = repr(value)
        if type(value) is float and text in ("nan", "inf", "-inf"):
            raise NotLiteral(text)
        return text
    if type(value) is tuple:
        return "(" + "".join(f"{literal_of(item)}, " for item in value) + ")"  # digests of suites depend on this form
    if type(value) in (dict, list) or (type(value) is set and value):
        return displayed(value, literal_of) or ""
    raise NotLiteral(type(value).__name__)


def is_collection(value: Any) -> bool:
    """Return True for a value of which each call gets a copy of its own."""
    return isinstance(value, _COLLECTIONS) and not isinstance(value, tuple)


def displayed(value: Any, write: Callable[[Any], str]) -> str | None:
    """Return a float, list, tuple, dict or set as source, with its items written by `write`; None for other values.

    Members of a set are sorted by their text, so that the source does not depend on hashes.
    """
    kind = type(value)
    if kind is float:
        return repr(value) if value - value == 0 else f'float("{value}")'
    if kind is list:
        return f"[{', '.join(map(write, value))}]"
    if kind is tuple:
        return f"({', '.join(map(write, value))}{',' * (len(value) == 1)})"
    if kind is dict:
        return f"{{{', '.join(f'{write(key)}: {write(item)}' for key, item in value.items())}}}"
    if kind in (set, frozenset):
        members = f"{{{', '.join(sorted(map(write, value)))}}}" if value else ""
        return members if kind is set and value else f"{kind.__name__}({members})"
    return None


def value_source(value: Any) -> str:
    """Return the source of a plain value, or of a collection of such values."""
    return displayed(value, value_source) or repr(value)
