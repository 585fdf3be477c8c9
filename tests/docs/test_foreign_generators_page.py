"""The page on foreign generators shows the numbers that are frozen, and what it says of them is so."""

from __future__ import annotations

import csv

from support.documents import ROOT

SIZES = ("3", "10", "30", "100")


def rows() -> list[dict[str, str]]:
    with (ROOT / "results/frozen/foreign_generators/suites.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_the_table_is_that_of_the_frozen_file() -> None:
    page = (ROOT / "docs/foreign_generators.md").read_text().splitlines()
    first = next(number for number, line in enumerate(page) if line.startswith("| suite | seed")) + 2
    shown = [[cell.strip() for cell in line.strip("|").split("|")] for line in page[first : first + len(rows())]]
    assert shown == [
        [row["suite"], row["seed"], row["tests"], row["cpu_seconds"]]
        + [row[f"killed_by_{size}"] or "-" for size in SIZES]
        + [row["killed"]]
        for row in rows()
    ]
    assert not page[first + len(rows())]


def test_the_sentences_below_the_table_are_so() -> None:
    tools = [row for row in rows() if row["suite"] in ("hypothesis-write", "crosshair", "pynguin")]
    machines = [row for row in rows() if row["suite"].startswith("hypothesis-stateful")]
    others = [row for row in rows() if row not in tools + machines]
    assert all(float(row["cpu_seconds"]) <= 1 for row in others)
    assert max(float(row["killed"]) for row in tools) < min(float(row["killed"]) for row in others) - 20
    for size in ("3", "10"):
        column = f"killed_by_{size}"
        least = min(float(row[column]) for row in machines)
        assert all(float(row[column] or 0) < least for row in tools + others)
    (korat,) = (row for row in rows() if row["suite"].startswith("korat"))
    (beapi,) = (row for row in rows() if row["suite"].startswith("beapi"))
    pynguin = [row for row in tools if row["suite"] == "pynguin"]
    assert all(float(row["killed_by_3"]) < float(beapi["killed_by_3"]) for row in pynguin)
    assert all(float(row["killed_by_10"] or 0) < float(beapi["killed_by_10"]) for row in pynguin)
    assert sum(float(row["killed_by_3"]) > float(korat["killed_by_3"]) for row in pynguin) == 2
    assert {row["mutants"] for row in rows()} == {"161"}
