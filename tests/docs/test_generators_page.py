"""The page that compares generators side by side shows the numbers of its frozen run, and nothing else."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from harness import api
from harness.analysis.percent import percent_text
from harness.model.score import ScorePolicy
from harness.papers.jtestcraft2010.dataset import JtestcraftInputs
from harness.papers.jtestcraft2010.inputs import paper_inputs

ROOT = Path(__file__).parents[2]
FROZEN = ROOT / "results" / "frozen" / "generators_compared"
GENERATORS = ("korat", "beapi", "rostra", "random:10000")
PAGE = (ROOT / "docs" / "generators.md").read_text()
ONE_SCOPE = "## At one scope"
SOLVED = "## Sequences whose values are solved"
SUBJECTS = {"HeapArray": "heap_array", "heapq": "heapq", "SearchTree": "search_tree", "TreeMap": "tree_map"}


def rows(table: str) -> list[dict[str, str]]:
    with (FROZEN / f"{table}.csv").open() as file:
        return list(csv.DictReader(file))


def test_its_table_has_the_frozen_medians_and_intervals() -> None:
    table = [
        line
        for line in PAGE.partition(ONE_SCOPE)[0].splitlines()
        if line.startswith(tuple(f"| {name} | 1" for name in SUBJECTS))
    ]
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows("sizes"):
        if row["inputs"] != "all":
            killed = [row[f"killed [%], {what}"] for what in ("median", "from", "to")]
            cells.setdefault((row["subject"], row["inputs"]), {})[row["generator"]] = "{} ({} to {})".format(*killed)
    expected = {
        f"| {subject} | {int(inputs):,} | " + " | ".join(by[name] for name in GENERATORS) + " |"
        for (subject, inputs), by in cells.items()
    }
    assert len(table) == len(expected) == 12
    assert set(table) == expected


def test_its_table_at_one_scope_has_the_frozen_scores() -> None:
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows("one_scope"):
        median, least, most = (row[f"killed [%], {what}"] for what in ("median", "least", "most"))
        cell = median if row["suites"] == "1" else f"{median} ({least} to {most})"
        cells.setdefault((row["scope"], row["inputs"]), {})[row["generator"]] = cell
    expected = [
        f"| {scope} | {int(inputs):,} | " + " | ".join(by[name] for name in (*GENERATORS[:3], "random:1000")) + " |"
        for (scope, inputs), by in cells.items()
    ]
    section = PAGE.partition(ONE_SCOPE)[2].partition(SOLVED)[0]
    assert len(expected) == 5
    assert [line for line in section.splitlines() if line.startswith("| ")][1:] == expected


@pytest.mark.document
def test_its_table_of_solved_sequences_has_the_frozen_medians() -> None:
    inputs = paper_inputs(api.load(ROOT / "results" / "frozen" / "jtestcraft2010"), ScorePolicy.ALL_VIABLE)
    assert isinstance(inputs, JtestcraftInputs)
    scores: dict[tuple[str, int, float], dict[str, str]] = {}
    for title in inputs.classes:
        for part in inputs.of(title, "inputs"):
            if part.limit in (30, 100, 300) and part.score is not None:
                cells = scores.setdefault((title, part.suite.scope, part.limit), {})
                cells[part.suite.kind] = percent_text(part.score)
    kinds = ("korat", "beapi", "rostra", "random", "symstra", "css")
    expected = [
        f"| {title} | {scope} | {limit:g} | " + " | ".join(by.get(kind, "-") for kind in kinds) + " |"
        for (title, scope, limit), by in scores.items()
        if len(by) > 1
    ]
    assert len(expected) == 25
    section = PAGE.partition(SOLVED)[2].partition("\n## ")[0]
    assert [line for line in section.splitlines() if line.startswith("| ")][1:] == expected


def test_the_mutants_that_tell_generators_apart_are_pinned_and_counted() -> None:
    pinned = {title: {mutant.id for mutant in api.mutants(name)} for title, name in SUBJECTS.items()}
    for row in rows("pairs"):
        assert int(row["killed"]) < int(row["mutants"]) <= len(pinned[row["subject"]])
    mutants = rows("mutants")
    assert [row["mutant"] for row in mutants if row["mutant"] not in pinned[row["subject"]]] == []
    assert len(mutants) == 11
