"""The figures of feasibility and of random selections show the run's numbers."""

from pathlib import Path

import pytest
from support.run_samples import frames_of_rows, growing_run, result_rows, trial_row

from harness.papers.exhaustive2003 import PaperInputs
from harness.papers.exhaustive2003.figures import draw_feasibility, draw_randomness

PUBLISHED = Path(__file__).parents[2] / "results" / "published"


@pytest.fixture
def dataset():
    return PaperInputs(growing_run({"heapq": "heapq", "search_tree": "SearchTree"}, range(1, 5)), PUBLISHED)


def lines(figure, title):
    axes = next(axes for axes in figure.axes if axes.get_title() == title)
    return {line.get_label(): line.get_xydata().tolist() for line in axes.get_lines()}


def test_seconds_of_nothing_stand_at_the_foot_of_the_logarithmic_axis(dataset):
    dataset.frames.timings.loc[dataset.frames.timings["what"] == "baseline", "seconds"] = 0.0
    drawn = lines(draw_feasibility(dataset), "heapq")
    assert [seconds for _, seconds in drawn["generation"]] == [pytest.approx(0.003 * 4**scope) for scope in range(1, 5)]
    assert [seconds for _, seconds in drawn["checking"]] == [0.001] * 4


def test_random_selections_stand_between_the_exhaustive_suites():
    common = {"trial": "heapq-3", "size": 9, "killed_before": 5, "expected": 6.5}
    samples = [common | {"seed": n, "killed": 6 + n % 2} for n in range(9)]
    dataset = PaperInputs(
        frames_of_rows([trial_row("heapq", "heapq", 3)], result_rows("heapq-3", 8, 2), samples=samples), PUBLISHED
    )
    drawn = lines(draw_randomness(dataset), "heapq")
    assert drawn["all inputs of the scope"] == [[3, 80]]
    assert drawn["all inputs of the scope before"] == [[3, 50]]
