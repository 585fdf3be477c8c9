"""Describes inputs and values as short text for people: stable, with cycles by number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.kernel.objects.object_creation import NOT_COMPARED
from harness.kernel.objects.reading import CONTAINERS, held_dict, held_fields
from harness.kernel.specs.tokens import Token

_LONGEST = 300


def show(value: Any) -> str:
    """Return text such as `SearchTree(root=Node(left=None, info=1), size=1)`; an object met again is `<Node 2>`."""
    text = _show(value, {})
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def show_call(root: Any, target: str, arguments: Sequence[Any]) -> str:
    """Return text such as `SearchTree(...).remove(1)`; for a list root `heappush([1, 2], 3)`."""
    argument_texts = [show(argument) for argument in arguments]
    if root is None:
        return f"{target}({', '.join(argument_texts)})"
    if isinstance(root, list):
        return f"{target}({', '.join([show(root), *argument_texts])})"
    return f"{show(root)}.{target}({', '.join(argument_texts)})"


def _show(value: Any, seen: dict[int, int]) -> str:
    if type(value) in NOT_COMPARED:
        return f"<{type(value).__name__}>"
    inside = held_dict(value)
    if isinstance(value, Token) or not (isinstance(value, CONTAINERS) or inside is not None):
        try:
            # A default repr holds an address; type names do not.
            return repr(value) if type(value).__repr__ is not object.__repr__ else f"<{type(value).__name__}>"
        except Exception:
            inside = held_fields(value)  # no message may fail
    if id(value) in seen:
        return f"<{type(value).__name__} {seen[id(value)]}>"
    seen[id(value)] = len(seen) + 1
    held = _show_held(value, seen) if isinstance(value, CONTAINERS) else ""
    if type(value) in (list, tuple, dict, set):
        return held
    fields = [f"{name}={_show(item, seen)}" for name, item in (inside or {}).items()]
    return f"{type(value).__name__}({', '.join([held] * bool(held) + fields)})"


def _show_held(value: Any, seen: dict[int, int]) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_show(key, seen)}: {_show(item, seen)}' for key, item in value.items())}}}"
    if isinstance(value, (set, frozenset)):
        return f"{{{', '.join(sorted(_show(item, seen) for item in value))}}}" if value else "set()"
    inner = ", ".join(_show(item, seen) for item in value)
    return f"({inner}{',' * (len(value) == 1)})" if isinstance(value, tuple) else f"[{inner}]"


_LONGEST_NAME = 200
_qualified_name = vars(type)["__qualname__"].__get__


def exception_name(error: BaseException) -> str:
    """Return the name of an exception's class, past that class's own attributes; of a very long one, the beginning."""
    name: str = _qualified_name(type(error))[:_LONGEST_NAME]
    return name if name.isascii() else name.encode(errors="backslashreplace").decode()
