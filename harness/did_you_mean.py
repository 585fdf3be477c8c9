"""Looks up objects of a package by name, and suggests a name if there is no such name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

_LIKENESS = 0.65
"""The least similarity of two names, at most 1: `nope` is not taken for `scopes` (0.6)."""
_FEW = 12
"""The largest number of names to list in a message; for more, the message names the command that lists them, if any."""


def named_in(package: str, place: str) -> Any:
    """Return what a package has at a place, such as `sat.extension:can_be_read`; its module is imported now."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"{package}.{module}"), name)


def suggestion(name: object, candidates: Iterable[str], listing: str = "") -> str:
    """Return the hint after an unknown name: `did you mean 'korat'?`, or `there are a, b`.

    A dotted name is known by its last part, too: `lft` is taken for `Node.left`.

    Args:
        listing: the command that names all, such as `mutascope list`, where there is one.
    """
    names = [str(one) for one in candidates]
    if likest := likest_name(str(name), names):
        where = f" {listing!r} names all {len(names)}" if listing and len(names) > 1 else ""
        return f"did you mean {likest!r}?{where}"
    if listing and len(names) > _FEW:
        return f"{listing!r} names all {len(names)}"
    return f"there are {', '.join(names)}" if names else "there are none"


def likest_name(name: str, candidates: Sequence[str]) -> str | None:
    """Return the candidate that is most like a name, as `suggestion` compares them; None if none is like it."""
    import difflib  # only after an error: a process that runs a mutant stays small

    short = {one.rpartition(".")[2].lower(): one for one in reversed(candidates)}
    short |= {one.lower(): one for one in candidates}
    close = difflib.get_close_matches(name.lower(), short, 1, _LIKENESS)
    close = close or difflib.get_close_matches(name.rpartition(".")[2].lower(), short, 1, _LIKENESS)
    return short[close[0]] if close else None
