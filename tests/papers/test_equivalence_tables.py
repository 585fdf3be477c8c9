"""Survivors with their evidence, and scores under both policies, from made-up runs."""

import dataclasses
from fractions import Fraction
from pathlib import Path

import pytest
from support.run_samples import frames_of_rows, result_rows, trial_row

from harness.model.mutant import Equivalence, EquivalenceArgument
from harness.papers.exhaustive2003 import TABLES, PaperInputs
from harness.tables.cell import Missing

PUBLISHED = Path(__file__).parents[2] / "results" / "published"


@pytest.fixture
def dataset():
    trials = [trial_row("search_tree", "SearchTree", s) for s in (1, 2, 3)]
    results = [*result_rows("search_tree-2", 5, 5), *result_rows("search_tree-3", 7, 3)]
    for row in results[-2:]:
        row.update(executed=4, reached=9, infected=4 if row["mutant"] == "m008" else 0)
    arguments = {
        "m009": EquivalenceArgument("m009", Equivalence.PROVEN, "both\nsides agree"),
        "m008": EquivalenceArgument("m008", Equivalence.SUSPECTED, "it seems so"),
    }
    return PaperInputs(frames_of_rows(trials, results), PUBLISHED, arguments={"search_tree": arguments})


def rows(table):
    return {row.labels: dict(zip([c.name for c in table.columns], [c.measured for c in row.cells], strict=True))
            for row in table.rows}  # fmt: skip


def test_survivors_of_the_largest_scope_show_their_evidence(dataset):
    survivors = rows(TABLES["survivors"](dataset))
    assert list(survivors) == [("SearchTree", f"m00{n}") for n in (7, 8, 9)]
    proven = survivors["SearchTree", "m009"]
    assert proven["scopes run"] == "1-3"
    assert (proven["inputs"], proven["executed"], proven["reached"], proven["infected"]) == (10, 4, 9, 0)
    assert (proven["equivalence"], proven["argument"]) == ("proven", "both sides agree")
    unknown = survivors["SearchTree", "m007"]
    assert isinstance(unknown["reached"], Missing)
    assert (unknown["equivalence"], unknown["argument"]) == ("unknown", "none")


def test_scores_stand_under_both_policies(dataset):
    table = TABLES["equivalence"](dataset)
    row = rows(table)["SearchTree", "3"]
    assert row["killed / all viable mutants [%]"] == Fraction(7, 10)
    assert row["killed / viable mutants not proven equivalent [%]"] == Fraction(7, 9)
    assert [row[kind] for kind in ("survivors", "proven", "suspected", "unknown")] == [3, 1, 1, 1]
    assert isinstance(row["never infected"], Missing)
    assert table.rows[0].cells[1].published_text == "79.77"


def test_what_no_input_infects_is_counted_where_all_is_known(dataset):
    results = dataset.frames.results.fillna({"executed": 1, "reached": 1, "infected": 1})
    counted = dataclasses.replace(dataset, frames=dataclasses.replace(dataset.frames, results=results))
    row = rows(TABLES["equivalence"](counted))["SearchTree", "3"]
    assert (row["never reached"], row["never infected"]) == (0, 1)
