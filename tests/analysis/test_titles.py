"""Titles distinguish subjects, and rows of one subject."""

from harness.analysis.titles import labels_apart, of_suite, row_name, short_names, titles_apart


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
