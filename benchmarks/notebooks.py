"""Executes the notebooks on the frozen runs, and stores their outputs in them.

    python -m benchmarks.notebooks [NAME ...]      # six minutes of one core for all

A test compares the stored texts with those of today's code, and counts the figures.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from harness.resources import shipped

FOLDER = Path(__file__).parents[1] / "notebooks"
_RUNS = {"figure9": "exhaustive2003", "hypotheses": "exhaustive2003"}
"""The frozen runs of the notebooks that have another name than theirs."""
_SECONDS = 600


def executed(name: str) -> Any:
    """Return a notebook as it is after execution on a frozen run, without times and addresses of objects."""
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    run = shipped("results/frozen") / _RUNS.get(name, name)
    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        NotebookClient(notebook, timeout=_SECONDS, kernel_name="python3", resources=resources).execute(
            env={**os.environ, "MUTASCOPE_RUN": str(run)}
        )
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in (one for one in cell.get("outputs", []) if "data" in one):
            data = output["data"]
            data["text/plain"] = re.sub(" at 0x[0-9a-f]+", "", data["text/plain"])
    return notebook


def main(names: list[str]) -> None:
    """Execute the notebooks of these names, or all, and write them."""
    for name in names or sorted(path.stem for path in FOLDER.glob("*.ipynb")):
        nbformat.write(executed(name), FOLDER / f"{name}.ipynb")  # type: ignore[no-untyped-call]
        print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
