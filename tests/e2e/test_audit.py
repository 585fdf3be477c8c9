"""The audit at small scope finds nothing, says what it did, and keeps what was finished."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.audit.finding import Found
from benchmarks.audit.page import Results
from benchmarks.audit.parts import Piece, pieces

ROOT = Path(__file__).parents[2]
VERDICTS, KILLS = Piece("verdicts", "states 1"), Piece("kills", "pytest")


@pytest.mark.slow
def test_the_audit_finds_nothing_at_small_scope():
    command = [sys.executable, "-m", "benchmarks.audit", "--small", "--part", "verdicts", "--kind", "solver 2"]
    process = subprocess.run(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
    )
    assert process.returncode == 0, process.stdout + process.stderr
    assert "| solver 2 | 10 |" in process.stdout
    assert "**No finding.**" in process.stdout


def test_fewer_than_twenty_thousand_verdicts_in_all_are_a_finding():
    results, rounds = Results(), pieces(["verdicts"])
    for piece in rounds[1:]:
        results.keep(piece, Found({"verdicts": 1}), 2.0, seed=3)
    assert results.findings() == []
    results.keep(rounds[0], Found({"verdicts": 20_000 - len(rounds)}), 2.0, seed=3)
    assert results.findings() == ["only 19999 verdicts were executed again, not 20000"]
    results.keep(rounds[0], Found({"verdicts": 20_000}), 2.0, seed=3)
    assert results.findings() == []


def set_commit(folder: Path, piece: Piece, commit: str) -> None:
    """Have a kept result be of another commit."""
    file = folder / f"{piece.part}-{piece.kind}.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"commit": commit}))


def test_what_was_finished_is_kept_for_its_commit_and_seed(tmp_path):
    Results(tmp_path).keep(VERDICTS, Found({"verdicts": 7}, ["one differs"]), 2.0, seed=3)
    again = Results(tmp_path)
    assert again.has(VERDICTS, 3)
    assert not again.has(VERDICTS, 4)
    assert not again.has(KILLS, 3)
    assert again.findings() == ["one differs"]
    set_commit(tmp_path, VERDICTS, "another")
    assert not Results(tmp_path).has(VERDICTS, 3)


def test_results_since_a_commit_are_kept_by_later_ones(tmp_path):
    log = subprocess.run(
        ["git", "log", "-2", "--format=%h"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    newest, before = log.stdout.split()
    for piece, commit in ((KILLS, before), (VERDICTS, before + "+")):
        Results(tmp_path).keep(piece, Found({"verdicts": 7}), 2.0, seed=0)
        set_commit(tmp_path, piece, commit)
    results = Results(tmp_path)
    assert results.has(KILLS, 0, since=before)
    assert not results.has(KILLS, 0, since=newest)
    assert not results.has(VERDICTS, 0, since=before)  # files had been changed


def test_the_page_has_the_sums_of_each_part_and_every_finding():
    results = Results()
    results.keep(KILLS, Found({"kills": 60, "runs": 8}, ["run 2: its facts are others"]), 2.0, seed=3)
    results.keep(Piece("kills", "states"), Found({"kills": 40, "runs": 5}), 3.0, seed=3)
    text = "\n".join(results.lines())
    assert "| **all** | 100 | 13 | 1 | 5 |" in text
    assert "* pytest: run 2: its facts are others" in text
    assert text.endswith("**1 findings.**")
