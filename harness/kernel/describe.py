"""Inputs and values as short text for people: stable, with cycles by number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.kernel.decode import Token

_LONGEST = 300


def show(value: Any) -> str:
    """`SearchTree(root=Node(left=None, right=None, info=1), size=1)`; an object met again is `<Node 2>`."""
    text = _show(value, {})
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def show_call(root: Any, target: str, arguments: Sequence[Any]) -> str:
    """`SearchTree(...).remove(1)`; for a list root `heappush([1, 2], 3)`."""
    shown = [show(argument) for argument in arguments]
    if isinstance(root, list):
        return f"{target}({', '.join([show(root), *shown])})"
    return f"{show(root)}.{target}({', '.join(shown)})"


def _show(value: Any, seen: dict[int, int]) -> str:
    if isinstance(value, Token) or not (isinstance(value, (list, tuple)) or hasattr(value, "__dict__")):
        # A default repr holds an address; type names do not.
        plain = type(value).__repr__ is not object.__repr__
        return repr(value) if plain else f"<{type(value).__name__}>"
    if id(value) in seen:
        return f"<{type(value).__name__} {seen[id(value)]}>"
    seen[id(value)] = len(seen) + 1
    if isinstance(value, (list, tuple)):
        inner = ", ".join(_show(item, seen) for item in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    fields = ", ".join(f"{name}={_show(item, seen)}" for name, item in vars(value).items())
    return f"{type(value).__name__}({fields})"


_LONGEST_NAME = 200
_qualified_name = vars(type)["__qualname__"].__get__


def exception_name(error: BaseException) -> str:
    """The name of an exception's class, whatever that class says of itself; of a very long one its beginning."""
    name: str = _qualified_name(type(error))[:_LONGEST_NAME]
    return name if name.isascii() else name.encode(errors="backslashreplace").decode()
