"""The papers whose tables and figures can be regenerated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from harness.errors import UsageError
from harness.model.score import ScorePolicy
from harness.papers import beapi2023, criteria_pruning2011, exhaustive2003, field_exhaustive2016
from harness.papers.stored import StoredRun
from harness.papers.tables import ComparisonTable


@dataclass(frozen=True)
class Paper:
    """A paper with its tables and figures by name (`table4`, `figure9`), all made of what `inputs` finds in a run."""

    name: str
    title: str
    inputs: Callable[[StoredRun, ScorePolicy], Any]
    tables: Mapping[str, Callable[[Any], ComparisonTable]]
    figures: Mapping[str, Callable[[Any], Figure]]


PAPERS: Mapping[str, Paper] = {
    exhaustive2003.NAME: Paper(
        exhaustive2003.NAME,
        "An Evaluation of Exhaustive Testing for Data Structures (2003)",
        exhaustive2003.paper_inputs,
        exhaustive2003.TABLES,
        exhaustive2003.FIGURES,
    ),
    beapi2023.NAME: Paper(
        beapi2023.NAME,
        "Efficient Bounded Exhaustive Input Generation from Program APIs (2023)",
        beapi2023.paper_inputs,
        beapi2023.TABLES,
        beapi2023.FIGURES,
    ),
    criteria_pruning2011.NAME: Paper(
        criteria_pruning2011.NAME,
        "Incorporating Coverage Criteria in Bounded Exhaustive Black Box Test Generation of Structural Inputs (2011)",
        criteria_pruning2011.paper_inputs,
        criteria_pruning2011.TABLES,
        criteria_pruning2011.FIGURES,
    ),
    field_exhaustive2016.NAME: Paper(
        field_exhaustive2016.NAME,
        "Field-Exhaustive Testing (2016)",
        field_exhaustive2016.paper_inputs,
        field_exhaustive2016.TABLES,
        field_exhaustive2016.FIGURES,
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


def paper_or_run(named: str | None, folder: Path | None) -> tuple[str | None, Path | None]:
    """A paper and the folder of a run, of which one may be missing, from what was named and the folder given beside it.

    Raises:
        UsageError: neither is given, or what is named is neither, or two folders are.
    """
    if named is None:
        if folder is None:
            raise UsageError("give a paper ('mutascope list' names them), or the folder of a run")
        return None, folder
    if named in PAPERS or not Path(named).exists():
        return paper(named).name, folder
    if folder is not None:
        raise UsageError(f"{named} is no paper, but the folder of a run, and so is {folder}; give one of them")
    return None, Path(named)
