"""The border: what a store or a frozen run holds becomes typed frames, and what cannot be trusted is refused."""

import dataclasses
from dataclasses import replace

import pandas as pd
import pytest
from support.forged_store import opened
from support.run_samples import coverage_row, frames_of_rows, growing_run, result_rows, trial_row
from support.store_samples import COVERAGE as STORED_COVERAGE
from support.store_samples import CRASHED, FAULTY, KILLED, MUTANTS, PROVENANCE, trial
from support.store_samples import RESULTS as STORED_RESULTS

from harness.analysis.frames import COVERAGE, RESULTS, TIMINGS, TRIALS, checked_frame, load_run, run_frames
from harness.analysis.frozen import is_frozen, read_frozen, write_frozen
from harness.analysis.measures import by_reason, coverage_ratios, saturation, scores, scores_by
from harness.errors import StoreError
from harness.store import RunStore


@pytest.fixture
def folder(tmp_path):
    with RunStore.open(tmp_path) as store:
        store.sessions.add(PROVENANCE)
        key = store.trials.add(trial(store.mutants.add(MUTANTS)))
        for result in STORED_RESULTS:
            store.results.add(key, result, seconds=0.5)
        store.coverage.add(key, STORED_COVERAGE)
        store.finished.add(key)
    return tmp_path


def test_a_stored_run_becomes_typed_frames(folder):
    frames = load_run(folder)
    for frame, columns in (
        (frames.trials, TRIALS),
        (frames.results, RESULTS | {"scope": "int64"}),
        (frames.coverage, COVERAGE | {"scope": "int64"}),
        (frames.timings, TIMINGS | {"scope": "int64"}),
    ):
        assert list(frame.columns) == list(columns)
        assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == {
            name: "category" if isinstance(dtype, pd.CategoricalDtype) else dtype for name, dtype in columns.items()
        }
    assert frames.sessions == (PROVENANCE,)
    assert frames.trials["finished"].tolist() == [True]
    killed = frames.results.set_index("mutant").loc[KILLED.mutant]
    assert (killed["operator"], killed["function"], killed["reason"], killed["input"]) == (
        "ROR",
        "Tree.add",
        "output",
        2,
    )
    assert frames.results.set_index("mutant")["steps"].isna().to_dict() == {
        r.mutant: r.mutant == CRASHED.mutant for r in STORED_RESULTS
    }


def test_an_empty_store_gives_empty_frames(tmp_path):
    RunStore.open(tmp_path).close()
    frames = load_run(tmp_path)
    assert [len(f) for f in (frames.trials, frames.results, frames.coverage, frames.timings)] == [0, 0, 0, 0]


def test_every_frame_is_filtered_by_scope():
    frames = growing_run({"a": "Alpha"}, range(2, 4))
    of_scope = {"size": 3, "killed_before": 1, "expected": 1.5, "seed": 0, "killed": 2}
    samples = [{"trial": f"a-{scope}", **of_scope} for scope in (2, 3)]
    frames = dataclasses.replace(frames, samples=checked_frame("samples", samples))
    for name in ("trials", "results", "coverage", "timings", "samples"):
        frame = getattr(frames, name)
        assert set(frame.query("scope == 3")["trial"]) == {"a-3"}, name
        assert set(frame["scope"]) == {2, 3}, name
    for frame in (scores(frames), scores_by("operator", frames), scores_by("function", frames), by_reason(frames)):
        assert set(frame["scope"]) == {2, 3}
    assert set(coverage_ratios(frames)["scope"]) == {2, 3}


def test_of_two_versions_of_a_trial_the_latest_is_loaded(folder):
    with RunStore.open(folder) as store:
        store.trials.add(trial(store.mutants.add(MUTANTS), subject_hash="0" * 64))
    frames = load_run(folder)
    assert frames.trials["finished"].tolist() == [False]
    assert not len(frames.results)


def test_an_unfinished_trial_may_hold_inconclusive_results(tmp_path):
    with RunStore.open(tmp_path) as store:
        store.results.add(store.trials.add(trial(store.mutants.add(MUTANTS))), FAULTY)
    assert load_run(tmp_path).results["verdict"].tolist() == ["inconclusive"]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE mutant_result SET verdict = 'kiled'", "'kiled' is not a valid Verdict"),
        ("UPDATE mutant_result SET reason = NULL", "a kill names its reason"),
        ("UPDATE mutant_result SET mutant = 'M' WHERE mutant LIKE 'ROR%'", "a result of M"),
        ("UPDATE coverage SET branches_executed = 99", "executed exceeds executable"),
    ],
)
def test_facts_changed_by_hand_are_found(folder, statement, message):
    with opened(folder) as raw:
        raw.execute(statement)
    with pytest.raises(StoreError, match=message):
        load_run(folder)


TRIAL = trial_row("t", "T", 1)
RESULT = result_rows("t-1", 1, 0)[0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"verdict": "timeout"}, "results.verdict: 'timeout' is none of killed"),
        ({"verdict": None}, "results.verdict: a value is missing in row 0"),
        ({"inputs_run": "many"}, "results.inputs_run: not of type int64"),
    ],
)
def test_results_of_other_types_are_refused(changes, message):
    with pytest.raises(StoreError, match=message):
        frames_of_rows([TRIAL], [RESULT | changes])


def test_a_missing_column_is_named():
    frames = growing_run({"t": "T"}, range(1, 2))
    with pytest.raises(StoreError, match="results: no column 'operator'"):
        run_frames(frames.trials, frames.results.drop(columns="operator"), frames.coverage, frames.timings)


def test_a_row_that_is_there_twice_is_refused():
    with pytest.raises(StoreError, match="results: t-1 m000 is there twice"):
        frames_of_rows([TRIAL], [RESULT, RESULT])


def run(*sets: str):
    trials = [trial_row("t", "Tree", 1, trial=name, operator_set=name) for name in sets]
    results = [row for at, name in enumerate(sets) for row in result_rows(name, 1 + at, 2)]
    return frames_of_rows(trials, results)


@pytest.mark.parametrize(
    ("sets", "chosen"),
    [(["extended", "ferastrau"], "ferastrau"), (["ferastrau", "extended"], "ferastrau"), (["extended"], "extended")],
)
def test_the_default_sets_trials_are_taken_where_there_are_any(sets, chosen):
    frames = run(*sets).of_one_operator_set()
    assert set(frames.trials["trial"]) == set(frames.results["trial"]) == {chosen}


def test_every_score_is_told_with_its_operator_set():
    frames = run("ferastrau", "extended")
    score_rows = scores(frames)
    assert dict(zip(score_rows["operator_set"], score_rows["killed"], strict=True)) == {"ferastrau": 1, "extended": 2}
    rows = saturation(score_rows, coverage_ratios(frames))
    assert list(rows["operator_set"]) == ["ferastrau", "extended"]


def test_a_run_without_trials_stays_as_it_is():
    frames = run("ferastrau")
    empty = replace(frames, trials=frames.trials.iloc[:0], results=frames.results.iloc[:0])
    assert empty.of_one_operator_set().trials.empty


@pytest.fixture
def frames():
    return frames_of_rows(
        [trial_row("tree", "NA", 1), trial_row("tree", "NA", 2, finished=False)],
        result_rows("tree-1", 2, 2),
        [coverage_row("tree-1", "code", "T.add", 9, 8, 4, 3)],
        [{"trial": "tree-1", "what": what, "seconds": 0.1 + 0.2} for what in ("baseline", "m000")],
        [{"trial": "tree-1", "size": 3, "killed_before": 1, "seed": n, "killed": n} for n in range(3)],
    )


def test_frames_come_back_as_they_were_but_for_keys_and_mutants_seconds(frames, tmp_path):
    write_frozen(frames, tmp_path / "frozen")
    assert is_frozen(tmp_path / "frozen")
    assert not is_frozen(tmp_path)
    read = read_frozen(tmp_path / "frozen")
    numbers = {"tree-1": "t1", "tree-2": "t2"}
    for name in ("trials", "results", "coverage", "samples", "timings"):
        expected = getattr(frames, name)
        if name == "timings":
            expected = expected[expected["what"] == "baseline"]
        expected = expected.assign(trial=expected["trial"].map(numbers).astype("string"))
        pd.testing.assert_frame_equal(getattr(read, name), expected)
    assert read.sessions == tuple(replace(session, arguments=()) for session in frames.sessions)


def test_the_same_frames_give_the_same_bytes(frames, tmp_path):
    write_frozen(frames, tmp_path / "first")
    write_frozen(read_frozen(tmp_path / "first"), tmp_path / "second")
    for path in sorted((tmp_path / "first").iterdir()):
        assert path.read_bytes() == (tmp_path / "second" / path.name).read_bytes()


@pytest.mark.parametrize(
    "columns",
    [
        {"subject_hash": ["7" * 64, "7" * 64]},
        {"sequences": ["on-mutant", "on-mutant"], "observed": ["end", "end"]},
        {"ended": ["attempts", ""], "notices": ["", "cut: 1, pinned; x"]},
    ],
)
def test_what_only_some_trials_have_is_frozen_where_it_is_known(frames, tmp_path, columns):
    write_frozen(frames, tmp_path / "unknown")
    heading = (tmp_path / "unknown" / "trials.csv").read_text().partition("\n")[0].split(",")
    assert not columns.keys() & set(heading)
    assert read_frozen(tmp_path / "unknown").trials[list(columns)].isna().all(axis=None)
    known = {name: [value or pd.NA for value in values] for name, values in columns.items()}
    write_frozen(replace(frames, trials=frames.trials.assign(**known)), tmp_path / "known")
    read = read_frozen(tmp_path / "known").trials
    assert {name: list(read[name].fillna("")) for name in columns} == columns


def test_rows_of_trials_that_are_left_out_are_not_frozen(frames, tmp_path):
    for position, there in ((0, True), (1, False)):
        write_frozen(replace(frames, trials=frames.trials.iloc[[position]]), tmp_path / str(position))
        read = read_frozen(tmp_path / str(position))
        assert list(read.trials["scope"]) == [position + 1]
        for rows in (read.results, read.coverage, read.timings, read.samples):
            assert set(rows["trial"]) == ({"t1"} if there else set())


@pytest.mark.parametrize("damage", ["missing", "text", "column"])
def test_a_damaged_folder_is_refused_in_one_line(frames, tmp_path, damage):
    write_frozen(frames, tmp_path)
    path = tmp_path / "results.csv"
    if damage == "missing":
        path.unlink()
    else:
        old, new = ("inputs_run", "x") if damage == "column" else (",1,", ",many,")
        path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(StoreError, match=str(tmp_path)) as refused:
        read_frozen(tmp_path)
    assert "\n" not in str(refused.value)
