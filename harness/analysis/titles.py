"""Titles that tell subjects apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping


def titles_apart(titles: Mapping[str, str]) -> dict[str, str]:
    """Return the title of each subject, with the name of the subject behind it if another one has the same title."""
    often = Counter(titles.values())
    return {name: title if often[title] == 1 else f"{title} ({name})" for name, title in titles.items()}
