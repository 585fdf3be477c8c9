"""Old and new scores side by side, also where the old run names no operator set."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import StoreError
from harness.papers.exhaustive2003.changes import changes


def frozen(folder: Path, *trials: str, verdicts: str) -> Path:
    folder.mkdir()
    (folder / "trials.csv").write_text("trial,title,scope,generator,mode,finished\n" + "\n".join(trials) + "\n")
    rows = [f"t1,m{at},viable,{'killed' if verdict == 'k' else 'survived'}" for at, verdict in enumerate(verdicts)]
    (folder / "results.csv").write_text("trial,mutant,status,verdict\n" + "\n".join(rows) + "\n")
    return folder


def test_each_benchmark_and_scope_has_both_scores(tmp_path: Path) -> None:
    generated = "t2,SearchTree,3,korat-dedicated,generate,True"
    old = frozen(tmp_path / "old", "t1,SearchTree,2,korat,matrix,True", generated, verdicts="kkks")
    new = frozen(tmp_path / "new", "t1,SearchTree,2,korat,first-kill,True", verdicts="kks")
    _, _, row = changes(old, new).splitlines()
    assert row == "| SearchTree | 2 | 75.00 (3/4) | 66.67 (2/3) |"
    other = frozen(tmp_path / "other", "t1,heapq,1,korat,first-kill,True", verdicts="k")
    assert changes(old, other).splitlines()[2:] == [
        "| SearchTree | 2 | 75.00 (3/4) | - |",
        "| heapq | 1 | - | 100.00 (1/1) |",
    ]


def test_what_is_no_frozen_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="not a frozen run"):
        changes(tmp_path, tmp_path)
