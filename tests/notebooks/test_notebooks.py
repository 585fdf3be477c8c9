"""Notebooks run from a clean state on a small run, and show what they say; their outputs are those of today's code."""

from __future__ import annotations

import base64
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from support.own_runs import pinned_run

from benchmarks import notebooks
from harness import api
from harness.model.experiment import ExecutionMode, Experiment, Trial

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
PNG = b"\x89PNG"


@pytest.fixture(scope="module")
def small_run(tmp_path_factory):
    """SearchTree at two scopes with a sample of its mutants, as a full kill matrix."""
    return pinned_run(tmp_path_factory.mktemp("notebooks"), "search_tree", 20, scopes=[1, 2])


def executed(path, folder):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()
    return notebook


def outputs(notebook, kind):
    return [
        output["data"][kind]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if kind in output.get("data", {})
    ]


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """Trees by Korat and by BEAPI, with and without builders, at scope 3; no mutant is run."""
    ways = ("korat", "beapi", "beapi-sm", "beapi-bld")
    trials = tuple(Trial("parent_tree", way, 3) for way in ways)
    folder = tmp_path_factory.mktemp("generated") / "run"
    return api.run(Experiment("generated", trials, ExecutionMode.GENERATE), folder, jobs=1)


def drawn_figures(notebook):
    """Return how many figures a notebook shows, each of which is a picture of some size."""
    drawn = [base64.b64decode(image) for image in outputs(notebook, "image/png")]
    assert all(image.startswith(PNG) and len(image) > 5000 for image in drawn)
    return len(drawn)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "run", "figures", "phrases"),
    [
        ("figure9", "small_run", 2, ["Table 4: all scopes"]),
        ("hypotheses", "small_run", 3, ["NOT DECIDABLE", "Equivalence"]),
        ("beapi2023", "generated", 2, ["BEAPI as printed", "SM/BLD"]),
    ],
)
def test_a_notebook_runs_and_draws(name, run, figures, phrases, request, monkeypatch, tmp_path):
    monkeypatch.setenv("MUTASCOPE_RUN", str(request.getfixturevalue(run)))
    notebook = executed(next(path for path in NOTEBOOKS if path.stem == name), tmp_path)
    assert drawn_figures(notebook) == figures
    text = "".join(outputs(notebook, "text/html"))
    assert [part for part in phrases if part not in text] == []
    printed = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []))
    assert ("of rep_ok alone" in printed) == (name == "beapi2023")


@pytest.mark.slow
def test_without_any_run_a_notebook_makes_a_small_one(tmp_path, monkeypatch):
    monkeypatch.delenv("MUTASCOPE_RUN", raising=False)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    notebook = executed(next(path for path in NOTEBOOKS if path.stem == "figure9"), folder)
    assert (folder / "results" / "notebook" / "run.sqlite").is_file()
    assert len(outputs(notebook, "image/png")) == 2


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_committed_with_the_outputs_of_one_execution_without_an_error(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert drawn_figures(notebook) >= 2
    assert outputs(notebook, "text/html")
    assert {output.output_type for cell in code for output in cell.outputs} <= {"execute_result", "stream"}


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_stored_outputs_are_those_of_today(path):
    """The pixels of figures may differ by the version of a font; all texts are compared."""
    stored, today = nbformat.read(path, as_version=4), notebooks.executed(path.stem)
    assert texts(today) == texts(stored), f"python -m benchmarks.notebooks {path.stem}"
    assert drawn_figures(today) == drawn_figures(stored)


def texts(notebook):
    """Return the texts that the cells show."""
    return [
        output.get("text") or {kind: data for kind, data in output["data"].items() if kind.startswith("text/")}
        for cell in notebook.cells
        for output in cell.get("outputs", [])
    ]
