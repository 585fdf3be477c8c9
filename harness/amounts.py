"""Writes amounts and lists of numbers in messages."""

from __future__ import annotations

from collections.abc import Iterable


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: `1 input`, `2,000 inputs`. The plural of the noun has an s at its end."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def ranges(numbers: Iterable[int]) -> str:
    """Return ascending numbers in short form: `0-2,5`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)
