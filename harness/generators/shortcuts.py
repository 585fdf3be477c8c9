"""Makes results again without a shortcut that has proved wrong for a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True)
class Shortcuts:
    """The shortcuts that a run of a generator may take; the results are the same without them, but come later.

    Attributes:
        compiled: whether the compiled engine may search for states.
        concrete: numbers of routines whose arguments must not be symbolic, each with the reason.
    """

    compiled: bool = True
    concrete: Mapping[int, str] = field(default_factory=dict)


class WrongShortcut(Exception):
    """A shortcut is wrong for the program: the results of the run must be dropped, and made again without it."""

    def remaining(self, shortcuts: Shortcuts) -> Shortcuts:
        """Return the shortcuts that the next run may take."""
        raise NotImplementedError


def make_without_wrong_shortcuts(
    make: Callable[[Shortcuts], Result], drop: Callable[[WrongShortcut], object], shortcuts: Shortcuts
) -> Result:
    """Make results, again and again until no shortcut proves wrong.

    Args:
        make: makes the results with the shortcuts that are left.
        drop: called with the reason each time that results are dropped, before they are made again.
        shortcuts: the shortcuts of the first run.

    Raises:
        WrongShortcut: a run fails because of a shortcut that it did not take.
    """
    while True:
        try:
            return make(shortcuts)
        except WrongShortcut as reason:
            remaining = reason.remaining(shortcuts)
            if remaining == shortcuts:
                raise
            drop(reason)
            shortcuts = remaining
