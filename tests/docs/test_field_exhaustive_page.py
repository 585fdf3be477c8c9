"""The page on field-exhaustive suites shows what options save and lose in the frozen run, and says nothing else."""

import pytest
from support.documents import ROOT

from harness import api
from harness.papers.field_exhaustive2016.run import NAME, SUBJECTS

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
