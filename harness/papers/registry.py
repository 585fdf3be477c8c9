"""The papers whose tables and figures can be regenerated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from matplotlib.figure import Figure

from harness.errors import UsageError
from harness.papers import exhaustive2003
from harness.papers.exhaustive2003 import PaperInputs
from harness.papers.tables import ComparisonTable


@dataclass(frozen=True)
class Paper:
    """A paper with its tables and figures by name (`table4`, `figure9`)."""

    name: str
    title: str
    tables: Mapping[str, Callable[[PaperInputs], ComparisonTable]]
    figures: Mapping[str, Callable[[PaperInputs], Figure]]


PAPERS: Mapping[str, Paper] = {
    exhaustive2003.NAME: Paper(
        exhaustive2003.NAME,
        "An Evaluation of Exhaustive Testing for Data Structures (2003)",
        exhaustive2003.TABLES,
        exhaustive2003.FIGURES,
    ),
}


def paper(name: str) -> Paper:
    """The paper of that name.

    Raises:
        UsageError: it is unknown.
    """
    if name not in PAPERS:
        raise UsageError(f"no paper {name!r}; there are {', '.join(sorted(PAPERS))}")
    return PAPERS[name]
