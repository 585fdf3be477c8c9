"""Tables of documents that are made of frozen runs have their numbers, and those about mutants have the pinned sets."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from math import comb, prod
from typing import Any

import pytest
from support.documents import ROOT, number, rows_of

from harness import api
from harness.analysis.frames import RunFrames
from harness.analysis.frozen import read_frozen
from harness.analysis.measures import scores
from harness.analysis.percent import percent_text
from harness.model.outcome import OracleName, ScorePolicy
from harness.papers.field_exhaustive2016.run import SUBJECTS as FIELD_SUBJECTS
from harness.papers.jtestcraft2010.run import SUBJECTS as JTC_SUBJECTS
from harness.runner.mutant_set import mutant_set
from harness.runner.subjects import load_subject

SUBJECTS, JTESTCRAFT = "docs/subjects.md", "docs/jtestcraft2010.md"


@cache
def frozen(run: str) -> RunFrames:
    return read_frozen(ROOT / "results" / "frozen" / run)


@cache
def measured_numbers(run: str, generator: str, column: str) -> dict[tuple[str, int], int]:
    """Return a count of the generator's latest trial of each subject and scope."""
    trials = frozen(run).trials
    mine = trials[trials["generator"] == generator]
    return dict(zip(zip(mine["subject"], mine["scope"], strict=True), map(int, mine[column]), strict=True))


def titles(run: str) -> dict[str, str]:
    trials = frozen(run).trials
    return dict(zip(trials["title"], trials["subject"], strict=True))


def test_inputs_of_av_tree_are_those_of_the_frozen_run():
    (row,) = (row for row in rows_of(SUBJECTS, "| inputs at scope | 1") if row[0] == "ours")
    inputs = measured_numbers("exhaustive2003", "korat", "inputs")
    assert [number(cell) for cell in row[1:]] == [inputs["av_tree", scope] for scope in range(1, 6)]


def test_explored_candidates_are_those_of_the_frozen_run():
    explored = measured_numbers("exhaustive2003", "korat", "explored")
    for row in rows_of(SUBJECTS, "| candidates explored at scope"):
        subject = titles("exhaustive2003")[row[0].partition(",")[0]]
        printed = {scope: number(cell.partition("/")[0]) for scope, cell in enumerate(row[1:], 5) if cell}
        assert printed == {scope: explored[subject, scope] for scope in printed}, subject
        assert printed


def test_candidates_by_dedicated_generators_are_those_of_the_frozen_run():
    separate = [
        "TreeMap, 8",
        "SortedList, 7",
    ]  # a larger scope, and rep_ok without preconditions: test_structure_counts
    rows = [row for row in rows_of(SUBJECTS, "| states at scope | candidates") if row[0] not in separate]
    assert len(rows) == 8
    for title, by_rep_ok, dedicated, _ in rows:
        name, scope = title.split(", ")[:2]
        key = titles("exhaustive2003")[name], int(scope)
        explored = [measured_numbers("exhaustive2003", way, "explored")[key] for way in ("korat", "korat-dedicated")]
        assert [number(by_rep_ok), number(dedicated)] == explored, title


@pytest.mark.slow
def test_lines_branching_points_and_mutants_are_those_of_table_1():
    table = api.tables("exhaustive2003", ROOT / "results" / "frozen" / "exhaustive2003", "table1")["table1"]
    cells = {row.labels[0]: [cell.measured for cell in row.cells] for row in table.rows}
    for title, lines, points, statements, _, mutants in rows_of(SUBJECTS, "| subject | lines (ours"):
        measured = cells[title]
        printed = [number(lines.partition("/")[0]), number(points), number(statements)]
        assert all(value in measured for value in printed), (title, measured)
        assert pinned(titles("exhaustive2003")[title], 2) == mutants.rpartition(" / ")[0]


def pinned(subject: str, operator_sets: int = 3) -> str:
    """The numbers of mutants that are run of the pinned sets of a subject."""
    names = ("ferastrau", "extended", "mujava")[:operator_sets]
    loaded = load_subject(subject)
    return " / ".join(str(len(mutant_set(loaded, name).mutants)) for name in names)


@pytest.mark.slow
def test_pinned_mutants_are_as_many_as_the_documents_say():
    for title, counts in rows_of(SUBJECTS, "| mutants (`ferastrau` /"):
        assert pinned(FIELD_SUBJECTS[title.partition(",")[0]]) == counts
    text = " ".join((ROOT / JTESTCRAFT).read_text().split())
    for title, subject in JTC_SUBJECTS.items():
        assert f"{title} {pinned(subject)}" in text


def heaps(size: int, values: int, at: int = 0, least: int = 0) -> int:
    """Count the fillings of an array of that size, from index `at` down, with no value below its parent's."""
    if at >= size:
        return 1
    below = (2 * at + 1, 2 * at + 2)
    return sum(prod(heaps(size, values, child, value) for child in below) for value in range(least, values))


def arrays(scope: int) -> int:
    """Binary heaps of fewer than `scope` cells, with anything in the cells behind the last element."""
    return sum(heaps(k, scope) * scope ** (c - k) for c in range(scope) for k in range(c + 1))


COUNTED = {
    "binary_heap": arrays,
    "sorted_list": lambda scope: comb(2 * scope - 2, scope - 1),
    "disj_set_checked": lambda scope: sum((n + 1) ** (n - 1) for n in range(1, scope)),
}
"""Subjects whose scopes the frozen run does not all have."""


def test_structures_by_calls_are_those_of_the_frozen_run():
    states = measured_numbers("beapi2023", "beapi", "states")
    rows = rows_of(SUBJECTS, "| subject | folder | the paper's | structures")
    assert len(rows) == 15
    for _, folder, _, counts, _ in rows:
        name = folder.strip("`")
        for scope, count in enumerate(counts.split(", "), 3):
            expected = COUNTED[name](scope) if name in COUNTED else states[name, scope]
            assert number(count) == expected, (name, scope)


def test_counts_of_field_exhaustive_subjects_are_those_of_the_frozen_run():
    rows = rows_of(SUBJECTS, "| subject, scope | inputs, here and printed")
    assert len(rows) == 11
    for label, inputs, structures, explored, _, _ in rows:
        title, scope = label.split(", ")
        subject = FIELD_SUBJECTS[title]
        one_more = subject == "field_binomial_heap"  # the state of the constructor's input
        printed = [number(inputs), number(structures) + one_more, number(explored)]
        columns = ("inputs", "states", "explored")
        assert printed == [
            measured_numbers("field_exhaustive2016", "korat", c)[subject, int(scope)] for c in columns
        ], label


def test_tests_of_rostra_are_those_of_the_frozen_run():
    inputs = measured_numbers("jtestcraft2010", "rostra", "inputs")
    for title, _, *cells in rows_of(JTESTCRAFT, "| class | calls on each state"):
        for scope, cell in enumerate(cells, 5):
            if cell:
                assert number(cell.partition(" = ")[0]) == inputs[JTC_SUBJECTS[title], scope] - 1, (title, scope)


def reached(generator: str) -> dict[tuple[str, int], tuple[int, int]]:
    """By subject and scope, the outcomes that a whole suite reaches, and those there are."""
    frames = frozen("jtestcraft2010")
    trials = frames.trials.set_index("trial")
    whole = frames.evaluated[frames.evaluated["basis"] == "whole"]
    return {
        (trials.at[row["trial"], "subject"], int(row["scope"])): (int(row["reached_median"]), int(row["outcomes"]))
        for row in whole.to_dict("records")
        if trials.at[row["trial"], "generator"] == generator
    }


def test_outcomes_that_rostra_reaches_are_those_of_the_frozen_run():
    by_rostra = reached("rostra")
    for title, _, _, outcomes, told_of_rostra, most in rows_of(JTESTCRAFT, "| class | methods | conditions"):
        subject = JTC_SUBJECTS[title]
        pairs = [
            (int(scope), int(count))
            for count, scopes in re.findall(r"(\d+) at ([\d and]+)", told_of_rostra)
            for scope in re.findall(r"\d+", scopes)
        ]
        assert pairs
        for scope, count in pairs:
            assert by_rostra[subject, scope] == (count, number(outcomes)), (title, scope)
        assert most.split()[2] == str(number(outcomes))


def test_paths_and_outcomes_of_symstra_are_those_of_the_frozen_run():
    inputs, outcomes = measured_numbers("jtestcraft2010", "symstra", "inputs"), reached("symstra")
    for title, paths, _, _, cell in rows_of("docs/symbolic.md", "| class | here: 5, 6, 7, 8 calls"):
        subject = JTC_SUBJECTS[title]
        assert [int(count) for count in paths.split(", ")] == [inputs[subject, scope] - 1 for scope in range(5, 9)]
        count, all_there_are = outcomes[subject, 6 if title == "BinSearchTree" else 8]
        assert cell.startswith(f"{count} of {all_there_are}, "), title


@pytest.mark.parametrize("oracle", ["differential", "postcondition"])
def test_scores_of_two_oracles_are_those_of_the_frozen_run(oracle):
    frames = frozen("field_exhaustive2016").under(OracleName(oracle))
    scored = scores(frames, ScorePolicy.ALL_VIABLE).set_index("trial")
    trials = frames.trials[frames.trials["generator"] == "korat"].set_index(["subject", "scope"])["trial"]
    for title, scope, mutants, *shares in rows_of("docs/experiments.md", "| subject | scope | mutants | differential"):
        score = scored.loc[trials[FIELD_SUBJECTS[title], int(scope)]]
        assert int(score["counted"]) == int(mutants)
        assert percent_text(score["score"]) == shares[oracle == "postcondition"], title


def agreement(paper: str, table: str) -> dict[str, Counter[str]]:
    """Return, by claim, how many rows of a frozen table have the same outcome as in print, another one, and none."""
    counts: dict[str, Counter[str]] = {}
    for record in api.tables(paper, table=table)[table].records():
        outcome: Mapping[str, Any] = record["outcome"]  # type: ignore[assignment]
        same = "same" if outcome["measured"] == outcome["published"] else "other"
        key = same if outcome["measured"] is not None else "none"
        counts.setdefault(str(next(iter(record.values()))), Counter())[key] += 1
    return counts


@pytest.mark.slow
def test_the_page_of_exhaustive_testing_counts_the_outcomes_of_hypotheses():
    printed = {row[0]: [*map(int, row[2:])] for row in rows_of("docs/exhaustive2003.md", "| hypothesis |")}
    table = api.tables("exhaustive2003", table="hypotheses")["hypotheses"]
    counts = {name: [0] * 4 for name in printed}  # agree, opposite, decided by one, by none
    for row in table.rows:
        sides = [row.cells[0].measured, row.cells[0].published_text]
        undecided = sides.count("NOT DECIDABLE")
        counts[row.labels[0]][1 + undecided if undecided else sides[0] != sides[1]] += 1
    assert printed == counts
    for name, numbers in printed.items():
        assert f"{name} {', '.join(map(str, numbers))}" in table.caption


@pytest.mark.slow
def test_the_page_of_beapi_counts_the_outcomes_of_claims():
    counts = agreement("beapi2023", "claims")
    assert counts["RQ3 flaws"] == {"same": 16}
    for name, _, *numbers in rows_of("docs/beapi2023.md", "| claim |"):
        assert numbers == [str(counts[name][key]) for key in ("same", "other", "none")], name
