"""A store tells seconds that its run measured from those that came with a suite."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.store_samples import MUTANTS, trial

from harness.analysis.frames import load_run
from harness.analysis.frozen import read_frozen, write_frozen
from harness.model.seconds import EarlierSeconds
from harness.store import RunStore, Timing

ORIGIN = "a machine, 2 jobs, 2026-11-24"
TIMINGS = [Timing("baseline", 0.5), Timing("generate", 0.25, ORIGIN)]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    with RunStore.open(tmp_path) as store:
        key = store.trials.add(trial(store.mutants.add(MUTANTS)))
        for timing in TIMINGS:
            store.timings.add(key, timing.what, timing.seconds, timing.origin)
    return tmp_path


def stored(folder: Path) -> list[Timing]:
    with RunStore.open_existing(folder) as store:
        return store.timings.of(store.trials.all()[0].key)


def test_where_and_when_seconds_were_measured_comes_back(run: Path) -> None:
    assert stored(run) == TIMINGS


def test_frames_tell_them_apart_and_freezing_keeps_that(run: Path, tmp_path: Path) -> None:
    frames = load_run(run)
    write_frozen(frames, tmp_path / "frozen")
    for read in (frames, read_frozen(tmp_path / "frozen")):
        by_activity = {what: seconds for (_, what), seconds in read.seconds.items()}
        assert {what: type(seconds) for what, seconds in by_activity.items()} == {
            "baseline": float,
            "generate": EarlierSeconds,
        }
        assert by_activity["generate"].origin == ORIGIN
        assert not read.sessions or "1 suite was made before" in read.machine


def test_runs_without_such_seconds_are_frozen_as_before(run: Path, tmp_path: Path) -> None:
    frames = load_run(run)
    frames.timings["origin"] = None
    write_frozen(frames, tmp_path / "frozen")
    assert "origin" not in (tmp_path / "frozen" / "timings.csv").read_text()


def test_a_sum_with_such_seconds_is_marked(run: Path) -> None:
    whole = sum([0.5, EarlierSeconds(0.25, ORIGIN), 0.25])
    assert isinstance(whole, EarlierSeconds)
    assert (whole, whole.origin) == (1.0, ORIGIN)
