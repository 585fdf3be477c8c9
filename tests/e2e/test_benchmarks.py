"""The audit at small scope finds nothing, and `benchmarks.unchanged` names what a change has changed."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import unchanged
from benchmarks.audit.finding import Found
from benchmarks.audit.page import Results
from benchmarks.audit.parts import pieces

ROOT = Path(__file__).parents[2]


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


NAME = "numbers: beapi2023 killed / all viable mutants table1"


def compared(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["unchanged", "--part", "numbers", *arguments])
    monkeypatch.setenv("MUTASCOPE_CACHE", "")  # what it sets is taken back behind the test
    return unchanged.main()


@pytest.mark.slow
def test_a_hash_that_differs_is_named_with_exit_status_one(tmp_path, monkeypatch, capsys):
    file = tmp_path / "unchanged.txt"
    monkeypatch.setattr(unchanged, "FILE", file)
    assert compared(monkeypatch, "--write") == 0
    capsys.readouterr()
    assert compared(monkeypatch) == 0
    first, *lines = file.read_text().splitlines()
    forged = [f"{'0' * 16}{line[16:]}" if line.endswith(NAME) else line for line in lines]
    file.write_text("\n".join([first, *forged, f"{'0' * 16}  numbers: gone"]) + "\n")
    capsys.readouterr()
    assert compared(monkeypatch) == 1
    assert capsys.readouterr().out.splitlines() == [NAME, "numbers: gone"]
