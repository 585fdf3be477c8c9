"""The page on foreign generators shows the numbers that are frozen, by oracle, and what it says of them is so."""

import csv

import pytest
from support.documents import ROOT
from support.frozen_matrices import check_orders

from harness.model.outcome import OracleName
from harness.model.pytest_suite import OWN_ASSERTIONS

SIZES = ("3", "10", "30", "100")


def rows(oracle: str) -> list[dict[str, str]]:
    with (ROOT / "results/frozen/foreign_generators/suites.csv").open(newline="") as file:
        return [row for row in csv.DictReader(file) if row["oracle"] == oracle]


@pytest.mark.parametrize(
    ("heading", "oracle"),
    [
        ("### Inputs, with a look into states", OracleName.DIFFERENTIAL.value),
        ("### Inputs, by public results", OracleName.PUBLIC.value),
        ("### Tests, by their own assertions", OWN_ASSERTIONS),
    ],
)
def test_each_table_has_the_frozen_suites_that_one_oracle_judged(heading, oracle):
    page = (ROOT / "docs/foreign_generators.md").read_text().splitlines()
    start = page.index(heading)
    first = next(number for number, line in enumerate(page) if number > start and line.startswith("| suite")) + 2
    expected = rows(oracle)
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in page[first : first + len(expected)]]
    assert table == [
        [row["suite"], row["seed"], row["tests"], row["cpu_seconds"]]
        + [row[f"killed_by_{size}"] or "-" for size in SIZES]
        + [row["killed"]]
        for row in expected
    ]
    assert not page[first + len(expected)]


def test_orders_and_scores_by_both_rules_are_those_of_the_stored_matrices():
    page = (ROOT / "docs/foreign_generators.md").read_text()
    check_orders("foreign_generators", "search_tree 3", page, 8)


def test_the_sentences_below_the_tables_are_so():
    states, public, tests = rows(OracleName.DIFFERENTIAL.value), rows(OracleName.PUBLIC.value), rows(OWN_ASSERTIONS)
    machines = [row for row in states if row["suite"].startswith("hypothesis-stateful")]
    other_rows = [row for row in states if row not in machines]
    assert {row["killed"] for row in states} == {"72.7"}
    for size in ("3", "10", "30"):
        column = f"killed_by_{size}"
        assert max(float(row[column]) for row in other_rows) < min(float(row[column]) for row in machines)
    assert [row["killed"] for row in public if row["suite"].startswith("korat")] == ["31.6"]
    assert min(float(row["killed"]) for row in public) == 31.6
    pynguin = [row for row in tests if row["suite"] == "pynguin"]
    sequences = [row for row in tests if "scope" in row["suite"]]
    assert {row["suite"] for row in tests} - {row["suite"] for row in sequences} == {
        "hypothesis-write",
        "crosshair",
        "pynguin",
    }
    best = max(float(row["killed"]) for row in pynguin)
    assert best == 53.0
    assert min(float(row["killed_by_10"]) for row in sequences) > best
    assert {round(float(row["cpu_seconds"])) for row in pynguin} == {20, 23}
    assert {row["tests"] for row in pynguin} == {"11", "13"}
    assert {row["mutants"] for row in states + public + tests} == {"253"}
