"""The folders of runs."""

from __future__ import annotations

from pathlib import Path

from harness import resources
from harness.errors import UsageError


def run_folder(paper: str | None, folder: Path | str | None, by: str = "--from DIR") -> Path:
    """Return the folder of a run: the one that is given, else that of the paper's own run, else of its frozen one.

    Raises:
        StoreError: there is no such folder.
        UsageError: nothing is given, or the paper has no run; `by` says how to name one.
    """
    from harness.runner.run import existing_folder

    if folder is not None:
        return existing_folder(Path(folder))
    if paper is None:
        raise UsageError("give a paper, or the folder of a run")
    own, frozen = Path("results") / paper, resources.shipped("results/frozen") / paper
    for candidate in (own, frozen):
        if candidate.is_dir():
            return candidate
    raise UsageError(f"no run in {own}; make one (mutascope run {paper}) or name a run's folder ({by})")
