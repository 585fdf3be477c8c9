"""Notebooks run from a clean state on a small run, and draw what they say; committed without outputs."""

from __future__ import annotations

import base64
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from harness import api, resources
from harness.model.experiment import ExecutionMode, Experiment, Trial

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
PNG = b"\x89PNG"


@pytest.fixture(scope="module")
def small_run(tmp_path_factory):
    """SearchTree at two scopes with a sample of its mutants, as a full kill matrix."""
    folder = tmp_path_factory.mktemp("notebooks")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        api.pin("search_tree", 20)
        return api.run(api.subject_experiment("search_tree", "korat", [1, 2], matrix=True), folder / "run", jobs=2)


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


@pytest.mark.document
@pytest.mark.parametrize(
    ("name", "figures", "told"),
    [
        ("figure9", 2, ["Table 4: all scopes"]),
        ("hypotheses", 4, ["NOT DECIDABLE", "Equivalence"]),
    ],
)
def test_a_notebook_runs_and_draws(name, figures, told, small_run, monkeypatch, tmp_path):
    monkeypatch.setenv("MUTASCOPE_RUN", str(small_run))
    path = next(path for path in NOTEBOOKS if path.stem == name)
    notebook = executed(path, tmp_path)
    drawn = [base64.b64decode(image) for image in outputs(notebook, "image/png")]
    assert len(drawn) == figures
    assert all(image.startswith(PNG) and len(image) > 5000 for image in drawn)
    text = "".join(outputs(notebook, "text/html"))
    assert all(part in text for part in told)


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """Trees by Korat and by BEAPI, with and without builders, at scope 3; no mutant is run."""
    ways = ("korat", "beapi", "beapi-sm", "beapi-bld")
    trials = tuple(Trial("parent_tree", way, 3) for way in ways)
    folder = tmp_path_factory.mktemp("generated") / "run"
    return api.run(Experiment("generated", trials, ExecutionMode.GENERATE), folder, jobs=1)


@pytest.mark.document
def test_the_notebook_of_beapi_sets_generation_beside_the_printed_tables(generated, monkeypatch, tmp_path):
    monkeypatch.setenv("MUTASCOPE_RUN", str(generated))
    notebook = executed(next(path for path in NOTEBOOKS if path.stem == "beapi2023"), tmp_path)
    drawn = [base64.b64decode(image) for image in outputs(notebook, "image/png")]
    assert len(drawn) == 2
    assert all(image.startswith(PNG) and len(image) > 5000 for image in drawn)
    text = "".join(outputs(notebook, "text/html"))
    assert "BEAPI as printed" in text
    assert "SM/BLD" in text
    printed = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []))
    assert "of rep_ok alone" in printed


@pytest.mark.document
def test_the_notebook_of_criteria_sets_live_mutants_beside_the_printed_ones(monkeypatch, tmp_path):
    monkeypatch.setenv("MUTASCOPE_RUN", str(resources.shipped("results/frozen") / "criteria_pruning2011"))
    notebook = executed(next(path for path in NOTEBOOKS if path.stem == "criteria_pruning2011"), tmp_path)
    drawn = [base64.b64decode(image) for image in outputs(notebook, "image/png")]
    assert len(drawn) == 3
    assert all(image.startswith(PNG) and len(image) > 5000 for image in drawn)
    text = "".join(outputs(notebook, "text/html"))
    assert all(part in text for part in ("Live mutants", "in between", "Criteria at the same number of inputs"))


@pytest.mark.document
def test_the_notebook_of_fields_sets_suites_beside_the_printed_ones(monkeypatch, tmp_path):
    monkeypatch.setenv("MUTASCOPE_RUN", str(resources.shipped("results/frozen") / "field_exhaustive2016"))
    notebook = executed(next(path for path in NOTEBOOKS if path.stem == "field_exhaustive2016"), tmp_path)
    drawn = [base64.b64decode(image) for image in outputs(notebook, "image/png")]
    assert len(drawn) == 3
    assert all(image.startswith(PNG) and len(image) > 5000 for image in drawn)
    text = "".join(outputs(notebook, "text/html"))
    assert all(
        part in text
        for part in (
            "sum of extensions",
            "Theorem 2",
            "random suites",
            "What the postcondition oracle",
            "reduce=minimal",
        )
    )


@pytest.mark.document
def test_the_notebook_of_sequences_sets_generators_beside_the_printed_tables(monkeypatch, tmp_path):
    monkeypatch.setenv("MUTASCOPE_RUN", str(resources.shipped("results/frozen") / "jtestcraft2010"))
    notebook = executed(next(path for path in NOTEBOOKS if path.stem == "jtestcraft2010"), tmp_path)
    drawn = [base64.b64decode(image) for image in outputs(notebook, "image/png")]
    assert len(drawn) == 3
    assert all(image.startswith(PNG) and len(image) > 5000 for image in drawn)
    text = "".join(outputs(notebook, "text/html"))
    assert all(part in text for part in ("88970", "Reductions of the search", "kept by selected", "NOT DECIDABLE"))


@pytest.mark.document
def test_without_any_run_a_notebook_makes_a_small_one(tmp_path, monkeypatch):
    monkeypatch.delenv("MUTASCOPE_RUN", raising=False)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    notebook = executed(next(path for path in NOTEBOOKS if path.stem == "figure9"), folder)
    assert (folder / "results" / "notebook" / "run.sqlite").is_file()
    assert len(outputs(notebook, "image/png")) == 2


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_committed_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert all(not cell.outputs and cell.execution_count is None for cell in code)


def test_all_notebooks_are_there():
    assert [path.stem for path in NOTEBOOKS] == [
        "beapi2023", "criteria_pruning2011", "field_exhaustive2016", "figure9", "hypotheses",
        "jtestcraft2010",
    ]  # fmt: skip
