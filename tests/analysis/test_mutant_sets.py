"""Rows of one subject, and rows over different mutant sets of one target, are told apart."""

from pathlib import Path

import pytest
from support.store_samples import MUTANTS, RESULTS, trial

from harness import api
from harness.analysis.measures import scored_rows
from harness.analysis.mutant_sets import ScoredRow, check_one_set, mixed_sets
from harness.analysis.run_summary import suite_warnings, summary_rows
from harness.analysis.titles import labels_apart, of_suite, row_name, short_names, titles_apart
from harness.errors import UsageError
from harness.store import RunStore


def row(name: str, killed: dict[str, bool], operators: str = "ferastrau", source: str = "s") -> ScoredRow:
    return ScoredRow("LRU", name, operators, f"{sorted(killed)}", source, killed)


FEW = row("korat scope 1", {"a": True, "b": False})
MANY = row("korat scope 2", {"a": True, "b": True, "c": True})


def test_rows_over_one_set_are_comparable():
    assert mixed_sets([FEW, row("random scope 1", {"a": False, "b": False})]) == []
    check_one_set([FEW], "a curve")


def test_rows_over_two_sets_are_told_with_what_they_kill_of_the_common_mutants():
    (line,) = mixed_sets([FEW, MANY])
    assert line.startswith("NOT COMPARABLE: the rows of LRU (ferastrau) are over different mutant sets, of 2 (")
    assert line.endswith("; of the 2 that all have are killed: korat scope 1 1, korat scope 2 2")
    with pytest.raises(UsageError, match="a curve cannot be made: NOT COMPARABLE"):
        check_one_set([FEW, MANY], "a curve")


def test_rows_of_two_sources_have_no_common_mutants():
    (line,) = mixed_sets([FEW, row("korat scope 2", {"a": True}, source="t")])
    assert line.endswith("as its source was changed in between; run all of them again, into another folder")


def test_operator_sets_and_targets_do_not_mix():
    other = ScoredRow("Tree", "korat scope 1", "ferastrau", "another", "s", {"x": True})
    assert mixed_sets([FEW, row("korat scope 1", {"x": True}, "mujava"), other]) == []


def mixed_run(folder: Path) -> Path:
    """Two scopes, of which the second was run on one mutant less."""
    with RunStore.open(folder) as store:
        for scope, mutants in ((1, MUTANTS[:3]), (2, [one for one in MUTANTS[:3] if one.id != RESULTS[0].mutant])):
            key = store.trials.add(trial(store.mutants.add(mutants), scope))
            for result in RESULTS:
                if result.mutant in {mutant.id for mutant in mutants}:
                    store.results.add(key, result)
            store.finished.add(key)
    return folder


def test_summaries_tables_pages_and_figures_of_a_mixed_run_say_so(tmp_path):
    folder = mixed_run(tmp_path)
    (line,) = [remark for remark in suite_warnings(folder) if remark.startswith("NOT COMPARABLE")]
    assert mixed_sets(scored_rows(api.load(folder).frames)) == [line]
    assert line in api.tables(folder=folder, table="scopes")["scopes"].caption
    assert len({told["mutant_set"] for told in summary_rows(folder)}) == 2
    api.report(folder)
    assert line in (folder / "report.html").read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="a curve of scores by scope cannot be made: NOT COMPARABLE"):
        api.figures(folder=folder)


def test_subjects_of_one_title_have_their_names_behind_it():
    assert titles_apart({"a": "Tree", "b": "Tree", "c": "List"}) == {"a": "Tree (a)", "b": "Tree (b)", "c": "List"}


def test_suites_and_seeds_are_named_where_one_subject_has_several_suites_and_where_seeds_differ():
    x, made = trial_of(generator="pytest", suite="x"), trial_of(generator="korat")
    y = x | {"suite": "y"}
    assert labels_apart([x, y | {"subject": "b"}, made]) == ("generator", "scope")
    assert labels_apart([x, y, made | {"seed": 1}]) == ("generator", "suite", "scope", "seed")
    assert labels_apart([x, y], [made | {"seed": 1}]) == ("generator", "suite", "scope", "seed")


def test_rows_of_nothing_but_pytest_suites_have_no_scope():
    x = trial_of(generator="pytest", suite="x")
    assert labels_apart([x, x | {"suite": "y"}]) == ("generator", "suite")
    assert labels_apart([x, x | {"seed": 1}]) == ("generator", "seed")


def trial_of(**changes: object) -> dict[str, object]:
    same = {"subject": "a", "generator": "beapi", "suite": "", "scope": 1, "seed": 0}
    how = {"operator_set": "ferastrau", "sequences": None, "observed": None, "concrete": False}
    return {**same, **how, "mode": "matrix", "approach": "schemata", **changes}


def conditions(*trials: dict[str, object]) -> tuple[str, ...]:
    return labels_apart(trials, [{"generator": "beapi", "seed": 1}])


def test_conditions_are_labels_where_one_subject_has_trials_under_several():
    every_call, mujava = trial_of(observed="every-call"), trial_of(operator_set="mujava")
    assert conditions(trial_of(), every_call) == ("generator", "scope", "seed")  # states are not observed so
    assert conditions(trial_of(observed="end"), every_call) == ("generator", "scope", "observed", "seed")
    assert conditions(trial_of(), mujava) == ("generator", "scope", "operator_set", "seed")
    assert conditions(trial_of(), mujava | {"subject": "b"}) == ("generator", "scope", "seed")
    labels = conditions(every_call | {"concrete": True}, trial_of(observed="end"))
    assert labels == ("generator", "scope", "observed", "concrete", "seed")
    assert row_name(every_call | {"concrete": True}, labels) == "beapi scope 1 observed every-call concrete True seed 0"
    assert row_name(trial_of(), labels) == "beapi scope 1 concrete False seed 0"
    assert of_suite(labels) == ("generator", "scope", "seed")


def test_modes_are_labels_where_one_suite_has_trials_in_several():
    generated = trial_of(mode="generate")
    assert conditions(trial_of(), generated) == ("generator", "scope", "mode", "seed")
    assert conditions(trial_of(), generated | {"scope": 2}) == ("generator", "scope", "seed")


def test_a_row_is_named_by_these_labels():
    trial = {"generator": "pytest", "suite": "unit", "scope": 1, "seed": 7}
    assert row_name(trial, ("generator", "suite", "scope", "seed")) == "pytest unit scope 1 seed 7"
    assert row_name(trial | {"suite": ""}, ("generator", "suite", "scope")) == "pytest scope 1"
    calls = {"generator": "cases.jsonl:most=9", "scope": 1, "seed": 0}
    assert row_name(calls, ("generator", "scope", "seed")) == "cases.jsonl:most=9 scope 1"


def test_functions_and_files_of_calls_are_named_without_their_places_where_one_has_the_name():
    names = ["korat", "random:40,calls=9", "a/mine.py:gen:most=5", "calls/cases.jsonl", "a.py:all", "b.py:all"]
    assert list(short_names(names).values()) == [
        "korat", "random:40,calls=9", "gen:most=5", "cases.jsonl", "a.py:all", "b.py:all",
    ]  # fmt: skip
    assert short_names(["korat", "mine.py:korat"])["mine.py:korat"] == "mine.py:korat"
