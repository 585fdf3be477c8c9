"""Titles that tell subjects apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping


def titles_apart(titles: Mapping[str, str]) -> dict[str, str]:
    """By subject, the title that it goes by; with the subject's name where another subject has the same title."""
    often = Counter(titles.values())
    return {name: title if often[title] == 1 else f"{title} ({name})" for name, title in titles.items()}
