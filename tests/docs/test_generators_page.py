"""The pages that compare generators, ours and foreign ones, show the numbers that are frozen, and nothing else."""

import csv

import pytest
from support.documents import ROOT
from support.frozen_matrices import check_orders

from harness import api
from harness.analysis.percent import percent_text
from harness.model.outcome import OracleName, ScorePolicy
from harness.model.pytest_suite import OWN_ASSERTIONS
from harness.papers.jtestcraft2010.run import JtestcraftInputs, paper_inputs

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


SIZES = ("3", "10", "30", "100")


def foreign_rows(oracle: str) -> list[dict[str, str]]:
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
    expected = foreign_rows(oracle)
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in page[first : first + len(expected)]]
    assert table == [
        [row["suite"], row["seed"], row["tests"], row["cpu_seconds"]]
        + [row[f"killed_by_{size}"] or "-" for size in SIZES]
        + [row["killed"]]
        for row in expected
    ]
    assert not page[first + len(expected)]


def test_orders_and_scores_of_foreign_generators_are_those_of_the_stored_matrices():
    page = (ROOT / "docs/foreign_generators.md").read_text()
    check_orders("foreign_generators", "search_tree 3", page, 8)


def test_the_sentences_below_the_tables_are_so():
    states, public, tests = (
        foreign_rows(OracleName.DIFFERENTIAL.value),
        foreign_rows(OracleName.PUBLIC.value),
        foreign_rows(OWN_ASSERTIONS),
    )
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
