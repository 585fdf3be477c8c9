"""Table 3 from made-up selections: means, spread and signs; rows that were not run say so."""

import dataclasses
from pathlib import Path
from statistics import stdev

import pytest
from support.run_samples import frames_of_rows, result_rows, trial_row

from harness.papers.exhaustive2003 import TABLES, PaperInputs
from harness.tables.cell import Missing

PUBLISHED = Path(__file__).parents[2] / "results" / "published"


def selections(trial, before, expected, killed):
    common = {"trial": trial, "size": 30, "killed_before": before, "expected": expected}
    return [common | {"seed": seed, "killed": number} for seed, number in enumerate(killed)]


@pytest.fixture
def dataset():
    trials = [trial_row("search_tree", "SearchTree", s) for s in (6, 7)] + [trial_row("heapq", "heapq", 4)]
    results = [*result_rows("search_tree-7", 30, 10), *result_rows("heapq-4", 8, 2)]
    samples = [*selections("search_tree-7", 28, 27.9, [27, 26, 28, 27, 29, 27, 27, 27])]
    samples += selections("heapq-4", 5, 7.99, [8] * 9)
    return PaperInputs(frames_of_rows(trials, results, samples=samples), PUBLISHED)


def cells(table, *labels):
    row = next(row for row in table.rows if row.labels == labels)
    return {column.name: cell for column, cell in zip(table.columns, row.cells, strict=True)}


def test_the_score_is_the_expected_one_and_the_spread_that_of_all_seeds(dataset):
    row = cells(TABLES["table3"](dataset), "SearchTree", "7")
    killed = [27, 26, 28, 27, 29, 27, 27, 27]
    assert float(row["random killed [%]"].measured) == pytest.approx(27.9 / 40)
    assert row["random killed [%]"].published_text == "99.26"
    assert row["sd [points]"].measured == pytest.approx(100 * stdev(k / 40 for k in killed))
    assert [row[f"{which} [%]"].measured * 40 for which in ("least", "most")] == [26, 29]
    assert row["seeds"].measured == 8
    assert row["selected inputs"].measured == 30


def test_signs_are_decided_by_the_expected_score_from_a_least_difference_on(dataset):
    table = TABLES["table3"](dataset)
    tree, heap = cells(table, "SearchTree", "7"), cells(table, "heapq", "4")
    assert tree["than scope-1: worse/equal/better"].measured == "6/1/1"
    assert tree["versus scope-1"].measured == "="  # 0.1 of 40 mutants are 0.25 points, less than 0.36
    assert tree["versus scope"].measured == "<"
    assert tree["versus scope"].published_text == "="
    assert heap["versus scope-1"].measured == ">"
    assert heap["versus scope"].measured == "="
    assert not heap["versus scope"].published_text


def test_a_benchmark_without_a_matrix_says_so(dataset):
    row = cells(TABLES["table3"](dataset), "AVTree", "5")
    assert all(isinstance(cell.measured, Missing) for cell in row.values())
    assert row["versus scope-1"].measured.reason.startswith("not run: scope 5")
    assert row["versus scope-1"].published_text == ">"


def test_selections_of_a_trial_that_is_not_shown_are_left_out(dataset):
    samples = dataset.frames.samples.assign(trial=dataset.frames.samples["trial"].replace("heapq-4", "an older one"))
    table = TABLES["table3"](dataclasses.replace(dataset, frames=dataclasses.replace(dataset.frames, samples=samples)))
    assert ("heapq", "4") not in {row.labels for row in table.rows}
    assert not isinstance(cells(table, "SearchTree", "7")["seeds"].measured, Missing)
