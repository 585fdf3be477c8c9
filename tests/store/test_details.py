"""A trial keeps the details of its generator under their names, and those that had a column before keep it."""

import json

from support.store_samples import MUTANTS, trial

from harness.analysis.frames import load_run
from harness.analysis.frozen import read_frozen, write_frozen
from harness.analysis.measures import summary
from harness.analysis.run_summary import summary_rows
from harness.store import RunStore, export_facts

DETAILS = {"lab.exact": True, "lab.rejected": 3, "lab.share": 0.25, "lab.way": "12"}
"""Of each type, sorted by name."""


def store_trials(folder, *details):
    """Store a trial for each of the details, with scopes from 2."""
    with RunStore.open(folder) as store:
        mutants = store.mutants.add(MUTANTS)
        for scope, details_of_trial in enumerate(details, 2):
            store.trials.add(trial(mutants, scope, details=details_of_trial))


def stored(folder):
    with RunStore.open_existing(folder) as store:
        return [one.details for one in store.trials.all()]


def exported(folder):
    facts = map(json.loads, export_facts(folder).splitlines())
    return {fact["scope"]: fact for fact in facts if fact["table"] == "trial"}


def test_details_come_back_with_their_types(tmp_path):
    store_trials(tmp_path, DETAILS, {})
    assert stored(tmp_path) == [DETAILS, {}]
    assert [type(value) for value in stored(tmp_path)[0].values()] == [bool, int, float, str]


def test_details_are_columns_of_the_frames_and_of_frozen_runs(tmp_path):
    store_trials(tmp_path / "run", DETAILS, {})
    frames = load_run(tmp_path / "run")
    write_frozen(frames, tmp_path / "frozen")
    for trials in (frames.trials, read_frozen(tmp_path / "frozen").trials):
        assert list(trials.columns[-5:]) == ["version", *DETAILS]
        assert [str(trials[name].dtype) for name in DETAILS] == ["boolean", "Int64", "Float64", "string"]
        assert {name: trials[name][0] for name in DETAILS} == DETAILS
        assert trials[list(DETAILS)].isna().all(axis=1).tolist() == [False, True]


def test_details_stand_beside_the_inputs_in_the_table_of_a_run(tmp_path):
    store_trials(tmp_path, DETAILS, {})
    first, second = summary_rows(tmp_path)
    assert list(first)[3:8] == ["inputs", *DETAILS]
    assert ({name: first[name] for name in DETAILS}, second["lab.rejected"]) == (DETAILS, None)
    assert list(summary(load_run(tmp_path)).columns) == list(first)


def test_the_sum_of_the_extensions_has_the_column_of_before(tmp_path):
    store_trials(tmp_path, {}, {"sat.extension": 17})
    assert stored(tmp_path) == [{}, {"sat.extension": 17}]
    assert load_run(tmp_path).trials["extension"].fillna(-1).tolist() == [-1, 17]
    facts = exported(tmp_path)
    assert facts[3]["extension"] == 17
    assert not {"extension", "details"} & set(facts[2])
    assert "details" not in facts[3]
    assert "extension" not in summary_rows(tmp_path)[0]
