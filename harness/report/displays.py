"""Writes plain values and containers as Python source; the caller writes their items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


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
        return f"{kind.__name__}([{', '.join(sorted(map(write, value)))}])"
    return None
