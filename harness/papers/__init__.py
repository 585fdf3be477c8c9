"""One package for each paper, imported on demand: tables and figures of a run, beside published values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.model.outcome import ScorePolicy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from harness.tables.stored import Run
    from harness.tables.table import Table

PAPERS: Mapping[str, str] = {
    "exhaustive2003": "An Evaluation of Exhaustive Testing for Data Structures (2003)",
    "beapi2023": "Efficient Bounded Exhaustive Input Generation from Program APIs (2023)",
    "criteria_pruning2011": (
        "Incorporating Coverage Criteria in Bounded Exhaustive Black Box Test Generation of Structural Inputs (2011)"
    ),
    "field_exhaustive2016": "Field-Exhaustive Testing (2016)",
    "jtestcraft2010": "JTestCraft: Concolic Candidate Sequence Search (2010)",
}
"""Their titles by their names, which are those of their packages in `harness.papers`."""


@dataclass(frozen=True)
class Paper:
    """A paper with its tables and figures by name (`table4`, `figure9`), all made of the data that `inputs` reads from
    a run.
    """

    name: str
    title: str
    inputs: Callable[[Run, ScorePolicy], Any]
    tables: Mapping[str, Callable[[Any], Table]]
    figures: Mapping[str, Callable[[Any], Figure]]


@cache
def paper(name: str) -> Paper:
    """Return the paper of that name.

    Raises:
        UsageError: the name is unknown.
    """
    if name not in PAPERS:
        raise UsageError(f"no paper {name!r}; {suggestion(name, sorted(PAPERS))}")
    package = import_module(f"harness.papers.{name}")
    return Paper(name, PAPERS[name], package.paper_inputs, package.TABLES, package.FIGURES)


def paper_or_run(named: str | None, folder: Path | None) -> tuple[str | None, Path | None]:
    """Return a paper and the folder of a run, one of which may be None, from the named object and the given folder.

    Raises:
        UsageError: both are missing, the named object is neither a paper nor a run, or there are two folders.
    """
    if named is None:
        if folder is None:
            raise UsageError("give a paper ('mutascope list' names them), or the folder of a run")
        return None, folder
    if named in PAPERS:
        return paper(named).name, folder
    if not Path(named).exists():
        raise UsageError(f"there is no paper and no folder {named!r}; {suggestion(named, sorted(PAPERS))}")
    if folder is not None:
        raise UsageError(f"{named} is no paper, but the folder of a run, and so is {folder}; give one of them")
    return None, Path(named)
