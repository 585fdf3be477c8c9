"""One package for each paper, imported on demand: tables and figures of a run, beside published values."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

from harness.did_you_mean import suggestion
from harness.errors import UsageError

PAPERS = ("exhaustive2003", "beapi2023", "criteria_pruning2011", "field_exhaustive2016", "jtestcraft2010")
"""The names of the papers, which are those of their packages."""


def paper(name: str) -> ModuleType:
    """Return the package of a paper: TABLES and FIGURES by name, made of what its `paper_inputs` reads of a run.

    Raises:
        UsageError: the name is unknown.
    """
    if name not in PAPERS:
        raise UsageError(f"no paper {name!r}; {suggestion(name, sorted(PAPERS))}")
    return import_module(f"harness.papers.{name}")


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
        return named, folder
    if not Path(named).exists():
        raise UsageError(f"there is no paper and no folder {named!r}; {suggestion(named, sorted(PAPERS))}")
    if folder is not None:
        raise UsageError(f"{named} is no paper, but the folder of a run, and so is {folder}; give one of them")
    return None, Path(named)
