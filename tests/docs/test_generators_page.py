"""The pages on generators, ours and foreign ones, and on field-exhaustive suites show the numbers that are frozen."""

import csv
import re
from fractions import Fraction
from itertools import pairwise
from math import comb
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.documents import ROOT

from harness import api
from harness.analysis.compared import Basis, Budget, ComparedSuite, Rule, SubSuites, kills_of, sub_suites
from harness.analysis.kill_matrix import KillMatrix
from harness.analysis.percent import percent_text
from harness.model.outcome import OracleName, ScorePolicy
from harness.model.pytest_suite import OWN_ASSERTIONS
from harness.papers.field_exhaustive2016.run import NAME, SUBJECTS
from harness.papers.jtestcraft2010.run import JtestcraftInputs, paper_inputs
from harness.store import KillRow


class FrozenMatrices:
    """The matrices of a frozen comparison: by subject, scope, generator and seed the kills, and the calls of inputs."""

    def __init__(self, folder: str) -> None:
        self._arrays = np.load(ROOT / "results" / "frozen" / folder / "matrices.npz")

    def _suites(self, subject: str, generator: str) -> list[tuple[Any, Any]]:
        """The packed kills, a row for each mutant, and the calls of the inputs of each suite."""
        keys = [key for key in self._arrays if key.startswith(f"{subject} {generator} ") and key.endswith("kills")]
        return [(self._arrays[key], self._arrays[key.replace("kills", "calls")]) for key in keys]

    def naive(self, subject: str, generator: str, budget: str, rule: str) -> Fraction:
        """The expected share of the mutants that a sub-suite kills, over draws and suites."""
        limit, basis = int(budget.split()[0]), budget.split()[1]
        shares = []
        for bits, calls in self._suites(subject, generator):
            inputs, spent = len(calls), [int(number) for number in calls]
            kills = np.unpackbits(bits, axis=1, count=inputs, bitorder="little").tolist()
            if basis == "inputs":
                size = limit
            elif rule == "first":
                size = max(n for n in range(inputs + 1) if sum(spent[:n]) <= limit)
            else:
                size = limit * inputs // sum(spent)
            if rule == "first":
                shares += [Fraction(any(row[:size]), len(kills)) for row in kills]
            else:
                missed = [Fraction(comb(inputs - sum(row), size), comb(inputs, size)) for row in kills]
                shares += [(1 - chance) / len(kills) for chance in missed]
        return sum(shares, Fraction()) / len(self._suites(subject, generator))

    def cell(self, subject: str, generator: str, budget: str, rule: str) -> str:
        """The expected score in percent and the interval that 90 % of the sub-suites lie in, as `compare` has them."""
        suites = []
        for number, (bits, calls) in enumerate(self._suites(subject, generator)):
            rows = [KillRow(str(at), len(calls), row.tobytes()) for at, row in enumerate(bits)]
            trial: Any = SimpleNamespace(inputs=len(calls), key=str(number))
            suites.append(ComparedSuite(trial, KillMatrix(rows, len(calls)), calls=calls.astype(np.int64)))
        limit, basis = budget.split()
        chosen = sub_suites(suites, Budget(Basis(basis), Fraction(limit)), Rule(rule))
        if not isinstance(chosen, SubSuites):
            return "-"
        worth = chosen.worth(kills_of, np.ones(len(self._suites(subject, generator)[0][0]), dtype=np.bool_))
        expected, low, high = map(percent_text, worth)
        return expected if low == high == expected else f"{expected} ({low} to {high})"


ORDER = re.compile(r"^\* (\d+ (?:inputs|calls)), (drawn|first): (.* > .*)\.$", re.MULTILINE)
TABLE = re.compile(r"^\| budget \| rule \| (.*) \|\n.*\n((?:\|.*\n)+)", re.MULTILINE)


def check_orders(folder: str, subject: str, text: str, number: int) -> None:
    """Compare the table and the orders of a text, of which there are so many, with the matrices of a subject."""
    matrices = FrozenMatrices(folder)
    orders = ORDER.findall(text)
    assert len(orders) == number
    for budget, rule, order in orders:
        groups = [
            {matrices.naive(subject, name, budget, rule) for name in names.split(" = ")} for names in order.split(" > ")
        ]
        assert all(len(group) == 1 for group in groups), (budget, rule, groups)
        assert all(max(before) > max(after) for before, after in pairwise(groups)), (budget, rule, groups)
    ((names, rows),) = TABLE.findall(text)
    for row in rows.splitlines():
        budget, rule, *cells = row.strip("| ").split(" | ")
        assert cells == [matrices.cell(subject, name, budget, rule) for name in names.split(" | ")]
        for name, cell in zip(names.split(" | "), cells, strict=True):
            assert cell == "-" or cell.split()[0] == percent_text(matrices.naive(subject, name, budget, rule))


FROZEN = ROOT / "results" / "frozen" / "generators_compared"
PAGE = (ROOT / "docs" / "generators.md").read_text()
ONE_SCOPE = "## HeapArray at one scope"
SOLVED = "## Sequences whose values are solved"
TABULATED = {"HeapArray": "heap_array", "heapq": "heapq", "SearchTree": "search_tree", "TreeMap": "tree_map"}


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
    pinned = {title: {mutant.id for mutant in api.mutants(name)} for title, name in TABULATED.items()}
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


HEADING = "| subject | no option |"
PLAIN = "(none)"
MUTANTS = {"field_tree_set": 337, "field_binomial_heap": 243}


@pytest.fixture(scope="module")
def frozen():
    """Return the table's rows by subject and option."""
    rows = api.tables(NAME, ROOT / "results/frozen" / NAME, "options")["options"].records()
    assert {row["scope"] for row in rows} == {"8"}
    return {(SUBJECTS[row["subject"]], row["options"]): row for row in rows}


def test_the_table_of_options_is_that_of_the_frozen_run(frozen):
    page = (ROOT / "docs/field_exhaustive.md").read_text().splitlines()
    first = next(number for number, line in enumerate(page) if line.startswith(HEADING))
    options = [PLAIN, *(cell.strip(" `") for cell in page[first].strip("|").split("|")[2:])]
    assert {(subject, option) for subject in SUBJECTS.values() for option in options} == frozen.keys()
    table = page[first + 2 : first + 2 + len(SUBJECTS)]
    assert table == [
        f"| `{subject}` | {' | '.join(cell(frozen[subject, option]) for option in options)} |"
        for subject in SUBJECTS.values()
    ]


def cell(row: dict[str, float]) -> str:
    lost = round(row["score lost [points]"], 2)
    return f"{row['structures']} ({lost:.2f})" if lost else str(row["structures"])


def test_the_sentences_below_the_table_are_so(frozen):
    states = {key: row["structures"] for key, row in frozen.items()}
    lost = {key: round(row["score lost [points]"], 2) for key, row in frozen.items()}
    shares = {option: [states[s, option] / states[s, PLAIN] for s in SUBJECTS.values()] for _, option in frozen}
    saved = [1 - 1 / more for more in shares["prefer=nothing"]]
    assert (round(min(saved), 1), round(max(saved), 1)) == (0.3, 0.5)
    assert [round(100 * share(shares["reduce=minimal"])) for share in (min, max)] == [40, 90]
    assert [round(100 * (1 - share(shares["part=90"]))) for share in (max, min)] == [13, 34]
    for subject in SUBJECTS.values():
        assert states[subject, "reduce=irredundant"] - states[subject, "reduce=minimal"] in (0, 1)
        assert lost[subject, "reduce=irredundant"] == lost[subject, "reduce=minimal"] == 0
        assert (lost[subject, "part=90"] == 0) == (subject != "field_tree_set")
    fewer = {key: points * MUTANTS[key[0]] / 100 for key, points in lost.items() if key[0] in MUTANTS}
    claims = [("prefer=nothing", 1), ("part=90", 7), ("solver=minisat22", 2)]
    assert [round(fewer["field_tree_set", option]) for option, _ in claims] == [count for _, count in claims]
    assert round(fewer["field_binomial_heap", "solver=minisat22"]) == -3
    smaller = [s for s in SUBJECTS.values() if states[s, "solver=minisat22"] < states[s, PLAIN]]
    assert smaller == ["field_search_tree", "field_binomial_heap"]
