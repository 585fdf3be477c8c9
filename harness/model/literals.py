"""Writes plain values as Python literals, and reads them: the values in calls that are outside the bounds of a spec."""

from __future__ import annotations

import ast
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
    if type(value) is dict:
        return "{" + ", ".join(f"{literal_of(key)}: {literal_of(item)}" for key, item in value.items()) + "}"
    if type(value) is list:
        return "[" + ", ".join(map(literal_of, value)) + "]"
    if type(value) is tuple:
        return "(" + "".join(f"{literal_of(item)}, " for item in value) + ")"
    if type(value) is set and value:
        return "{" + ", ".join(sorted(map(literal_of, value))) + "}"
    raise NotLiteral(type(value).__name__)


def value_of(literal: str) -> Any:
    """Return the value of a literal.

    Raises:
        ValueError, SyntaxError: the text is no literal.
    """
    return ast.literal_eval(literal)


def is_collection(value: Any) -> bool:
    """Return True for a value of which each call gets a copy of its own."""
    return isinstance(value, _COLLECTIONS) and not isinstance(value, tuple)
