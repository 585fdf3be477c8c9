"""Reads the arguments in never_reached.toml why calls cannot reach some outcomes of jtestcraft2010's classes."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.analysis.outcome_matrix import OutcomeMatrix

FILE = Path(__file__).parent / "never_reached.toml"


@dataclass(frozen=True)
class Argued:
    """Outcomes of one class, as `outcome_texts` has them, and why none of them can be reached."""

    title: str
    outcomes: tuple[str, ...]
    argument: str


def argued(title: str) -> Sequence[Argued]:
    """Return the arguments on the class of that title, in the order of the file."""
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))["argued"]
    return [
        Argued(title, tuple(f"{title}.{outcome}" for outcome in one["outcomes"]), one["argument"].strip())
        for one in entries
        if one["class"] == title
    ]


def cannot_be(title: str) -> Counter[str]:
    """Return the outcomes of the class with an argument, with the number of places in its text for each."""
    return Counter(outcome for one in argued(title) for outcome in one.outcomes)


def missed(matrix: OutcomeMatrix) -> Counter[str]:
    """Return the outcomes of the class itself that no input reaches, counted like those with an argument."""
    own = (outcome for outcome in matrix.missed() if outcome.of_class)
    return Counter(f"{outcome.function}: {outcome.condition} is {outcome.value}" for outcome in own)
