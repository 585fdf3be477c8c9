"""Survivors with their evidence, and scores under both policies, from made-up runs."""

import dataclasses
from fractions import Fraction
from pathlib import Path

import pytest
from support.run_samples import made_up, result_rows, trial_row

from harness.errors import StoreError
from harness.model.mutant import Equivalence, EquivalenceArgument
from harness.papers.exhaustive2003 import TABLES, PaperInputs
from harness.tables.cell import Missing

PUBLISHED = Path(__file__).parents[2] / "results" / "published"


@pytest.fixture
def given():
    trials = [trial_row("search_tree", "SearchTree", s) for s in (1, 2, 3)]
    results = [*result_rows("search_tree-2", 5, 5), *result_rows("search_tree-3", 7, 3)]
    for row in results[-2:]:
        row.update(executed=4, reached=9, infected=4 if row["mutant"] == "m008" else 0)
    arguments = {
        "m009": EquivalenceArgument("m009", Equivalence.PROVEN, "both\nsides agree"),
        "m008": EquivalenceArgument("m008", Equivalence.SUSPECTED, "it seems so"),
    }
    return PaperInputs(made_up(trials, results), PUBLISHED, arguments={"search_tree": arguments})


def rows(table):
    return {row.labels: dict(zip([c.name for c in table.columns], [c.measured for c in row.cells], strict=True))
            for row in table.rows}  # fmt: skip


def test_survivors_of_the_largest_scope_show_their_evidence(given):
    found = rows(TABLES["survivors"](given))
    assert list(found) == [("SearchTree", f"m00{n}") for n in (7, 8, 9)]
    proven = found["SearchTree", "m009"]
    assert proven["scopes run"] == "1-3"
    assert (proven["inputs"], proven["executed"], proven["reached"], proven["infected"]) == (10, 4, 9, 0)
    assert (proven["equivalence"], proven["argument"]) == ("proven", "both sides agree")
    unknown = found["SearchTree", "m007"]
    assert isinstance(unknown["reached"], Missing)
    assert (unknown["equivalence"], unknown["argument"]) == ("unknown", "none")


def test_scores_stand_under_both_policies(given):
    table = TABLES["equivalence"](given)
    found = rows(table)["SearchTree", "3"]
    assert found["killed / all viable mutants [%]"] == Fraction(7, 10)
    assert found["killed / viable mutants not proven equivalent [%]"] == Fraction(7, 9)
    assert [found[kind] for kind in ("survivors", "proven", "suspected", "unknown")] == [3, 1, 1, 1]
    assert isinstance(found["never infected"], Missing)
    assert table.rows[0].cells[1].published_text == "79.77"


def test_what_no_input_infects_is_counted_where_all_is_known(given):
    known = given.frames.results.fillna({"executed": 1, "reached": 1, "infected": 1})
    counted = dataclasses.replace(given, frames=dataclasses.replace(given.frames, results=known))
    found = rows(TABLES["equivalence"](counted))["SearchTree", "3"]
    assert (found["never reached"], found["never infected"]) == (0, 1)


def test_a_killed_mutant_cannot_be_proven_equivalent(given):
    wrong = {"search_tree": {"m000": EquivalenceArgument("m000", Equivalence.PROVEN, "no")}}
    with pytest.raises(StoreError, match="m000 was killed"):
        TABLES["equivalence"](dataclasses.replace(given, arguments=wrong))
