"""Mark seconds that were not measured in the run that shows them."""

from __future__ import annotations

from collections.abc import Iterable

EARLIER = "*"
"""The mark of such seconds."""


class EarlierSeconds(float):
    """Seconds that were measured when a suite was made, before this run; sums with them are such seconds, too.

    `origin` says where, how and when that was.
    """

    origin: str

    def __new__(cls, seconds: float, origin: str = "") -> EarlierSeconds:
        """Mark seconds."""
        marked = super().__new__(cls, seconds)
        marked.origin = origin
        return marked

    def __add__(self, other: float) -> EarlierSeconds:
        """Return a sum that is marked."""
        return EarlierSeconds(float(self) + float(other), self.origin)

    __radd__ = __add__


def note_on_earlier(origins: Iterable[str]) -> str:
    """Return the line that explains the mark; each origin says where, how and when some seconds were measured."""
    return f"times with this mark were measured when the suite was made: {'; '.join(origins)}"
