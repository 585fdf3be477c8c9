"""The page on foreign generators shows the numbers that are frozen, by oracle, and what it says of them is so."""

from __future__ import annotations

import csv

import pytest
from support.documents import ROOT

from harness.model.outcome import OracleName
from harness.model.own_suite import OWN_ASSERTIONS

SIZES = ("3", "10", "30", "100")


def rows(oracle: str) -> list[dict[str, str]]:
    with (ROOT / "results/frozen/foreign_generators/suites.csv").open(newline="") as file:
        return [row for row in csv.DictReader(file) if row["oracle"] == oracle]


@pytest.mark.parametrize(
    ("heading", "oracle"),
    [
        ("### Inputs, under one oracle", OracleName.DIFFERENTIAL.value),
        ("### Tests, by their own assertions", OWN_ASSERTIONS),
    ],
)
def test_each_table_has_the_frozen_suites_that_one_oracle_judged(heading: str, oracle: str) -> None:
    page = (ROOT / "docs/foreign_generators.md").read_text().splitlines()
    start = page.index(heading)
    first = next(number for number, line in enumerate(page) if number > start and line.startswith("| suite")) + 2
    expected = rows(oracle)
    shown = [[cell.strip() for cell in line.strip("|").split("|")] for line in page[first : first + len(expected)]]
    assert shown == [
        [row["suite"], row["seed"], row["tests"], row["cpu_seconds"]]
        + [row[f"killed_by_{size}"] or "-" for size in SIZES]
        + [row["killed"]]
        for row in expected
    ]
    assert not page[first + len(expected)]


def test_the_sentences_below_the_tables_are_so() -> None:
    inputs, tests = rows(OracleName.DIFFERENTIAL.value), rows(OWN_ASSERTIONS)
    assert {row["suite"] for row in tests} == {"hypothesis-write", "crosshair", "pynguin"}
    machines = [row for row in inputs if row["suite"].startswith("hypothesis-stateful")]
    others = [row for row in inputs if row not in machines]
    assert all(float(row["cpu_seconds"]) <= 1 for row in others)
    assert len({row["killed"] for row in inputs}) == 1
    for size in ("3", "10"):
        column = f"killed_by_{size}"
        assert max(float(row[column]) for row in others) < min(float(row[column]) for row in machines)
    assert {row["mutants"] for row in inputs + tests} == {"161"}
