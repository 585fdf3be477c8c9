"""A trial keeps what ended its suite and what qualifies it; stores and frozen runs of before are read without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.store_samples import MUTANTS, trial

from harness.analysis.frames import load_run
from harness.analysis.run_summary import suite_warnings
from harness.model.outcome import OracleName
from harness.store import RunStore

SHORT: dict[str, Any] = {"generator": "random:1000", "ended": "nothing new", "notices": ("cut: 1", "pinned: 2")}
REMARKS = ["20 of 1,000 inputs, ended as the last attempts made nothing new", "cut: 1", "pinned: 2"]


def add(folder: Path, scope: int, **changes: Any) -> None:
    with RunStore.open(folder) as store:
        store.trials.add(trial(store.mutants.add(MUTANTS), scope, **changes))


def stored(folder: Path) -> list[tuple[str | None, tuple[str, ...]]]:
    with RunStore.open_existing(folder) as store:
        return [(one.ended, one.notices) for one in store.trials.all()]


def test_what_ended_a_suite_comes_back_and_stands_in_the_frames(tmp_path: Path) -> None:
    add(tmp_path, 2)
    add(tmp_path, 3, **SHORT)
    assert stored(tmp_path) == [(None, ()), ("nothing new", ("cut: 1", "pinned: 2"))]
    trials = load_run(tmp_path).trials
    assert list(trials["ended"].fillna("?")) == ["?", "nothing new"]
    assert list(trials["notices"].fillna("?")) == ["?", "cut: 1; pinned: 2"]


def test_each_suite_that_ended_early_is_told_in_a_line_once_for_all_oracles(tmp_path: Path) -> None:
    add(tmp_path, 2)
    add(tmp_path, 3, **SHORT)
    add(tmp_path, 3, oracle=OracleName.POSTCONDITION, **SHORT)
    assert suite_warnings(tmp_path) == [f"Tree random:1000 scope 3: {remark}" for remark in REMARKS]
    add(tmp_path, 4, generator="random:21", seed=5, ended="attempts")
    assert "Tree random:21 scope 4 seed 5: 20 of 21 inputs, ended by the attempts" in suite_warnings(tmp_path)[-1]
