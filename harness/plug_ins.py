"""Plug-ins of other packages, found by their entry points."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def plug_ins(group: str) -> dict[str, EntryPoint]:
    """Return the installed entry points of a group, by name."""
    from importlib.metadata import entry_points  # reads much of the standard library

    return {entry.name: entry for entry in entry_points(group=group)}


def names_with_plug_ins(built_in: Sequence[str], group: str) -> list[str]:
    """Return the built-in names, then those of plug-ins in alphabetical order."""
    return [*built_in, *sorted(set(plug_ins(group)) - set(built_in))]


def load_plug_in(entry: EntryPoint, kind: str, use: Callable[[Any], Any] = lambda loaded: loaded) -> Any:
    """Load a plug-in and return what `use` makes of it.

    Args:
        kind: what the plug-in is, such as `generator`, for the message.

    Raises:
        UsageError: loading or `use` raised an exception.
    """
    try:
        return use(entry.load())
    except Exception as error:
        raise UsageError(
            f"{kind} {entry.name!r} ({entry.value}) cannot be loaded: {type(error).__name__}: {error}; repair or "
            "uninstall its package"
        ) from error


def package_paths(module: str) -> list[Path]:
    """Return the folders of the top-level package that an imported module is in, or the file of a module in none."""
    top = sys.modules[module.partition(".")[0]]
    return [Path(path) for path in getattr(top, "__path__", [top.__file__]) if path is not None]
