"""A frozen run is the run again: the same frames, the same bytes."""

from dataclasses import replace

import pandas as pd
import pytest
from support.run_samples import coverage_row, frames_of_rows, result_rows, trial_row

from harness.analysis.frozen import is_frozen, read_frozen, write_frozen
from harness.errors import StoreError


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
