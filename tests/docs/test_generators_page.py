"""The page that compares generators side by side shows the numbers of its frozen run, and nothing else."""

import csv
from pathlib import Path

import pytest
from support.frozen_matrices import check_orders

from harness import api
from harness.analysis.percent import percent_text
from harness.model.outcome import ScorePolicy
from harness.papers.jtestcraft2010.run import JtestcraftInputs, paper_inputs

ROOT = Path(__file__).parents[2]
FROZEN = ROOT / "results" / "frozen" / "generators_compared"
PAGE = (ROOT / "docs" / "generators.md").read_text()
ONE_SCOPE = "## HeapArray at one scope"
SOLVED = "## Sequences whose values are solved"
SUBJECTS = {"HeapArray": "heap_array", "heapq": "heapq", "SearchTree": "search_tree", "TreeMap": "tree_map"}


def rows(table: str) -> list[dict[str, str]]:
    with (FROZEN / f"{table}.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("subject", "start", "end", "orders"),
    [("heap_array 4", ONE_SCOPE, SOLVED, 8), ("jtc_heap_array 7", "Random sequences beside symstra", "\n## ", 8)],
)
def test_orders_and_scores_by_both_rules_are_those_of_the_stored_matrices(subject, start, end, orders):
    check_orders("generators_compared", subject, PAGE.partition(start)[2].partition(end)[0], orders)


def test_its_table_of_solved_sequences_has_the_frozen_medians():
    inputs = paper_inputs(api.load(ROOT / "results" / "frozen" / "jtestcraft2010"), ScorePolicy.ALL_VIABLE)
    assert isinstance(inputs, JtestcraftInputs)
    kinds = ("korat", "beapi", "rostra", "symstra", "css")
    scores: dict[tuple[str, int, float], dict[str, str]] = {}
    for title in inputs.classes:
        for part in inputs.of(title, "inputs"):
            if part.limit in (30, 100, 300) and part.score is not None and part.suite.kind in kinds:
                cells = scores.setdefault((title, part.suite.scope, part.limit), {})
                cells[part.suite.kind] = percent_text(part.score)
    expected = [
        f"| {title} | {scope} | {limit:g} | " + " | ".join(by.get(kind, "-") for kind in kinds) + " |"
        for (title, scope, limit), by in scores.items()
        if len(by) > 1
    ]
    assert len(expected) == 22
    section = PAGE.partition(SOLVED)[2].partition("Random sequences beside")[0]
    assert [line for line in section.splitlines() if line.startswith("| ")][1:] == expected
    of = {key: {kind: float(cell) for kind, cell in by.items()} for key, by in scores.items()}
    binomial, tree = (sorted(of[title, 4, 30], key=of[title, 4, 30].get)[::-1] for title in ("BinomialHeap", "TreeMap"))
    assert (binomial[0], tree[:2], tree[3]) == ("symstra", ["beapi", "korat"], "symstra")
    assert 8 <= of["TreeMap", 4, 30]["beapi"] - of["TreeMap", 4, 30][tree[2]] < 9
    gains = [
        by["beapi"] - by["rostra"]
        for (_, scope, _), by in of.items()
        if scope == 4 and {"beapi", "rostra"} <= by.keys()
    ]
    assert (min(gains), round(max(gains))) == (0, 13)


def test_the_mutants_that_tell_generators_apart_are_pinned_and_counted():
    pinned = {title: {mutant.id for mutant in api.mutants(name)} for title, name in SUBJECTS.items()}
    for row in rows("pairs"):
        assert int(row["killed"]) < int(row["mutants"]) <= len(pinned[row["subject"]])
    mutants = rows("mutants")
    assert [row["mutant"] for row in mutants if row["mutant"] not in pinned[row["subject"]]] == []
    assert len(mutants) == 11
