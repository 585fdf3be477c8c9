"""The partial baseline of an interrupted run is reused if it was made from the same sources."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.errors import StoreError
from harness.kernel.judging.baseline import Baseline, ExpectedOutcome
from harness.kernel.running.baseline_slices import read_baseline, slice_path, write_slice
from harness.runner.mutant_stages import BaselineCache

SOURCE = "5" * 64


def baseline(first: int, last: int) -> Baseline:
    slice_of_inputs = Baseline(first)
    for number in range(first, last):
        slice_of_inputs.add(ExpectedOutcome(b"R%d" % (number % 3), b"state", number, 2), 0.5)
    return slice_of_inputs


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("written")
    for first, last in ((0, 4), (4, 9)):
        write_slice(folder, SOURCE, baseline(first, last), 1.5)
    return folder


def test_slices_are_read_back_as_one_baseline_and_one_that_lacks_a_slice_is_refused(written: Path) -> None:
    whole, read = baseline(0, 9), read_baseline(written, SOURCE, 9, lambda: None)
    assert read.facts == whole.facts
    assert [read.values[number] for number in read.outcomes] == [whole.values[number] for number in whole.outcomes]
    assert (read.steps, read.judge_steps) == (whole.steps, whole.judge_steps)
    with pytest.raises(StoreError, match="No such file"):
        read_baseline(written, SOURCE, 10, lambda: None)


def test_a_slice_that_is_kept_is_copied(written: Path, tmp_path: Path) -> None:
    slices = BaselineCache(written, tmp_path, SOURCE)
    loaded = slices.load(0)
    assert loaded is not None
    assert (loaded.first, loaded.last, loaded.steps, loaded.raised, loaded.cpu_seconds) == (0, 4, 6, 0, 1.5)
    assert slice_path(tmp_path, 0).read_bytes() == slice_path(written, 0).read_bytes()
    assert slices.load(9) is None
    with pytest.raises(StoreError, match="made from another program, spec or suite"):
        BaselineCache(written, tmp_path, "6" * 64).load(0)


def test_what_is_kept_appears_complete(tmp_path: Path) -> None:
    cache, work = tmp_path / "kept", tmp_path / "work"
    cache.mkdir()
    work.mkdir()
    path = write_slice(work, SOURCE, baseline(0, 4), 1.5)
    stored = BaselineCache(cache, work, SOURCE).store(0)
    assert BaselineCache(cache, tmp_path, SOURCE).load(0) == stored
    assert [entry.name for entry in cache.iterdir()] == [path.name]
    path.write_bytes(b"damaged")
    with pytest.raises(StoreError, match="no slice of a baseline"):
        BaselineCache(cache, work, SOURCE).store(0)
    assert BaselineCache(cache, tmp_path, SOURCE).load(0) == stored
