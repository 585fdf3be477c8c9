"""The page that sets generators beside each other shows the numbers of its frozen run, and nothing else."""

from __future__ import annotations

import csv
from pathlib import Path

from harness import api

ROOT = Path(__file__).parents[2]
FROZEN = ROOT / "results" / "frozen" / "generators_compared"
GENERATORS = ("korat", "beapi", "rostra", "random:10000")
SUBJECTS = {"HeapArray": "heap_array", "heapq": "heapq", "SearchTree": "search_tree", "TreeMap": "tree_map"}


def rows(table: str) -> list[dict[str, str]]:
    with (FROZEN / f"{table}.csv").open() as file:
        return list(csv.DictReader(file))


def test_its_table_has_the_frozen_medians_and_intervals() -> None:
    page = (ROOT / "docs" / "generators.md").read_text()
    shown = [line for line in page.splitlines() if line.startswith(tuple(f"| {name} | 1" for name in SUBJECTS))]
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows("sizes"):
        if row["inputs"] != "all":
            killed = [row[f"killed [%], {what}"] for what in ("median", "from", "to")]
            cells.setdefault((row["subject"], row["inputs"]), {})[row["generator"]] = "{} ({} to {})".format(*killed)
    expected = {
        f"| {subject} | {int(inputs):,} | " + " | ".join(by[name] for name in GENERATORS) + " |"
        for (subject, inputs), by in cells.items()
    }
    assert len(shown) == len(expected) == 12
    assert set(shown) == expected


def test_the_mutants_that_tell_generators_apart_are_pinned_and_counted() -> None:
    pinned = {title: {mutant.id for mutant in api.mutants(name)} for title, name in SUBJECTS.items()}
    for row in rows("pairs"):
        assert int(row["killed"]) < int(row["mutants"]) <= len(pinned[row["subject"]])
    found = rows("mutants")
    assert [row["mutant"] for row in found if row["mutant"] not in pinned[row["subject"]]] == []
    assert len(found) == 11
