"""The generators of a run share a panel for each subject."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest
from support.report_samples import OUTPUT, RESULTS, made_up_run

from harness import api
from harness.runs.run_figures import generators_by_inputs_figure, generators_figure
from harness.runs.run_tables import RunFacts
from harness.runs.stored_run import Run

SEEDS = (0, 1, 2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two scopes of korat, and of random with three seeds, the last of which kills one mutant less."""
    made_up_run(tmp_path)
    for seed in SEEDS:
        survived = RESULTS[-1]
        results = [*RESULTS] if seed < 2 else [type(survived)(OUTPUT.id, survived.verdict, 50, 60), *RESULTS[1:]]
        made_up_run(tmp_path, generator="random", seed=seed, inputs=50, results=results)
    return tmp_path


def test_a_panel_has_a_curve_for_each_generator_with_the_median_of_its_seeds(folder: Path) -> None:
    run = Run(folder)
    figure = generators_figure(RunFacts.of(run))
    assert figure is not None
    (axes,) = figure.axes
    scores = run.scores()
    for line in axes.get_lines():
        rows = scores[scores["generator"] == line.get_label()]
        expected = [median(rows[rows["scope"] == scope]["score_pct"]) for scope in (2, 3)]
        assert list(line.get_xdata()) == [2, 3]
        assert list(line.get_ydata()) == pytest.approx(expected)
    assert [line.get_label() for line in axes.get_lines()] == ["korat", "random"]
    assert len(axes.collections) == 1, "one band, for the generator with several seeds"


def test_scores_are_also_drawn_by_the_number_of_inputs(folder: Path) -> None:
    figure = generators_by_inputs_figure(RunFacts.of(Run(folder)))
    assert figure is not None
    assert {line.get_label(): list(line.get_xdata()) for line in figure.axes[0].get_lines()} == {
        "korat": [90, 90],
        "random": [50, 50],
    }


def test_a_run_of_one_generator_has_no_such_figure(tmp_path: Path) -> None:
    assert generators_figure(RunFacts.of(Run(made_up_run(tmp_path)))) is None


@pytest.mark.end_to_end
def test_figures_are_written_as_pdf_on_request(folder: Path, tmp_path: Path) -> None:
    paths = api.figures(folder=folder, out=tmp_path / "out", pdf=True)
    assert {path.suffix for path in paths} == {".png", ".svg", ".pdf"}
    (pdf,) = [path for path in paths if path.name == "generators.pdf"]
    assert b"/TrueType" in pdf.read_bytes() or b"/CIDFontType2" in pdf.read_bytes()
