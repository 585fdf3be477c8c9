"""The audit finds nothing, `benchmarks.unchanged` names what changed, and pages of results say how they were made."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import measuring, unchanged
from benchmarks.audit.finding import Found
from benchmarks.audit.page import Results
from benchmarks.audit.parts import pieces
from benchmarks.measuring import MUTANT_SETS, RESULTS

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


PAGES = sorted(path.name for path in RESULTS.glob("*.md"))
ORIGIN = re.compile(
    r"Made by `python -m benchmarks\.([a-z_.]+)[^`]*`"
    r"(?: (?:at|and stored with) commit [0-9a-f]{7,8} on \d{4}-\d{2}-\d{2}|, each row at the commit that it names)"
    r"\.\nMutants: (.+)\."
)
"""The command, the commit with the day, and the mutants. Old pages know only the commit that they were stored with."""


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_results_names_its_command_commit_and_mutants(name: str) -> None:
    title, _, command, mutant_set, *_ = (RESULTS / name).read_text(encoding="utf-8").splitlines()
    assert title.startswith("# ")
    match = ORIGIN.fullmatch(f"{command}\n{mutant_set}")
    assert match is not None
    module, mutants = match.groups()
    assert (RESULTS.parent / module.replace(".", "/")).with_suffix(".py").exists() or (RESULTS.parent / module).is_dir()
    assert mutants == MUTANT_SETS[module]


def test_a_benchmark_writes_its_origin_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [str(RESULTS.parent / "matrix.py"), "heap_array", "7"])
    line = measuring.origin([str(RESULTS.parent / "matrix.py"), "heap_array", "7"])
    assert line.startswith("Made by `python -m benchmarks.matrix heap_array 7` at commit ")
    assert ORIGIN.fullmatch(line)
    assert measuring.page_text(["# Matrices", "", "Text."]) == f"# Matrices\n\n{line}\n\nText.\n"
    assert (
        measuring.page_text(["# Matrices", "", *line.splitlines(), "", "Text."]) == f"# Matrices\n\n{line}\n\nText.\n"
    )
