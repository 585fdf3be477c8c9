"""Plain values and containers as Python source; what they hold is written by the caller."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def displayed(value: Any, write: Callable[[Any], str]) -> str | None:
    """A float, list, tuple, dict or set as source, its items as `write` has them; None for anything else.

    Members of a set come in the order of their text, so that it hangs on no hash.
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
